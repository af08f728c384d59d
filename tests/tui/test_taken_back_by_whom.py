"""A fix that the studio took back is not told as one that she took back."""

from __future__ import annotations

import pytest

from studio import i18n
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.passage import PassageLocation
from studio.story.review.surgery import SurgeryResult
from studio.story.status import DirectiveStatus
from studio.tui.screens.ask import AskText
from studio.tui.views.review.directive_text import detail, words_to_begin_with
from studio.tui.widgets.text_field import TextField
from tests.fake_messages import Rule
from tests.pipeline.flows import SCENES, Model, directive, judged, unrefined
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened

UNDONE = Directive(
    id="dir_show_not_tell_001",
    type=DirectiveType.SHOW_NOT_TELL,
    priority=2,
    location=PassageLocation(scene_number=1, paragraph_start=1, paragraph_end=1),
    issue="It tells what could be seen.",
    instruction="Show it.",
    max_scope=1,
    status=DirectiveStatus.UNDONE,
)


def told(directive: Directive) -> str:
    return "\n".join("".join(phrase.text for phrase in row) for row in detail(directive))


@pytest.mark.parametrize(
    ("language", "not_hers"),
    [
        ("en", "by the studio, and not by you"),
        ("ko", "집필실이 되돌림(작가가 되돌린 것이 아님)"),
        ("zh", "由写作室撤回，不是您撤回的"),
    ],
)
def test_who_took_a_fix_back_is_said(language: str, not_hers: str) -> None:
    i18n.use(language)
    assert not_hers not in told(UNDONE)
    assert not_hers in told(UNDONE.copy_with(undone_by="studio"))


def test_she_writes_a_passage_from_a_fix_that_the_studio_took_back_and_not_from_one_she_did() -> (
    None
):
    fix = SurgeryResult(
        before="She was sad.",
        after="She put the cup down twice. Joss called.",
        location=UNDONE.location,
        before_sha256="0" * 64,
        after_sha256="1" * 64,
        paragraphs_touched=1,
    )
    hers = UNDONE.copy_with(result=fix, current_text="She was sad.")
    assert words_to_begin_with(hers) == "She was sad."
    assert words_to_begin_with(hers.copy_with(undone_by="studio")) == fix.after


async def test_she_writes_on_from_what_stands_where_she_took_a_fix_back(desk: OpenDesk) -> None:
    """Met: a fix that she had kept and taken back was what `E` began with, and went in again."""
    rewritten = SCENES[1][1].replace("pale", "white")
    judge = judged(directives=[directive(1, 2, type="fact-correction")])
    there = desk(Model(refine=unrefined, judge=judge, surgery=Rule(text=rewritten)))
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.to_review()
        await studio.press("a", "w")
        await studio.until(lambda: "white" in there.staged().read_text("utf-8"), "the fix")
        await studio.settled()
        await studio.on_directive("dir_fact_correction_001")
        await studio.press("a")
        one = "dir_fact_correction_001"
        await studio.until(lambda: studio.desk.state.sheet.find(one).status == "kept", "it kept")
        await studio.on_directive("dir_fact_correction_001")
        await studio.press("u")
        await studio.until(lambda: "white" not in there.staged().read_text("utf-8"), "it out")
        await studio.settled()
        await studio.press("E")
        await studio.sees(AskText)
        assert studio.app.screen.query_one(TextField).text == SCENES[1][1]
