"""What the shell offers for the next word, and the script that asks for it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pexpect
import pytest

from studio.cli.program import COMMANDS, COMPLETING
from tests.cli.command import PROGRAM, studio
from tests.cli.conftest import Typed, own_chapter
from tests.sweeps import swept
from tests.tui.terminals import WAIT

SHELLS = ("bash", "zsh", "fish")


def offers(line: str, cwd: Path) -> list[str]:
    """What bash is offered for the last word of a line."""
    words = line.split(" ")
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), COMPLETING: "bash_complete"}
    ended = studio(cwd=cwd, environ=asked)
    assert (ended.code, ended.err) == (0, "")
    return [offer.partition(",")[2] for offer in ended.out.splitlines() if offer]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_gets_its_script_and_no_app_opens(shell: str, typed: Typed) -> None:  # req: I3
    ended = studio(environ={COMPLETING: f"{shell}_source"})
    assert ended.code == 0
    assert f"{COMPLETING}={shell}_complete" in ended.out
    assert typed("completion", shell).out.strip() == ended.out.strip()


def test_bash_completes_a_command_with_the_script(novel: Path) -> None:  # req: I3
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash here")
    assert "status" in offers("studio st", novel)
    assert offers("studio history re", novel) == ["restore", "restore-backup"]
    assert "--title" in offers("studio new x --ti", novel)


def test_every_command_is_offered_and_folders_where_none_fits(novel: Path) -> None:  # req: I3
    assert offers("studio ", novel) == list(COMMANDS)
    assert offers("studio ./no", novel) == ["./no"]


def test_ids_and_chapters_of_the_novel_are_offered(novel: Path, tmp_path: Path) -> None:  # req: I3
    draft = own_chapter(tmp_path).read_bytes()
    assert studio("write", "--draft", "-", cwd=novel, stdin=draft).code == 4
    (directive,) = studio("directives", "--json", cwd=novel).json["directives"]
    assert offers("studio directives accept ", novel) == [directive["id"]]
    assert offers("studio directives accept dir_", novel) == [directive["id"]]
    assert offers("studio directives ", novel) == [
        "accept",
        "answer",
        "edit",
        "list",
        "pattern",
        "place",
        "reject",
        "remembers",
        "show",
        "undo",
    ]
    assert "commit" in offers("studio decide ", novel)
    assert offers("studio status ", novel) == ["1"]
    studio("decide", "commit", cwd=novel)
    assert studio("resume", cwd=novel).code == 0
    assert "1" in offers("studio history ", novel)
    (sha,) = offers("studio history show 1 --sha ", novel)
    assert studio("history", "show", "1", "--sha", sha, cwd=novel).code == 0


def test_outside_of_a_novel_nothing_is_offered_and_nothing_said(tmp_path: Path) -> None:
    assert offers("studio directives accept ", tmp_path) == []


@pytest.mark.sweep
def test_fish_completes_a_command_with_the_script(novel: Path) -> None:  # req: I3
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("there is no fish here")
    asked = "studio completion fish | source; complete -C 'studio directives '"
    ended = subprocess.run(
        [fish, "-c", asked], cwd=novel, env=with_the_program(), capture_output=True, text=True
    )
    offered = [line.partition("\t")[0] for line in ended.stdout.splitlines()]
    assert offered[:2] == ["accept", "answer"], ended.stderr


@pytest.mark.sweep
def test_zsh_completes_a_command_with_the_script(novel: Path) -> None:  # req: I3
    zsh = shutil.which("zsh")
    if zsh is None:
        pytest.skip("there is no zsh here")
    shell = pexpect.spawn(
        zsh, ["-f", "-i"], cwd=str(novel), env=with_the_program(), encoding="utf-8", timeout=WAIT
    )
    shell.sendline("autoload -Uz compinit; compinit -u -D")
    shell.sendline('eval "$(studio completion zsh)"; echo rea""dy')
    shell.expect("ready\r")
    shell.send("studio directives acc\t")
    shell.expect("directives accept")
    shell.close(force=True)


def with_the_program() -> dict[str, str]:
    """The environment of a shell that finds the installed command."""
    return {**os.environ, "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"}


HOSTILE = (
    "world/$(touch owned)",
    "world/`touch owned`",
    "world/a;touch owned",
    "world/a|touch owned",
    "world/a&touch owned",
    "world/a\ntouch owned\n",
    "world/${x:-`touch owned`}",
    "world/<(touch owned)",
    "world/!touch",
    "world/\x1b]0;owned\x07",
    "/etc/passwd",
    "../../.ssh/id_rsa",
    "~root/x",
    "-rf",
)
"""Paths that a novel made by somebody else may have in its log."""


def with_hostile_words(novel: Path) -> None:
    """Writes the paths into the history, and calls of such names."""
    log = novel / "history/log.jsonl"
    log.parent.mkdir(exist_ok=True)
    rows = [
        {"path": path, "sha": "0" * 64, "ts": "2026-01-01T00:00:00Z", "reason": "hand edit"}
        for path in (*HOSTILE, "world/the-quay.md")
    ]
    with log.open("a", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)
    calls = novel / "logs/generations"
    calls.mkdir(parents=True, exist_ok=True)
    (calls / "gen-001-$(touch owned).json").write_text("{}")
    (calls / "gen-001-plain.json").write_text("{}")


@pytest.mark.repairs("T8")
def test_only_words_that_mean_nothing_to_a_shell_are_offered(novel: Path) -> None:
    with_hostile_words(novel)
    offered = [*offers("studio history show ", novel), *offers("studio log show ", novel)]
    assert "world/the-quay.md" in offered
    assert "gen-001-plain" in offered
    assert [word for word in offered if re.search(r"[^\w./@:+=,-]|^-|^~", word)] == []


@pytest.mark.repairs("T8")
def test_a_log_line_about_no_file_of_the_novel_is_none(novel: Path) -> None:
    with_hostile_words(novel)
    paths = {row["path"] for row in studio("history", "--json", cwd=novel).json["files"]}
    assert "world/the-quay.md" in paths
    assert not paths & {"/etc/passwd", "../../.ssh/id_rsa", HOSTILE[5], HOSTILE[9]}


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["bash", swept("zsh")])
def test_a_real_shell_runs_nothing_of_what_it_completes(novel: Path, name: str) -> None:
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"there is no {name} here")
    with_hostile_words(novel)
    begin = ["--norc", "-i"] if name == "bash" else ["-f", "-i"]
    shell = pexpect.spawn(
        program, begin, cwd=str(novel), env=with_the_program(), encoding="utf-8", timeout=WAIT
    )
    if name == "zsh":
        shell.sendline("autoload -Uz compinit; compinit -u -D")
    shell.sendline(f'eval "$(studio completion {name})"; echo rea""dy')
    shell.expect("ready\r")
    shell.send("studio history show world/the-q\t")
    shell.expect("the-quay.md")
    shell.sendline("")
    shell.sendline('echo do""ne')
    shell.expect("done\r")
    for word in ("studio history show world/a\t", "studio log show gen-001-p\t"):
        shell.send(word)
        shell.sendline("")
        shell.sendline('echo do""ne')
        shell.expect("done\r")
    shell.close(force=True)
    assert not (novel / "owned").exists()
