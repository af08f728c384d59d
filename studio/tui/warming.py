"""Heavy packages, loaded in a thread once the first frame stands (performance P6)."""

from __future__ import annotations

import importlib
from contextlib import suppress

from studio.tui.quiet import calm

_HEAVY = ("anthropic", "jsonschema")


def warm_up() -> None:
    """Loads what the first call to a model would otherwise wait for; the collector rests."""
    calm()
    for name in _HEAVY:
        with suppress(ImportError):
            importlib.import_module(name)
    calm()
