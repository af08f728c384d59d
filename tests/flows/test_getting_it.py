"""Getting the studio: what a package says of itself, and what a machine without locks hears."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM, studio

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = SETTINGS["project"]
OF_THE_REPOSITORY_ALONE = {".ci", ".gitattributes", ".gitignore"}


def test_no_extra_is_offered_that_does_nothing() -> None:
    checks = studio("doctor", "--json").json["checks"]
    offered = re.findall(r"extra `(\w+)`", " ".join(check["message"] for check in checks))
    assert set(offered) <= {"local"}
    assert set(PROJECT["optional-dependencies"]) == {"local"}


def test_types_come_with_the_package() -> None:
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert (ROOT / "studio" / "py.typed").is_file()


def test_readme_can_be_seen_where_no_checkout_is() -> None:
    pictures = re.findall(
        r"!\[[^]]*\]\((?!https://)[^)]*\)", (ROOT / "README.md").read_text("utf-8")
    )
    assert pictures == []


def test_a_copy_of_the_sample_leaves_out_of_git_what_a_new_novel_does(tmp_path: Path) -> None:
    studio("new", tmp_path / "new", "--title", "The Salt Road", "--language", "en")
    sample = ROOT / "sample-project" / ".gitignore"
    assert sample.is_file()
    assert sample.read_text("utf-8") == (tmp_path / "new" / ".gitignore").read_text("utf-8")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only the repository knows its files")
def test_the_source_package_holds_whatever_the_tests_read() -> None:  # req: I5
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    tops = {name.split("/")[0] for name in listed.stdout.decode().split("\0") if name}
    packed = set(SETTINGS["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"])
    assert tops - packed == OF_THE_REPOSITORY_ALONE & tops
    assert packed <= tops


@pytest.fixture
def windows(tmp_path: Path) -> dict[str, str]:
    """An environment whose Python lacks what Windows lacks."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['fcntl'] = None\n")
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path}


@pytest.mark.parametrize(
    "command",
    [[PROGRAM, "status"], [PROGRAM, "."], [sys.executable, ROOT / "dev.py"]],
    ids=["a command", "the app", "dev.py"],
)
def test_windows_is_led_to_wsl_in_a_sentence(
    command: list[str | Path], windows: dict[str, str], tmp_path: Path
) -> None:
    ended = subprocess.run(command, cwd=tmp_path, env=windows, capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert "WSL" in ended.stderr
