"""The active model, its price, and how to choose another, in plain words. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from studio.config.schema import ROLES
from studio.i18n import _, translate
from studio.llm.prices import Price, PriceList
from studio.tui.views.words import Line, Phrase, line

if TYPE_CHECKING:
    from studio.llm.choose import ProviderChoice
    from studio.llm.provider import Provider


def model_lines(choice: ProviderChoice, prices: PriceList, key: str) -> Iterator[Line]:
    """Yields the model, its price per million tokens, and the key of the settings for another
    model."""
    yield (Phrase(_("Model: "), "quiet"), Phrase(translate(choice.reason)))
    if choice.provider is not None:
        yield (Phrase(_("Price: "), "quiet"), Phrase(price_words(choice.provider, prices)))
    yield from how_to_change(key)


def how_to_change(key: str) -> Iterator[Line]:
    """Yields where another model is chosen, and what works without one."""
    yield (
        Phrase(key, "accent"),
        Phrase(" " + _("sets another: a key, a server or a model file."), "quiet"),
    )
    yield line(_("Everything but drafting and judging works without a model."), "quiet")


def price_words(provider: Provider, prices: PriceList) -> str:
    """Returns the price of each model in US dollars per million tokens, input and output."""
    if provider.profile.provider == "embedded":
        return _("nothing; it runs on this machine.")
    models = dict.fromkeys(provider.model_for(role) for role in ROLES)
    words = _("; ").join(f"{model} {_tell_tiers(prices.tiers(model))}" for model in models)
    return _("US$ for a million pieces of words, read and written: {words}.", words=words)


def _tell_tiers(tiers: tuple[Price, ...]) -> str:
    if not tiers:
        return _("not known")
    first, last = tiers[0], tiers[-1]
    low = _("{input:g} and {output:g}", input=first.input, output=first.output)
    high = _("{input:g} and {output:g}", input=last.input, output=last.output)
    return low if len(tiers) == 1 else _("{low}, for long prompts {high}", low=low, high=high)
