"""The planned but unwritten chapters, as a value that can be reordered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from studio.chapter_names import label_of, numbered_title, numbered_titles
from studio.errors import usage
from studio.i18n import Language
from studio.messages import said
from studio.project import layout as places
from studio.project.files import load
from studio.project.layout import Layout
from studio.project.outline import without_notes
from studio.project.planning.chapter_references import Renumbering, following_files
from studio.project.planning.imports import waiting_chapters
from studio.project.planning.outline_sections import (
    OutlineStretch,
    new_section,
    pieces_of,
    put_together,
    renumber,
    retitle,
    same_bytes,
)
from studio.project.planning.plan_change import PlanFiles, refuse_begun, texts_under
from studio.project.store import ProjectStore
from studio.project.which_chapter import list_to_begin_with
from studio.story.chapter_list import ChapterList
from studio.story.contract import ChapterContract
from studio.story.form.document import encode, to_bytes
from studio.story.form.validation import check, parse_json


@dataclass(frozen=True, slots=True)
class UnwrittenChapter:
    """One chapter that is not in the book: its plans, and a text that waits for it."""

    number: int
    volume: int
    contract: Mapping[str, Any] | None = None
    """The contract as it is in its file, so that none of its keys are lost."""
    section: OutlineStretch | None = None
    """The chapter's section of the outline."""
    schedule: Mapping[str, Any] | None = None
    """The chapter's line in the volume's schedule."""
    origin: int | None = None
    """The chapter's previous number; None if it is new."""

    @property
    def title(self) -> str:
        """The chapter's title; empty if it has a number only."""
        named = str(self.contract.get("title", "")) if self.contract else ""
        return named or (self.section.title if self.section else "")


@dataclass(frozen=True, slots=True)
class PlannedBook:
    """Everything planned after the last chapter that is in the book or in progress."""

    store: ProjectStore
    language: Language
    fixed: int
    """The last chapter that keeps its number: it is in the book, or in progress."""
    inflight: int | None
    volume_ahead: int
    """The volume of a chapter that is the first to be planned."""
    chapters: tuple[UnwrittenChapter, ...]
    outlines: Mapping[int, tuple[OutlineStretch, ...]] = field(repr=False)
    """The pieces of the outline of each volume."""

    @classmethod
    def read(cls, store: ProjectStore, language: Language) -> PlannedBook:
        """Reads the plans on disk; raises StudioError (exit 5) if one of them cannot be read."""
        checkpoint = store.checkpoint()
        fixed = max(checkpoint.last_completed_chapter, checkpoint.inflight_chapter or 0)
        volumes = store.layout.volume_numbers() or [1]
        outlines = {
            volume: pieces_of(load.exact_text(store.root, store.layout.outline(volume)) or "")
            for volume in volumes
        }
        planned = dict(_with_plans(store, volumes, outlines, fixed))
        for number in _with_texts(store, fixed):
            planned.setdefault(number, UnwrittenChapter(number, volumes[-1], origin=number))
        chapters = tuple(planned[number] for number in sorted(planned))
        inflight, ahead = checkpoint.inflight_chapter, checkpoint.volume_ahead
        return cls(store, language, fixed, inflight, ahead, chapters, outlines)

    @property
    def numbers(self) -> list[int]:
        """The numbers of the planned chapters, ascending."""
        return [chapter.number for chapter in self.chapters]

    @property
    def empty_first(self) -> OutlineStretch | None:
        """The heading of chapter 1 in a new novel, as long as it is empty and the only plan."""
        if self.numbers != [1]:
            return None
        first, layout = self.chapters[0], self.store.layout
        if first.contract or first.title or first.section is None:
            return None
        has_text = 1 in {*waiting_chapters(layout), *layout.chapter_numbers()}
        is_empty = not has_text and not without_notes(first.section.body)
        return first.section if is_empty else None

    @property
    def last_volume(self) -> int:
        """The volume of a chapter that is appended after all others."""
        return self.chapters[-1].volume if self.chapters else self.volume_ahead

    def index(self, number: int, deed: str) -> int:
        """Returns the index of a chapter among the planned ones.

        Raises StudioError (exit 2) for a chapter that is in the book or in progress, which keeps
        its number and cannot be `deed` (as in "moved"), or that is not planned.
        """
        if number in self.numbers:
            return self.numbers.index(number)
        refuse_begun(number, deed, inflight=self.inflight, fixed=self.fixed)
        raise usage(said("There is no planned chapter {number}.", number=number))

    def draft(
        self,
        title: str,
        chapters: Sequence[UnwrittenChapter],
        joins: Mapping[int, tuple[int, int]] = MappingProxyType({}),
        cuts: Mapping[int, int] = MappingProxyType({}),
        delays: Mapping[tuple[int, str], int] = MappingProxyType({}),
    ) -> PlanFiles:
        """Returns the change that makes these the planned chapters and updates all references;
        `joins`, `cuts` and `delays` are those of a `Renumbering`.

        Raises StudioError (exit 5) if a file cannot be read, or a contract would not fit its
        format.
        """
        numbers = {c.origin: c.number for c in chapters if c.origin is not None}
        gone = frozenset(n for n in self.numbers if n not in numbers)
        draft = PlanFiles(title, Renumbering(numbers, gone, joins, cuts, delays))
        layout = self.store.layout
        changed = [c for c in chapters if c not in self.chapters]
        for chapter in self.chapters:
            if chapter.contract is not None and chapter not in chapters:
                draft.files[layout.contract(chapter.volume, chapter.number)] = None
        draft.files |= _contracts(layout, changed, self.language)
        for volume in sorted({*self.outlines, *(c.volume for c in chapters)}):
            self._add_outline(draft, volume, chapters)
            self._add_schedule(draft, volume, chapters)
        if draft.numbers.changes or gone or len(chapters) > len(numbers):
            before = self._list_before()
            draft.removed = {number: before.id_of(number) for number in sorted(gone)}
            draft.files |= _list_after(before, chapters, numbers, gone)
        if draft.numbers.changes:
            draft.files |= following_files(self.store, draft.numbers)
            draft.files |= texts_under(self.store, draft.numbers)
        return draft

    def _list_before(self) -> ChapterList:
        """Returns the list of chapters with all that are planned in it."""
        origins = {c.origin: c.volume for c in self.chapters if c.origin is not None}
        return list_to_begin_with(self.store).with_chapters(origins)

    def _add_outline(
        self, draft: PlanFiles, volume: int, chapters: Sequence[UnwrittenChapter]
    ) -> None:
        present = self.outlines.get(volume, ())
        here = [c for c in chapters if c.volume == volume and c.section is not None]
        sections = {c.number: renumber(c.section, c.number) for c in here if c.section}
        if not same_bytes(present, sections, self.fixed):
            text = put_together(present, sections.values(), self.fixed)
            draft.files[self.store.layout.outline(volume)] = text.encode()

    def _add_schedule(
        self, draft: PlanFiles, volume: int, chapters: Sequence[UnwrittenChapter]
    ) -> None:
        """Moves the schedule's lines with their chapters, even into another volume."""
        path = self.store.layout.schedule(volume)
        data = self.store.root.find(path)
        document: dict[str, Any] = {"schema_version": 1}
        if data is not None:
            document = parse_json(data, path)
        ahead = {chapter.origin for chapter in self.chapters}
        stay = [line for line in document.get("chapters", []) if line.get("chapter") not in ahead]
        here = [
            {**c.schedule, "chapter": c.number}
            for c in chapters
            if c.volume == volume and c.schedule is not None
        ]
        lines = [*stay, *here]
        lines.sort(key=lambda line: line.get("chapter", 0))
        if lines != document.get("chapters", []):
            draft.files[path] = encode({**document, "chapters": lines})


def _list_after(
    before: ChapterList,
    chapters: Sequence[UnwrittenChapter],
    numbers: Mapping[int, int],
    gone: frozenset[int],
) -> dict[str, bytes | None]:
    """Returns the list of chapters, in which a number changes under an id, and a chapter that is
    new gets an id of its own."""
    listed = before.renumber(numbers, gone)
    listed = listed.with_chapters({c.number: c.volume for c in chapters}, fresh=True)
    return {places.CHAPTER_LIST: to_bytes(listed)}


def move_run(
    chapters: Sequence[UnwrittenChapter], first: int, by: Literal[1, -1]
) -> list[UnwrittenChapter]:
    """Increases or decreases the numbers from `first` on, up to the next gap."""
    run = first
    moved = []
    for chapter in chapters:
        if chapter.number == run:
            moved.append(replace(chapter, number=run + by))
            run += 1
        else:
            moved.append(chapter)
    return moved


def with_title(
    chapter: UnwrittenChapter, title: str, language: Language, *, in_outline: bool = True
) -> UnwrittenChapter:
    """Returns the chapter with another title, in its contract and in the outline."""
    section, contract = chapter.section, chapter.contract
    if section is not None:
        section = retitle(section, title, language)
    elif in_outline and contract is None:
        section = new_section(chapter.number, title, "", language)
    if contract is not None:
        contract = {**contract, "title": title}
    return UnwrittenChapter(
        chapter.number, chapter.volume, contract, section, chapter.schedule, chapter.origin
    )


def _with_plans(
    store: ProjectStore,
    volumes: Sequence[int],
    outlines: Mapping[int, Sequence[OutlineStretch]],
    fixed: int,
) -> Iterator[tuple[int, UnwrittenChapter]]:
    volume_of: dict[int, int] = {}
    for volume in volumes:
        contracts = {n: _raw(store, volume, n) for n in store.layout.contract_numbers(volume)}
        sections = _sections(store.layout.outline(volume), outlines[volume])
        lines = _lines(store, volume)
        for number in sorted({*contracts, *sections}):
            if number > fixed:
                if number in volume_of:
                    raise usage(
                        said(
                            "Chapter {number} is planned in volume {first} and in volume {volume}.",
                            number=number,
                            first=volume_of[number],
                            volume=volume,
                        ),
                        said("Take one of the two plans out first."),
                    )
                volume_of[number] = volume
                yield (
                    number,
                    UnwrittenChapter(
                        number,
                        volume,
                        contracts.get(number),
                        sections.get(number),
                        lines.get(number),
                        number,
                    ),
                )


def _sections(path: str, pieces: Sequence[OutlineStretch]) -> dict[int, OutlineStretch]:
    sections: dict[int, OutlineStretch] = {}
    for piece in pieces:
        if piece.chapter and piece.chapter in sections:
            raise usage(
                said(
                    "{path} has two sections for chapter {chapter}.",
                    path=path,
                    chapter=piece.chapter,
                ),
                said("Make one of them first."),
            )
        sections[piece.chapter] = piece
    sections.pop(0, None)
    return sections


def _lines(store: ProjectStore, volume: int) -> dict[int, dict[str, Any]]:
    """Returns the schedule's lines by chapter, as they are in the file."""
    store.schedule(volume)  # reports invalid content
    path = store.layout.schedule(volume)
    data = store.root.find(path)
    document = parse_json(data, path) if data is not None else {}
    return {line["chapter"]: line for line in document.get("chapters", [])}


def _with_texts(store: ProjectStore, fixed: int) -> Iterator[int]:
    """Yields chapters after `fixed` that have a text of the writer's but no plan."""
    numbers = {*waiting_chapters(store.layout), *store.layout.chapter_numbers()}
    yield from sorted(n for n in numbers if n > fixed)


def _raw(store: ProjectStore, volume: int, number: int) -> dict[str, Any]:
    contract = store.contract_in(volume, number)  # reports invalid content
    path = store.layout.contract(volume, number)
    assert contract is not None
    raw = parse_json(store.root.read(path), path)
    assert isinstance(raw, dict)
    return raw


def bare_title(title: str, number: int | None) -> str:
    """Returns the title, or an empty one if it is only the chapter's number or label, in any
    language."""
    is_bare = number and title in numbered_titles(number) | numbered_titles(label_of(number))
    return "" if is_bare else title


def _name_of(chapter: UnwrittenChapter) -> int | str:
    """Returns the label that a chapter keeps wherever it goes, else its new number."""
    has_label = chapter.origin is not None and label_of(chapter.origin) != str(chapter.origin)
    return label_of(chapter.origin) if has_label and chapter.origin else chapter.number


def _contracts(
    layout: Layout, chapters: Sequence[UnwrittenChapter], language: Language
) -> dict[str, bytes | None]:
    files: dict[str, bytes | None] = {}
    for chapter in chapters:
        if chapter.contract is None:
            continue
        path = layout.contract(chapter.volume, chapter.number)
        title = bare_title(str(chapter.contract.get("title", "")), chapter.origin)
        raw = {
            **chapter.contract,
            "chapter": chapter.number,
            "volume": chapter.volume,
            "title": title or numbered_title(_name_of(chapter), language),
        }
        check(ChapterContract, raw, path)
        files[path] = encode(raw)
    return files
