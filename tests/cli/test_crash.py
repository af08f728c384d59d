"""Errors nobody foresaw: what is kept of them and what is not shown."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from studio.cli.crash import report
from studio.config.load import user_config_path
from studio.config.masking import without_keys

CANARY = "sk-ant-canary-0123456789abcdef"


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


def test_the_log_is_the_owners_alone_and_begins_with_versions(own_home: Path) -> None:
    report(raised(ValueError("odd")), ["write", "3"], os.environ)
    (log,) = (own_home / "state" / "studio").glob("crash-*.log")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600  # req: S11
    lines = log.read_text("utf-8").splitlines()
    assert lines[0].startswith("studio 0.")
    assert "arguments: ['write', '3']" in lines
    assert lines[-1] == "ValueError: odd"


def test_no_key_is_in_the_log_or_the_sentence(own_home: Path) -> None:
    environ = {**os.environ, "ANTHROPIC_API_KEY": CANARY, "MY_TOKEN": "hunter2-hunter2"}
    error = ValueError(f"refused {CANARY} and hunter2-hunter2 at http://me:pass@host/v1")
    problem = report(raised(error), [], environ)
    (log,) = (own_home / "state" / "studio").glob("crash-*.log")
    for text in (str(problem), log.read_text("utf-8")):
        assert CANARY not in text
        assert "hunter2-hunter2" not in text
        assert "me:pass" not in text


def test_a_key_of_the_user_config_is_masked_too() -> None:
    path = user_config_path(os.environ)
    path.parent.mkdir(parents=True)
    path.write_text('[provider]\napi_key = "local-key-of-mine-1234"\n')
    assert without_keys("it was local-key-of-mine-1234", os.environ) == "it was loc...1234"


def test_keys_are_masked_also_when_the_settings_cannot_be_read() -> None:
    path = user_config_path(os.environ)
    path.parent.mkdir(parents=True)
    path.write_text("broken = [")
    assert CANARY not in without_keys(f"key {CANARY}", os.environ)


def test_without_a_place_for_the_log_the_sentence_is_said_all_the_same(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    problem = report(raised(KeyError("x")), [], {"XDG_STATE_HOME": str(blocked)})
    assert "KeyError" in problem.message
    assert "could not be written down" in problem.hint


def test_a_long_reason_is_cut() -> None:
    assert len(report(raised(ValueError("x" * 5000)), [], os.environ).message) < 400
