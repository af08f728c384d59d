"""The app: a face on one novel. It shows, asks and passes on; it writes no file itself."""

from __future__ import annotations
