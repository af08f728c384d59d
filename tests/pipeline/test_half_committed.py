"""A run was killed while its chapter went into the book: whatever the writer decides next is about
the book with the chapter in it, and is no decision that the rest of the commit undoes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from studio.book.promise_changes import add_promise
from studio.errors import StudioError
from studio.pipeline.direction import take_back_direction
from studio.story.checkpoint import Checkpoint, WaitingOrder
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, directive, judged
from tests.pipeline.killing import killed_at_fault

FIX = "dir_show_not_tell_001"


@pytest.fixture
def half(desk: OpenDesk) -> Desk:
    """A novel whose first chapter, with a fix in it, is on its way into the book."""
    desk_ = desk(Model(judge=judged(directives=[directive(1, 1)])))
    assert killed_at_fault(desk_, "commit.after_manifest:kill:1")
    return desk_


@pytest.mark.sweep
@pytest.mark.parametrize(
    "decide",
    [
        lambda desk: desk.session().change_directives("undo", [FIX]),
        lambda desk: desk.session().discard(),
        lambda desk: desk.session().bring_back(1, None, "0" * 64),
        lambda desk: desk.session().decide("commit"),
    ],
)
def test_nothing_is_decided_on_a_chapter_that_is_half_in_the_book(
    half: Desk, decide: Callable[[Desk], object]
) -> None:
    with pytest.raises(StudioError):
        decide(half)
    sheet = half.store.directives(1)
    assert half.checkpoint.last_completed_chapter == 1
    assert half.checkpoint.inflight_chapter is None
    assert sheet is not None
    assert [d.status.value for d in sheet.directives if d.id == FIX] == ["kept"]
    assert not (half.folder / "variations/chapter-001").exists()


@pytest.mark.sweep
def test_a_promise_made_meanwhile_stays(half: Desk) -> None:
    add_promise(half.store, "second_bell", "A second bell", None)
    half.resume()
    assert {p.id for p in half.store.foreshadowing().promises} == {"drowned_bell", "second_bell"}


def test_a_direction_for_the_next_chapter_that_is_taken_back_meanwhile_is_gone(
    desk: OpenDesk,
) -> None:
    desk_ = desk(Model(judge=judged()))
    wish = WaitingOrder(chapter=2, direction="종소리로 시작해 줘.")
    desk_.store.save_checkpoint(Checkpoint(waiting=wish))
    assert killed_at_fault(desk_, "commit.after_manifest:kill:1")
    assert take_back_direction(desk_.store) == wish.direction
    desk_.resume()
    assert desk_.checkpoint.last_completed_chapter == 1
    assert desk_.checkpoint.orders == ()
