"""The lines about earlier chapters in a prompt: eras, related chapters, the latest chapters, and
what each mentioned of other storylines. Their size is bounded however long the book is (G10)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from studio.book.as_of import StoryAt
from studio.book.bible import slugs_in_plan
from studio.book.related import related_chapters
from studio.messages import said
from studio.pipeline.prompting.lines import Line
from studio.project.files import load
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract
from studio.story.records import Crossref

RECENT_SUMMARIES = 3
_CHAPTER = re.compile(r"^chapter-(\d{1,6})$")


class EarlierLines:
    """The lines about the chapters before one, for that chapter's calls."""

    def __init__(self, store: ProjectStore, story: StoryAt, contract: ChapterContract) -> None:
        self._store = store
        self._story = story
        self._contract = contract

    def summaries(self, pinned: Iterable[str] = ()) -> Iterator[Line]:
        """Yields the summaries of the eras, of earlier chapters related to this one, and of the
        latest chapters. If there is no room, the eras go first, then the related chapters, then
        the oldest of the latest. `pinned` are chapters that the writer wants included, by the
        names of their lines."""
        number = self._contract.chapter
        latest = max(1, number - RECENT_SUMMARIES)
        for first, last, text in self._story.eras(number):
            words = f"Chapters {first} to {last}:\n{text}"
            line_id = f"era-{first:03d}-{last:03d}"
            yield Line(line_id, words, "era", "related", worth=last - _AN_ERA)
        slugs = slugs_in_plan(self._contract)
        related = related_chapters(self._contract, slugs, self._story.touched, latest)
        wanted = {int(m[1]) for name in pinned if (m := _CHAPTER.match(name))}
        earlier = sorted({*related, *(n for n in wanted if n < latest)})
        for n, text in self._story.summaries((*earlier, *range(latest, number))).items():
            why, worth = ("related", 0) if n < latest else ("recent", n)
            yield Line(
                f"chapter-{n:03d}",
                said("Chapter {chapter}: {name}", chapter=n, name=text),
                "summary",
                why,
                worth=worth,
            )

    def crossrefs(self) -> Iterator[Line]:
        """Yields what the latest chapters, and this one as far as it was read, mention of other
        storylines."""
        number = self._contract.chapter
        for n in range(max(1, number - RECENT_SUMMARIES), number):
            if (crossref := self._story.crossref(n)) is not None:
                yield from _mentions(crossref, "recent")
        staged = self._store.layout.staged_crossref(number)
        own = load.document(self._store.root, Crossref, staged)
        if own is not None and own.chapter == number:
            yield from _mentions(own, "contract")

    def previous_review(self) -> Iterator[Line]:
        """Yields how the volume before went, according to its review."""
        before = self._contract.volume - 1
        text = load.text(self._store.root, self._store.layout.review(before)) or ""
        if before >= 1 and text.strip():
            yield Line(f"vol-{before:02d}", text.strip(), "review", "volume")


_AN_ERA = 1_000_000
"""How much less an era is worth than any single chapter."""


def _mentions(crossref: Crossref, why: str) -> Iterator[Line]:
    for index, mention in enumerate(crossref.mentions, start=1):
        line = f" (line {mention.storyline_id})" if mention.storyline_id else ""
        leak = " LEAK: this line must not know it." if mention.leak else ""
        quote = f": “{mention.quote}”" if mention.quote else ""
        words = f"Chapter {crossref.chapter} mentions {mention.entity}{line}{quote}.{leak}"
        line_id = f"chapter-{crossref.chapter:03d}-{index}"
        yield Line(line_id, words, "crossref", why, worth=crossref.chapter)
