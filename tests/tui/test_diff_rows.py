"""A change as it is read: no words run together, and no colour is needed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.text.changed_lines import joined_up
from studio.text.diff import Change
from studio.tui.views.prose.diff_rows import MARGIN, DiffRow, rows, steps

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
    assert drawn(rows(steps(before, after, "en"), 200)) == [f"~ She felt [fear → dread]. {LONG}"]
    words = steps("The red book lay open on the desk.", "The book lay wide open on the desk.", "en")
    assert drawn(rows(words, 80)) == ["~ The [− red] book lay [+ wide] open on the desk."]


def test_more_than_a_word_or_two_is_old_over_new_within_its_paragraph() -> None:
    """Their own sentence; run together they are read by nobody."""
    before = (
        "I had not known that you could take a thing without putting out your hand for it, but when"
        " I looked it was in mine, and warm."
    )
    after = (
        "It was in my hand, and warm, before I knew that you could take a thing without putting out"
        " your hand for it."
    )
    laid = drawn(rows(steps(f"{LONG} {before} {LONG}", f"{LONG} {after} {LONG}", "en"), 300))
    assert laid == [f"  {LONG}", f"- {before}", f"+ {after}", f"  {LONG}"]
    chinese = "他把灯放在桌上，没有说话。"
    pair = ("她看着窗外的雨，忽然很难过。", "雨打在窗上，她把脸贴了过去，一动不动。")
    laid = drawn(
        rows(steps(f"{chinese}{pair[0]}{chinese}", f"{chinese}{pair[1]}{chinese}", "zh"), 99)
    )
    assert laid == [f"  {chinese}", f"- {pair[0]}", f"+ {pair[1]}", f"  {chinese}"]


def test_a_paragraph_break_that_came_can_be_seen() -> None:
    laid = drawn(rows(steps("One is here. Two.", "One is here.\n\nTwo.", "en"), 40))
    assert laid == ["~ One is here. [+ ¶] Two."]


def test_a_sentence_that_was_replaced_is_not_mixed_with_its_follower() -> None:
    before, after = f"{OLD} {LONG} {LONG}", f"{NEW} {LONG} {LONG}"
    laid = drawn(rows(steps(before, after, "en"), 400))
    assert laid == [f"- {OLD}", f"+ {NEW}", f"  {LONG} {LONG}"]


def test_only_the_paragraph_that_changed_has_marks() -> None:
    lines = rows(steps(f"{LONG}\n\n{OLD}\n\n{LONG}", f"{LONG}\n\n{LONG}", "en"), 200)
    assert {row.mark for row in lines if "pump" in drawn([row])[0]} == {" "}
    assert f"- {OLD}" in drawn(lines)


@pytest.mark.sweep
@given(pieces, pieces, st.integers(8, 44))
def test_nothing_of_either_text_is_lost(old: list[str], new: list[str], width: int) -> None:
    before, after = "".join(old), "".join(new)
    diff = steps(before, after, "ko")
    changes = [Change(kind, text) for kind, text in diff]  # type: ignore[arg-type]
    tidy = joined_up(changes)
    assert "".join(s.text for s in tidy if s.kind != "added") == before
    assert "".join(s.text for s in tidy if s.kind != "removed") == after
    laid = rows(diff, width)
    for text, others in ((before, ("added", "new")), (after, ("removed", "old"))):
        words = "".join(s.text for row in laid for s in row.steps if s.kind not in others)
        assert list(filter(str.isalnum, words)) == list(filter(str.isalnum, text))
    assert MARGIN == 2


def test_what_a_stream_has_not_reached_stands_apart_from_what_it_wrote() -> None:
    old = "흉내로는 그렇게 눕지 않는다는 생각이 들었고, 등줄기가 식는 것이 느껴졌다."
    laid = rows(steps(old, "흉내로는 그렇게 눕지 않는다. 등", "ko", finished=False), 400)
    kinds = [{step.kind for step in row.steps} for row in laid]
    assert kinds[-1] == {"pending"}
    assert all("pending" not in others for others in kinds[:-1])
