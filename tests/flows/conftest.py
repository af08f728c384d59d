"""The novel that several flows begin with.

Nothing of the package is imported here: `dev.py proof` runs flows on the code of long ago.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flows.desks import new_novel

PLAN = "# One\n\n## Chapter 1: Night\n\nMara finds the ledger.\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """An English novel with a first chapter in its outline."""
    return new_novel(tmp_path / "book", PLAN)
