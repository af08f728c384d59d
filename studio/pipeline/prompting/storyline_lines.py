"""The lines about storylines in a prompt: the chapter's own, those that run beside it, the
schedule, and the dormant ones.

Everything is as of the chapter (BOOK 1); the schedule and the volume's outline are plans that are
meant to be known, including the rows of later chapters.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from studio.book.as_of import StoryAt
from studio.pipeline.prompting.lines import Line, says_something
from studio.project.outline import Section, preface_of, sections
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract
from studio.story.novel import ScheduledChapter, Storyline

_ROWS_BEFORE, _ROWS_AFTER = 5, 15
"""Rows of the schedule that are included before and after the chapter."""
_LONGEST_STANDING = 400
"""Characters of the summary that says how a parallel storyline stands."""
_ONE_BY_ONE = 40
"""Sections of an outline, before and after the chapter's own, that are separate lines; sections
farther away are one line on each side, however long the volume is."""
_FAR = 1_000_000
"""How much less a line of far sections is worth than any other."""


class StorylineLines:
    """The storylines and the plan of the volume, for one chapter's calls."""

    def __init__(self, store: ProjectStore, story: StoryAt, contract: ChapterContract) -> None:
        self._store = store
        self._story = story
        self._contract = contract

    @cached_property
    def all(self) -> dict[str, Storyline]:
        """Every storyline by its id."""
        return {line.id: line for line in self._store.storylines().storylines}

    @property
    def own(self) -> Storyline | None:
        """The storyline of the chapter, if storylines.json has it."""
        return self.all.get(self._contract.storyline_id)

    def storyline(self) -> Iterator[Line]:
        """Yields the chapter's storyline: what it is about, the rules of storylines (LS), its
        memory."""
        own, line_id = self.own, self._contract.storyline_id
        if own is not None and own.summary.strip():
            yield Line(line_id, f"{own.title}: {own.summary}", "storyline")
        rules = "\n".join(f"Rule [{r.id}]: {r.rule}" for r in self._store.storyline_spec().rules)
        if rules:
            yield Line("rules", rules, "rule", "always", needed=True)
        if memory := self._story.memory(line_id):
            yield Line("memory", f"What this line remembers:\n{memory}", "memory")

    def neighbours(self) -> Iterator[Line]:
        """Yields the storylines that run beside this chapter: the memory of each and how it
        stands."""
        for line_id in self._beside:
            line = self.all.get(line_id)
            head = f"{line.title} ({line_id})" if line else line_id
            rows = [self._story.memory(line_id), self._standing(line_id)]
            words = "\n".join(row for row in rows if row)
            if words:
                yield Line(line_id, f"{head}:\n{words}", "memory", "schedule")

    def _standing(self, line_id: str) -> str:
        """Returns how a storyline stands: the end of its last chapter, according to that
        chapter's summary."""
        last = self._last_on(line_id)
        summary = " ".join(self._story.summary(last).split()) if last else ""
        if not summary:
            return ""
        return f"As it stands, after chapter {last}: {summary[:_LONGEST_STANDING]}"

    def schedule(self) -> Iterator[Line]:
        """Yields which storylines the chapters around this one carry, and which ones are
        dormant."""
        number = self._contract.chapter
        for row in self._rows:
            if number - _ROWS_BEFORE <= row.chapter <= number + _ROWS_AFTER:
                is_own = row.chapter == number
                worth = -abs(row.chapter - number)
                why = "contract" if is_own else "schedule"
                yield Line(f"chapter-{row.chapter:03d}", _row(row), "schedule", why, worth=worth)
        for line in self.all.values():
            if line.status == "dormant" and line.id != self._contract.storyline_id:
                yield Line(line.id, self._resting(line), "resting line", "schedule")

    def _resting(self, line: Storyline) -> str:
        last = self._last_on(line.id)
        since = f", since chapter {last}" if last else ""
        about = f": {line.summary}" if line.summary else ""
        return f"Rests{since}: {line.title} ({line.id}){about}"

    def _last_on(self, line_id: str) -> int:
        """Returns the last chapter before this one on a storyline; 0 if there is none."""
        newest = reversed(self._story.entries.items())
        return next((n for n, entry in newest if entry.storyline_id == line_id), 0)

    @cached_property
    def _rows(self) -> tuple[ScheduledChapter, ...]:
        rows = self._store.schedule(self._contract.volume).chapters
        return tuple(sorted(rows, key=lambda row: row.chapter))

    @cached_property
    def _beside(self) -> tuple[str, ...]:
        own = self._contract.storyline_id
        row = next((r for r in self._rows if r.chapter == self._contract.chapter), None)
        return tuple(line for line in (row.concurrent if row else ()) if line != own)

    def volume_outline(self) -> Iterator[Line]:
        """Yields the outline of the volume without the chapter's own section, which is a
        separate block; if there is no room the sections farthest from the chapter go first."""
        number = self._contract.chapter
        outline = self._store.outline(self._contract.volume)
        preface = preface_of(outline)
        if says_something(preface):
            yield Line("volume", preface, "plan", "volume", worth=1)
        others = [s for s in sections(outline) if s.chapter != number and s.body]
        others.sort(key=lambda section: section.chapter)
        before = [section for section in others if section.chapter < number]
        after = [section for section in others if section.chapter > number]
        if far := before[:-_ONE_BY_ONE]:
            yield _together("chapters-before", far)
        for section in (*before[-_ONE_BY_ONE:], *after[:_ONE_BY_ONE]):
            worth = -abs(section.chapter - number)
            yield Line(
                f"chapter-{section.chapter:03d}", section.text, "plan", "volume", worth=worth
            )
        if far := after[_ONE_BY_ONE:]:
            yield _together("chapters-after", far)


def _together(line_id: str, sections: list[Section]) -> Line:
    """Joins sections far from the chapter into one line, which is dropped first."""
    words = "\n\n".join(section.text for section in sections)
    return Line(line_id, words, "plan", "volume", worth=-max(s.chapter for s in sections) - _FAR)


def _row(row: ScheduledChapter) -> str:
    beside = f", beside it {', '.join(row.concurrent)}" if row.concurrent else ""
    note = f" ({row.note})" if row.note else ""
    return f"Chapter {row.chapter}: {row.storyline_id}{beside}{note}"
