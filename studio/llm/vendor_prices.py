"""Looks up prices by server address, because the same model has a different price at each vendor.

The table is built from the data of genai-prices (`tests/vendor_prices.py`). An address that belongs
to no vendor, such as one on the writer's own machine, has no prices here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

Row = tuple[int | None, float, float, float, float]
"""The tier's maximum prompt tokens (None for any), then US dollars per million tokens of input,
output, cached input, and cache writes."""
_FITS: dict[str, Callable[[str, str], bool]] = {
    "=": str.__eq__,
    "^": str.startswith,
    "~": str.__contains__,
}
"""Maps the first character of a table entry to the comparison with a model's name."""


@cache
def vendor_tiers(url: str, model: str) -> tuple[Row, ...]:
    """Returns a model's price tiers at an address, by prompt length; empty where unknown."""
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
