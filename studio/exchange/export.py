"""Exports the book as one file, or as one file per chapter, for other programs and for people.

An export reads the novel without changing it, and reads everything before it writes anything.
Markdown contains titles and prose as they are, without wrapping; only a line of prose that would be
read as a heading gets a sign before it. The other formats render what its marks mean. No format
includes notes to people.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, get_args

from studio.chapter_names import label_of, numbered_title
from studio.config.schema import CharacterCount
from studio.errors import Exit, Problem, StudioError, damaged, usage
from studio.exchange.destination import (
    TAKEN,
    check_file,
    refuse_unfit,
    still_to_write,
    write_file,
    write_folder,
)
from studio.exchange.forms.manuscript import Cover, Manuscript, SetChapter, clean, set_chapter
from studio.exchange.forms.runs import with_signs_as_words
from studio.exchange.forms.texts import metadata, plain_book, plain_chapter
from studio.i18n import Language
from studio.messages import Said, said, series
from studio.project.author.published import not_published
from studio.project.changelog import ChangelogEntry, ChangelogFile, entries_that_count
from studio.project.progress import Listener, Progress, count_progress, nobody
from studio.project.store import ProjectStore
from studio.project.which_chapter import chapter_meant
from studio.story.chapter import SCENE_BREAK, Chapter
from studio.story.form.lists import items_of, names_of
from studio.story.form.slugs import chapter_name
from studio.story.lengths import unit_of

__all__ = ["FORMATS", "TAKEN", "ExportOrder", "Exported", "export_book", "select_chapters"]

Format = Literal["md", "txt", "html", "epub", "docx"]
FORMATS: dict[Format, str] = {
    "md": "Markdown",
    "txt": said("plain text"),
    "html": said("a web page"),
    "epub": said("an e-book"),
    "docx": said("a Word document in manuscript format"),
}
Companion = Literal["bible", "outline"]
Part = Literal["book", "bible", "outline"]
_BY_NAME: dict[str, Format] = {"markdown": "md", "htm": "html", "text": "txt", "word": "docx"}
BINARY: frozenset[Format] = frozenset({"epub", "docx"})
"""Formats that a terminal cannot display."""
COVERS = {"cover.jpg": "jpg", "cover.jpeg": "jpg", "cover.png": "png"}
"""The file names of cover pictures in the novel's folder, with their picture types."""
_SIGNS = {"jpg": b"\xff\xd8\xff", "png": b"\x89PNG\r\n\x1a\n"}


@dataclass(frozen=True, slots=True)
class ExportOrder:
    """An export order: format, place, chapters, and whether files may be replaced."""

    format: str
    out: str
    """A file, or a folder when it ends in `/`, which gets one file per chapter."""
    chapters: str = ""
    """A selection such as `1-5`, `3`, `1-3,7` or `4-`; empty for all chapters."""
    force: bool = False
    """Whether existing files may be replaced."""
    author: str = ""
    """The name for the title page, if any."""
    part: Part = "book"
    """The book's chapters, or the bible or outline, which are always exported as one file."""
    count: CharacterCount | None = None
    """How the novel counts the characters of its lengths."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The files and chapters that an export wrote."""

    files: tuple[Path, ...]
    chapters: tuple[int, ...]
    note: str = ""
    """What is said of chapters that are in the export and not in the book; "" for none."""


def format_of(format_: str, out: str) -> Format:
    """Returns the named format, else the one implied by the file's suffix; Markdown for a folder
    and for stdout. Raises StudioError (exit 2) that lists the known formats."""
    if format_:
        return format_named(format_)
    suffix = Path(out).suffix if not out.endswith(("/", os.sep)) else ""
    return format_named(suffix or "md")


def export_book(
    store: ProjectStore,
    title: str,
    language: Language,
    order: ExportOrder,
    listener: Listener = nobody,
) -> Exported:
    """Writes the chapters of the book. Whatever `listener` raises aborts the export before anything
    is written.

    Raises StudioError: 2 for an unknown format, unknown chapters, or a place that is taken or
    belongs to a novel; 5 for a chapter that cannot be read, naming it; 1 for disk errors. None of
    them leaves a half-written file.
    """
    kind = format_named(order.format)
    folder = order.out.endswith(("/", os.sep))
    place = Path(os.path.abspath(order.out))
    _refuse_empty(store, language, order.part)  # before asking about an existing file
    refuse_unfit(place)
    if folder and order.part != "book":
        raise usage(
            said("The {part} is one file.", part=order.part),
            said("Leave the / at the end of its name out."),
        )
    if folder:
        numbers = chapters_to_export(order.chapters, store)
        names = {n: f"{chapter_name(n)}.{kind}" for n in numbers}
        source = _Source(store, title, language, order)
        files = {names[n]: source.chapter_file(n, kind) for n in count_progress(numbers, listener)}
        write_folder(place, still_to_write(place, files, order.force), order.force)
        return Exported(
            tuple(place / name for name in files), tuple(numbers), note_on(store, numbers)
        )
    check_file(place, order.force)
    data, chapters = book_bytes(store, title, language, order, listener)
    write_file(place, data, order.force)
    note = note_on(store, chapters) if order.part == "book" else ""
    return Exported((place,), chapters, note)


def book_bytes(
    store: ProjectStore,
    title: str,
    language: Language,
    order: ExportOrder,
    listener: Listener = nobody,
) -> tuple[bytes, tuple[int, ...]]:
    """Returns the book as one file, and its chapters; raises StudioError like `export_book`."""
    kind = format_named(order.format)
    source = _Source(store, title, language, order)
    if order.part == "bible":
        return source.companion_file("bible", None, kind), ()
    if order.part == "outline":
        from studio.exchange.companion import planned_chapters

        planned = planned_chapters(store)
        named = planned and order.chapters.strip()
        chosen = select_chapters(order.chapters, planned, store) if named else None
        return source.companion_file("outline", chosen, kind), tuple(chosen or planned)
    numbers = chapters_to_export(order.chapters, store)
    data = source.book_file(count_progress(numbers, listener), kind)
    listener(Progress("reading", len(numbers), len(numbers)))  # typesetting the book takes time too
    return data, tuple(numbers)


def empty_parts(store: ProjectStore, language: Language) -> dict[Part, Problem]:
    """Returns the parts of the novel that have nothing to export yet, each with its explanation."""
    problems: dict[Part, Problem] = {}
    for part in get_args(Part):
        try:
            _refuse_empty(store, language, part)
        except StudioError as error:
            if error.problem.exit_code == Exit.USAGE:  # a damaged part does exist
                problems[part] = error.problem
    return problems


def _refuse_empty(store: ProjectStore, language: Language, part: Part) -> None:
    if part == "book":
        select_chapters("", _chapters_of_book(store), store)
        return
    from studio.exchange.companion import sheets_of

    sheets_of(store, language, part)


def format_named(format_: str) -> Format:
    """Returns the format of that name; raises StudioError (exit 2) that lists the known formats."""
    plain = format_.lower().lstrip(".")
    name = _BY_NAME.get(plain, plain)
    for kind in FORMATS:
        if kind == name:
            return kind
    formats = series((f"{name} ({words})" for name, words in FORMATS.items()))
    raise usage(
        said("There is no export as {format}.", format=repr(format_)),
        said("The formats are {formats}.", formats=formats),
    )


def select_chapters(
    spec: str, chapters: list[int], store: ProjectStore, begin: int | None = None
) -> list[int]:
    """Returns the chapters selected by a list such as `1-3,7`, each once and in book order; a label
    may stand for a number. What goes up to a chapter, `~7`, begins at `begin`, or at the first.

    Raises StudioError (exit 2) for an invalid list, an unknown chapter, or a book without chapters.
    """
    if not chapters:
        raise usage(said("The book has no chapter yet."), said("`studio write` makes the first."))
    return numbers_in(spec, chapters, partial(chapter_meant, store), begin)


def chapters_to_publish(spec: str, store: ProjectStore) -> list[int]:
    """Returns the selected chapters of the book; `~7` begins at the first that is not published."""
    begin = next(iter(not_published(store)), None)
    return select_chapters(spec, store.chapter_numbers(), store, begin)


def chapters_to_export(spec: str, store: ProjectStore) -> list[int]:
    """Returns the selected chapters; raises StudioError like `select_chapters`, and (exit 5) for
    the first that was committed and whose file is missing or holds no prose any longer."""
    numbers = select_chapters(spec, _chapters_of_book(store), store)
    committed = _committed(store)
    for number in numbers:
        entry, path = committed.get(number), store.layout.chapter(number)
        if entry is None or store.root.sha(path) == entry.source_sha256:
            continue
        chapter = store.chapter(number)
        if chapter is None or not chapter.paragraphs:
            raise _lost(path, number, is_deleted=chapter is None)
    return numbers


def _chapters_of_book(store: ProjectStore) -> list[int]:
    """Returns the numbers of the chapters that are there or were committed, ascending."""
    return sorted({*store.chapter_numbers(), *_committed(store)})


def _committed(store: ProjectStore) -> dict[int, ChangelogEntry]:
    return entries_that_count(ChangelogFile(store.root).read_trusted().entries)


def _lost(path: str, number: int, *, is_deleted: bool) -> StudioError:
    return damaged(
        said(
            "{path} {problem}; chapter {chapter} was committed.",
            path=path,
            problem=said("is missing") if is_deleted else said("no longer holds any prose"),
            chapter=number,
        ),
        said(
            "{command} brings it back, or leave it out with --chapters.",
            command=f"`studio history restore {number}`",
        ),
    )


def note_on(store: ProjectStore, numbers: Iterable[int]) -> str:
    """Returns what is said of those of these chapters that are not in the book; "" for none, or
    while nothing is in it."""
    committed = _committed(store)
    others = [number for number in numbers if number not in committed] if committed else []
    if not others:
        return ""
    return said("In the export, but not in the book: {chapters}.", chapters=_named(others))


def _named(chapters: list[int]) -> Said:
    if len(set(chapters)) > 1:
        return said("chapters {chapters}", chapters=_ranges(chapters))
    return said("chapter {number}", number=chapters[0])


def numbers_in(
    spec: str,
    chapters: list[int],
    meant: Callable[[str], int | None],
    begin: int | None = None,
) -> list[int]:
    """Returns the numbers that a list such as `1-3,7` selects, in order, all for an empty one;
    `meant` reads a single one, and `~7` begins at `begin`, or at the first.

    Raises StudioError (exit 2) for an invalid list or number.
    """
    numbers = set(chapters) if not spec.strip() else set()
    for typed in names_of(spec):  # the label of a chapter may hold blanks
        up_to = _UP_TO.fullmatch(typed)
        end = up_to[1] or up_to[2] if up_to else typed
        for part in (end,) if meant(end) else items_of(end):
            from_first = up_to is not None and ("-" not in part or meant(part) is not None)
            numbers |= _numbers(
                f"{begin or chapters[0]}-{part}" if from_first else part, chapters, meant
            )
    return sorted(numbers)


_UP_TO = re.compile(r"(?:up to|[-~～到至])\s*(.+)|(.+?)\s*(?:까지|为止)")
"""From the first chapter to this one: `~3`, `3화까지`."""


def _numbers(part: str, chapters: list[int], meant: Callable[[str], int | None]) -> set[int]:
    whole = meant(part)
    head, dash, tail = part.partition("-")
    first = last = whole or meant(head) or 0
    if not whole and dash:
        last = (meant(tail) or 0) if tail.strip() else max(first, *chapters)
    if first < 1 or last < first:
        raise usage(
            said("{part} names no chapters.", part=repr(part)), said("Use 3, 1-5, 4- or 1-3,7.")
        )
    there = set(chapters)
    missing = next((n for n in range(first, last + 1) if n not in there), None)
    if missing is not None:
        raise usage(
            said("There is no chapter {missing}.", missing=missing),
            said("The book has {ranges}.", ranges=_named(chapters)),
        )
    return set(range(first, last + 1))


def _ranges(numbers: list[int]) -> str:
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)


class _Source:
    """Reads the novel for an export. StudioError (exit 5) names a chapter that cannot be read."""

    def __init__(
        self, store: ProjectStore, title: str, language: Language, order: ExportOrder
    ) -> None:
        self._store = store
        self._title = " ".join(title.split())
        self._language = language
        self._author = " ".join(order.author.split())
        self._unit = unit_of(language, order.count)

    def book_file(self, numbers: Iterable[int], kind: Format) -> bytes:
        """Returns the chapters in one file, one after another under the book's title."""
        if kind == "md":
            head = metadata(self._title, self._language, self._author)
            texts = [self._markdown(number).rstrip("\n") for number in numbers]
            return ("\n\n".join([head, *texts]) + "\n").encode()
        cover = self._cover() if kind == "epub" else None
        chapters = tuple(self._set_chapter(number) for number in numbers)
        return _render(self._manuscript(chapters, cover), kind)

    def companion_file(self, part: Companion, chapters: list[int] | None, kind: Format) -> bytes:
        """Returns the file of the bible or the outline."""
        from studio.exchange.companion import as_chapters, as_markdown, sheets_of

        sheets = sheets_of(self._store, self._language, part, chapters)
        if kind == "md":
            return as_markdown(metadata(self._title, self._language, self._author), sheets).encode()
        return _render(self._manuscript(as_chapters(sheets), None), kind)

    def chapter_file(self, number: int, kind: Format) -> bytes:
        """Returns the separate file of one chapter."""
        if kind == "md":
            return self._markdown(number).encode()
        chapter = self._set_chapter(number)
        if kind == "txt":
            return plain_chapter(chapter).encode()
        return _render(self._manuscript((chapter,), None), kind)

    def _markdown(self, number: int) -> str:
        """Renders one chapter: its title, paragraphs separated by blank lines,
        and `* * *` between scenes."""
        chapter, title = self._read(number)
        scenes = [
            "\n\n".join(
                with_signs_as_words(_plain(paragraph.prose)) for paragraph in scene.paragraphs
            )
            for scene in chapter.scenes
        ]
        body = f"\n\n{SCENE_BREAK}\n\n".join(scenes)
        return f"# {title}\n\n{body}".rstrip("\n") + "\n"

    def _set_chapter(self, number: int) -> SetChapter:
        chapter, title = self._read(number)
        return set_chapter(number, clean(title), chapter)

    def _read(self, number: int) -> tuple[Chapter, str]:
        return chapter_with_title(self._store, number, self._language)

    def _manuscript(self, chapters: tuple[SetChapter, ...], cover: Cover | None) -> Manuscript:
        newest = max((entry.ts for entry in self._entries()), default="")
        book = Manuscript(
            clean(self._title),
            self._language,
            chapters,
            clean(self._author),
            cover=cover,
            unit=self._unit,
        )
        return replace(book, modified=f"{newest[:19]}Z") if len(newest) > 19 else book

    def _entries(self) -> tuple[ChangelogEntry, ...]:
        return ChangelogFile(self._store.root).read_trusted().entries

    def _cover(self) -> Cover | None:
        """Returns the cover picture in the novel's folder; raises StudioError
        (exit 2) for an invalid one, and (exit 5) for a link, whose target is none of the novel."""
        for name, suffix in COVERS.items():
            data = self._store.root.find(name)
            if data is None:
                continue
            if not data.startswith(_SIGNS[suffix]):
                raise usage(
                    said("{name} is not a picture of that kind.", name=name),
                    said("Save it as JPEG or PNG."),
                )
            return Cover(data, suffix)
        return None


def _render(book: Manuscript, kind: Format) -> bytes:
    """Renders the file; each format's module is imported only when it is used."""
    if kind == "epub":
        from studio.exchange.forms.epub import epub

        return epub(book)
    if kind == "docx":
        from studio.exchange.forms.word_document import word_document

        return word_document(book)
    if kind == "html":
        from studio.exchange.forms.web_page import web_page

        return web_page(book).encode()
    return plain_book(book).encode()


def chapter_with_title(store: ProjectStore, number: int, language: Language) -> tuple[Chapter, str]:
    """Returns a chapter of the book with its title: its own, that of its plan, or its number."""
    chapter = store.chapter(number) or Chapter("")
    title = chapter.title or _planned_title(store, number)
    return chapter, title or numbered_title(label_of(number), language)


def _planned_title(store: ProjectStore, number: int) -> str:
    with suppress(StudioError):  # a damaged plan must not block the export of the prose
        contract = store.contract(number)
        return contract.title if contract else ""
    return ""


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
