"""The sample novel as a writer gets it: a copy of her own."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.project.create import copy_sample
from studio.resources import sample_project_dir
from tests.project.novels import tree


def test_the_sample_is_copied_whole_and_only_into_an_empty_folder(tmp_path: Path) -> None:
    there = copy_sample(tmp_path / "deep" / "copy")
    assert tree(there) == tree(sample_project_dir())
    with pytest.raises(StudioError, match="not empty"):
        copy_sample(tmp_path)
