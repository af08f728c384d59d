"""Documents no writer would send and some program will: each is read in time near its length.

The timeout is the measure: a step that grows with the square of the text takes minutes on
these, and the others a second.
"""

from __future__ import annotations

import base64
import gc
import io
import os
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import mammoth
import pytest

from studio.errors import Exit, StudioError
from studio.exchange.forms.runs import TextRun, plain_text, runs_of
from studio.exchange.import_.sources import source_of
from studio.exchange.readers import archive_guard, markup
from studio.exchange.readers.archive_guard import signs_of
from studio.exchange.readers.note_links import HtmlPage
from tests.cli.command import studio
from tests.exchange.books import SAMPLE, exported

pytestmark = pytest.mark.timeout(120)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "sign", ["*", "*a ", "**a ", "***a ", " _a", " __a", "\\*", "   ", "a*", "[^1]", "a****b"]
)
def test_signs_of_emphasis_that_nothing_closes_are_read_in_good_time(sign: str) -> None:
    text = "x" + sign * (60_000 // len(sign)) + "z"
    assert plain_text(runs_of(text, {})).startswith("x")


def test_an_emphasis_reaches_as_far_as_it_may_and_no_farther() -> None:
    assert runs_of(f"*{'a' * 5_000}*", {}) == (TextRun("a" * 5_000, italic=True),)
    assert runs_of(f"*{'a' * 5_001}*", {}) == (TextRun(f"*{'a' * 5_001}*"),)
    assert runs_of("**She _did_ go**.", {}) == (
        TextRun("She ", bold=True),
        TextRun("did", italic=True, bold=True),
        TextRun(" go", bold=True),
        TextRun("."),
    )


@pytest.mark.sampled
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


@pytest.mark.sweep
@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_of_one_thing_is_read_in_time_near_its_length(
    page: Callable[[int], str],
) -> None:  # req: S5
    """Sixteen times as much may take thirty times as long; with the square it was fifty and
    more."""

    def seconds(many: int) -> float:
        text = page(many)
        before = time.thread_time()
        markup.document_of_markup(text)
        return time.thread_time() - before

    gc.disable()  # it would look through all that earlier tests left
    try:
        short, long = seconds(1_000), seconds(16_000)
    finally:
        gc.enable()
    assert long < 30 * short, (short, long)


def test_a_style_sheet_of_all_pages_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sheets: list[str] = []
    read = markup.looks_of

    def noted(sheet: str) -> markup.Looks:
        sheets.append(sheet)
        return read(sheet)

    monkeypatch.setattr(markup, "looks_of", noted)
    pages = [
        HtmlPage(
            f"<style>.b{at} {{font-weight: bold}}</style><p class='a b{at}'>Low", styles=COMMON
        )
        for at in range(20)
    ]
    for document in markup.documents_of_pages(pages):
        assert document.items[0].runs == (TextRun("Low", italic=True, bold=True),)
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


@pytest.mark.parametrize("format_", ["docx", "epub"])
def test_more_markup_than_a_book_has_is_refused_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:  # req: S5
    data = exported(SAMPLE, format_)
    monkeypatch.setattr(archive_guard, "LARGEST_MARKUP", 20_000)
    with pytest.raises(StudioError, match="MB of text and tags; a document has at most") as caught:
        source_of(data, "b")
    assert caught.value.problem.exit_code == Exit.USAGE


def test_a_paragraph_larger_than_a_chapter_is_refused_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # req: S5
    # what reads a Word document copies a text anew with each 64 kB: 45 MB took it a minute
    monkeypatch.setattr(mammoth, "convert_to_html", lambda *_, **__: pytest.fail("was read"))
    data = with_tag("docx", f"<w:p><w:r><w:t>{'The tide went out. ' * 530_000}</w:t></w:r>")
    with pytest.raises(StudioError, match="holds a paragraph of 10 MB; a chapter has") as caught:
        source_of(data, "b")
    assert caught.value.problem.exit_code == Exit.USAGE


@pytest.mark.sweep
def test_no_list_is_made_of_the_words_of_a_long_paragraph() -> None:
    text = "The tide went out. " * 200_000  # 3.8 MB, whose words take 40 MB as a list
    tracemalloc.start()
    try:
        source = source_of(f"<html><body><p>{text}</p></body></html>".encode(), "b")
        highest = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert source.decoded.text.split() == text.split()
    assert highest < 10 * len(text)


MILLION = 1_000_000


def with_tag(format_: str, tag: str) -> bytes:
    """A document of a form, whose first paragraph begins with this tag."""
    if format_ == "html":
        return f"<html><body>{tag}Low tide.</p></body></html>".encode()
    made, out = zipfile.ZipFile(io.BytesIO(exported(SAMPLE, format_))), io.BytesIO()
    with zipfile.ZipFile(out, "w") as changed:
        for name in made.namelist():
            data = made.read(name).decode()
            if name == "word/document.xml":
                data = data.replace("<w:p>", tag, 1)
            elif name.endswith("xhtml"):
                data = data.replace("<p>", tag, 1)
            changed.writestr(name, data)
    return out.getvalue()


# req: S5
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("format_", "tag"),
    [
        ("html", f"<p {'x=1 ' * MILLION * 2}>"),
        ("html", "<p " + 'x="1"' * MILLION + ">"),
        ("html", f"<p title='>' {' ' * MILLION * 2}>"),
        ("epub", f"<p {'x ' * MILLION * 2}>"),
        ("docx", "<w:p" + " x='1'" * MILLION + ">"),
        ("docx", f"<w:p w:rsidR='>{'a' * MILLION * 20}'>"),
        ("docx", f"<!--{'< ' * MILLION}--><w:p>"),
    ],
    ids=["attributes", "values", "spaces", "e-book", "Word", "a Word value", "a Word comment"],
)
def test_a_tag_without_measure_is_refused_before_it_is_read(format_: str, tag: str) -> None:
    data = with_tag(format_, tag)
    with pytest.raises(StudioError, match="holds a tag longer than any document has") as caught:
        source_of(data, "b")
    assert caught.value.problem.exit_code == Exit.USAGE


# req: S5
@pytest.mark.sweep
def test_a_picture_within_a_page_is_no_tag_without_measure() -> None:
    picture = base64.b64encode(os.urandom(20_000_000)).decode()
    page = with_tag("html", f"<p><img src='data:image/png;base64,{picture}'/>")
    assert source_of(page, "b").decoded.text == "Low tide.\n"


# req: S5
def test_the_signs_of_markup_stand_where_they_are_in_every_encoding() -> None:
    page = f"<?xml version='1.0'?><p a='{chr(0x3C41)}'/>"
    assert {signs_of(page.encode(code)).count("<") for code in ("utf-8", "utf-16-le")} == {2}
    assert {signs_of(page.encode(code)).count("<") for code in ("utf-16", "utf-16-be")} == {2}


COMMON = ".a {font-style: italic}"
