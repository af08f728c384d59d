"""What can be done with a directive, by where it stands."""

from __future__ import annotations

import pytest

from studio.story.status import (
    ALL_MEANS,
    APPROVED_STATUSES,
    IN_TEXT_STATUSES,
    TRANSITIONS,
    DirectiveStatus,
    allows,
)


def test_every_status_has_a_row() -> None:
    assert set(TRANSITIONS) == set(DirectiveStatus)


def test_nobody_decides_where_there_is_no_directive() -> None:
    assert not allows(None, "accept")


@pytest.mark.parametrize("status", DirectiveStatus)
def test_a_fix_in_the_text_is_kept_or_taken_back_and_never_just_rejected(
    status: DirectiveStatus,
) -> None:
    in_text = status in IN_TEXT_STATUSES
    refused = [step for step in ("reject", "edit", "waive") if allows(status, step)]
    assert not (in_text and refused)
    assert allows(status, "retry") == (in_text or status in {"failed", "undone"})


@pytest.mark.parametrize("status", DirectiveStatus)
def test_what_was_undone_stands_where_it_stood_before(status: DirectiveStatus) -> None:
    if allows(status, "undo"):
        expected = "undone" if status in IN_TEXT_STATUSES else "pending"
        assert TRANSITIONS[status]["undo"] == expected


def test_an_edit_and_another_try_go_to_the_surgeon() -> None:
    for row in TRANSITIONS.values():
        assert {row[step] for step in ("edit", "retry") if step in row} <= APPROVED_STATUSES


def test_a_decision_on_all_is_about_directives_that_allow_it() -> None:
    for action, statuses in ALL_MEANS.items():
        assert all(allows(status, action) for status in statuses)
