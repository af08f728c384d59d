"""The model in force, what it costs, and how to set another, in plain words. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from studio.llm.prices import Price, PriceList
from studio.tui.views.words import Line, Said, line

if TYPE_CHECKING:
    from studio.llm.choose import Choice
    from studio.llm.provider import Provider, Role

_ROLES: tuple[Role, ...] = ("deep", "standard", "fast")


def model_lines(choice: Choice, prices: PriceList, config: Path) -> Iterator[Line]:
    """Which model, its price for a million tokens, where to name another."""
    yield (Said("Model: ", "quiet"), Said(choice.reason))
    if choice.provider is not None:
        yield (Said("Price: ", "quiet"), Said(price_words(choice.provider, prices)))
    yield from how_to_change(config)


def how_to_change(config: Path) -> Iterator[Line]:
    """Where another model is named, and what works without one."""
    yield line(f"To use another model, write into {config}", "quiet")
    yield line("under [provider] a base_url or a model_file, or set ANTHROPIC_API_KEY.", "quiet")
    yield line("Everything but drafting and judging works without a model.", "quiet")


def price_words(provider: Provider, prices: PriceList) -> str:
    """US dollars for a million tokens read and written, model by model."""
    if provider.profile.provider == "embedded":
        return "nothing; it runs on this machine."
    models = dict.fromkeys(provider.model_for(role) for role in _ROLES)
    told = "; ".join(f"{model} {_told(prices.tiers(model))}" for model in models)
    return f"US$ for a million tokens in and out: {told}."


def _told(tiers: tuple[Price, ...]) -> str:
    if not tiers:
        return "not known"
    first, last = tiers[0], tiers[-1]
    low = f"{first.input:g} and {first.output:g}"
    high = f"{last.input:g} and {last.output:g}"
    return low if len(tiers) == 1 else f"{low}, for long prompts {high}"
