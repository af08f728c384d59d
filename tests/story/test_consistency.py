"""What a chapter says that no longer fits: the change itself, and what programs read of it."""

from __future__ import annotations

from studio.story.consistency import contradictions, disagreements
from studio.story.form.document import to_jsonable
from studio.story.state import Delta, OpKind, Scalar, StateOp

SPACED = "the bell"
"""No id of ours; a changelog from elsewhere may hold it."""


def chapter(number: int, kind: OpKind, path: str, value: Scalar) -> Delta:
    return Delta(
        chapter=number,
        storyline_id="main",
        source_sha256="0" * 64,
        ops=(StateOp(op=kind, path=path, value=value),),
    )


def test_a_refused_change_is_known_whole_and_programs_read_its_wording() -> None:
    deltas = {
        1: chapter(1, "foreshadow", SPACED, "plant"),
        2: chapter(2, "foreshadow", SPACED, "plant"),
    }
    (refusal,) = contradictions(deltas)
    assert (refusal.chapter, refusal.op) == (2, deltas[2].ops[0])
    assert to_jsonable(refusal) == {
        "chapter": 2,
        "entry": "foreshadow the bell 'plant'",
        "reason": "the bell is planted already",
    }


def test_a_change_on_another_ground_is_known_whole() -> None:
    coins = {
        1: chapter(1, "set", "items.purse.coins", 3),
        2: chapter(2, "inc", "items.purse.coins", 1),
    }
    fewer = coins | {1: chapter(1, "set", "items.purse.coins", 2)}
    (shaken,) = disagreements(coins, fewer)
    assert shaken.op == coins[2].ops[0]
    assert to_jsonable(shaken)["entry"] == "inc items.purse.coins 1"
