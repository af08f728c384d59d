"""The pipeline: how a chapter travels from contract to commit.

Read `line.py` for the order of the stages, `engine.py` for the loop that runs them, and `stages/`
for what each stage does.
"""

from __future__ import annotations
