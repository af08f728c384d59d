"""The garbage collector leaves alone what was there when the app settled."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from studio.tui.runtime.garbage import THRESHOLDS, calm, settle


@pytest.fixture
def collector() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("collector")
def test_what_is_alive_is_frozen_and_collections_become_rare() -> None:
    book = [[line] for line in range(1000)]
    settle()
    assert gc.get_freeze_count() > len(book)
    assert gc.get_threshold() == THRESHOLDS


@pytest.mark.usefixtures("collector")
def test_calming_waits_for_no_collection() -> None:
    collections = [generation["collections"] for generation in gc.get_stats()]
    calm()
    assert [generation["collections"] for generation in gc.get_stats()] == collections
    assert gc.get_threshold() == THRESHOLDS
