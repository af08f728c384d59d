"""The contents of foreshadowing/proposals.json: promises that a model read in the chapters, and
what it says the chapters do for existing ones. None of it is in the book until the writer takes
it."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from studio.story.form.document import Document, Value
from studio.story.form.ids import Slug


class ProposedEvent(Value):
    """What a chapter is said to do for a promise, with the words that show it."""

    kind: Literal["planted", "advanced", "resolved"]
    chapter: int = Field(ge=1)
    quote: str = Field(min_length=1)
    """The words exactly as in the chapter."""


class PromiseProposal(Value):
    """One thing to take or leave: a new promise with all that is said of it, or a single event of
    a promise that the book has."""

    id: Slug
    description: str = ""
    """What the reader is waiting for; empty where the book has the promise."""
    characters: tuple[Slug, ...] = ()
    events: tuple[ProposedEvent, ...] = Field(min_length=1)
    """The events in chapter order; the first event of a new promise plants it."""

    @property
    def is_new(self) -> bool:
        """Whether the proposal would add a promise."""
        return bool(self.description)

    @property
    def key(self) -> str:
        """The writer's key for the proposal: the promise's id, for an event with its chapter."""
        return self.id if self.is_new else f"{self.id}@{self.events[0].chapter}"


class LeftPromise(Value):
    """A proposal the writer left, which is not made again."""

    id: Slug
    chapter: int = Field(ge=1)
    quote: str
    """The quote of the proposal's first event."""


class PromiseProposals(Document):
    """What waits, and what was left."""

    SCHEMA: ClassVar[str] = "promise-proposals"

    proposals: tuple[PromiseProposal, ...] = ()
    refused: tuple[LeftPromise, ...] = ()
