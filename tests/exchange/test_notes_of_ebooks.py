"""The footnotes of an e-book that stand in a file of their own, and pages that never end."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from studio.exchange.import_.sources import source_of
from studio.exchange.readers.document import FootnotedText, Item, append_document, markdown_of
from studio.exchange.readers.ebook import document_of_ebook
from studio.exchange.readers.markup import document_of_markup
from studio.exchange.readers.obsidian import as_read
from tests.exchange.own_documents import ebook_of

NOTES = {
    "raised": (
        "<sup><a id='{r}' href='{to}'>{n}</a></sup>",
        "<p><a id='{i}' href='{back}'>{n}</a> {text}</p>",
    ),
    "raised inside": (
        "<a id='{r}' href='{to}'><sup>[{n}]</sup></a>",
        "<p id='{i}'><a href='{back}'><sup>[{n}]</sup></a> {text}</p>",
    ),
    "in brackets": (
        "<a id='{r}' href='{to}'>[{n}]</a>",
        "<div><p><span id='{i}'></span><a href='{back}'>[{n}]</a> {text}</p></div>",
    ),
    "by class": (
        "<a class='noteref' href='{to}'>{n}</a>",
        "<ol><li id='{i}'><p>{text} <a href='{back}'>Back</a></p></li></ol>",
    ),
}


@pytest.mark.parametrize("look", NOTES)
def test_footnotes_in_a_file_of_their_own_come_to_their_places(look: str) -> None:  # req: I1
    reference, note = NOTES[look]
    texts = (("a.xhtml", 1, "Low water."), ("b.xhtml", 1, "물때."), ("b.xhtml", 2, "潮。"))
    to = [
        reference.format(r=f"r{n}", to=f"../OPS/end%20notes.xhtml#{file[0]}{n}", n=n)
        for file, n, _ in texts
    ]
    rows = [
        note.format(i=f"{file[0]}{n}", back=f"{file}#r{n}", n=n, text=text)
        for file, n, text in texts
    ]
    pages = {
        "a.xhtml": f"<h2>Ebb</h2><p>It fell.{to[0]} It was <em>low</em>.</p>",
        "b.xhtml": f"<h2>밀물</h2><p>물이 들었다.{to[1]}</p><p>涨了。{to[2]}</p>",
        "end%20notes.xhtml": f"<h1>Notes</h1><h2>Ebb</h2>{rows[0]}<h2>밀물</h2>{rows[1]}{rows[2]}",
    }
    expected = (
        "## Ebb\n\nIt fell.[^1] It was *low*.\n\n[^1]: Low water.\n\n## 밀물\n\n물이 들었다.[^2]"
        "\n\n[^2]: 물때.\n\n涨了。[^3]\n\n[^3]: 潮。\n"
    )
    for spine in (list(pages), ["a.xhtml", "b.xhtml"]):
        assert markdown_of(document_of_ebook(ebook_of(pages, spine), "book.epub")) == expected


def test_a_list_of_contents_is_no_footnote() -> None:
    contents = "".join(
        f"<p><a id='t{n}' href='{n}.xhtml#top'>{title}</a></p>"
        for n, title in ((1, "The 19<sup>th</sup> hour"), (2, "2"))
    )
    pages = {
        "toc.xhtml": contents,
        "1.xhtml": "<div id='top'><h2><a href='toc.xhtml#t1'>The 19th hour</a></h2><p>Rain.</p>"
        "</div>",
        "2.xhtml": "<div id='top'><h2>2</h2><p>It fell.</p></div>",
    }
    text = markdown_of(document_of_ebook(ebook_of(pages, list(pages)), "book.epub"))
    assert text.endswith("## The 19th hour\n\nRain.\n\n## 2\n\nIt fell.\n")
    assert "[^" not in text


def test_a_heading_with_prose_below_its_footnotes_stays() -> None:
    page = (
        "<h2>One</h2><aside id='n'>Low.</aside><p>It fell.<a role='doc-noteref' href='#n'>1</a></p>"
        "<h2>Notes</h2><aside id='m'>High.</aside><h2>Two</h2><p>It rose.<sup><a href='#m'>2</a>"
        "</sup></p>"
    )
    document = document_of_markup(page)
    assert [item.runs[0].text for item in document.items if item.kind == "heading"] == [
        "One",
        "Two",
    ]
    assert len(document.notes) == 2


@pytest.mark.parametrize("page", ["<p>a<![endif]--> b", "<![if x]>a<![endif]> b", "<p>a <![ <b>b"])
def test_a_declaration_that_nobody_knows_stops_nothing(page: str) -> None:  # req: S5
    document = document_of_markup(f"<html>{page}</p>")
    assert "".join(run.text for item in document.items for run in item.runs)[0] == "a"


OPENERS = (
    "<style>",
    "<span>",
    "<span></p>",
    "<rt>",
    "<",
    "<!--",
    "<![",
    "<?",
    "<a b",
    "<div></p>",
    "<div><sup><a href='#x'>",
    "a</b>",
)


@pytest.mark.sampled
@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("end", ["", ">"], ids=["open", "closed"])
def test_a_page_of_one_beginning_is_read_in_time_near_its_length(
    opener: str, end: str
) -> None:  # req: S5
    assert_near_its_length(lambda text: source_of(text.encode(), "a.html", None), opener, end)


@pytest.mark.parametrize("opener", ["[[", "[[a|", "![[", "![", "![](", "```query\n", "> [!"])
def test_links_of_a_vault_are_read_in_time_near_their_length(opener: str) -> None:  # req: S5
    assert_near_its_length(as_read, opener, "")


def assert_near_its_length(read: Callable[[str], object], opener: str, end: str) -> None:
    """Eight times as much may take twenty times as long; with the square it would be sixty-four.

    Thrice at most: a garbage collection of all that the tests have made may fall into one try."""

    def seconds(size: int) -> float:
        text = f"<html><body>{opener * (size // len(opener))}{end}"
        before = time.process_time()
        read(text)
        return time.process_time() - before

    most = max(0.5, 20 * seconds(4_000))
    assert any(seconds(32_000) < most for _ in range(3)), most


def test_two_books_put_together_keep_their_footnotes_apart() -> None:
    page = "<p>It fell.<sup><a href='#n'>1</a></sup></p><aside id='n'>Low.</aside>"
    one, two = document_of_markup(page), document_of_markup(page)
    both = FootnotedText([Item("break")])
    for part in (one, two):
        append_document(both, part)
    assert sorted(both.notes) == [1, 2]
