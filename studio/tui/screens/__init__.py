"""One module per screen, with its style sheet in the .tcss file of the same name."""

from __future__ import annotations
