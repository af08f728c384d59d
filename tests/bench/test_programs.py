"""What a benchmark starts by a name is there: a rename that forgets a name is seen without
measuring anything."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import bench
from bench.__main__ import READINGS, benchmarks
from bench.prose_screen import JOBS, Job

HERE = Path(bench.__file__).parent
PROGRAM = re.compile(r'"(bench\.\w+)"')
"""A module as it is named in a string."""
MEASURED = re.compile(r"\(`(\w+)`\)")
"""A benchmark as the page of figures names it, behind what it measures."""


def test_a_program_that_is_started_by_its_name_is_one() -> None:
    sources = [path.read_text("utf-8") for path in HERE.glob("*.py")]
    programs = {name for source in sources for name in PROGRAM.findall(source)}
    programs -= set(READINGS.values())
    assert len(programs) > 5, "the names are looked for in the right place"
    for name in sorted(programs):
        path = HERE / f"{name.removeprefix('bench.')}.py"
        assert path.is_file(), name
        assert '\nif __name__ == "__main__":\n' in path.read_text("utf-8"), name


@pytest.mark.parametrize("module", READINGS.values())
def test_a_reading_has_a_main(module: str) -> None:
    assert callable(importlib.import_module(module).main)


def test_every_benchmark_of_the_page_is_one() -> None:
    page = (HERE / "README.md").read_text("utf-8")
    named = set(MEASURED.findall(page))
    assert named <= set(benchmarks())
    assert len(named) > 10


def test_every_job_of_the_prose_view_has_its_method() -> None:
    assert set(JOBS) == set(Job.__args__)
