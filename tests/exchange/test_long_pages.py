"""A page twice as long takes about twice as long, however it is written."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.exchange.import_.commit import plan_import

SENTENCE = "비가 그치고, 灯亮了, and she counted the oil cans."
HEAD = "<html><body><h1>1장</h1><p>"
UNCLOSED = ("p", "i", "div", "span class=x", "blockquote", "ul><li", "table><tr><td", "font")
ALL_UNCLOSED = "".join(f"<{tag}>{SENTENCE}\n" for tag in UNCLOSED)


def with_notes(count: int) -> str:
    references = (f'<p>{SENTENCE}<a href="#n{n}"><sup>{n}</sup></a></p>\n' for n in range(count))
    notes = (f'<li id="n{n}">注 {n} <a href="#r{n}">↩</a></li>\n' for n in range(count))
    return f"{HEAD}{''.join(references)}<h2>Notes</h2><ol>{''.join(notes)}</ol></body></html>"


def with_notes_in_one_paragraph(count: int) -> str:
    references = (f'비<a href="#n{n}"><sup>{n}</sup></a>' for n in range(count))
    return f"{HEAD}{''.join(references)}" + "".join(f"<p id=n{n}>注 {n}" for n in range(count))


PAGES: dict[str, Callable[[int], str]] = {
    "a note for each paragraph": with_notes,
    "all notes in one paragraph": with_notes_in_one_paragraph,
    "tags that nothing closes": lambda count: HEAD + ALL_UNCLOSED * (count // 4),
    "attributes that nothing closes": lambda count: HEAD + SENTENCE + '<a href="x ' * count + '">',
    "lines in one paragraph": lambda count: HEAD + f"{SENTENCE}<br>" * count,
    "elements in elements": lambda count: HEAD + f"<div>{SENTENCE}" * count + "</div>" * count,
    "spans in spans": lambda count: (
        HEAD + f"<span style='font-style:italic'>{SENTENCE}" * count + "</span>" * count
    ),
    "comments that nothing closes": lambda count: HEAD + f"{SENTENCE}<!-- " * count,
    "names and no notes": lambda count: HEAD + f"{SENTENCE}<a id=x><div id=y>" * count,
    "lists in lists": lambda count: HEAD + f"<ol><li>{SENTENCE}" * count,
}


def seconds(file: Path, page: str) -> float:
    """The CPU time that a page takes, the least of three."""
    file.write_text(page, "utf-8")

    def once() -> float:
        began = time.process_time()
        plan, _ = plan_import([file])
        assert plan.chapters
        return time.process_time() - began

    return min(once() for _ in range(3))


@pytest.mark.sweep
@pytest.mark.timeout(180)
@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_twice_as_long_takes_about_twice_as_long(
    tmp_path: Path, page: Callable[[int], str]
) -> None:
    file = tmp_path / "book.html"
    short, long = (seconds(file, page(count)) for count in (1000, 2000))
    assert long < 3 * short + 0.05


@pytest.mark.parametrize("begin", ["<body>", "", "<body><main>"])
def test_a_head_that_nothing_closes_ends_where_the_words_begin(tmp_path: Path, begin: str) -> None:
    head = "<html><head><meta charset=utf-8><title>灯</title><style>p{margin:0}</style>"
    file = tmp_path / "book.html"
    file.write_text(f"{head}{begin}<h1>1장</h1><p>{SENTENCE}", "utf-8")
    plan, _ = plan_import([file])
    words = "".join(chapter.text for chapter in plan.chapters)
    assert SENTENCE in words
    assert "margin" not in words
