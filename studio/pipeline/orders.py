"""What the writer orders: a chapter to be written, resumed or reviewed, a book's beginning, other
versions of a passage and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from studio.messages import said
from studio.project.history.variations import PassageMode, Variation
from studio.story.chapter import Chapter
from studio.story.checkpoint import BeginningStep, VolumeStep
from studio.story.ledger import Estimate
from studio.story.review.passage import PassagePlace
from studio.story.status import ReviewMode


@dataclass(frozen=True, slots=True)
class WriteOrder:
    """One order. Without a chapter it is about the one in work, else the next."""

    chapter: int | None = None
    review: ReviewMode = "ask"
    direction: str = ""
    draft: Path | str | None = None
    """Her own chapter: a file, or the text itself."""
    typed: bool = False
    """Whether she wrote that chapter in the studio's own editor."""
    scene: int | None = None
    """The one scene to draft, or to draft again."""
    goes_on: bool = False
    """Whether that scene goes on from its last word; without a scene, the one in progress."""
    again: bool = False
    several: bool = False
    """Whether this chapter is one of a number that she does not sit by (`--count`)."""
    puts_by: str = ""
    """The id of a question that proposes something for the book and that she answers later: it
    waits, and the chapter begins."""
    text: str | None = None
    """Her own chapter as it goes into the novel, once it was read."""

    def replaces(self, standing: Chapter) -> bool:
        """Whether her own chapter takes the place of a text that never went into the book, and
        nobody needs to ask: the editor asked, or it is that very text."""
        own = self.text
        return own is not None and (self.typed or own == standing.spread_out().text)


@dataclass(frozen=True, slots=True)
class StartOrder:
    """One order; every part of it may be supplied later."""

    premise: str | None = None
    """What the book is, in the writer's words."""
    sample: str | None = None
    """A sample of the writer's own prose."""
    trials: int | None = None
    """The number of trial chapters, 0 to 3."""
    length: int | None = None
    """How long a chapter is, in the novel's unit."""
    step: BeginningStep | VolumeStep | None = None
    """A step, or what was proposed for a volume, that was left out and is to be asked again."""


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
    changes: tuple[str, ...] = ()
    """What it says otherwise than the passage, a sentence each, as it is said of a fix."""

    @property
    def sha256(self) -> str:
        """The sha256 of the text, which names the version."""
        return self.variation.sha256
