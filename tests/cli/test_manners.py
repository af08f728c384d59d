"""`-`, help, `config get` and `set`, `--quiet`, `--debug`, and colour in a diff."""

from __future__ import annotations

import logging
import stat
import sys
from pathlib import Path

import pytest

from studio.cli import guide, output
from studio.cli.program import COMMANDS
from studio.errors import Exit
from tests.cli.command import studio
from tests.cli.conftest import Typed, own_chapter
from tests.documented import understood

KEY = "sk-ant-test-0123456789"


def test_a_chapter_comes_in_on_stdin_where_a_file_would(novel: Path, tmp_path: Path) -> None:
    # req: I3
    draft = own_chapter(tmp_path).read_bytes()
    assert studio("write", "--draft", "-", cwd=novel, stdin=draft).code == Exit.DECIDE
    assert (novel / "staging/chapters/chapter-001.md").read_bytes() == draft
    assert studio("check", "-", "--json", cwd=novel, stdin=draft).json["paragraphs"] == 4
    empty = studio("write", "--draft", "-", cwd=tmp_path, stdin=b"")
    assert empty.code == Exit.USAGE


@pytest.mark.sweep
@pytest.mark.parametrize("line", [line for lines in guide.EXAMPLES.values() for line in lines])
def test_every_example_in_the_help_can_be_typed(line: str) -> None:
    understood(next(part for part in line.split("|") if "studio " in part).partition(" >")[0])


def test_the_help_is_in_groups_and_each_command_in_one(typed: Typed) -> None:  # req: I3
    names = [name for group in guide.GROUPS.values() for name in group]
    assert sorted(names) == sorted(COMMANDS)
    out = typed("--help").out
    assert out.index("Begin:") < out.index("  new ") < out.index("Write:") < out.index("  write ")
    asked = typed("write", "--help").out
    assert "Examples:\n    studio write\n" in asked
    assert asked.index("Options:") < asked.index("Examples:") < asked.index("{schema_version")


@pytest.mark.sweep
def test_help_has_commands_and_pages(typed: Typed) -> None:  # req: I3
    listed = typed("help").out
    assert "  recovery  " in listed
    assert typed("help", "write").out.startswith("Usage: studio write")
    assert typed("help", "recovery").out.startswith("# When something goes wrong")
    assert typed("help", "formats").out == typed("help", "file-formats").out
    refused = typed("help", "recvery")
    assert (refused.code, refused.out) == (Exit.USAGE, "")


def test_one_setting_is_read_set_and_taken_out(novel: Path, typed: Typed) -> None:  # req: I3
    assert typed("config", "set", "budget.day_usd", "5").code == 0
    assert typed("config", "get", "budget.day_usd").out == "5.0\n"
    asked = typed("config", "get", "budget.day_usd", "--json").json
    assert (asked["value"], asked["source"]) == (5.0, "studio.toml")
    assert typed("config", "unset", "budget.day_usd").code == 0
    assert "day_usd" not in (novel / "studio.toml").read_text("utf-8")
    assert "user config" not in typed("config", "--json").json["settings"]["theme"]["source"]


def test_what_belongs_to_the_writer_goes_into_her_own_file(
    novel: Path, own_home: Path, typed: Typed
) -> None:  # req: I3
    own = own_home / "config" / "studio" / "config.toml"
    assert typed("config", "path").out == f"{own}\n"
    assert typed("config", "set", "timeouts.total", "900").code == 0
    assert typed("config", "set", "models.deep", "qwen3", "--user").code == 0
    assert own.read_text("utf-8") == '[timeouts]\ntotal = 900.0\n\n[models]\ndeep = "qwen3"\n'
    assert typed("config", "get", "models.deep").out == "qwen3\n"


def test_a_key_comes_in_on_stdin_and_is_shown_masked(novel: Path) -> None:  # req: S11
    ended = studio(
        "config", "set", "provider.anthropic.api_key", "-", cwd=novel, stdin=KEY.encode()
    )
    assert (ended.code, ended.err) == (0, "")
    assert KEY not in studio("config", "get", "provider.anthropic.api_key", cwd=novel).out


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["get", "budgt.day_usd"], "Did you mean budget.day_usd?"),
        (["set", "gate.revisions", "many"], "a whole number"),
        (["set", "novel.title", "x", "--user"], "cannot be set in user config"),
    ],
)
def test_a_setting_that_is_none_is_refused(
    novel: Path, typed: Typed, words: list[str], answer: str
) -> None:
    refused = typed("config", *words)
    assert refused.code == Exit.USAGE
    assert answer in refused.err


@pytest.mark.sweep
def test_quiet_leaves_results_and_errors(novel: Path, tmp_path: Path, typed: Typed) -> None:
    # req: I3
    draft = own_chapter(tmp_path)
    written = typed("write", "--draft", draft, "--review", "reject", "--quiet")
    assert written.code == 0
    assert "Opening the book" not in written.out
    assert written.err == ""
    assert typed("config", "set", "gate.revisions", "2", "--quiet").out == ""
    assert "The Salt Ledger" in typed("status", "--quiet").out
    assert "There is no chapter 9" in typed("check", "9", "--quiet").err
    assert "is set in" in typed("config", "set", "gate.revisions", "1").out


def test_debug_writes_down_what_happened_and_no_key(
    novel: Path, own_home: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: I3, S11
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    log = own_home / "state" / "studio" / "debug.log"
    ended = typed("check", "9", "--debug")
    assert str(log) in ended.err
    assert ended.out == ""
    lines = log.read_text("utf-8")
    assert "studio check: studio 0." in lines
    assert "There is no chapter 9" in lines
    assert lines.rstrip().endswith("exit 2")
    typed("help", KEY, "--debug")
    assert KEY not in log.read_text("utf-8")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert logging.getLogger("studio").handlers == []


def test_a_long_debug_log_begins_anew_and_three_stay(own_home: Path, typed: Typed) -> None:
    log = own_home / "state" / "studio" / "debug.log"
    typed("config", "path", "--debug")
    for _ in range(5):
        log.write_text("x" * 1_000_001, "utf-8")
        typed("config", "path", "--debug")
    assert sorted(file.name for file in log.parent.glob("debug.log*")) == [
        "debug.log",
        "debug.log.1",
        "debug.log.2",
        "debug.log.3",
    ]


def test_a_diff_is_in_colour_where_a_person_looks(
    novel: Path, tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: I3
    typed("write", "--draft", own_chapter(tmp_path), "--review", "reject")
    chapter = novel / "chapters" / "chapter-001.md"
    chapter.write_text(chapter.read_text("utf-8").replace("was wet", "was dry"), "utf-8")
    plain = typed("history", "diff", "1").out
    assert "[wet → dry]" in plain
    assert "\x1b" not in plain
    monkeypatch.setattr(output, "shows_colour", lambda stream: stream is sys.stdout)
    coloured = typed("history", "diff", "1").out
    assert "[\x1b[31mwet\x1b[0m → \x1b[32mdry\x1b[0m]" in coloured
