"""The active model, its price, and how to choose another, in plain words. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from studio.config.schema import ROLES
from studio.i18n import _, language_in_force, translate
from studio.llm.prices import Price, PriceList
from studio.story.ledger import amount
from studio.tui.views.words import Line, Phrase, line

if TYPE_CHECKING:
    from studio.llm.choose import ProviderChoice
    from studio.llm.provider import Provider


def model_lines(choice: ProviderChoice, prices: PriceList, key: str) -> Iterator[Line]:
    """Yields the model, its price, and the key of the settings for another model."""
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


_PIECE = 10_000
"""Of how many words (characters in Korean and Chinese) the price is said: a writer knows how long
that is, and not what a token is."""
_TOKENS_A_WORD, _TOKENS_A_CHARACTER = 1.4, 1.2
"""About how many tokens a model takes for a word of English, and for a Korean or Chinese
character."""


def price_words(provider: Provider, prices: PriceList) -> str:
    """Returns about what each model costs that reads so many words, and that writes them."""
    if provider.profile.provider == "embedded":
        return _("nothing; it runs on this machine.")
    models = dict.fromkeys(provider.model_for(role) for role in ROLES)
    words = _("; ").join(f"{model} {_tell(prices.tiers(model))}" for model in models)
    return _("for 10,000 words read and 10,000 written, about: {words}.", words=words)


def _tell(tiers: tuple[Price, ...]) -> str:
    """Says one price; a prompt so long that another holds is none of ours."""
    if not tiers:
        return _("not known")
    price = tiers[0]
    tokens = _PIECE * (_TOKENS_A_WORD if language_in_force() == "en" else _TOKENS_A_CHARACTER)
    reading, writing = (
        translate(amount(usd * tokens / 10**6)) for usd in (price.input, price.output)
    )
    return _("{reading} and {writing}", reading=reading, writing=writing)
