"""A book that leaves in any form and comes in again has the same chapters: their titles, scenes
and paragraphs, however these begin."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.exchange.export import FORMATS, ExportOrder, book_bytes
from studio.exchange.forms.runs import plain_text, runs_of, unwrap
from studio.exchange.import_.detect import detect
from studio.exchange.import_.sources import source_of
from studio.session import Session
from studio.story.chapter import Chapter, compose
from tests.project.novels import make_novel, put

Scenes = list[list[str]]
Book = list[tuple[str, Scenes]]

BOATS: Book = [
    (
        "The Quay",
        [
            [
                "The boats came in at six.",
                "#3 was still warm. She laid her hand on it.",
                "#4 went.",
            ],
            ["She went home.", "# not a heading, she wrote."],
        ],
    ),
    ("The Hill", [["#5 stood open, and there was nobody in it.", "It rained."]]),
]
PLAIN: Book = [
    ("나루", [["배는 여섯 시에 들어왔다.", "#3은 아직 따뜻했다."]]),
    ("언덕", [["비가 왔다.", "1. 문을 닫는다.", "2. 불을 끈다.", "3. 잔다."]]),
]
SHORT: Book = [
    ("Chapter 1", [["Rain", "She waited under the eaves until it had stopped raining."]]),
    ("Chapter 2", [["Wind", "She waited in the boathouse until the wind had gone down."]]),
]
_TITLES = ["The Quay", "나루", "언덕 위의 집", "灯塔", "Day Two", "THE LAMP ROOM", "Home", "3"]
_PARAGRAPHS = [
    "The boats came in at six.",
    "#3 was still warm",
    "#4 was gone.",
    "# not a heading",
    "## nor this",
    "1. Close the door.",
    "2. Put out the light.",
    "3) Sleep.",
    "배는 여섯 시에 들어왔다.",
    "제3화를 읽었다.",
    "雨停了。",
    "第三章她没有读。",
    "Rain",
    "NO ENTRY",
    "“Who goes there?”",
    "*Harriet*, she read.",
    "12 May",
    "Chapter 3 was missing.",
    "나루",
]
_scenes = st.lists(
    st.lists(st.sampled_from(_PARAGRAPHS), min_size=1, max_size=4), min_size=1, max_size=2
)
books = st.lists(
    st.tuples(st.sampled_from(_TITLES), _scenes),
    min_size=1,
    max_size=3,
    unique_by=lambda chapter: chapter[0],
)


def words(paragraph: str) -> str:
    """What a reader sees of it."""
    return plain_text(unwrap(runs_of(paragraph, {})))


def as_read(title: str, chapter: Chapter) -> tuple[str, Scenes]:
    return title, [[words(p.prose) for p in scene.paragraphs] for scene in chapter.scenes]


def brought_in_again(book: Book, format_: str) -> tuple[str, Book]:
    """The title and the chapters of the export of a book, as an import reads them."""
    folder = Path(tempfile.mkdtemp()) / "book"
    make_novel(folder)
    for number, (title, scenes) in enumerate(book, start=1):
        text = compose(title, ["\n\n".join(scene) for scene in scenes])
        put(folder, f"chapters/chapter-{number:03d}.md", text)
    session = Session.open(folder, os.environ)
    data, _ = book_bytes(session.store, "Boats", "en", ExportOrder(format_, "-"))
    shutil.rmtree(folder.parent)
    source = source_of(data, f"out.{format_}")
    plan = detect(source.decoded.text, source.name, None, source.roles)
    read = [(row.title, Chapter(row.text)) for row in plan.chapters_to_import]
    return plan.title, [as_read(title, chapter) for title, chapter in read]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("book", [BOATS, PLAIN], ids=["English", "Korean"])
def test_a_book_comes_back_as_it_left(book: Book, format_: str) -> None:
    assert brought_in_again(book, format_) == ("Boats", book)


@pytest.mark.parametrize("format_", ["md", "html", "epub", "docx"])
def test_a_chapter_without_a_title_keeps_its_first_words(format_: str) -> None:
    assert brought_in_again(SHORT, format_) == ("Boats", SHORT)


@pytest.mark.sweep
@given(books, st.sampled_from(["md", "html", "epub", "docx"]))
@settings(max_examples=150, deadline=None)
def test_every_book_comes_back_from_a_form_with_headings(book: Book, format_: str) -> None:
    meant = [(title, [[words(p) for p in scene] for scene in scenes]) for title, scenes in book]
    assert brought_in_again(book, format_) == ("Boats", meant)
