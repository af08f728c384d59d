"""Prices by the address that is asked: a model has another price at each vendor that offers it.

The table is made of the data of genai-prices (`tests/vendor_prices.py`). An address that is no
vendor's, such as one of the writer's own machine, has no prices here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

Row = tuple[int | None, float, float, float, float]
"""Up to so many prompt tokens (None for any), then US dollars per million tokens of input, output,
cached input, and writing the cache."""
_FITS: dict[str, Callable[[str, str], bool]] = {
    "=": str.__eq__,
    "^": str.startswith,
    "~": str.__contains__,
}
"""How the name of a model is compared with one in the table, by its first character."""


@cache
def vendor_tiers(url: str, model: str) -> tuple[Row, ...]:
    """The prices of a model at an address, rising with the prompt; empty where nobody knows."""
    name = model.lower()
    for vendor in _table()["vendors"]:
        if re.match(vendor["api"], url):
            for names, rows in vendor["models"]:
                if _is_named(name, names):
                    return tuple(tuple(row) for row in rows)
    return ()


def _is_named(model: str, names: Sequence[str]) -> bool:
    return any(_FITS[name[0]](model, name[1:].lower()) for name in names)


@cache
def _table() -> Any:
    return json.loads(files("studio.llm").joinpath("vendor_prices.json").read_text("utf-8"))
