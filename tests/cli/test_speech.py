"""What reaches a terminal, and what does not."""

from __future__ import annotations

import errno
import io
import sys
from pathlib import Path

import pytest
from click.exceptions import Exit as Leave

from studio.cli import output
from studio.errors import Exit, Problem, StudioError
from tests.cli.command import Broken


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_results_and_messages_go_their_own_ways(capsys: pytest.CaptureFixture[str]) -> None:
    output.say("결과")
    output.tell("传话")
    assert capsys.readouterr() == ("결과\n", "传话\n")


def test_foreign_text_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    output.say("a title\x1b[2J\u202e with tricks\x9b31m")  # req: S7
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x9b" not in out
    assert "\u202e" not in out


def test_colour_is_for_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert output.shows_colour(sys.stdout)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not output.shows_colour(sys.stdout)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not output.shows_colour(sys.stdout)


def test_a_file_gets_no_colour(capsys: pytest.CaptureFixture[str]) -> None:
    output.say("done", "good")
    assert capsys.readouterr().out == "done\n"


def test_a_reader_who_left_ends_the_command_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Broken(errno.EPIPE))
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with pytest.raises(Leave) as left:
        output.say("nobody hears this")
    assert left.value.exit_code == output.NOBODY_LISTENS
    output.say("nor this")  # into nowhere, without an error


def test_a_full_disk_behind_stdout_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Broken(errno.ENOSPC))
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with pytest.raises(StudioError, match="Could not write the output"):
        output.say("a report")


def test_a_closed_stdout_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)  # req: T7
    output.say("nowhere")
    output.put_json(b"{}\n")


def test_json_is_utf8_in_any_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    output.say_json({"title": "등대지기"})
    assert "등대지기" in raw.getvalue().decode()


def test_what_an_encoding_cannot_show_becomes_a_question_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    output.prepare_streams()
    output.say("灯 lamp")
    assert raw.getvalue() == b"? lamp\n"


def test_columns_stand_under_each_other_in_every_script() -> None:
    rows = [("1", "등대", "[not judged]"), ("12", "Lamp", "")]
    assert list(output.columns(rows)) == ["1   등대  [not judged]", "12  Lamp"]


def test_no_rows_are_no_lines() -> None:
    assert list(output.columns([])) == []


def test_a_line_stays_one_line() -> None:
    assert output.one_line("a\n b\t c") == "a b c"


@pytest.mark.parametrize(
    ("hint", "message"),
    [
        ("Run `studio resume`.", "Run `studio resume --project 'my novel'`."),
        ("`studio decide keep` first.", "`studio decide keep --project 'my novel'` first."),
        ("`studio resume --project x` goes on.", "`studio resume --project x` goes on."),
        ("`studio new DIR` makes one.", "`studio new DIR` makes one."),
    ],
)
def test_commands_in_a_hint_name_the_novel_that_is_not_the_current_folder(
    hint: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = Problem("No.", hint, "", Exit.USAGE)
    output.name_novel(Path("my novel"))
    output.show_problem(problem)
    assert capsys.readouterr().err == f"No.\n{message}\n"
    output.name_novel(Path("."))
    output.show_problem(problem)
    assert capsys.readouterr().err == f"No.\n{hint}\n"
