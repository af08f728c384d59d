"""The book's memory (P15, B1, B2, B4): as fast at chapter 2000 as at chapter 20."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from functools import partial
from pathlib import Path

from bench.invented import paragraphs
from bench.long_book import make
from bench.rounds import Row, compare
from studio.agent_pages import KNOWN_BLOCKS
from studio.book.as_of import StoryAt
from studio.book.bible import NameFinder, read_bible
from studio.book.continuity.book_view import BookView
from studio.book.continuity.detectors import findings_in
from studio.config.schema import Settings
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.status import status_of
from studio.project import changelog
from studio.project.layout import CHANGELOG, STATE
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes
from studio.story.state import Delta, StateOp
from studio.text.language.packs import LanguagePack, load_pack
from studio.text.metrics.measure import measure

_CHAPTERS = 2000
_ENTRIES = 500
_PROMISES = 300
_OPS = 10
"""The number of values that a chapter changes."""
_OLD = 3.5
"""The age in seconds from which a file counts as not being edited, like
nearly all files of a book."""
_SCANNED = 3_000_000
"""The number of characters scanned for names."""


def rows() -> list[Row]:
    """Returns all rows from one long book, which is created once."""
    folder = Path(tempfile.mkdtemp())
    try:
        make(folder, _CHAPTERS)
        _people_the_book(folder)
        _remember(folder)
        time.sleep(_OLD)
        pack = load_pack("en")
        return [
            _context(folder, pack),
            _mentions(folder),
            _detectors(folder, pack),
            _state(folder),
        ]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _context(folder: Path, pack: LanguagePack) -> Row:
    return compare(
        f"P15: what a drafter is told at chapter {_CHAPTERS}",
        partial(_told, folder, pack, _CHAPTERS),
        "the same at chapter 20",
        partial(_told, folder, pack, 20),
        goal=1.5,
        rounds=5,
        clock=time.process_time,
    )


def _told(folder: Path, pack: LanguagePack, chapter: int) -> None:
    store = ProjectStore(folder)
    contract = store.contract(chapter)
    assert contract is not None
    PromptBlocks(store, contract, pack).texts(KNOWN_BLOCKS)


def _mentions(folder: Path) -> Row:
    entries = list(read_bible(ProjectStore(folder)).entries.values())
    text = paragraphs("en", _SCANNED)
    names = [name for entry in entries for name in entry.names]
    return compare(
        f"B1: {len(entries)} entries found in 3M characters",
        lambda: NameFinder(entries).find(text),
        "one count a name",
        lambda: [text.count(name) for name in names],
        goal=0.2,
        rounds=5,
        clock=time.process_time,
    )


def _detectors(folder: Path, pack: LanguagePack) -> Row:
    store = ProjectStore(folder)
    chapter = store.chapter(1000)
    assert chapter is not None
    book = BookView(store, pack)
    findings_in(book, [999])  # reads the book's knowledge once, as the app does
    return compare(
        "B2: all detectors on chapter 1000",
        lambda: findings_in(book, [1000]),
        "one full measure of it",
        lambda: measure(chapter.text, pack),
        goal=1.0,
        rounds=5,
        clock=time.process_time,
    )


def _state(folder: Path) -> Row:
    settings = Settings()
    return compare(
        f"B4: the story at chapter 1500 of {_CHAPTERS}",
        lambda: StoryAt(ProjectStore(folder), 1500).state,
        "what status reads",
        lambda: status_of(ProjectStore(folder), settings, str),
        goal=2.0,
        rounds=5,
        clock=time.process_time,
    )


def _people_the_book(folder: Path) -> None:
    """Writes entries with aliases, and promises."""
    for number in range(_ENTRIES):
        path = folder / "world" / "places" / f"place-{number:03d}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        meta = f"---\nname: Harrow {number:03d}\naliases: [Old Harrow {number:03d}]\n---\n"
        path.write_text(f"{meta}{paragraphs('en', 400)}\n", encoding="utf-8")
    promises = [
        {"id": f"p{number:03d}", "description": f"Bell {number}", "due": 7 * number + 1}
        for number in range(_PROMISES)
    ]
    path = folder / "foreshadowing" / "global.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"promises": promises}), encoding="utf-8")


def _remember(folder: Path) -> None:
    """Writes a state: each chapter changes ten values, and some plant or pay a promise."""
    lines = []
    for number in range(1, _CHAPTERS + 1):
        ops = [_set(f"characters.c{(number + i) % 60}.mood", number) for i in range(_OPS)]
        if number <= _PROMISES:
            ops.append(StateOp(op="foreshadow", path=f"p{number - 1:03d}", value="plant"))
        delta = Delta(chapter=number, storyline_id="main", source_sha256="0" * 64, ops=tuple(ops))
        entry = changelog.entry_of(
            changelog.Changelog(), delta, f"c{number:04d}", "2026-01-01T00:00:00Z", number
        )
        lines.append(changelog.renumber(entry, number).line())
    (folder / CHANGELOG).write_bytes(b"".join(lines))
    entries = ProjectStore(folder).changelog().entries
    (folder / STATE).write_bytes(to_bytes(changelog.replay(entries)))


def _set(path: str, value: int) -> StateOp:
    return StateOp(op="set", path=path, value=value)
