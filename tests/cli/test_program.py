"""Which command a line means, and how every kind of end is said."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import pytest

from studio.__main__ import open_app
from studio.cli.other_words import _WORDS
from studio.cli.program import COMMANDS, catch, names_a_command, studio
from studio.errors import Exit, Problem, StudioError
from tests.cli.conftest import Typed


def raising(error: BaseException) -> Callable[[Sequence[str]], int]:
    def action(arguments: Sequence[str]) -> int:
        raise error

    return action


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_loaded_and_explains_itself(name: str, typed: Typed) -> None:
    ended = typed(name, "--help")
    assert ended.code == 0
    assert ended.out.startswith(f"Usage: studio {name}")


def test_the_help_names_every_command_without_loading_one(typed: Typed) -> None:
    out = typed("-h").out
    assert all(f"  {name} " in out for name in COMMANDS)


def test_the_version_is_printed(typed: Typed) -> None:
    assert typed("--version").out.startswith("studio 0.")


def test_a_first_argument_that_is_no_command_is_a_path() -> None:
    assert names_a_command(["status"])
    assert names_a_command(["--version"])
    assert not names_a_command(["my-novel"])
    assert not names_a_command([])


def test_a_folder_is_for_the_app_and_without_a_terminal_the_commands_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # req: T7
    assert catch(open_app, [str(tmp_path)]) == Exit.USAGE
    said = capsys.readouterr()
    assert said.out == ""
    assert "`studio status" in said.err


def test_a_misspelled_command_is_recognised(capsys: pytest.CaptureFixture[str]) -> None:
    assert catch(open_app, ["statsu"]) == Exit.USAGE
    assert "Did you mean `studio status`?" in capsys.readouterr().err


def test_an_option_before_the_command_is_put_right(typed: Typed) -> None:
    ended = typed("--project", "x", "status")
    assert ended.code == Exit.USAGE
    assert "Options come after the command" in ended.err


def test_a_misspelled_option_gets_its_neighbour_and_the_place_to_look(typed: Typed) -> None:
    ended = typed("write", "--reviw", "ask")
    assert ended.code == Exit.USAGE
    assert "--review" in ended.err
    assert "`studio write --help`" in ended.err


def test_an_argument_out_of_range_is_a_mistake_in_usage(typed: Typed) -> None:
    assert typed("write", "0").code == Exit.USAGE
    assert typed("write", "three").code == Exit.USAGE


@pytest.mark.parametrize("code", list(Exit)[1:])
def test_a_problem_ends_with_its_own_code_and_says_what_to_do(
    code: Exit, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = Problem("brief.md is gone.", "Write another.", "line 1\nline 2", code)
    assert catch(raising(StudioError(problem)), ["status"]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "brief.md is gone.\n    line 1\n    line 2\nWrite another.\n"


def test_an_interrupt_ends_with_130() -> None:
    assert catch(raising(KeyboardInterrupt()), []) == 130
    assert catch(raising(click.Abort()), []) == 130


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_outside_of_a_run_ends_it_in_order_with_its_code(  # req: T1
    number: signal.Signals, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for stream in ("stdout", "stderr"):  # which a closed terminal takes away
        monkeypatch.setattr(sys, stream, getattr(sys, stream))

    def terminated(arguments: Sequence[str]) -> int:
        try:
            os.kill(os.getpid(), number)
            signal.pause()
        finally:
            unwound.append("the lock is freed")
        return 0

    unwound: list[str] = []
    assert catch(terminated, []) == code
    assert unwound == ["the lock is freed"]
    assert signal.getsignal(number) is signal.SIG_DFL


def test_an_error_nobody_foresaw_is_one_sentence_and_a_file(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert catch(raising(ZeroDivisionError("division by zero")), ["write"]) == Exit.FAILED
    said = capsys.readouterr().err
    (log,) = (own_home / "state" / "studio").glob("crash-*.log")
    assert "Traceback" not in said
    assert str(log) in said
    assert "Traceback" in log.read_text("utf-8")


def test_a_program_that_reads_events_reads_the_refusal_too(typed: Typed, tmp_path: Path) -> None:
    ended = typed("write", "--events", "--project", tmp_path)
    (event,) = ended.events
    assert ended.code == Exit.USAGE
    assert (event["type"], event["kind"], event["seq"]) == ("error", "usage", 1)
    assert "is not a novel" in event["message"]


def test_a_mistyped_option_is_an_event_too(typed: Typed) -> None:
    ended = typed("resume", "--events", "--reviw")
    assert [event["type"] for event in ended.events] == ["error"]


def test_control_characters_of_arguments_do_not_reach_the_terminal(typed: Typed) -> None:
    ended = typed("agents", "\x1b]52;c;aGk=\x07")  # req: S7
    assert ended.code == Exit.USAGE
    assert "\x1b" not in ended.err
    assert "\x07" not in ended.err


def test_the_group_lists_its_commands_for_completion() -> None:
    assert studio.list_commands(click.Context(studio)) == list(COMMANDS)
    assert studio.get_command(click.Context(studio), "nothing") is None


def test_ctrl_c_while_a_class_is_built_is_a_stop_and_no_crash() -> None:
    def action(arguments: Sequence[str]) -> int:
        class Field:
            def __set_name__(self, owner: type, name: str) -> None:
                raise KeyboardInterrupt

        type("Model", (), {"field": Field()})
        return 0

    assert catch(action, []) == Exit.INTERRUPTED


MEANT = {"cost": "usage", "Price": "usage", "words": "status", "outline": "plan list"}
MEANT |= {"rename": "bible rename", "비용": "usage", "字数": "status", "exprot": "export"}


@pytest.mark.parametrize(("word", "command"), MEANT.items())
def test_a_word_for_what_a_command_does_leads_to_it(typed: Typed, word: str, command: str) -> None:
    refused = typed("help", word)
    assert refused.code == 2
    assert f"Did you mean `studio {command}`?" in refused.err


def test_every_other_word_leads_to_a_command_that_there_is() -> None:
    words = [word for line in _WORDS.values() for word in line.split()]
    assert len(words) == len(set(words))
    assert not set(words) & set(COMMANDS)
    for command in _WORDS:
        name, _, inner = command.partition(" ")
        assert name in COMMANDS
        above = click.Context(studio, info_name="studio")
        group = studio.get_command(above, name)
        assert not inner or (isinstance(group, click.Group) and inner in group.commands)
