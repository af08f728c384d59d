"""A card is read and answered in the smallest window."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.cli.prompt import show
from studio.messages import join, said
from studio.pipeline.volume.close import end_question
from studio.story.checkpoint import Checkpoint, Decision
from studio.tui.screens.decision import DecisionScreen
from studio.tui.views.review.decision_card import card_of
from tests.tui.conftest import OpenDesk
from tests.tui.gallery import novel
from tests.tui.pilot import opened

OPTIONS = {
    "commit": "Take the chapter into the book as it stands; what is open is left alone.",
    "edit": "Change the text yourself, then resume.",
    "draft-again": "Draft the chapter again; this text is kept as a variation.",
    "look-again": "Measure this text anew and let the judge read it again; more may be proposed.",
}
QUESTION = Decision(
    id="review-003",
    kind="review",
    recommendation="commit",
    options=tuple(OPTIONS),
    rationale="Three fixes are in the text. " + "등대의 종소리가 그쳤다. " * 40 + "The end.",
    data={"overall": 4.2, "options": OPTIONS},
)


@pytest.mark.sweep
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (60, 15)], ids=str)
async def test_answers_and_keys_of_a_long_card_are_in_sight(
    tmp_path: Path, desk: OpenDesk, size: tuple[int, int]
) -> None:  # req: U2
    folder = novel(tmp_path / "book", "en").layout.folder
    async with opened(folder, desk().environ, size) as studio:
        studio.app.push_screen(DecisionScreen(card_of(QUESTION)))
        await studio.sees(DecisionScreen, "Enter Choose")
        for words in ("Esc Later", "› Take it into the book", "The chapter is ready"):
            await studio.sees(DecisionScreen, words)
        assert "The end." not in studio.screen
        await studio.press(*["pagedown"] * 40)
        await studio.until(lambda: "The end." in studio.screen, "the end of what happened")
        await studio.press("j", "j", "j")
        await studio.until(lambda: "› Have it read again" in studio.screen, "the last answer")


def test_a_card_of_the_gate_leaves_out_what_its_sentence_says_and_no_shorter_note() -> None:
    """A note of a few words was left out where a longer one held them."""
    reasons = join(("The end is thin and the bell is late", "overall 3.7 of 5"), "; ")
    sentence = said("The chapter can be better: {reasons}.", reasons=reasons)
    notes = ["The end is thin and the bell is late.", "The end is thin.", "The bell."]
    question = QUESTION.model_copy(update={"kind": "gate", "rationale": sentence})
    card = card_of(question.model_copy(update={"data": {"notes": notes}}))
    assert card.facts == ("The end is thin.", "The bell.")


def test_the_end_of_a_volume_is_asked_about_by_its_name(tmp_path: Path) -> None:
    store = novel(tmp_path / "book", "en")
    asked = end_question(store, Checkpoint(planned_to=9, last_completed_chapter=9))
    assert asked is not None
    assert card_of(asked).title == "Every planned chapter of the volume is written"
    assert card_of(asked.model_copy(update={"options": ("accept",)})).title == (
        "The plan of a volume"
    )


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "An answer without a price costs nothing."),
        ("ko", "비용이 적혀 있지 않은 답에는 돈이 들지 않습니다."),
        ("zh", "没有写明花费的选项不花钱。"),
    ],
)
def test_a_card_with_prices_says_that_its_other_answers_are_free(language: str, words: str) -> None:
    from studio import i18n
    from studio.pipeline.costs import with_price

    price = said("about {n} cents", n=4)
    priced = {**OPTIONS, "draft-again": with_price(OPTIONS["draft-again"], price)}
    question = QUESTION.model_copy(update={"data": {"options": priced}})
    lines: list[str] = []
    i18n.use(language)
    assert card_of(question).free == words
    assert card_of(QUESTION).free == "", "nothing costs anything"
    show(question, Path("book"), lines.append)
    assert sum(words in line for line in lines) == 1
