"""The writer's order for other versions of a passage, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass

from studio.messages import said
from studio.project.history.variations import PassageMode, Variation
from studio.story.ledger import Estimate
from studio.story.review.passage import PassagePlace

MOST_VERSIONS = 8
"""The most versions that one order can ask for."""


@dataclass(frozen=True, slots=True)
class PassageOrder:
    """One order for versions of a passage."""

    chapter: int
    place: PassagePlace
    mode: PassageMode
    direction: str = ""
    versions: int = 1


@dataclass(frozen=True, slots=True)
class PassagePrice:
    """What an order can cost, known before any call is made."""

    calls: int
    model: str
    estimate: Estimate
    """What all calls together will cost."""

    @property
    def worst_usd(self) -> float | None:
        """US dollars for all calls together at most; None if the model's price is unknown."""
        return self.estimate.most

    def sentence(self, order: PassageOrder) -> str:
        """Returns a sentence for the writer: what will be asked, of which model, and the maximum
        cost."""
        what = said("1 version") if order.versions == 1 else said("{n} versions", n=order.versions)
        calls = said("1 call") if self.calls == 1 else said("{n} calls", n=self.calls)
        return said(
            "{what} of the passage {place}: {calls} to {model}, {cost}.",
            what=what,
            place=order.place,
            calls=calls,
            model=self.model,
            cost=self.cost,
        )

    @property
    def cost(self) -> str:
        """The cost alone, in words."""
        return self.estimate.words


@dataclass(frozen=True, slots=True)
class PassageVersion:
    """A version of a passage as it is kept."""

    chapter: int
    place: PassagePlace
    variation: Variation
    text: str
    length: int
    """The length in the units of the novel's language."""

    @property
    def sha256(self) -> str:
        """The sha256 of the text, which names the version."""
        return self.variation.sha256
