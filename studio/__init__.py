"""A terminal writing studio for long fiction."""

from __future__ import annotations

__version__ = "0.1.0"
