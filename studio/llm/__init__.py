"""Asks models: every provider sits behind one protocol, and every call goes through one gateway.

No module here writes files; whatever must be kept is handed to a journal. Importing this package
imports no vendor library.
"""

from __future__ import annotations
