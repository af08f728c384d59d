"""The book as one file, or a file a chapter, for other programs and for people.

Reads the novel and changes nothing in it. Everything is read before anything
is written; titles and prose are put down as they are, with nothing escaped
and nothing wrapped.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from studio.errors import Exit, Problem, StudioError, usage
from studio.fsio import Root, make_root, sha256_hex
from studio.project.layout import is_novel, is_own
from studio.project.store import ProjectStore
from studio.story.chapter import SCENE_BREAK, Chapter
from studio.story.form.slugs import chapter_name, numbered_title
from studio.story.novel import Language

Format = Literal["md", "txt"]
FORMATS: dict[str, str] = {"md": "Markdown", "txt": "plain text"}
TAKEN = "taken"
"""Kind of the problem when a file is there that may be replaced if the writer says so."""
_RANGE = re.compile(r"(\d+)(?:(-)(\d*))?")


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


def book_bytes(
    store: ProjectStore, title: str, language: Language, order: ExportOrder
) -> tuple[bytes, tuple[int, ...]]:
    """The book as it would stand in one file, and its chapters; StudioError as for a file."""
    kind = format_named(order.format)
    numbers = select_chapters(order.chapters, store.chapter_numbers())
    return book_text(store, title, kind, language, numbers).encode(), tuple(numbers)


def export_book(
    store: ProjectStore, title: str, language: Language, order: ExportOrder
) -> Exported:
    """Writes the chapters of the book.

    StudioError: 2 for a format there is not, chapters there are not, a place
    that is taken or belongs to a novel; 5 for a chapter that cannot be read, by
    its name; 1 for the disk. No half-written file is left of any of them.
    """
    kind = format_named(order.format)
    numbers = select_chapters(order.chapters, store.chapter_numbers())
    folder = order.out.endswith(("/", os.sep))
    place = Path(os.path.abspath(order.out))
    _refuse_novels(place)
    if folder:
        names = {n: f"{chapter_name(n)}.{kind}" for n in numbers}
        _check_folder(place, list(names.values()), order.force)
        texts = {names[n]: chapter_text(store, n, kind, language) for n in numbers}
        return Exported(_write_all(place, texts, order.force), tuple(numbers))
    _check_file(place, order.force)
    data, chapters = book_bytes(store, title, language, order)
    root = make_root(place.parent)
    root.write(place.name, data, expected="any" if order.force else None)
    return Exported((place,), chapters)


def format_named(format_: str) -> Format:
    """The format of that name; StudioError (exit 2) with the names there are."""
    plain = format_.lower().lstrip(".")
    if plain == "md" or plain == "markdown":
        return "md"
    if plain == "txt":
        return "txt"
    formats = ", ".join(f"{name} ({words})" for name, words in FORMATS.items())
    raise usage(f"There is no export as {format_!r} yet.", f"The formats are {formats}.")


def select_chapters(spec: str, chapters: list[int]) -> list[int]:
    """The chapters of a list such as `1-3,7`, each once, in the order of the book.

    StudioError (exit 2): no such list, a chapter there is not, or a book without chapters.
    """
    if not chapters:
        raise usage("There is no chapter to export yet.", "`studio write` makes the first.")
    numbers = set(chapters) if not spec.strip() else set()
    for part in filter(str.strip, spec.split(",")):
        numbers |= _numbers(part.strip(), chapters)
    missing = sorted(numbers - set(chapters))
    if missing:
        raise usage(
            f"There is no chapter {missing[0]}.", f"The book has chapters {_ranges(chapters)}."
        )
    return sorted(numbers)


def _numbers(part: str, chapters: list[int]) -> set[int]:
    match = _RANGE.fullmatch(part)
    first = int(match[1]) if match else 0
    last = first if not match or not match[2] else int(match[3] or max(chapters))
    if not match or first < 1 or last < first or last > 10 * max(chapters) + first:
        raise usage(f"{part!r} names no chapters.", "Use 3, 1-5, 4- or 1-3,7.")
    return set(range(first, last + 1))


def _ranges(numbers: list[int]) -> str:
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)


def book_text(
    store: ProjectStore, title: str, kind: Format, language: Language, numbers: list[int]
) -> str:
    """The chapters behind each other, under the book's title; StudioError (exit 5) names a
    chapter that cannot be read."""
    name = " ".join(title.split())
    if name and kind == "md":
        name += "\n" + "=" * max(3, len(name))
    head = [name] if name else []
    gap = "\n\n" if kind == "md" else "\n\n\n"
    texts = [chapter_text(store, number, kind, language) for number in numbers]
    return gap.join([*head, *(text.rstrip("\n") for text in texts)]) + "\n"


def chapter_text(store: ProjectStore, number: int, kind: Format, language: Language) -> str:
    """One chapter: its title, its paragraphs with a blank line between, `* * *` between scenes."""
    chapter = store.chapter(number) or Chapter("")
    title = chapter.title or _planned_title(store, number) or numbered_title(number, language)
    scenes = [
        "\n\n".join(_plain(paragraph.prose) for paragraph in scene.paragraphs)
        for scene in chapter.scenes
    ]
    body = f"\n\n{SCENE_BREAK}\n\n".join(scenes)
    heading = f"# {title}" if kind == "md" else title
    return f"{heading}\n\n{body}".rstrip("\n") + "\n"


def _planned_title(store: ProjectStore, number: int) -> str:
    with suppress(StudioError):  # a damaged plan is no reason to keep the prose back
        contract = store.contract(number)
        return contract.title if contract else ""
    return ""


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


# Where it goes


def _refuse_novels(place: Path) -> None:
    """StudioError (exit 2) for a place among the files of a novel, this one or another."""
    real = place.parent.resolve() / place.name
    for above in (real, *real.parents):
        if is_novel(above) and (real == above or is_own(real.relative_to(above).as_posix())):
            raise usage(
                f"{place} belongs to the novel in {above}; an export does not write there.",
                "Name a place outside of the novel, or a new name in its folder.",
            )


def _check_file(place: Path, force: bool) -> None:
    info = _stat_of(place)
    if info is None:
        return
    if stat.S_ISDIR(info.st_mode):
        raise usage(f"{place} is a folder.", "End it with / to get a file for each chapter in it.")
    if not stat.S_ISREG(info.st_mode):
        raise usage(f"{place} is no plain file; nothing was written.", "Name another one.")
    if not force:
        hint = "Name another file, or replace it with --force."
        raise StudioError(Problem(f"{place} is there already.", hint, "", Exit.USAGE, TAKEN))


def _check_folder(place: Path, names: list[str], force: bool) -> None:
    info = _stat_of(place)
    if info is not None and not place.is_dir():
        raise usage(f"{place} is a file.", "Leave the / out, or name a folder.")
    for name in names if info is not None else []:
        _check_file(place / name, force)


def _stat_of(place: Path) -> os.stat_result | None:
    try:
        return place.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise usage(f"{place} cannot be used: {error}.", "Name another place.") from error


def _write_all(place: Path, texts: Mapping[str, str], force: bool) -> tuple[Path, ...]:
    """The files of a folder; if one cannot be written, those that were new are gone again."""
    root, fresh = make_root(place), []
    try:
        with root.together():
            for name, text in texts.items():
                new = root.info(name) is None
                root.write(name, text.encode(), expected="any" if force else None)
                fresh += [(name, sha256_hex(text.encode()))] if new else []
    except StudioError:
        _take_back(root, fresh)
        raise
    return tuple(place / name for name in texts)


def _take_back(root: Root, fresh: list[tuple[str, str]]) -> None:
    for name, sha in fresh:
        with suppress(StudioError):
            if root.sha(name) == sha:
                root.remove(name)
