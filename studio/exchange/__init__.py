"""Import and export: others' files become chapters, and chapters become files for others."""

from __future__ import annotations
