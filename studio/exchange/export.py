"""The book as one file, or a file a chapter, for other programs and for people.

Reads the novel and changes nothing in it. Everything is read before anything
is written. Markdown has titles and prose as they are, with nothing escaped and
nothing wrapped; the other forms have what its marks mean. Notes to people are
in none of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from studio.errors import Exit, Problem, StudioError, usage
from studio.exchange.destination import (
    TAKEN,
    check_file,
    refuse_novels,
    still_to_write,
    write_file,
    write_folder,
)
from studio.exchange.forms.manuscript import Cover, Manuscript, SetChapter, clean, set_chapter
from studio.i18n import Language
from studio.project.changelog import ChangelogFile, Entry
from studio.project.files.user_files import given_bytes
from studio.project.progress import Listener, Progress, counted, nobody
from studio.project.store import ProjectStore
from studio.story.chapter import SCENE_BREAK, Chapter
from studio.story.form.slugs import chapter_name, numbered_title

__all__ = ["FORMATS", "TAKEN", "ExportOrder", "Exported", "export_book", "select_chapters"]

Format = Literal["md", "txt", "html", "epub", "docx"]
FORMATS: dict[Format, str] = {
    "md": "Markdown",
    "txt": "plain text",
    "html": "a web page",
    "epub": "an e-book",
    "docx": "a Word document in manuscript format",
}
Companion = Literal["bible", "outline"]
Part = Literal["book", "bible", "outline"]
_BY_NAME: dict[str, Format] = {"markdown": "md", "htm": "html", "text": "txt", "word": "docx"}
BINARY: frozenset[Format] = frozenset({"epub", "docx"})
"""What a terminal cannot show."""
COVERS = {"cover.jpg": "jpg", "cover.jpeg": "jpg", "cover.png": "png"}
"""Pictures in the novel's folder that become an e-book's front, and what they are."""
_SIGNS = {"jpg": b"\xff\xd8\xff", "png": b"\x89PNG\r\n\x1a\n"}
_RANGE = re.compile(r"(\d{1,9})(?:(-)(\d{0,9}))?")


@dataclass(frozen=True, slots=True)
class ExportOrder:
    """An order to export: format, place, chapters, and whether files may be replaced."""

    format: str
    out: str
    """A file, or with a `/` at its end a folder that gets a file for each chapter."""
    chapters: str = ""
    """`1-5`, `3`, `1-3,7`, `4-`; empty for all."""
    force: bool = False
    """Whether files that are there may be replaced."""
    author: str = ""
    """The name on the title page, where there is one."""
    part: Part = "book"
    """The book's chapters, or its bible or outline, which are always one file."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The files and chapters that an export wrote."""

    files: tuple[Path, ...]
    chapters: tuple[int, ...]


def format_of(format_: str, out: str) -> Format:
    """The format that was named, else the one the file's name ends with; Markdown for a folder
    and for stdout. StudioError (exit 2) with the names there are."""
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
    """Writes the chapters of the book. What `listener` raises ends it with nothing written.

    StudioError: 2 for a format there is not, chapters there are not, a place
    that is taken or belongs to a novel; 5 for a chapter that cannot be read, by
    its name; 1 for the disk. No half-written file is left of any of them.
    """
    kind = format_named(order.format)
    folder = order.out.endswith(("/", os.sep))
    place = Path(os.path.abspath(order.out))
    _refuse_empty(store, language, order.part)  # before a place that is taken is asked about
    refuse_novels(place)
    if folder and order.part != "book":
        raise usage(f"The {order.part} is one file.", "Leave the / at the end of its name out.")
    if folder:
        numbers = select_chapters(order.chapters, store.chapter_numbers())
        names = {n: f"{chapter_name(n)}.{kind}" for n in numbers}
        source = _Source(store, title, language, order.author)
        files = {names[n]: source.chapter_file(n, kind) for n in counted(numbers, listener)}
        write_folder(place, still_to_write(place, files, order.force), order.force)
        return Exported(tuple(place / name for name in files), tuple(numbers))
    check_file(place, order.force)
    data, chapters = book_bytes(store, title, language, order, listener)
    write_file(place, data, order.force)
    return Exported((place,), chapters)


def book_bytes(
    store: ProjectStore,
    title: str,
    language: Language,
    order: ExportOrder,
    listener: Listener = nobody,
) -> tuple[bytes, tuple[int, ...]]:
    """The book as it would stand in one file, and its chapters; StudioError as for a file."""
    kind = format_named(order.format)
    source = _Source(store, title, language, order.author)
    if order.part == "bible":
        return source.companion_file("bible", None, kind), ()
    if order.part == "outline":
        from studio.exchange.companion import planned_chapters

        planned = planned_chapters(store)
        named = planned and order.chapters.strip()
        chosen = select_chapters(order.chapters, planned) if named else None
        return source.companion_file("outline", chosen, kind), tuple(chosen or planned)
    numbers = select_chapters(order.chapters, store.chapter_numbers())
    data = source.book_file(counted(numbers, listener), kind)
    listener(Progress("reading", len(numbers), len(numbers)))  # setting the book takes time too
    return data, tuple(numbers)


def empty_parts(store: ProjectStore, language: Language) -> dict[Part, Problem]:
    """The parts of the novel that hold nothing to export yet, each with what there is to say."""
    problems: dict[Part, Problem] = {}
    for part in get_args(Part):
        try:
            _refuse_empty(store, language, part)
        except StudioError as error:
            if error.problem.exit_code == Exit.USAGE:  # what is damaged is there
                problems[part] = error.problem
    return problems


def _refuse_empty(store: ProjectStore, language: Language, part: Part) -> None:
    if part == "book":
        select_chapters("", store.chapter_numbers())
        return
    from studio.exchange.companion import sheets_of

    sheets_of(store, language, part)


def format_named(format_: str) -> Format:
    """The format of that name; StudioError (exit 2) with the names there are."""
    plain = format_.lower().lstrip(".")
    name = _BY_NAME.get(plain, plain)
    for kind in FORMATS:
        if kind == name:
            return kind
    formats = ", ".join(f"{name} ({words})" for name, words in FORMATS.items())
    raise usage(f"There is no export as {format_!r}.", f"The formats are {formats}.")


def select_chapters(spec: str, chapters: list[int]) -> list[int]:
    """The chapters of a list such as `1-3,7`, each once, in the order of the book.

    StudioError (exit 2): no such list, a chapter there is not, or a book without chapters.
    """
    if not chapters:
        raise usage("There is no chapter to export yet.", "`studio write` makes the first.")
    numbers = set(chapters) if not spec.strip() else set()
    for part in filter(str.strip, spec.split(",")):
        numbers |= _numbers(part.strip(), chapters)
    return sorted(numbers)


def _numbers(part: str, chapters: list[int]) -> set[int]:
    match = _RANGE.fullmatch(part)
    first = int(match[1]) if match else 0
    last = first if not match or not match[2] else int(match[3] or max(first, *chapters))
    if not match or first < 1 or last < first:
        raise usage(f"{part!r} names no chapters.", "Use 3, 1-5, 4- or 1-3,7.")
    there = set(chapters)
    missing = next((n for n in range(first, last + 1) if n not in there), None)
    if missing is not None:
        has = f"chapters {_ranges(chapters)}" if len(there) > 1 else f"chapter {chapters[0]}"
        raise usage(f"There is no chapter {missing}.", f"The book has {has}.")
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
    """The novel as an export reads it. StudioError (exit 5) names a chapter that cannot be read."""

    def __init__(self, store: ProjectStore, title: str, language: Language, author: str) -> None:
        self._store = store
        self._title = " ".join(title.split())
        self._language = language
        self._author = " ".join(author.split())

    def book_file(self, numbers: Iterable[int], kind: Format) -> bytes:
        """The chapters behind each other, under the book's title."""
        if kind == "md":
            from studio.exchange.forms.texts import metadata

            head = metadata(self._title, self._language, self._author)
            texts = [self._markdown(number).rstrip("\n") for number in numbers]
            return ("\n\n".join([head, *texts]) + "\n").encode()
        cover = self._cover() if kind == "epub" else None
        chapters = tuple(self._set(number) for number in numbers)
        return _rendered(self._manuscript(chapters, cover), kind)

    def companion_file(self, part: Companion, chapters: list[int] | None, kind: Format) -> bytes:
        """The bible or the outline."""
        from studio.exchange.companion import as_chapters, as_markdown, sheets_of

        sheets = sheets_of(self._store, self._language, part, chapters)
        if kind == "md":
            from studio.exchange.forms.texts import metadata

            return as_markdown(metadata(self._title, self._language, self._author), sheets).encode()
        return _rendered(self._manuscript(as_chapters(sheets), None), kind)

    def chapter_file(self, number: int, kind: Format) -> bytes:
        """One chapter as a file of its own."""
        if kind == "md":
            return self._markdown(number).encode()
        chapter = self._set(number)
        if kind == "txt":
            from studio.exchange.forms.texts import plain_chapter

            return plain_chapter(chapter).encode()
        return _rendered(self._manuscript((chapter,), None), kind)

    def _markdown(self, number: int) -> str:
        """One chapter: its title, its paragraphs with a blank line between, `* * *` between
        scenes."""
        chapter, title = self._read(number)
        scenes = [
            "\n\n".join(_plain(paragraph.prose) for paragraph in scene.paragraphs)
            for scene in chapter.scenes
        ]
        body = f"\n\n{SCENE_BREAK}\n\n".join(scenes)
        return f"# {title}\n\n{body}".rstrip("\n") + "\n"

    def _set(self, number: int) -> SetChapter:
        chapter, title = self._read(number)
        return set_chapter(number, clean(title), chapter)

    def _read(self, number: int) -> tuple[Chapter, str]:
        chapter = self._store.chapter(number) or Chapter("")
        planned = chapter.title or _planned_title(self._store, number)
        return chapter, planned or numbered_title(number, self._language)

    def _manuscript(self, chapters: tuple[SetChapter, ...], cover: Cover | None) -> Manuscript:
        newest = max((entry.ts for entry in self._entries()), default="")
        book = Manuscript(
            clean(self._title), self._language, chapters, clean(self._author), cover=cover
        )
        return replace(book, modified=f"{newest[:19]}Z") if len(newest) > 19 else book

    def _entries(self) -> tuple[Entry, ...]:
        return ChangelogFile(self._store.root).trusted().entries

    def _cover(self) -> Cover | None:
        """The picture in the novel's folder; StudioError (exit 2) where it is none."""
        for name, suffix in COVERS.items():
            path = self._store.layout.folder / name
            if not path.is_file():
                continue
            data = given_bytes(path)
            if not data.startswith(_SIGNS[suffix]):
                raise usage(f"{name} is not a picture of that kind.", "Save it as JPEG or PNG.")
            return Cover(data, suffix)
        return None


def _rendered(book: Manuscript, kind: Format) -> bytes:
    """The bytes of the file; each form is loaded when it is used."""
    if kind == "epub":
        from studio.exchange.forms.epub import epub

        return epub(book)
    if kind == "docx":
        from studio.exchange.forms.word_document import word_document

        return word_document(book)
    if kind == "html":
        from studio.exchange.forms.web_page import web_page

        return web_page(book).encode()
    from studio.exchange.forms.texts import plain_book

    return plain_book(book).encode()


def _planned_title(store: ProjectStore, number: int) -> str:
    with suppress(StudioError):  # a damaged plan is no reason to keep the prose back
        contract = store.contract(number)
        return contract.title if contract else ""
    return ""


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
