"""The author's locks: passages that stay unchanged, whoever works on the chapter (BOOK 7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count, groupby
from typing import ClassVar

from pydantic import Field

from studio.story.chapter import Chapter, Paragraph, sha256_of
from studio.story.form.document import Document, Value
from studio.story.form.ids import Sha256
from studio.story.review.passages_in_changed_text import plain
from studio.story.review.scenes_in_text import TextScenes


def hashes_of(paragraph: str) -> frozenset[str]:
    """Returns what a locked paragraph may be known by: its words, however they were saved, with
    other line ends, composed otherwise, or with blanks at the ends of lines; and its bytes, as
    older locks have it."""
    return frozenset((sha256_of(paragraph), lock_hash(paragraph)))


def lock_hash(paragraph: str) -> str:
    """Returns what a paragraph that is locked now is known by."""
    return sha256_of("\n".join(map(str.rstrip, plain(paragraph).splitlines())))


class PassageLock(Value):
    """One passage that no model changes, known by its paragraphs' words."""

    id: str = Field(pattern=r"^lock_[0-9]{3,}$")
    chapter: int = Field(ge=1)
    paragraphs: tuple[Sha256, ...] = Field(min_length=1)
    """The sha256 of each paragraph, in text order: composed, with line feeds, and without blanks at
    the ends of its lines."""
    quote: str = ""
    """The beginning of the passage, for people."""
    created_at: str = ""

    def paragraphs_in(self, chapter: Chapter) -> tuple[Paragraph, ...]:
        """Returns the current place of the locked words: the whole passage as one block, or, where
        that is gone, each of its paragraphs that remains."""
        whole: list[Paragraph] = []
        width = len(self.paragraphs)
        for scene in chapter.scenes:
            forms = [hashes_of(p.text) for p in scene.paragraphs]
            for start in range(len(forms) - width + 1):
                run = zip(self.paragraphs, forms[start : start + width], strict=True)
                if all(sha256 in form for sha256, form in run):
                    whole += scene.paragraphs[start : start + width]
        return tuple(whole) or tuple(
            p for p in chapter.paragraphs if not hashes_of(p.text).isdisjoint(self.paragraphs)
        )


class PassageLocks(Document):
    """locks.json: the passages the author keeps as they are."""

    SCHEMA: ClassVar[str] = "locks"

    locks: tuple[PassageLock, ...] = ()

    def of(self, chapter: int) -> tuple[PassageLock, ...]:
        """Returns the locks of one chapter, oldest first."""
        return tuple(lock for lock in self.locks if lock.chapter == chapter)

    def held_in(self, number: int, chapter: Chapter) -> frozenset[tuple[int, int]]:
        """Returns scene and paragraph number of every locked paragraph of a chapter's text."""
        return frozenset(
            (p.scene, p.number) for lock in self.of(number) for p in lock.paragraphs_in(chapter)
        )

    def holds_any(self, number: int, chapter: Chapter, passage: Iterable[Paragraph]) -> bool:
        """Whether any of these paragraphs is locked."""
        held = self.held_in(number, chapter)
        return any((p.scene, p.number) in held for p in passage)

    def all_stay(self, number: int, before: Chapter, after: Chapter) -> bool:
        """Whether every locked paragraph of a chapter's text is in what was made of it, too."""
        return all(
            len(lock.paragraphs_in(after)) >= len(lock.paragraphs_in(before))
            for lock in self.of(number)
        )

    def scenes_held(self, number: int, scenes: TextScenes) -> frozenset[int]:
        """Returns the scenes of a chapter's text that contain a locked paragraph."""
        locks = self.of(number)
        locked = (p for lock in locks for p in lock.paragraphs_in(scenes.chapter))
        return frozenset(map(scenes.number_of, locked))

    def next_id(self) -> str:
        """Returns an unused lock id."""
        return _lock_id(self._last_number + 1)

    @property
    def _last_number(self) -> int:
        return max((int(lock.id.removeprefix("lock_")) for lock in self.locks), default=0)

    def without(self, number: int, hashes: Collection[str]) -> PassageLocks:
        """Returns a copy with these paragraphs of a chapter unlocked. The rest of a lock keeps its
        id; where it splits, each further piece becomes a separate lock."""
        locks: list[PassageLock] = []
        new_numbers = count(self._last_number + 1)
        for lock in self.locks:
            if lock.chapter != number or not set(lock.paragraphs) & set(hashes):
                locks.append(lock)
                continue
            for at, run in enumerate(_runs(lock.paragraphs, hashes)):
                changes: dict[str, object] = {"paragraphs": run}
                if at:
                    changes["id"] = _lock_id(next(new_numbers))
                if run[0] != lock.paragraphs[0]:
                    changes["quote"] = ""
                locks.append(lock.copy_with(**changes))
        return self.copy_with(locks=tuple(locks))


def _lock_id(number: int) -> str:
    return f"lock_{number:03d}"


def _runs(paragraphs: Sequence[str], gone: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Yields the stretches of paragraphs between those that are unlocked."""
    for is_gone, run in groupby(paragraphs, lambda sha256: sha256 in gone):
        if not is_gone:
            yield tuple(run)
