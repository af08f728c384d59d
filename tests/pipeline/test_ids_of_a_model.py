"""What a model names by an id, a name or a rule is what it means (WRITING 5)."""

from __future__ import annotations

from typing import Any

import pytest

from studio.pipeline.judging.quotes import find_quote
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
    from studio.pipeline.continuity.checking import _own_rule

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
