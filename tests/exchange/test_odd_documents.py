"""Documents no writer would send and some program will: each is read in time near its length.

The timeout is the measure: a step that grows with the square of the text takes minutes on
these, and the others a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.exchange.forms.runs import Run, plain_text, runs_of
from studio.exchange.import_.sources import source_of
from studio.exchange.readers import archive_guard, markup
from studio.exchange.readers.note_links import Page
from tests.cli.command import studio
from tests.exchange.books import SAMPLE, exported

pytestmark = pytest.mark.timeout(120)


@pytest.mark.parametrize(
    "sign", ["*", "*a ", "**a ", "***a ", " _a", " __a", "\\*", "   ", "a*", "[^1]", "a****b"]
)
def test_signs_of_emphasis_that_nothing_closes_are_read_in_good_time(sign: str) -> None:
    text = "x" + sign * (60_000 // len(sign)) + "z"
    assert plain_text(runs_of(text, {})).startswith("x")


def test_an_emphasis_reaches_as_far_as_it_may_and_no_farther() -> None:
    assert runs_of(f"*{'a' * 5_000}*", {}) == (Run("a" * 5_000, italic=True),)
    assert runs_of(f"*{'a' * 5_001}*", {}) == (Run(f"*{'a' * 5_001}*"),)
    assert runs_of("**She _did_ go**.", {}) == (
        Run("She ", bold=True),
        Run("did", italic=True, bold=True),
        Run(" go", bold=True),
        Run("."),
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("book.md", f"---\ntitle: Low{' ' * 100_000}Tide\n---\n# One\n\nShe went out.\n"),
        ("vault/One.md", f"She went out. {'[[' * 100_000} [[Mara|She]] came back.\n"),
    ],
    ids=["a title with a gap", "links nothing closes"],
)
def test_what_never_ends_is_imported_in_good_time(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    if "/" in name:
        (file.parent / ".obsidian").mkdir()
    ended = studio(
        "import", tmp_path / name.split("/")[0], "--into", tmp_path / "novel", "--language", "en"
    )
    assert ended.code == 0, ended.err
    (chapter,) = (tmp_path / "novel").rglob("chapter-001.md")
    assert "She went out." in chapter.read_text(encoding="utf-8")


PAGES: dict[str, Callable[[int], str]] = {
    "entries of one list": lambda many: f"<ol>{'<li>Two words.' * many}</ol>",
    "references to one footnote": lambda many: (
        "".join(f"<p id=p{at}>x <a href=#n>[1]</a>" for at in range(many)) + "<p id=n>Low."
    ),
    "names of one element": lambda many: (
        "<div>"
        + "".join(f"<span id=p{at}></span>" for at in range(many))
        + f"x{'<a href=#n>[1]</a>' * many}</div><p id=n>Low."
    ),
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_of_one_thing_is_read_in_time_near_its_length(
    page: Callable[[int], str],
) -> None:  # req: S5
    """Sixteen times as much may take thirty times as long; with the square it was fifty and
    more."""

    def seconds(many: int) -> float:
        text = page(many)
        before = time.process_time()
        markup.document_of_markup(text)
        return time.process_time() - before

    short, long = seconds(1_000), seconds(16_000)
    assert long < 30 * short, (short, long)


def test_a_style_sheet_of_all_pages_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sheets: list[str] = []
    read = markup.looks_of

    def noted(sheet: str) -> markup.Looks:
        sheets.append(sheet)
        return read(sheet)

    monkeypatch.setattr(markup, "looks_of", noted)
    pages = [
        Page(f"<style>.b{at} {{font-weight: bold}}</style><p class='a b{at}'>Low", styles=COMMON)
        for at in range(20)
    ]
    for document in markup.documents_of_pages(pages):
        assert document.items[0].runs == (Run("Low", italic=True, bold=True),)
    assert sheets.count(COMMON) == 1


@pytest.mark.parametrize("format_", ["docx", "epub", "html"])
def test_more_tags_than_a_book_has_are_refused_before_they_are_read(
    monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:  # req: S5
    data = exported(SAMPLE, format_)
    assert source_of(data, "b").decoded.encoding == format_
    monkeypatch.setattr(archive_guard, "MOST_TAGS", 50)
    with pytest.raises(StudioError, match="tags, more than any book; it was not read") as caught:
        source_of(data, "b")
    assert caught.value.problem.exit_code == Exit.USAGE


COMMON = ".a {font-style: italic}"
