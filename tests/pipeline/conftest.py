"""Fixtures of the engine's tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from studio.llm.gateway import Gateway
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import Desk, Model, make_novel

OpenDesk = Callable[..., Desk]


async def at_once(_: float) -> None:
    """A sleep for tests in which time does not matter."""


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries come at once."""
    defaults = Gateway.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "sleep", at_once)


@pytest.fixture(autouse=True)
def no_syncing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files survive SIGKILL without it; what a power cut leaves is shown in tests/project."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[OpenDesk]:
    """Opens desks: `desk(Model(...))`; `novel=` names the folder, `settings=` changes the novel."""
    with ExitStack() as stack:

        def opened(model: Model | None = None, *, novel: str = "novel", **more: Any) -> Desk:
            server = stack.enter_context(FakeMessages(answering=model or Model()))
            folder = tmp_path / novel
            return Desk(folder if folder.exists() else make_novel(folder, **more), server)

        yield opened
