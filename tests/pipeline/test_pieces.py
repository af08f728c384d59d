"""The pieces of a proposal, as its author reads and changes them."""

from __future__ import annotations

import pytest

from studio.pipeline.beginning.pieces import pieces_of, with_words
from studio.story.checkpoint import Decision

HEAD = "---\ninclude: always\n---\n\n"


@pytest.mark.parametrize(
    ("words", "other"),
    [
        ("# 은하탕\n\n셔터를 올리면 왼쪽이 여탕이다.", "# 은하탕\n\n셔터는 무릎까지만 오른다."),
        ("# The Ice House\n\nThe floor drains west.", "# The Ice House\n\nIt drains east."),
        ("# 渡口\n\n水退的时候才有路。", "# 渡口\n\n没有路。"),
    ],
)
def test_a_page_of_the_world_is_read_without_what_the_studio_keeps_about_it(
    words: str, other: str
) -> None:
    path = "world/places/here.md"
    question = Decision(
        id="start",
        kind="start",
        recommendation="next",
        options=("next",),
        data={"files": {path: f"{HEAD}{words}\n"}},
    )
    (piece,) = pieces_of(question)
    assert piece.text == words.removeprefix("# "), "the mark of a heading is the studio's"
    changed = with_words(question, {piece.key: other.removeprefix("# ")})
    assert changed.data["files"] == {path: f"{HEAD}{other}\n"}
    assert with_words(question, {}).data["files"] == {path: f"{HEAD}{words}\n"}
    assert with_words(question, {piece.key: ""}).data["files"] == {}


def test_the_chapters_of_an_outline_are_read_without_the_note_on_how_it_is_written() -> None:
    head = "# Volume 1\n\n<!-- One section for each chapter.\n\n## Chapter 1: Like this\n-->\n\n"
    words = "## Chapter 1: The Better Shovel\n\nNessa packs ice."
    question = Decision(
        id="start",
        kind="start",
        recommendation="next",
        options=("next",),
        data={"files": {"volumes/vol-01/outline.md": f"{head}{words}\n"}},
    )
    (piece,) = pieces_of(question)
    read = words.removeprefix("## ")
    assert piece.text == read
    path = "volumes/vol-01/outline.md"
    changed = with_words(question, {piece.key: f"{read} <!-- mine -->"})
    assert changed.data["files"] == {path: f"{head}{words} <!-- mine -->\n"}
    more = with_words(question, {piece.key: f"{read}\n\nChapter 2: Ice\n\nChapter 2 is cold.\n"})
    assert more.data["files"] == {
        path: f"{head}{words}\n\n## Chapter 2: Ice\n\nChapter 2 is cold.\n"
    }
    renamed = with_words(question, {piece.key: read.replace("Better", "Worse")})
    assert renamed.data["files"] == {path: f"{head}{words.replace('Better', 'Worse')}\n"}


def test_what_a_model_proposes_is_shown_without_marks_of_markdown() -> None:
    from studio.pipeline.beginning.answers import WorldAnswer
    from studio.pipeline.beginning.files import plain

    text = "On **stilts**.\n\n## The scale\n\n*Nobody* oils it; 2 * 3 * 4 is `24`.\n\n- two doors"
    answer = WorldAnswer.model_validate(
        {"documents": [{"name": "**Salt**", "text": text}], "rules": []}
    )
    (page,) = plain(answer).documents
    assert page.name == "Salt"
    assert page.text == "On stilts.\n\nThe scale\n\nNobody oils it; 2 * 3 * 4 is 24.\n\n- two doors"


@pytest.mark.parametrize("comma", [", ", "，"])
def test_who_somebody_is_stands_behind_the_comma_of_any_keyboard(comma: str) -> None:
    from studio.pipeline.beginning.files import Standing, own_words
    from studio.story.novel import WorldRules

    standing = Standing("zh", WorldRules(), (), "volumes/vol-01/outline.md", "", 0, 3)
    proposed = own_words("people", f"玛拉{comma}守灯人的女儿\n她数台阶。", standing)
    profile = next(words for words in proposed.files.values() if words.startswith("# "))
    assert profile == "# 玛拉\n\n守灯人的女儿\n\n她数台阶。\n"
