"""The terminal app: a user interface on one novel. It shows, asks and delegates; it writes no
file itself."""

from __future__ import annotations
