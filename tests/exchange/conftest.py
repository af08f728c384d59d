"""No test here cuts the power, so a sync would cost time and show nothing."""

from __future__ import annotations

import os

import pytest

from studio.session import Session


@pytest.fixture(autouse=True)
def no_syncing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files survive SIGKILL without it."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no way to ask a model."""
    monkeypatch.setattr(Session, "_gateway", lambda self, emit: None)
