"""A novel on disk: its layout and lock, what was, what is staged, what is."""

from __future__ import annotations
