"""Asking a model: providers behind one protocol and one gateway for every call.

Nothing here writes a file; what must be kept is handed to a journal. Importing
this package imports no vendor library.
"""

from __future__ import annotations
