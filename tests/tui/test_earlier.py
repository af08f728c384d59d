"""Rejections of earlier rounds: in the review, in one row at the end, each with its reason."""

from __future__ import annotations

import pytest

from studio.story.chapter import Chapter, sha256_of
from studio.story.review.directive import DirectiveSheet, DirectiveType, Fingerprint
from studio.tui.views.review.counsel_text import earlier_lines, list_review, rejected_before
from tests.pipeline.flows import Model
from tests.tui.conftest import OpenDesk
from tests.tui.lines import directive, words_of
from tests.tui.pilot import opened

CHAPTER = Chapter("# 등대\n\n바람이 불었다.\n\n그는 말했다.\n\n* * *\n\n她数着台阶。\n")


def sheet(*rejected: Fingerprint, **more: object) -> DirectiveSheet:
    return DirectiveSheet(chapter=1, source_sha256="0" * 64, rejected=rejected, **more)


def fingerprint(words: str, reason: str = "") -> Fingerprint:
    return Fingerprint(type=DirectiveType.CUT, passage_sha256=sha256_of(words), reason=reason)


def test_a_rejection_is_found_by_its_passage_and_has_its_reason() -> None:
    one = fingerprint("바람이 불었다.\n\n그는 말했다.", "박자가 좋다")
    two, gone = fingerprint("她数着台阶。"), fingerprint("A door stood open.", "meant so")
    rejections = rejected_before(sheet(one, two, gone), CHAPTER)
    assert [f.where for f in rejections] == ["1.1-2", "2.1", ""]
    page = words_of(list(earlier_lines(rejections)))
    assert "박자가 좋다" in page
    assert "No reason was given." in page
    assert "Its passage is no longer in the text." in page


def test_what_is_still_on_the_sheet_is_not_told_twice() -> None:
    known = directive(source_sha256=sha256_of("바람이 불었다."))
    given = sheet(fingerprint("바람이 불었다."), directives=(known,))
    assert rejected_before(given, CHAPTER) == ()
    assert [row.entry for row in list_review(given, ())] == [0]


@pytest.mark.sweep
async def test_they_are_one_row_at_the_end_of_the_review(desk: OpenDesk) -> None:
    there = desk(Model())
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.home()
        chapter = studio.desk.state.current
        assert chapter is not None
        assert chapter.sheet is not None
        assert chapter.text is not None
        words = chapter.text.paragraphs[0].text
        before = chapter.sheet.model_copy(update={"rejected": (fingerprint(words, "her voice"),)})
        studio.desk.state.current = chapter._replace(earlier=rejected_before(before, chapter.text))
        studio.desk.painter.directives()
        await studio.press("3", *["j"] * (len(studio.directives.entries) + 1))
        await studio.until(lambda: "1 rejected in earlier rounds" in studio.screen, "the row")
        await studio.until(lambda: "her voice" in studio.screen, "the reason")
        assert studio.directives.directive_under_cursor is None
        await studio.press("a")
        await studio.until(lambda: "There is no directive here." in studio.told, "why not")


@pytest.mark.sweep
async def test_the_keys_that_turn_pages_turn_those_of_a_directive(desk: OpenDesk) -> None:
    there = desk(Model())
    async with opened(there.folder, there.environ, (60, 15)) as studio:
        await studio.to_review()
        await studio.home()
        await studio.press("3")
        detail = studio.directives.query_one("#directive-detail")
        lines = [directive(note="그대로 둔다. " * 90)]
        studio.directives.show(sheet(directives=tuple(lines)), {})
        await studio.until(lambda: detail.max_scroll_y > 0, "a long one")
        await studio.press("pagedown")
        assert detail.scroll_offset.y > 0
        await studio.press("pageup")
        assert detail.scroll_offset.y == 0
