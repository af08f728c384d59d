"""The wire types that the plot architect is asked to return when it reads for promises, checked
where they are read."""

from __future__ import annotations

from pydantic import Field

from studio.story.contract import ForeshadowAction
from studio.story.review.answers import Wire


class ReadPromise(Wire):
    """A promise the text makes that is not on the list."""

    id: str = Field(description="two or three words of lowercase a-z and hyphens")
    about: str = Field(description="what the reader waits for, one sentence")
    characters: list[str] = Field(description="ids from entity-ids of the people it is about")
    chapter: int = Field(description="where it is made")
    quote: str = Field(description="words copied exactly from that chapter that make it")


class ReadPromiseEvent(Wire):
    """What a later place does for a promise."""

    promise: str = Field(description="an id of `foreshadowing`, or of a promise you return")
    action: ForeshadowAction
    chapter: int
    quote: str = Field(description="words copied exactly from that chapter")


class PromisesAnswer(Wire):
    """The promises of some chapters. Two empty lists are a good answer."""

    DISPENSABLE = ("promises", "events")

    promises: list[ReadPromise]
    events: list[ReadPromiseEvent]
