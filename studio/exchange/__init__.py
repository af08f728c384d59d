"""IN and OUT: other people's files become chapters, chapters become files for other people."""

from __future__ import annotations
