"""Fixtures of the gateway's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.fake_messages import FakeMessages
from tests.llm.asking import Ear, MemoryJournal

Serve = Callable[..., FakeMessages]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts fake Messages servers that end with the test."""
    with ExitStack() as stack:
        yield lambda *rules, **more: stack.enter_context(FakeMessages(*rules, **more))


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal()


@pytest.fixture
def ear() -> Ear:
    return Ear()
