"""The writer's order for other versions of a passage, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass

from studio.project.history.variations import PassageMode, Variation
from studio.story.ledger import dollars
from studio.story.review.passages import PassagePlace

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
    worst_usd: float | None
    """US dollars for all calls together at most; None if the model's price is unknown."""

    def sentence(self, order: PassageOrder) -> str:
        """Returns a sentence for the writer: what will be asked, of which model, and the maximum
        cost."""
        what = "1 version" if order.versions == 1 else f"{order.versions} versions"
        calls = "1 call" if self.calls == 1 else f"{self.calls} calls"
        return f"{what} of the passage {order.place}: {calls} to {self.model}, {self.cost}."

    @property
    def cost(self) -> str:
        """The cost alone, in words."""
        if self.worst_usd is None:
            return "price not known"
        return f"at most {dollars(self.worst_usd)}" if self.worst_usd else "no cost"


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
