"""The words a directive quotes, marked in the text: the right ones, to the cell, without colour."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.widgets import Input

from studio.story.chapter import Chapter
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.evaluation import Counsel
from studio.story.review.passage import PassageLocation
from studio.story.review.surgery import SurgeryResult
from studio.story.status import DirectiveStatus
from studio.tui.views.prose.marks import ParagraphRange
from studio.tui.views.prose.passages import about, place_of_counsel
from studio.tui.widgets.prose_view import ProseView
from tests.pipeline.flows import Model, directive, judged
from tests.tui.conftest import OpenDesk
from tests.tui.painted import strips_of
from tests.tui.pilot import opened
from tests.tui.prose_host import Desk, settled

TEXTS = {
    "ko": "# 밤\n\n하나.\n\n그녀는 차가움을 느꼈다. “누구예요?” 그는 문을 닫았고 바람이 잤다.\n",
    "en": "# The Lamp\n\nOne.\n\nShe felt the cold. “Who’s there?” He shut it, and waited.\n",
    "zh": "# 灯塔\n\n一。\n\n她觉得很冷。“谁在那里？”他关上了门，风停了，灯还亮着。\n",
}
QUOTES = {
    "ko": ("차가움을 느꼈다", "“누구예요?” 그는 문을 닫았고 바람이"),
    "en": ("felt the cold", "“Who’s there?” He shut"),
    "zh": ("觉得很冷", "“谁在那里？”他关上了门，风停了"),
}


def quoting(*words: str, **more: object) -> Directive:
    return Directive(
        id="dir_filter_word_removal_001",
        type=DirectiveType.FILTER_WORD_REMOVAL,
        priority=3,
        location=PassageLocation(scene_number=1, paragraph_start=2, paragraph_end=2),
        issue="A word stands between the reader and the scene.",
        current_text="그녀는 차가움을 느꼈다.",
        instruction="Give it directly.",
        max_scope=1,
        evidence=words,
        **more,
    )


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("columns", [24, 31, 60])
async def test_the_quoted_words_are_marked_to_the_cell(language: str, columns: int) -> None:
    chapter = Chapter(TEXTS[language])
    evidence = about(chapter, quoting(*QUOTES[language]))
    app = Desk()
    async with app.run_test(size=(columns, 16)) as pilot:
        view = app.query_one(ProseView)
        view.load(chapter.text)
        await settled(pilot)
        view.highlight(evidence.passage)
        view.mark(evidence.words)
        await settled(pilot)
        strips = [view.render_line(y) for y in range(view.size.height)]
        marked = [s for strip in strips for s in strip if s.style and s.style.underline]
        assert "".join("".join(s.text for s in marked).split()) == "".join(
            "".join(QUOTES[language]).split()
        )
        assert all(strip.cell_length == strips[0].cell_length for strip in strips)
        assert sum(s.cell_length for s in marked) <= sum(map(cell_len, QUOTES[language]))


def test_a_quote_in_other_typography_is_found_in_the_authors_own() -> None:
    chapter = Chapter(TEXTS["en"])
    (words,) = about(chapter, quoting('"Who\'s there?"')).words
    assert chapter.passage(1, 2, 2)[0].text[words.start : words.end] == "“Who’s there?”"


def test_a_fix_in_the_text_quotes_nothing_and_one_taken_back_does_again() -> None:
    chapter = Chapter(TEXTS["ko"])
    result = SurgeryResult(
        before="그녀는 차가움을 느꼈다.",
        after="손끝이 시렸다.",
        location=PassageLocation(scene_number=1, paragraph_start=2, paragraph_end=2),
        before_sha256="0" * 64,
        after_sha256="1" * 64,
        paragraphs_touched=1,
    )
    fixed = quoting("느꼈다", status=DirectiveStatus.APPLIED, result=result)
    assert about(chapter, fixed) == (ParagraphRange(1, 2, 2), ())
    undone = about(chapter, fixed.copy_with(status=DirectiveStatus.UNDONE))
    assert undone.passage == ParagraphRange(1, 2, 2)
    assert len(undone.words) == 1


def test_a_choice_marks_the_words_it_is_about_and_advice_marks_nothing() -> None:
    chapter = Chapter(TEXTS["zh"])
    choice = Counsel(kind="decide", issue="谁在门外？", quote="“谁在那里？”")
    evidence = place_of_counsel(chapter, choice)
    assert evidence is not None
    assert evidence.passage == ParagraphRange(1, 2, 2)
    assert place_of_counsel(chapter, Counsel(kind="advice", issue="两场都收在风里。")) is None


@pytest.mark.sweep
async def test_evidence_shows_on_a_terminal_without_colours_and_in_ascii(desk: OpenDesk) -> None:
    there = desk(Model(judge=judged(directives=[directive(1, 1)])))
    environ = {**there.environ, "NO_COLOR": "1", "STUDIO_ASCII": "1"}
    async with opened(there.folder, environ) as studio:
        await studio.write_next()
        chapter = studio.desk.state.current
        fix = chapter.sheet.directives[0].copy_with(evidence=("one after another",))
        sheet = chapter.sheet.with_directive(fix)
        studio.desk.directives.show(sheet, {})
        studio.desk.painter.mark()
        await studio.pilot.pause()
        assert not isinstance(studio.app.focused, Input)
        strips = strips_of(studio.app.screen)
        marked = [s for strip in strips for s in strip if s.style and s.style.underline]
        assert "".join(s.text for s in marked).replace(" ", "") == "oneafteranother"
