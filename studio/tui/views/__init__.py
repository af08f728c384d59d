"""The content of the screens as pure values: events and files in, states and text out; no
Textual."""

from __future__ import annotations
