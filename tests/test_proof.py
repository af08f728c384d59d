"""`dev.py proof` believes a test only when it failed by an assertion of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.proof import BEFORE, ENTRIES, MARK, ROOT, check_out, marked_files

CASES = dedent("""
    from __future__ import annotations
    import pytest

    @pytest.fixture
    def missing_helper():
        import studio_of_another_day

    @pytest.mark.repairs("R1", "R2")
    def test_red():
        assert 1 == 2

    @pytest.mark.repairs("R3")
    def test_not_raised():
        with pytest.raises(ValueError):
            pass

    @pytest.mark.repairs("R4")
    def test_green():
        pass

    @pytest.mark.repairs("R5")
    def test_broken_import():
        import studio_of_another_day

    @pytest.mark.repairs("R6")
    def test_broken_fixture(missing_helper):
        assert 1 == 2

    @pytest.mark.repairs("R7")
    def test_left_out():
        pytest.skip("no compiler")

    @pytest.mark.repairs("R8")
    @pytest.mark.timeout(0.2)
    def test_hung():
        while True:
            pass

    def test_of_nothing_repaired():
        assert 1 == 2
""")


@pytest.mark.sweep
def test_only_an_assertion_of_the_test_counts_as_red(tmp_path: Path) -> None:
    file = tmp_path / "tests" / "test_cases.py"
    file.parent.mkdir()
    file.write_text(CASES)
    record = tmp_path / "endings.json"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.proof", "-p", "no:cacheprovider"]
    command += ["-c", "pyproject.toml", "--rootdir", tmp_path, "--confcutdir", tmp_path]
    subprocess.run([*command, "--endings", record, file], cwd=ROOT, capture_output=True)
    endings = {
        test.rpartition("::")[2].removeprefix("test_"): (entries, how)
        for test, entries, how, _reason in json.loads(record.read_text())
    }
    assert endings == {
        "red": (["R1", "R2"], "red"),
        "not_raised": (["R3"], "red"),
        "green": (["R4"], "passed"),
        "broken_import": (["R5"], "broken"),
        "broken_fixture": (["R6"], "broken"),
        "left_out": (["R7"], "skipped"),
        "hung": (["R8"], "broken"),
    }


def test_every_entry_has_a_test_and_every_test_an_entry() -> None:
    files = [file.read_text("utf-8") for file in marked_files(ROOT)]
    assert {entry for text in files for entry in MARK.findall(text)} == set(ENTRIES)
    assert sum(text.count("mark.repairs(") for text in files) == sum(
        len(MARK.findall(text)) for text in files
    )


@pytest.mark.sweep
def test_every_test_of_a_repair_can_be_collected_on_the_code_before_it(tmp_path: Path) -> None:
    """What it imports at its head was there already, under this name or that of `RENAMED`."""
    try:
        check_out(tmp_path / "before")
    except LookupError:
        pytest.skip(f"commit {BEFORE} is not in the history of this checkout")
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    command += ["-c", ROOT / "pyproject.toml", "--rootdir", ".", "--confcutdir", "."]
    environ = {**os.environ, "PYTHONPATH": str(tmp_path / "before")}
    done = subprocess.run(
        [*command, *marked_files(tmp_path / "before")],
        cwd=tmp_path / "before",
        env=environ,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
