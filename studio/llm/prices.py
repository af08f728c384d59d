"""Prices calls from a dated list; a model that is not on the list has no price, never a guess.

The same model has a different price at each vendor, so prices are looked up by server address too.
That table is built from the data of genai-prices (`tests/vendor_prices.py`). An address that
belongs to no vendor, such as one on the writer's own machine, has no prices here.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from studio.story.records import Usage

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


OLD_AFTER_DAYS = 180
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens, for prompts up to `up_to_prompt` tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    up_to_prompt: int | None = None

    @property
    def dearest_input(self) -> float:
        """The highest price of a prompt token."""
        return max(self.input, self.cache_read, self.cache_write)


@dataclass(frozen=True, slots=True)
class PriceList:
    """Prices by model id; each model's tiers are ordered by prompt length."""

    day: date
    models: Mapping[str, tuple[Price, ...]] = field(default_factory=dict)
    address: str = ""
    """The address of the server, which selects its vendor's prices for
    models that are not listed."""

    def with_own(self, prices: Mapping[str, Price]) -> PriceList:
        """Returns the list with the writer's own prices in place of the published ones."""
        own = {name: (price,) for name, price in prices.items()}
        return replace(self, models={**self.models, **own})

    def at(self, address: str) -> PriceList:
        """Returns the list with this address's vendor prices for the models that are not listed."""
        return replace(self, address=address)

    def is_old(self, today: date) -> bool:
        """Whether the list is old enough that its figures should be doubted (M11)."""
        return (today - self.day).days > OLD_AFTER_DAYS

    def tiers(self, model: str) -> tuple[Price, ...]:
        """Returns a model's price tiers by prompt length; empty when the model is unknown."""
        published = self.models.get(model) or self.models.get(re.sub(r"-\d{8}$", "", model), ())
        if published or not self.address:
            return published
        rows = vendor_tiers(self.address, model)
        return tuple(Price(row[1], row[2], row[3], row[4], row[0]) for row in rows)

    def price(self, model: str, usage: Usage) -> float | None:
        """Returns a call's cost in US dollars; None for an unknown model or token count."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        read, write = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
        tier = self._tier(model, usage.input_tokens + read + write)
        if tier is None:
            return None
        dollars = (
            usage.input_tokens * tier.input
            + usage.output_tokens * tier.output
            + read * tier.cache_read
            + write * tier.cache_write
        )
        return dollars / MILLION

    def worst_case(self, model: str, prompt_tokens: int, max_tokens: int) -> float | None:
        """Returns the highest cost of a call in US dollars; None when the model is unknown."""
        tier = self._tier(model, prompt_tokens)
        if tier is None:
            return None
        return (prompt_tokens * tier.dearest_input + max_tokens * tier.output) / MILLION

    def _tier(self, model: str, prompt_tokens: int) -> Price | None:
        for tier in self.tiers(model):
            if tier.up_to_prompt is None or prompt_tokens <= tier.up_to_prompt:
                return tier
        return None


@cache
def published() -> PriceList:
    """Returns the price list that ships with the studio."""
    data = tomllib.loads(files("studio.llm").joinpath("prices.toml").read_text("utf-8"))
    return PriceList(
        data["date"],
        {name: tuple(Price(**tier) for tier in tiers) for name, tiers in data["models"].items()},
    )
