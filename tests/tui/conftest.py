"""Fixtures for the tests of the app."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from studio.project.create import create_novel
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import Desk, Model, make_novel

OpenDesk = Callable[..., Desk]


@pytest.fixture(autouse=True)
def no_syncing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces fsync with nothing; power cuts are tested elsewhere."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[OpenDesk]:
    """Returns a factory `desk(Model(...))` for a novel of one planned chapter and a model's
    server; `settings=` and `contract=` change the novel."""
    with ExitStack() as stack:

        def made(model: Model | None = None, **more: Any) -> Desk:
            server = stack.enter_context(FakeMessages(answering=model or Model()))
            return Desk(make_novel(tmp_path / "novel", **more), server)

        yield made


@pytest.fixture
def salt(tmp_path: Path) -> Path:
    """An English novel with one planned chapter."""
    folder = tmp_path / "salt"
    create_novel(folder, "Salt", "en")
    Plans(ProjectStore(folder), "en").add("The Ledger", happens=["Mara counts the boats."])
    return folder
