"""Terminal manners: where the app cannot be shown, and how it leaves (reliability T1, T7)."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.tui.terminal import capabilities
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import CONTRACT, SCENES, Model, make_novel
from tests.project.novels import put
from tests.tui.terminals import Terminal

pytestmark = pytest.mark.pty


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    return make_novel(tmp_path / "novel")


Starting = Callable[..., Terminal]


@pytest.fixture
def starting(novel: Path) -> Iterator[Starting]:
    """`studio NOVEL`, with the outline and the plan on the screen."""
    terminals: list[Terminal] = []

    def started(**environ: str) -> Terminal:
        terminals.append(Terminal(["-m", "studio", str(novel)], environ))
        terminals[-1].sees("Outline")
        terminals[-1].sees("What happens")
        return terminals[-1]

    yield started
    for one in terminals:
        one.child.close(force=True)


@pytest.fixture
def program(starting: Starting) -> Terminal:
    return starting()


@pytest.mark.sweep
def test_the_outline_is_there_and_ctrl_q_leaves_with_0(program: Terminal, novel: Path) -> None:
    program.child.sendcontrol("q")
    assert program.ends() == 0
    assert "Traceback" not in program.bytes
    assert "\x1b[?1049l" in program.bytes
    assert not (novel / ".novel.lock").exists()


@pytest.mark.sweep
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_leaves_a_clean_terminal(program: Terminal, number: int, code: int) -> None:
    program.child.kill(number)
    assert program.ends() == code
    assert "\x1b[?1049l" in program.bytes
    assert "Traceback" not in program.bytes


@pytest.mark.sweep
def test_a_closed_terminal_ends_the_program(program: Terminal) -> None:
    program.child.kill(signal.SIGHUP)
    assert program.ends() == 129


@pytest.mark.sweep
def test_a_signal_in_the_middle_of_a_draft_loses_nothing(
    starting: Starting, novel: Path
) -> None:  # req: T1, N11
    held = Model(draft=Rule(mode="hold", after=8, text="\n\n".join(SCENES[1])))
    with FakeMessages(answering=held) as server:
        there = starting(ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="key-of-the-writer")
        there.child.send("w")
        there.sees("oil cans one after another")
        there.child.kill(signal.SIGTERM)
        assert there.ends() == 143
    assert "nothing is lost" in there.bytes
    assert not (novel / ".novel.lock").exists()
    scene = novel / "staging/scenes/chapter-001/scene-01.md"
    assert "oil cans" in scene.read_text("utf-8")


@pytest.mark.sweep
def test_no_foreign_control_reaches_the_terminal(
    starting: Starting, novel: Path
) -> None:  # req: S7, N10
    hostile = "Lamp\x1b]52;c;aGFja2Vk\x07\x9b31m\u202e [@click=app.quit]Room[/]"
    contract = {**CONTRACT, "title": hostile, "objectives": [hostile]}
    put(novel, "volumes/vol-01/chapter-contracts/chapter-001.json", contract)
    there = starting()
    there.sees("click=app.quit")
    there.child.sendcontrol("q")
    assert there.ends() == 0
    assert "\x1b]52" not in there.bytes
    pointers = re.compile("\x1b]22;[a-z-]*\x07")  # Textual's own
    assert not set(pointers.sub("", there.bytes)) & set("\x9b\u202e\x07")


@pytest.mark.sweep
def test_no_colour_means_no_colour(starting: Starting) -> None:  # req: T7
    there = starting(NO_COLOR="1")
    there.child.sendcontrol("q")
    assert there.ends() == 0
    assert not re.findall(r"\x1b\[[0-9;]*\b[34]8;[25];", there.bytes)


@pytest.mark.sweep
def test_the_writers_own_editor_gets_the_text_and_gives_it_back(
    starting: Starting, novel: Path, tmp_path: Path
) -> None:  # req: T5
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\necho 'The bell rang.' >> \"$1\"\n")
    editor.chmod(0o755)
    there = starting(EDITOR=str(editor))
    there.child.sendcontrol("g")
    there.sees("The bell rang")
    there.child.sendcontrol("q")
    assert there.ends() == 0
    assert "The bell rang." in (novel / "chapters/chapter-001.md").read_text("utf-8")


@pytest.mark.sweep
def test_five_megabytes_are_pasted_whole_and_keys_are_answered(
    program: Terminal, novel: Path
) -> None:  # req: T9, P3
    line = "{} The rain stopped at noon, and 비가 그쳤다. \x1b[17~灯还亮着。 " * 6
    text = "\n\n".join(line.replace("{}", str(number)) for number in range(13_300))
    assert len(text.encode()) > 5_000_000
    program.child.sendcontrol("e")
    program.sees("Save")
    program.pastes(text)
    program.sees("not saved")
    program.child.send("등대!")
    program.sees("등대!")
    program.child.sendcontrol("s")
    program.sees("saved", gone="not saved")
    program.child.sendcontrol("q")
    assert program.ends() == 0
    saved = (novel / "chapters/chapter-001.md").read_text("utf-8")
    assert saved.endswith(text + "등대!")


@pytest.mark.sweep
def test_an_editor_that_fails_changes_nothing(starting: Starting, novel: Path) -> None:  # req: T5
    there = starting(EDITOR="false")
    there.child.sendcontrol("g")
    there.sees("Nothing was changed")
    there.child.sendcontrol("q")
    assert there.ends() == 0
    assert not (novel / "chapters").exists()


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"TERM": ""}, {}])
def test_a_dumb_terminal_is_refused_with_a_sentence(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capabilities, "_is_terminal", lambda stream: True)
    with pytest.raises(StudioError) as refused:
        capabilities.refuse_unfit(environ)
    assert refused.value.problem.exit_code is Exit.USAGE


def test_no_terminal_is_refused_with_a_sentence() -> None:
    with pytest.raises(StudioError) as refused:
        capabilities.refuse_unfit({"TERM": "xterm"})
    assert "needs a terminal" in refused.value.problem.message


def test_ascii_is_drawn_where_it_is_asked_for() -> None:
    assert capabilities.wants_ascii({"STUDIO_ASCII": "1"})
    assert not capabilities.wants_ascii({})


def test_the_writers_editor_is_the_one_of_the_settings_first() -> None:
    environ = {"VISUAL": "vim", "EDITOR": "ed"}
    assert capabilities.editor_command("micro", environ) == "micro"
    assert capabilities.editor_command(None, environ) == "vim"
    assert capabilities.editor_command(None, {}) is None
