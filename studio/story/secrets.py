"""The contents of world/secrets.json: secrets, and from when on somebody knows each (BOOK 4)."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field

from studio.story.form.document import Document, Value
from studio.story.form.ids import Slug

_PLACE = re.compile(r"^(\d{1,9})(?:\.(\d{1,9}))?$")


class Moment(Value):
    """A chapter, or one of its scenes."""

    chapter: int = Field(ge=1)
    scene: int = Field(default=1, ge=1)

    def reached_in(self, chapter: int, scene: int | None) -> bool:
        """Whether the moment is reached at the start of a scene, or else within the chapter."""
        if scene is None:
            return self.chapter <= chapter
        return (self.chapter, self.scene) <= (chapter, scene)


def moment_of(place: int | str) -> Moment:
    """Parses `5` or `5.2` as a moment; ValueError for anything else."""
    match = _PLACE.match(str(place).strip())
    if match is None:
        raise ValueError(f'{place!r} is no chapter and no scene; write 5, or "5.2"')
    return Moment(chapter=int(match[1]), scene=int(match[2] or 1))


def _place(value: object) -> object:
    if isinstance(value, int | str) and not isinstance(value, bool):
        moment_of(value)
    return value


KnownSince = Annotated[int | str, BeforeValidator(_place)]


class Knower(Value):
    """Somebody who knows a secret, and from when on."""

    who: Slug
    """The character."""
    from_: KnownSince = Field(alias="from")
    """A chapter, or `5.2` for a scene; inclusive."""


class Secret(Value):
    """Something that is true and not known to everybody."""

    id: Slug
    fact: str = Field(min_length=1)
    """What is true."""
    phrases: tuple[str, ...] = ()
    """Words that only somebody who knows the secret would say."""
    known_by: tuple[Knower, ...] = ()
    """Who knows it; nothing of it is told before anybody does."""
    reader_from: KnownSince | None = None
    """From when on the reader knows; None while never."""

    def known_to(self, who: str, chapter: int, scene: int | None) -> bool:
        """Whether somebody knows the secret when a scene begins."""
        moments = [moment_of(knower.from_) for knower in self.known_by if knower.who == who]
        return any(moment.reached_in(chapter, scene) for moment in moments)

    def known_to_reader(self, chapter: int, scene: int | None) -> bool:
        """Whether the reader knows the secret when a scene begins."""
        return self.reader_from is not None and moment_of(self.reader_from).reached_in(
            chapter, scene
        )

    @property
    def begins(self) -> Moment | None:
        """The earliest moment at which anybody knows the secret; no prompt has it before that."""
        places = [knower.from_ for knower in self.known_by]
        places += [self.reader_from] if self.reader_from is not None else []
        moments = [moment_of(place) for place in places]
        return min(moments, key=lambda m: (m.chapter, m.scene), default=None)

    def may_be_told(self, chapter: int, scene: int | None) -> bool:
        """Whether a request about a scene may contain the secret."""
        return self.begins is not None and self.begins.reached_in(chapter, scene)


class Secrets(Document):
    """world/secrets.json."""

    SCHEMA: ClassVar[str] = "secrets"

    secrets: tuple[Secret, ...] = ()
