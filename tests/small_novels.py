"""The small novels of tests/data/novels, one a language; a test works in a copy of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

NOVELS = Path(__file__).parent / "data" / "novels"


def small_novel(language: str, folder: Path) -> Path:
    """A copy of the Korean (ko) or Chinese (zh) novel at `folder`, which must not exist yet."""
    return Path(shutil.copytree(NOVELS / language, folder))
