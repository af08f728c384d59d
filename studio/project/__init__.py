"""A novel on disk: its layout, lock, history, staging area and current files."""

from __future__ import annotations
