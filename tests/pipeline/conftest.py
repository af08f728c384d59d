"""Fixtures of the engine's tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from studio.llm.gateway import Gateway
from studio.project.store import ProjectStore
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import Desk, Model, make_novel
from tests.pipeline.korean_book import make_book

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


@pytest.fixture(scope="module")
def novel(tmp_path_factory: pytest.TempPathFactory) -> ProjectStore:
    """A novel that stays as it is."""
    return ProjectStore(make_novel(tmp_path_factory.mktemp("unchanged") / "novel"))


@pytest.fixture
def book(desk: OpenDesk, tmp_path: Path) -> Desk:
    """The Korean book of three chapters, all as they were committed."""
    return make_book(desk, tmp_path)
