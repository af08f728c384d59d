"""The garbage collector leaves alone what was there when the app settled."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from studio.tui.runtime.garbage import LOADING, OPEN, calm, settle, tidy


class Page:
    """What a cycle is made of."""

    itself: Page


@pytest.fixture
def collector() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("collector")
def test_what_is_alive_is_frozen_and_few_containers_are_looked_at_together() -> None:
    book = [[line] for line in range(1000)]
    settle()
    assert gc.get_freeze_count() > len(book)
    assert gc.get_threshold() == OPEN


@pytest.mark.usefixtures("collector")
def test_calming_waits_for_no_collection() -> None:
    collections = [generation["collections"] for generation in gc.get_stats()]
    calm()
    assert [generation["collections"] for generation in gc.get_stats()] == collections
    assert gc.get_threshold() == LOADING


@pytest.mark.usefixtures("collector")
def test_what_outlived_its_youth_is_looked_at_once_enough_was_made() -> None:
    """A page that is closed: its widgets name one another."""
    settle()
    page = Page()
    page.itself = page
    closed = ref(page)
    gc.collect(1)
    del page
    gc.collect(1)  # looks at the young alone
    tidy()
    assert closed() is not None
    while gc.get_count()[2] < 5:
        gc.collect(1)
    tidy()
    assert closed() is None
    assert gc.get_count()[2] == 0
