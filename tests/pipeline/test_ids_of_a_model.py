"""What a model names by an id, a name or a rule is what it means (WRITING 5)."""

from __future__ import annotations

from typing import Any

import pytest

from studio.pipeline.judging.placement import find_quote
from studio.story.chapter import Chapter
from studio.story.review.answers import PromisesAnswer

TEXT = Chapter("“What about coming back?” he called.\n\n“That's another halfpenny.”\n")


# req: J5
@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("Bram does not tell Nell of the sale", "Bram does not tell Nell of the sale."),
        (
            "Rule [quiet]: Bram does not tell Nell of the sale",
            "Bram does not tell Nell of the sale.",
        ),
        ("Nell Arkwright (nell) never: lets anybody off a penny.", "lets anybody off a penny"),
        ("沈禾（shen-he）总是：找钱的时候念出声。", "找钱的时候念出声"),
        ("서윤은 늘 거스름돈을 소리 내어 센다", "거스름돈을 소리 내어 센다"),
        ("Nobody sells a bridge.", ""),
        ("a", ""),
    ],
)
def test_a_rule_is_known_with_whatever_stands_before_it_in_the_material(
    said: str, rule: str
) -> None:
    from studio.pipeline.book_runs.continuity_checking import _own_rule

    rules = (
        "Bram does not tell Nell of the sale.",
        "lets anybody off a penny",
        "找钱的时候念出声",
        "거스름돈을 소리 내어 센다",
    )
    assert _own_rule(said, rules) == rule


# req: J5
@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("he called. “That's another halfpenny.”", "he called."),
        ("“What about coming back?” he called. “That's", "“What about coming back?” he called."),
        ("he called. “That's a farthing.”", None),
    ],
)
def test_a_quote_over_the_end_of_a_paragraph_is_found_in_the_first(
    quote: str, words: str | None
) -> None:
    place = find_quote(TEXT, quote)
    assert (place and place[1]) == words


# req: J5 G5
@pytest.mark.parametrize(
    ("known", "person"),
    [
        ("red_ledger", "nell"),
        ("Red Ledger", "Nell"),
        ("promise red-ledger (A ledger)", "Nell (nell)"),
    ],
)
def test_a_promise_and_its_people_are_known_however_they_are_written(
    known: str, person: str
) -> None:
    from studio.pipeline.book_runs.promise_reading import _proposals
    from studio.project.planning.names import KnownNames

    quote = "That's another halfpenny."
    place: dict[str, Any] = {"chapter": 1, "quote": quote}
    new = {"id": "the-way-back", "about": "He comes back.", "characters": [person], **place}
    events = [
        {"promise": known, "action": "advance", **place},
        {"promise": "The way back", "action": "resolve", **place},
    ]
    answer = PromisesAnswer.model_validate({"promises": [new], "events": events})
    people = KnownNames({"nell": ("Nell Arkwright",)}, are_people=True)
    promises = {"red_ledger": "A ledger lies there."}
    made = {p.id: p for p in _proposals(answer, {1: TEXT}, promises, {"red_ledger"}, people)}
    assert [e.kind for e in made["red_ledger"].events] == ["advanced"]
    assert made["the-way-back"].characters == ("nell",)
    assert [e.kind for e in made["the-way-back"].events] == ["planted", "resolved"]


# req: J5
@pytest.mark.parametrize(
    "said", ["NONE", "None.", "**NONE**", "(none)", "[None]", "없음.", "（无）"]
)
def test_nothing_is_left_in_whatever_letters_it_is_said(said: str) -> None:
    from studio.pipeline.review.surgeon import _paragraphs

    assert _paragraphs(said, ["She wept."], may_go=True) == []
    assert _paragraphs("There were none.", ["She wept."], may_go=True) == ["There were none."]
    assert _paragraphs("It is told in [1.3] already.\n\nNONE", ["She wept."], may_go=True) == []
    assert _paragraphs("None.", ["She wept."]) == ["None."], "no answer of another operation"


# req: J5
@pytest.mark.parametrize(
    ("action", "scope", "kind"),
    [("planted", "short-term", "character"), ("심기", "단기", "인물"), ("埋下", "短期", "人物")],
)
def test_a_plan_calls_its_promises_and_people_as_a_planner_would(
    action: str, scope: str, kind: str
) -> None:
    from studio.llm.structured import AnswerReader
    from studio.pipeline.beginning.answers import VolumeAnswer

    chapter = (
        '{"chapter": 1, "title": "t", "happens": "h", "storyline_id": "storyline main: The bar",'
        ' "concurrent": [], "pov": "characters.nell", "characters": ["characters.nell"],'
        ' "objectives": ["o"], "must_not": [],'
        f' "promises": [{{"id": "promise red_ledger (A ledger)", "action": "{action}"}}]}}'
    )
    promise = f'{{"id": "x", "description": "d", "scope": "{scope}", "due": 2, "characters": []}}'
    new = f'{{"kind": "{kind}", "name": "Otis", "line": "A boatman."}}'
    text = (
        f'{{"about": "a", "chapters": [{chapter}], "promises": [{promise}], "introduces": [{new}]}}'
    )
    answer, left_out = AnswerReader(VolumeAnswer).read(text)
    assert answer is not None, left_out
    (planned,) = answer.chapters
    assert (planned.pov, planned.characters, planned.storyline_id) == ("nell", ["nell"], "main")
    assert [(p.id, p.action) for p in planned.promises] == [("red_ledger", "plant")]
    assert [p.scope for p in answer.promises] == ["short"]
    assert [one.kind for one in answer.introduces] == ["person"]


# req: H3 J5
def test_a_volume_counted_from_one_on_is_that_of_the_book() -> None:
    from studio.pipeline.beginning.answers import ArchitectChapter, ArchitectPromise, VolumeAnswer
    from studio.pipeline.volume.architect import _by_the_books_numbers

    def planned(*numbers: int) -> VolumeAnswer:
        chapters = [ArchitectChapter.model_construct(chapter=number) for number in numbers]
        promise = ArchitectPromise.model_construct(id="x", due=2)
        return VolumeAnswer.model_construct(chapters=chapters, promises=[promise])

    def taken(answer: VolumeAnswer, first: int) -> tuple[list[int], int | None]:
        own = _by_the_books_numbers(answer, first)
        return [chapter.chapter for chapter in own.chapters], own.promises[0].due

    assert taken(planned(1, 2, 3), 13) == ([13, 14, 15], 14)
    assert taken(planned(13, 14), 13) == ([13, 14], 2)
    assert taken(planned(1, 2, 3), 3) == ([1, 2, 3], 2), "some of them are those asked for"
    assert taken(planned(2, 4), 13) == ([2, 4], 2)
