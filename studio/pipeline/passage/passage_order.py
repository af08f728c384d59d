"""What the writer asks for when she wants another version of a passage, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass

from studio.project.history.variations import PassageMode, Variation
from studio.story.ledger import dollars
from studio.story.review.passages import PassagePlace

MOST_VERSIONS = 8
"""Versions that one order can ask for."""


@dataclass(frozen=True, slots=True)
class PassageOrder:
    """One order."""

    chapter: int
    place: PassagePlace
    mode: PassageMode
    direction: str = ""
    versions: int = 1


@dataclass(frozen=True, slots=True)
class PassagePrice:
    """What an order can cost, known before anything is asked."""

    calls: int
    model: str
    worst_usd: float | None
    """US dollars of all calls together at most; None where the model's price is unknown."""

    def sentence(self, order: PassageOrder) -> str:
        """For the writer: what will be asked, of whom, and what it costs at most."""
        what = "1 version" if order.versions == 1 else f"{order.versions} versions"
        calls = "1 call" if self.calls == 1 else f"{self.calls} calls"
        return f"{what} of the passage {order.place}: {calls} to {self.model}, {self.cost}."

    @property
    def cost(self) -> str:
        """The money alone, in words."""
        if self.worst_usd is None:
            return "price not known"
        return f"at most {dollars(self.worst_usd)}" if self.worst_usd else "no cost"


@dataclass(frozen=True, slots=True)
class PassageVersion:
    """A version of a passage, as it is kept."""

    chapter: int
    place: PassagePlace
    variation: Variation
    text: str
    length: int
    """In the language's units."""

    @property
    def sha256(self) -> str:
        """By what it is named."""
        return self.variation.sha256
