"""What the writer's shell and other people's texts hold goes no further than it may."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM, studio
from tests.fake_messages import FakeMessages
from tests.tui.terminals import Terminal

CANARY = "sk-ant-canary-0123456789"
SHELL = {
    "ANTHROPIC_CUSTOM_HEADERS": f"X-Team: {CANARY}\nAuthorization: Bearer {CANARY}",
    "ANTHROPIC_AUTH_TOKEN": CANARY,
}
CONTROLS = "\x7f\x85\x9b\u200e\u202e\u2066\u061c\ufeff"
HOSTILE = f"""# The {CONTROLS}Ledger

Mara saw the ledger. She saw that it was wet. She felt that it had been {CONTROLS}opened, and she \
noticed a thumbprint. She saw salt on it.
"""


def test_only_the_vendor_gets_what_the_shell_holds_for_it(book: Path) -> None:
    with FakeMessages() as server:
        environ = {**SHELL, "ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "local-key"}
        done = studio("write", "--review", "reject", cwd=book, environ=environ)
    assert done.code == 0, done.err
    sent = [value for asked in server.asked for value in asked.headers.values()]
    assert "local-key" in sent
    assert CANARY not in "\n".join(sent)


def test_json_holds_no_raw_control_character_and_says_the_same(book: Path, tmp_path: Path) -> None:
    file = tmp_path / "own.md"
    file.write_text(HOSTILE, "utf-8")
    checked = studio("check", file, "--json")
    assert not set(CONTROLS) & set(checked.out)
    assert CONTROLS in json.dumps(checked.json, ensure_ascii=False)
    written = studio("write", "--draft", file, "--events", cwd=book)
    assert written.code == 4, written.err
    assert not set(CONTROLS) & set(written.out)
    assert len(written.events) > 5


@pytest.mark.sweep
@pytest.mark.pty
def test_the_writers_editor_does_not_inherit_the_key(book: Path, tmp_path: Path) -> None:
    seen = tmp_path / "environment"
    editor = tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\nenv > {seen}\necho 'The bell rang.' >> \"$1\"\n")
    editor.chmod(0o755)
    environ = {**SHELL, "ANTHROPIC_API_KEY": CANARY, "EDITOR": str(editor), "MY_OWN": "1"}
    there = Terminal([str(book)], environ, program=str(PROGRAM))
    there.sees("Night")
    there.types("\x07")
    there.sees("The bell rang")
    there.child.terminate(force=True)
    inherited = seen.read_text("utf-8")
    assert CANARY not in inherited
    assert "MY_OWN=1" in inherited
    assert f"PATH={os.environ['PATH']}" in inherited
