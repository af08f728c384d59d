"""Who wrote each paragraph of a chapter, followed from version to version through history.

A paragraph belongs to whoever introduced it; one that stays similar after somebody else changed it
still belongs to its first author, as edited. History says who made a version
(`project.history.reasons`); for versions older than those reasons the records of model calls do.
This module only reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from studio.errors import StudioError
from studio.project import layout as places
from studio.project.author.author_text import standing_text
from studio.project.history.blobs import Version
from studio.project.history.reasons import Writer, writer_of
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, sha256_of
from studio.text.diff import diff

By = Literal["hand", "brought", "model", "model_edited", "hand_edited", "unknown"]
"""hand: written in the studio by a person; brought: imported from a file or another program; model:
written by a model; model_edited: a person's text, changed by a model; hand_edited: a model's text,
changed by a person; unknown: no source says."""
ALL_BY: tuple[By, ...] = ("hand", "brought", "model", "model_edited", "hand_edited", "unknown")

_ALIKE = 0.5
"""The share of a paragraph that must come from an earlier one to count as an edit of it."""
_PART = 0.2
"""The share of a paragraph from which an earlier one counts as a part of it."""
_NEAR = 3
"""How many paragraphs around its old position are compared with a changed paragraph."""
_SHORTEST = {"en": 6, "ko": 3, "zh": 3}
"""The minimum number of characters in a common stretch: shorter ones are shared by chance."""
_PROSE_AGENTS = frozenset({"scene-drafter", "assembly", "style-refiner", "prose-surgeon"})


@dataclass(frozen=True, slots=True)
class Authored:
    """One paragraph and who wrote it."""

    text: str
    by: By

    @property
    def sha256(self) -> str:
        """The hash of the paragraph, as directives and kept passages name it."""
        return sha256_of(self.text)


@dataclass(frozen=True, slots=True)
class ChapterAuthorship:
    """The paragraphs of one chapter in its current version, in order."""

    chapter: int
    paragraphs: tuple[Authored, ...]


class Authorship:
    """Who wrote the chapters of one novel; history is read once, each chapter on demand."""

    def __init__(self, store: ProjectStore, language: str) -> None:
        self._store = store
        self._language = language
        self._pasts: dict[int, _Past] = {}
        self._versions: dict[int, list[Version]] = {}
        for version in store.history.log():
            chapter = _chapter_of(version.path)
            if chapter is not None:
                self._versions.setdefault(chapter, []).append(version)

    def written_chapters(self) -> list[int]:
        """Returns every chapter that has a text, committed or in work."""
        inflight = self._store.checkpoint().inflight_chapter
        numbers = set(self._store.chapter_numbers())
        if inflight is not None and standing_text(self._store, inflight) is not None:
            numbers.add(inflight)
        return sorted(numbers)

    def of(self, chapter: int) -> ChapterAuthorship:
        """Returns the paragraphs of the current text of a chapter: in work if there is one, else
        committed.

        StudioError (exit 5) for a text that cannot be read.
        """
        paragraphs = self._past(chapter).paragraphs
        if any(p.by == "unknown" for p in paragraphs):
            paragraphs = self._from_other_chapters(chapter, paragraphs)
        return ChapterAuthorship(chapter, _by_record(self._store, chapter, paragraphs))

    def _past(self, chapter: int) -> _Past:
        past = self._pasts.get(chapter)
        if past is None:
            past = self._pasts[chapter] = _Past(self._language)
            for version, texts in self._readable(chapter):
                past.add(texts, writer_of(version.reason))
            standing = standing_text(self._store, chapter)
            past.add([p.text for p in standing.paragraphs] if standing else [], "brought")
        return past

    def _readable(self, chapter: int) -> Iterator[tuple[Version, list[str]]]:
        """Yields the versions of the chapter's text, oldest first, skipping lost ones."""
        newest = ""
        for version in self._versions.get(chapter, []):
            if version.sha == newest:
                continue
            try:
                text = Chapter(self._store.history.blob(version.sha).decode())
            except (StudioError, UnicodeDecodeError):
                continue
            newest = version.sha
            yield version, [paragraph.text for paragraph in text.paragraphs]

    def _from_other_chapters(
        self, chapter: int, paragraphs: tuple[Authored, ...]
    ) -> tuple[Authored, ...]:
        """Attributes paragraphs of a chapter that was moved, split or joined: its past is filed
        under other chapter numbers."""
        if all(writer_of(version.reason) for version in self._versions.get(chapter, [])):
            return paragraphs
        seen: dict[str, By] = {}
        for number in self._versions:
            if number != chapter:
                seen |= self._past(number).seen
        return tuple(
            Authored(p.text, seen.get(_plain(p.text), p.by)) if p.by == "unknown" else p
            for p in paragraphs
        )


class _Past:
    """The paragraphs of a chapter with their authors, version by version."""

    def __init__(self, language: str) -> None:
        self.paragraphs: tuple[Authored, ...] = ()
        self._language = language
        self.seen: dict[str, By] = {}

    def add(self, texts: Sequence[str], writer: Writer | None) -> None:
        """Adds one version; `writer` is None where history does not say who made it."""
        old = self.paragraphs
        before, after = [_plain(p.text) for p in old], [_plain(text) for text in texts]
        fresh: list[Authored] = []
        steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        for kind, a, b, c, d in steps:
            if kind == "equal":
                pairs = zip(texts[c:d], old[a:b], strict=True)
                fresh += [Authored(text, p.by) for text, p in pairs]
                continue
            for at, text in enumerate(texts[c:d]):
                near = old[max(a, a + at - _NEAR) : min(b, a + at + _NEAR + 1)]
                fresh.append(Authored(text, self._author(text, near, writer)))
        self.paragraphs = tuple(fresh)
        self.seen |= {_plain(p.text): p.by for p in fresh}

    def _author(self, text: str, near: Sequence[Authored], writer: Writer | None) -> By:
        """Returns the author of a paragraph that moved or changed, judging by older ones nearby."""
        seen = self.seen.get(_plain(text))
        if seen is not None:
            return seen
        shares = [(_share(p.text, text, self._language), p.by) for p in near]
        parts = {by for share, by in shares if share >= _PART}
        whole = "\n".join(p.text for p in near)  # words that several share count once
        if not parts or _share(whole, text, self._language) < _ALIKE:
            return writer or "unknown"
        if any(_plain(text) in _plain(p.text) for p in near):
            return _one_of(parts)
        return _author_of_edit(_one_of(parts), writer)


def _one_of(parts: set[By]) -> By:
    """Returns the author of a paragraph merged from several."""
    if len(parts) == 1:
        return next(iter(parts))
    if parts <= {"hand", "brought"}:
        return "brought"
    return "unknown" if "unknown" in parts else "hand_edited"


def _author_of_edit(by: By, writer: Writer | None) -> By:
    """Returns the author of a paragraph that somebody else changed and that is still similar."""
    if by == "unknown" or writer is None or by == writer:
        return by if writer is not None else "unknown"
    if writer == "model":
        return "model_edited"
    return "brought" if by in ("hand", "brought") else "hand_edited"


def _share(old: str, new: str, language: str) -> float:
    """Returns how much of the new paragraph came from the old one, 0 to 1."""
    if not new:
        return 0.0
    shortest = _SHORTEST.get(language, _SHORTEST["en"])
    same = (c.text for c in diff(old, new, language) if c.kind == "same")
    return sum(len(text) for text in same if len(text.strip()) >= shortest) / len(new)


def _plain(text: str) -> str:
    """Returns the words alone: line breaks inside a paragraph are not authorship."""
    return " ".join(text.split())


def _chapter_of(path: str) -> int | None:
    """Returns the chapter whose text is at `path`, committed or in work."""
    return places.chapter_of(path.removeprefix(f"{places.STAGING}/"))


def _by_record(
    store: ProjectStore, chapter: int, paragraphs: tuple[Authored, ...]
) -> tuple[Authored, ...]:
    """Attributes a paragraph of unknown author to a model if a recorded answer contains it."""
    if all(p.by != "unknown" for p in paragraphs):
        return paragraphs
    answers = _plain("\n".join(_answers(store, chapter)))
    return tuple(
        Authored(p.text, "model") if p.by == "unknown" and _plain(p.text) in answers else p
        for p in paragraphs
    )


def _answers(store: ProjectStore, chapter: int) -> Iterator[str]:
    """Yields what models wrote as prose for a chapter."""
    for name in store.journal.generation_ids(chapter):
        record = store.journal.recall(name)
        if record is not None and record.agent in _PROSE_AGENTS:
            yield record.generated_text
            yield from _strings(record.answer)


def _strings(value: Any) -> Iterable[str]:
    """Yields every string in a structured answer."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from _strings(item)


def models_of(store: ProjectStore, chapters: Iterable[int]) -> list[str]:
    """Returns the models with recorded prose calls for these chapters, sorted by name."""
    models = set()
    for chapter in chapters:
        for name in store.journal.generation_ids(chapter):
            record = store.journal.recall(name)
            if record is not None and record.agent in _PROSE_AGENTS and record.model:
                models.add(record.model)
    return sorted(models)
