"""What is shown, as pure values: events and files in, states and words out; no Textual."""

from __future__ import annotations
