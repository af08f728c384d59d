"""Where a chapter's title is, found without reading the chapter."""

from __future__ import annotations

import pytest

from studio.story.chapter import Chapter


@pytest.mark.parametrize(
    ("text", "title", "first"),
    [
        ("# The Lamp Room\n\nIt rained.\n", "The Lamp Room", "It rained."),
        ("\ufeff# 등불 방\r\n\r\n비가 왔다.\r\n", "등불 방", "비가 왔다."),
        ("\n\n* * *\n\n# 灯室\n\n下雨了。", "灯室", "下雨了。"),
        ("It rained.\n\n# Not a title\n", None, "It rained."),
        ("# One\n# Two\n\nIt rained.", "One", "# Two"),
        ("#No space\n\nIt rained.", None, "#No space"),
        ("", None, ""),
        ("# ", None, "#"),
    ],
)
def test_the_title_is_the_first_line_of_words_with_a_hash(
    text: str, title: str | None, first: str
) -> None:
    chapter = Chapter(text)
    assert chapter.title == title
    assert (chapter.paragraphs[0].text if chapter.paragraphs else "") == first
