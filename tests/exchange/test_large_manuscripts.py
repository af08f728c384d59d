"""A large manuscript shows at once that it is being read, and can be stopped,
in every format; nothing is left behind."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pytest

from tests.cli.command import PROGRAM, studio
from tests.exchange import own_documents as own
from tests.exchange.open_documents import package
from tests.tui.terminals import Terminal

pytestmark = [pytest.mark.pty, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

Chapters = Sequence[Sequence[str]]
CHAPTERS, PARAGRAPHS, WORDS = 20, 100, 300
LARGE = 45_000_000
"""The number of characters of the manuscript that is read in the app."""


@pytest.fixture(scope="module")
def chapters() -> Chapters:
    """Four megabytes of words, no two paragraphs alike."""
    chance = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 7))) for _ in range(5000)]
    return [
        [" ".join(chance.choices(words, k=WORDS)) + "." for _ in range(PARAGRAPHS)]
        for _ in range(CHAPTERS)
    ]


def word_document(chapters: Chapters) -> bytes:
    parts = [own.Part(f"Chapter {n}", tuple(c)) for n, c in enumerate(chapters, 1)]
    return own.word_document(parts)


def open_document(chapters: Chapters) -> bytes:
    return package(
        "".join(
            f'<text:h text:outline-level="1">Chapter {number}</text:h>'
            + "".join(f"<text:p>{paragraph}</text:p>" for paragraph in paragraphs)
            for number, paragraphs in enumerate(chapters, start=1)
        )
    )


def _pages(chapters: Chapters) -> dict[str, str]:
    return {
        f"c{number}.xhtml": f"<h2>Chapter {number}</h2>"
        + "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        for number, paragraphs in enumerate(chapters, start=1)
    }


def ebook(chapters: Chapters) -> bytes:
    pages = _pages(chapters)
    return own.ebook_of(pages, list(pages))


def web_page(chapters: Chapters) -> bytes:
    return f"<html><body>{''.join(_pages(chapters).values())}</body></html>".encode()


def markdown(chapters: Chapters) -> bytes:
    return "\n\n".join(
        "\n\n".join([f"# Chapter {number}", *paragraphs])
        for number, paragraphs in enumerate(chapters, start=1)
    ).encode()


def rich_text(chapters: Chapters) -> bytes:
    body = r"\par ".join(
        rf"\pard\outlinelevel0 Chapter {number}\par\pard " + r"\par ".join(paragraphs)
        for number, paragraphs in enumerate(chapters, start=1)
    )
    return (r"{\rtf1\ansi " + body + "}").encode()


FORMATS: dict[str, Callable[[Chapters], bytes]] = {
    "a.docx": word_document,
    "a.odt": open_document,
    "a.epub": ebook,
    "a.html": web_page,
    "a.md": markdown,
    "a.txt": markdown,
    "a.rtf": rich_text,
}


def at_terminal(file: Path) -> pexpect.spawn[str]:
    """The import at a terminal, behind everything else that runs: on a busy machine it must not be
    over before the test has read its first line."""
    return pexpect.spawn(
        "nice",
        [
            "-n",
            "19",
            str(PROGRAM),
            "import",
            str(file),
            "--into",
            "novel",
            "--yes",
            "--language",
            "en",
        ],
        env={**os.environ, "TERM": "xterm"},
        cwd=file.parent,
        encoding="utf-8",
        timeout=180,
    )


def code_of(child: pexpect.spawn[str]) -> int | None:
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


@pytest.mark.sweep
@pytest.mark.parametrize("name", FORMATS)
def test_the_reading_is_shown_at_once_and_ctrl_c_stops_it(
    name: str, chapters: Chapters, tmp_path: Path
) -> None:  # req: I1
    file = tmp_path / name
    file.write_bytes(FORMATS[name](chapters))
    child = at_terminal(file)
    child.expect(f"Reading {name}, 0 seconds so far")
    child.sendcontrol("c")
    child.expect("Stopped; nothing was changed")
    assert code_of(child) == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]


def test_where_nothing_is_drawn_in_place_the_reading_is_said_once(
    chapters: Chapters, tmp_path: Path
) -> None:
    file = tmp_path / "a.md"
    file.write_bytes(markdown(chapters))
    ended = studio("import", file, "--into", "novel", "--dry-run", cwd=tmp_path)
    assert ended.code == 0
    assert ended.err.count("Reading a.md") == 1


def in_the_app(file: Path, home: Path) -> Terminal:
    """The app, asked to bring in a file."""
    environ = {"XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state")}
    app = Terminal([], {**environ, "HOME": str(home)}, program=str(PROGRAM), cwd=file.parent)
    app.sees("Bring in a text")
    app.types("i")
    app.sees("Tab")
    app.types(f"{file}")
    app.until(lambda: file.name in app.shown, "the name of the file")
    app.types("\r")
    return app


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["a.txt", "a.docx", "a.epub"])
def test_in_the_app_the_reading_of_45_mb_is_shown_within_a_second_and_esc_stops_it(
    name: str, chapters: Chapters, tmp_path: Path
) -> None:  # req: I1
    place, home = tmp_path / "texts", tmp_path / "home"
    place.mkdir()
    home.mkdir()
    times = -(-LARGE // len(markdown(chapters)))
    (place / name).write_bytes(FORMATS[name]([*chapters] * times))
    app = in_the_app(place / name, home)
    app.until(lambda: f"Reading {name}" in app.shown, "word of the reading", patience=1, beat=0.1)
    app.sees("1 s · Esc stops")
    app.types("\x1b")
    app.sees("Try the sample novel", gone="Reading")
    app.child.sendcontrol("q")
    assert app.ends() == 0
    assert [path.name for path in place.iterdir()] == [name]
    assert not list(home.rglob("*.md"))


@pytest.mark.sweep
def test_while_chapters_are_written_ctrl_c_loses_none(chapters: Chapters, tmp_path: Path) -> None:
    """The same command finishes what was stopped."""
    file = tmp_path / "a.epub"
    file.write_bytes(ebook(chapters))
    child = at_terminal(file)
    child.expect("Reading a.epub")
    if child.expect(["Brought in", "wait as your drafts"]) == 0:
        child.sendcontrol("c")
        assert code_of(child) in (0, 130)
    again = studio("import", file, "--into", "novel", "--yes", "--language", "en", cwd=tmp_path)
    assert again.code == 0, again.err
    waiting = sorted(path.name for path in (tmp_path / "novel/imports").glob("*.md"))
    assert len(waiting) == CHAPTERS
