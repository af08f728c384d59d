"""Generates studio/llm/vendor_prices.json from the data of genai-prices (MIT).

`uv run --with genai-prices python -m tests.vendor_prices > studio/llm/vendor_prices.json`

The package is not a dependency: it takes longer to load than the studio, and prices by batch,
picture or second are irrelevant here. Kept are, for each vendor, the pattern of its addresses, and
for each model its names and the US dollars per million tokens for input, output, cached input and
cache writes. Where a price depends on the time of day, the higher one is used; where there is none
for the cache, that of the input.
"""

from __future__ import annotations

import importlib
import json
import sys
from datetime import UTC, datetime
from typing import Any

_FIELDS = ("input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok")
_SIGNS = {"equals": "=", "starts_with": "^", "contains": "~"}


def main() -> None:
    """Prints the table, one line per model."""
    vendors = [_vendor(one) for one in importlib.import_module("genai_prices.data").providers]
    today = datetime.now(UTC).date().isoformat()
    sys.stdout.write(f'{{"date": "{today}", "source": "genai-prices (MIT)", "vendors": [\n')
    sys.stdout.write(",\n".join(_printed(one) for one in vendors if one["models"]))
    sys.stdout.write("\n]}\n")


def _printed(vendor: dict[str, Any]) -> str:
    rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in vendor["models"])
    return f'{{"api": {json.dumps(vendor["api"])}, "models": [\n  {rows}\n]}}'


def _vendor(provider: Any) -> dict[str, Any]:
    rows = [(_names(model.match), _tiers(model.prices)) for model in provider.models]
    return {"api": provider.api_pattern, "models": [list(row) for row in rows if all(row)]}


def _names(clause: Any) -> list[str]:
    """Returns `=name`, `^beginning` or `~part` for each name; empty for any other clause."""
    if hasattr(clause, "or_"):
        return [name for part in clause.or_ for name in _names(part)]
    return [f"{sign}{getattr(clause, key)}" for key, sign in _SIGNS.items() if hasattr(clause, key)]


def _tiers(prices: Any) -> list[list[float | None]]:
    """Returns rows of prompt token limit, input, output, cached and cache write price."""
    current = _now(prices)
    if current["input_mtok"] is None or current["output_mtok"] is None:
        return []
    starts = sorted({tier.start for price in current.values() for tier in _steps(price)})
    rows: list[list[float | None]] = []
    for at, end in zip([0, *starts], [*starts, None], strict=True):
        row = [_at(current[name], at) for name in _FIELDS]
        rows.append([end, *(price if price is not None else row[0] for price in row)])
    return rows


def _steps(price: Any) -> list[Any]:
    return list(getattr(price, "tiers", ()))


def _at(price: Any, tokens: int) -> float | None:
    if price is None or not hasattr(price, "base"):
        return None if price is None else float(price)
    reached = [tier.price for tier in price.tiers if tier.start <= tokens]
    return float(reached[-1] if reached else price.base)


def _now(prices: Any) -> dict[str, Any]:
    """Returns the prices in force today, field by field."""
    current: dict[str, Any] = dict.fromkeys(_FIELDS)
    for part in prices if isinstance(prices, list) else [prices]:
        constraint = getattr(part, "constraint", None)
        fields = {name: getattr(getattr(part, "prices", part), name) for name in _FIELDS}
        start = getattr(constraint, "start_date", None)
        if constraint is None or (start and start <= datetime.now(UTC).date()):
            current = fields
        elif hasattr(constraint, "start_time"):
            both = ((name, current[name], fields[name]) for name in _FIELDS)
            current = {name: max(a, b, key=lambda p: _at(p, 0) or 0.0) for name, a, b in both}
    return current


if __name__ == "__main__":
    main()
