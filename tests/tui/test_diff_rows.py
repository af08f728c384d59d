"""A change as it is read: no words run together, and no colour is needed."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.tui.views.prose.diff_rows import MARGIN, DiffRow, joined_up, rows, steps

OLD = "She felt very sad about the empty hooks."
NEW = "She hung her glove on one of the empty hooks, to see it filled."
LONG = "There had been forty-one of them when she came. The pump had stopped at nineteen."
pieces = st.lists(st.sampled_from(["She ", "hung ", "손이 ", "떨렸다. ", "\n\n", "a ", "。", "b"]))


def drawn(lines: list[DiffRow]) -> list[str]:
    return [f"{mark} {''.join(text for _, text in row)}".rstrip() for mark, row in lines]


def test_a_rewrite_that_shares_little_is_old_over_new() -> None:  # req: H4
    assert drawn(rows(steps(OLD, NEW, "en"), 80)) == [f"- {OLD}", f"+ {NEW}"]
    korean = ("그녀는 두려움을 느꼈다.", "손끝이 등잔 위에서 떨렸다.")
    assert drawn(rows(steps(*korean, "ko"), 80)) == [f"- {korean[0]}", f"+ {korean[1]}"]
    chinese = ("她觉得非常难过。", "她把手套挂在空钩子上。")
    assert drawn(rows(steps(*chinese, "zh"), 80)) == [f"- {chinese[0]}", f"+ {chinese[1]}"]


def test_one_that_shares_much_is_shown_word_by_word() -> None:  # req: H4
    before, after = f"She felt fear. {LONG}", f"She felt dread. {LONG}"
    assert drawn(rows(steps(before, after, "en"), 200)) == [f"~ She felt fear dread. {LONG}"]
    plain = drawn(rows(steps(before, after, "en"), 200, plain=True))
    assert plain == [f"~ She felt [-fear-]{{+dread+}}. {LONG}"]


def test_a_sentence_that_was_replaced_is_not_mixed_with_its_follower() -> None:
    before, after = f"{OLD} {LONG} {LONG}", f"{NEW} {LONG} {LONG}"
    (row,) = rows(steps(before, after, "en"), 400)
    assert "felthung" not in drawn([row])[0]
    kinds = [step.kind for step in row.steps if step.text.strip()]
    assert max(kinds.count("removed"), kinds.count("added")) <= 2


def test_only_the_paragraph_that_changed_has_marks() -> None:
    lines = rows(steps(f"{LONG}\n\n{OLD}\n\n{LONG}", f"{LONG}\n\n{LONG}", "en"), 200)
    assert {row.mark for row in lines if "pump" in drawn([row])[0]} == {" "}
    assert f"- {OLD}" in drawn(lines)


@pytest.mark.sweep
@given(pieces, pieces, st.integers(8, 44), st.booleans())
def test_nothing_of_either_text_is_lost(
    old: list[str], new: list[str], width: int, plain: bool
) -> None:
    before, after = "".join(old), "".join(new)
    diff = steps(before, after, "ko")
    tidy = joined_up(diff)
    assert "".join(s.text for s in tidy if s.kind != "added") == before
    assert "".join(s.text for s in tidy if s.kind != "removed") == after
    laid = rows(diff, width, plain=plain)
    for text, others in ((before, ("added", "new")), (after, ("removed", "old"))):
        words = "".join(s.text for row in laid for s in row.steps if s.kind not in others)
        assert list(filter(str.isalnum, words)) == list(filter(str.isalnum, text))
    assert MARGIN == 2


def test_what_a_stream_has_not_reached_stands_apart_from_what_it_wrote() -> None:
    old = "흉내로는 그렇게 눕지 않는다는 생각이 들었고, 등줄기가 식는 것이 느껴졌다."
    (row,) = rows(steps(old, "흉내로는 그렇게 눕지 않는다. 등", "ko", finished=False), 400)
    kinds = [step.kind for step in row.steps]
    for before, after in pairwise(row.steps):
        if after.kind == "pending" and before.kind != "same":
            assert before.text[-1:].isspace() or after.text[:1].isspace()
    assert "pending" in kinds
