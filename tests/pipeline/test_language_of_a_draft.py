"""A draft in another language than the novel's is not taken into the book unseen (PROSE 0.10)."""

from __future__ import annotations

from typing import Any

import pytest

from studio.project.staging import Partial
from tests.fake_answers import prose
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SETTINGS, Desk, Model, ask, unrefined

KOREAN = SETTINGS.replace('"en"', '"ko"')
CHINESE = SETTINGS.replace('"en"', '"zh"')
LETTER = (
    "정순은 봉투를 뜯고 안경을 고쳐 썼다. 영어로 쓴 편지였다.\n\n"
    "Dear Jeongsun,\n\n"
    "I write to you from the harbour, where the rain has not stopped since the morning we left.\n\n"
    "They say the ferry will not sail before Sunday, and nobody here knows what became of the"
    " boat that went out on the night of the storm. Keep the key where it is, and tell nobody"
    " that I have written, not even your brother.\n\n"
    "Yours, Joss\n\n"
    "그녀는 편지를 접어 등잔 밑에 밀어 넣었다. “I told you so,” 형이 문간에서 말했다."
    " “You never listen to anybody, and now look at what has come of it.”\n\n"
    "정순은 대답하지 않았다. 난로가 식으며 똑딱거렸고, 창밖에서 누가 종을 쳤다. 그 소리를 세다가"
    " 그녀는 열쇠를 쥔 손을 폈다. 열쇠는 그대로 있었다. 아무도 그것을 가져가지 않았다."
)


def drafts(desk_: Desk) -> list[Asked]:
    return [a for a in desk_.server.asked if "Write scene" in a.blocks[-1]["text"]]


def in_turn(*languages: str) -> Any:
    """Drafts in these languages, one a call; the last for good."""
    return [Rule(text=prose(language, n)) for n, language in enumerate(languages)]


@pytest.mark.sweep
def test_an_english_scene_of_a_korean_novel_is_asked_about(desk: OpenDesk) -> None:
    # req: U3
    desk_ = desk(Model(draft=in_turn("en", "ko"), refine=unrefined), settings=KOREAN)
    paused = desk_.write(review="ask")
    decision = paused.decision
    assert paused.exit_code == 4
    assert (decision.kind, decision.options) == ("language", ("again", "keep"))
    assert decision.data["scene"] == 1
    assert len(drafts(desk_)) == 1
    desk_.decide("again")
    assert ask(desk_).decision.kind == "review"
    assert "in Korean" in drafts(desk_)[1].blocks[-1]["text"]
    text = desk_.staged().read_text("utf-8")
    assert prose("ko", 1) in text
    assert prose("en", 0) not in text


@pytest.mark.sweep
def test_what_she_keeps_stands_and_is_not_paid_for_twice(desk: OpenDesk) -> None:
    desk_ = desk(Model(draft=in_turn("en", "zh"), refine=unrefined), settings=CHINESE)
    assert desk_.write(review="ask").decision.kind == "language"
    desk_.decide("keep")
    assert ask(desk_).decision.kind == "review"
    assert prose("en", 0) in desk_.staged().read_text("utf-8")
    assert len(drafts(desk_)) == 2


@pytest.mark.sweep
def test_each_again_is_a_call_of_its_own(desk: OpenDesk) -> None:
    desk_ = desk(Model(draft=Rule(text=prose("ko", 1))))
    assert desk_.write(review="ask").decision.kind == "language"
    for calls in (2, 3):
        desk_.decide("again")
        assert ask(desk_).decision.kind == "language"
        assert len(drafts(desk_)) == calls
    desk_.decide("keep")
    assert ask(desk_).decision.data["scene"] == 2


def test_unattended_it_is_asked_for_once_more(desk: OpenDesk) -> None:
    desk_ = desk(Model(draft=in_turn("en", "zh"), refine=unrefined), settings=CHINESE)
    ran = desk_.write(review="accept")
    assert ran.exit_code == 0
    assert "Scene 1 came in another language" in ran.warnings
    assert len(drafts(desk_)) == 3
    assert prose("en", 0) not in (desk_.folder / "chapters/chapter-001.md").read_text("utf-8")
    calls = [name for name in desk_.store.journal.whole_ids(1) if "-draft-s" in name]
    assert sum("-anew1" in name for name in calls) == 1
    assert all(Partial(name, None, "").is_of_scene for name in calls), "a kill keeps their words"


@pytest.mark.sweep
def test_unattended_a_second_wrong_draft_waits_for_her(desk: OpenDesk) -> None:
    for review in ("accept", "reject"):
        model = Model(draft=Rule(text=prose("en", 0)))
        desk_ = desk(model, settings=KOREAN, novel=review)
        ran = desk_.write(review=review)
        assert (ran.exit_code, ran.decision.kind) == (4, "language")
        assert len(drafts(desk_)) == 2
        desk_.decide("keep")
        assert desk_.resume(review=review).decision.data["scene"] == 2
        assert len(drafts(desk_)) == 4


def test_a_letter_and_speech_in_another_language_are_prose(desk: OpenDesk) -> None:
    desk_ = desk(Model(draft=Rule(text=LETTER), refine=unrefined), settings=KOREAN)
    assert desk_.write(review="ask").decision.kind == "review"
