"""Ten documents come in, go out in every form that can come in again, and come in again: the
same words, the same emphasis, the same footnotes.

`python3 dev.py documents [FOLDER]`. Seven are made here. Three are other
people's: they are named by what they are and by sha256, and lie in FOLDER, or
where the variable STUDIO_DOCUMENTS says; no copy of them is in this repository.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from studio.exchange.forms.runs import runs_of
from tests.cli.command import studio
from tests.exchange import own_documents as own
from tests.exchange.own_documents import CHINESE, ENGLISH, KOREAN

FORMS = ("md", "docx", "epub", "html")
"""What comes in again with its marks; plain text has none."""
_NOTE = re.compile(r"^\[\^(?P<label>[^\]]+)\]:[ ]?(?P<text>.*?)(?=\n\n|\Z)", re.M | re.S)
_REFERENCE = re.compile(r"\[\^([^\]\s]+)\](?!:)")


@dataclass(frozen=True)
class Counts:
    """What is counted: chapters, emphasised passages, footnotes."""

    chapters: int
    emphasis: int
    notes: int


@dataclass(frozen=True)
class Named:
    """A document, and what is in it."""

    name: str
    counts: Counts
    make: Callable[[Path], object] | None = None
    """Writes it; None for other people's, which are looked for in a folder."""
    sha256: str = ""
    source: str = ""
    """Where other people's come from: a public repository and the path in it."""


def _file(data: Callable[[], bytes]) -> Callable[[Path], object]:
    return lambda place: place.write_bytes(data())


ALL_THREE = (*ENGLISH, *KOREAN, *CHINESE)
DOCUMENTS = (
    Named("등대.docx", Counts(2, 2, 2), _file(lambda: own.word_document(KOREAN))),
    Named("灯塔.docx", Counts(2, 2, 2), _file(lambda: own.word_document(CHINESE))),
    Named(
        "The Salt Road.epub",
        Counts(2, 3, 2),
        _file(lambda: own.ebook(ENGLISH, "The Salt Road", "en", 2)),
    ),
    Named("灯塔.epub", Counts(2, 2, 2), _file(lambda: own.ebook(CHINESE, "海", "zh", 3))),
    Named("등대.html", Counts(2, 2, 2), _file(lambda: own.web_page(KOREAN, "소금길"))),
    Named("Tide.scriv", Counts(6, 7, 6), lambda place: own.scrivener_project(place, ALL_THREE)),
    Named("vault", Counts(6, 7, 6), lambda place: own.vault(place, ALL_THREE)),
    Named(
        "notes.docx",
        Counts(1, 0, 2),
        sha256="887cbbc9d248706b146dba09f543e3d8952cc59abcf054b467c1773bcd120d00",
        source="jgm/pandoc, test/docx/notes.docx",
    ),
    Named(
        "epub2_no_cover.epub",
        Counts(1, 0, 0),
        sha256="8369dbe5cf315f1fe00f9dd1bf7c500cc663d7648edbf0d7b6a9b4d785fedf4e",
        source="jgm/pandoc, test/epub/epub2_no_cover.epub",
    ),
    Named(
        "1342-h.htm",
        Counts(62, 405, 0),
        sha256="66f7c8dc1fb6a97b19753f08796acc5e59b3931cd056a90a26c2819eb1bf5ce6",
        source="GITenberg/Pride-and-Prejudice_1342, 1342-h/1342-h.htm",
    ),
)


@dataclass(frozen=True)
class ChapterRead:
    """A chapter as it was read, without what may differ: white space, numbers of footnotes."""

    title: str
    words: str
    """Its paragraphs, a `^` where a footnote stands."""
    notes: tuple[str, ...]
    """Footnotes in the order of their references."""
    emphasis: int


def chapters_of(novel: Path) -> list[ChapterRead]:
    """What an import put into a novel."""
    files = sorted((novel / "chapters").glob("chapter-*.md"))
    return [_read(file.read_text("utf-8")) for file in files]


def _read(text: str) -> ChapterRead:
    head, _, body = text.partition("\n")
    notes = {match["label"]: match["text"] for match in _NOTE.finditer(body)}
    prose = _NOTE.sub("", body)
    labels = [label for label in _REFERENCE.findall(prose) if label in notes]
    numbers = {label: number for number, label in enumerate(labels, start=1)}
    blocks = [block for block in re.split(r"\n\s*\n", prose) if block.strip()]
    runs = [run for block in blocks for run in runs_of(block, numbers)]
    words = "".join("^" if run.note else run.text for run in runs)
    return ChapterRead(
        _plain(head.removeprefix("# ")),
        _plain(words),
        tuple(_plain(notes[label]) for label in labels),
        sum(run.italic or run.bold for run in runs),
    )


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFC", text))


def counted(chapters: Sequence[ChapterRead]) -> Counts:
    """The sums over a book."""
    emphasis = sum(chapter.emphasis for chapter in chapters)
    return Counts(len(chapters), emphasis, sum(len(chapter.notes) for chapter in chapters))


def brought_in(document: Path, novel: Path) -> list[ChapterRead]:
    """The chapters of a document, by the command that brings it into a new novel."""
    ended = studio("import", document, "--into", novel, "--as", "committed", "--yes")
    assert ended.code == 0, ended.err
    return chapters_of(novel)


def trip(document: Named, place: Path, folder: Path, forms: Sequence[str] = FORMS) -> Counts:
    """In, out in each form, and in again. Returns what was counted; AssertionError names what
    differs."""
    novel = folder / "novel"
    first = brought_in(place, novel)
    for form in forms:
        out = folder / f"out.{form}"
        ended = studio("export", "--project", novel, "-o", out)
        assert ended.code == 0, ended.err
        again = brought_in(out, folder / f"again-{form}")
        assert [c.title for c in again] == [c.title for c in first], form
        for before, after in zip(first, again, strict=True):
            assert after == before, form
    return counted(first)


def place_of(document: Named, folder: Path, others: Path | None) -> Path | None:
    """Where a document lies, made if it is one of ours; None where it is not to be had."""
    if document.make is not None:
        place = folder / document.name
        document.make(place)
        return place
    place = others / document.name if others else Path()
    if not place.is_file():
        return None
    assert hashlib.sha256(place.read_bytes()).hexdigest() == document.sha256, document.name
    return place


def main(arguments: Sequence[str]) -> int:
    """Prints a line for each of the ten."""
    named = arguments[0] if arguments else os.environ.get("STUDIO_DOCUMENTS", "")
    failed = 0
    for document in DOCUMENTS:
        with tempfile.TemporaryDirectory(prefix="documents-") as held:
            folder, began = Path(held), time.monotonic()
            place = place_of(document, folder, Path(named) if named else None)
            if place is None:
                print(f"{document.name}: not here ({document.source})")
                continue
            try:
                counts = trip(document, place, folder)
                assert counts == document.counts, counts
                answer = f"the same in {', '.join(FORMS)}; {counts}"
            except AssertionError as error:
                failed, answer = failed + 1, f"DIFFERS: {str(error)[:600]}"
            print(f"{document.name}: {answer} ({time.monotonic() - began:.1f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
