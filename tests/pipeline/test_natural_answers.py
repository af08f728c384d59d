"""What models say is taken as a careful person would take it, and what is really open is shown as
open (WRITING 5)."""

from __future__ import annotations

import pytest

from studio.llm.structured import AnswerReader
from studio.story.review.answers import (
    JudgeAnswer,
    LineEditsAnswer,
    ReaderAnswer,
    ScenesAnswer,
    SummaryAnswer,
)
from tests.pipeline.natural_answers import (
    LANGUAGES,
    ROLES,
    WHOLE,
    Heard,
    formed,
    judge_answer,
    played,
    spoiled,
)


def misheard(heard: list[Heard]) -> list[str]:
    return [f"{h.language} {h.what}: {h.taken!r} for {h.wanted!r}" for h in heard if not h.is_right]


# req: J5
@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", ROLES)
def test_what_a_careful_person_would_accept_is_accepted_and_nothing_is_guessed(
    role: str, language: str
) -> None:
    assert misheard(list(ROLES[role](language))) == []


# req: J5
def test_an_answer_is_found_in_whatever_a_model_puts_around_it() -> None:
    assert misheard(list(formed())) == []


# req: J5
def test_every_role_has_sixty_answers_in_three_languages() -> None:
    for role, heard in ROLES.items():
        assert sum(len(list(heard(language))) for language in LANGUAGES) >= 60, role


# req: J5
@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", ROLES)
def test_what_was_answered_in_a_played_evening_is_taken_whole(role: str, language: str) -> None:
    heard = list(played(role, language))
    assert heard
    assert misheard(heard) == []


# req: J5
@pytest.mark.sampled
@pytest.mark.parametrize("role", ROLES)
def test_twenty_answers_of_a_role_are_from_played_evenings(role: str) -> None:
    assert sum(len(list(played(role, language))) for language in LANGUAGES) >= 20


# req: J5
def test_a_judgement_that_breaks_off_keeps_what_is_whole_and_a_comparison_does_not() -> None:
    kind, value = WHOLE["judge"]
    text = spoiled(value, "trailing commas")
    answer, left_out = AnswerReader(JudgeAnswer).read(text[: text.rindex("}")])
    assert answer is not None
    assert len(answer.directives) == 2
    assert "breaks off" in left_out[0]
    assert kind is JudgeAnswer
    rows = '{"kind": "event", "one": "", "two": "He fell."}\n{"kind": "event", "one": "He'
    assert AnswerReader(ReaderAnswer).read(rows)[0] is None
    cut = '{"differences": [{"kind": "event", "one": "", "two": "He fell."}, {"kind": "event", "o'
    assert AnswerReader(ReaderAnswer).read(cut)[0] is None


# req: J5
@pytest.mark.parametrize(
    "said",
    [
        "[1.3] Original: She felt that she was beginning to lose.",
        "[1.3] → one way → another way",
        "[1.3]\nTwo ways:\n\n> She was losing.\n\nor\n\n> She had begun to lose.",
    ],
)
def test_a_new_paragraph_that_cannot_be_told_from_the_old_one_is_left_open(said: str) -> None:
    assert AnswerReader(LineEditsAnswer).read(said)[0] is None


# req: J5
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (ReaderAnswer, "{}"),
        (ReaderAnswer, '{"differences": null}'),
        (ScenesAnswer, '{"chapter": 1}'),
        (SummaryAnswer, '{"summary": "It rains.", "ops": [], "memory": ""}'),
        (JudgeAnswer, judge_answer("").replace('"score":4', '"score":"good"')),
        (JudgeAnswer, judge_answer("").replace('"violations":[], ', "")),
    ],
)
def test_what_has_to_be_said_is_never_filled_in(kind: type[JudgeAnswer], text: str) -> None:
    assert AnswerReader(kind).read(text)[0] is None
