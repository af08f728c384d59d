"""No test here cuts the power, so a sync would cost time and show nothing; its points stay."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def syncing_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)
