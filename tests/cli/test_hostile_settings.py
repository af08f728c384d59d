"""A settings file that somebody else wrote costs no more time or memory than any other."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM

SECONDS = 8
"""More than the program needs of one processor, far less than the square of the key took."""
DEEP = ".".join(["a"] * 20_000)


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


@pytest.mark.sampled
@pytest.mark.repairs("T23")
@pytest.mark.parametrize(
    "line", [f"{DEEP} = 1", f"[{DEEP}]", f"x = {{ {DEEP} = 1 }}", f"[[{DEEP}]]"]
)
def test_a_key_of_many_parts_is_refused_at_once(tmp_path: Path, line: str) -> None:
    text = f'[novel]\ntitle = "T"\nlanguage = "en"\n{line}\n'
    (tmp_path / "studio.toml").write_text(text, "utf-8")
    ended = subprocess.run(
        [PROGRAM, "status"], cwd=tmp_path, preexec_fn=limit, capture_output=True, text=True
    )
    assert ended.returncode == 5, (ended.returncode, ended.stderr[-300:])
    assert "studio.toml is not valid TOML: line 4 has more than 64 dots." in ended.stderr


@pytest.mark.sweep
def test_a_title_may_hesitate(tmp_path: Path) -> None:
    text = '[novel]\ntitle = "Wait ...... what ......"\nlanguage = "en"\n'
    (tmp_path / "studio.toml").write_text(text, "utf-8")
    ended = subprocess.run([PROGRAM, "status"], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
