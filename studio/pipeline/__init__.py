"""The order of work: how a chapter travels from contract to commit.

Read `line.py` for the stages, `engine.py` for the walk, `stages/` for what each does.
"""

from __future__ import annotations
