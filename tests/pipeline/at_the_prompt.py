"""Commands typed in a desk's novel, and answers typed at a question, inside this process."""

from __future__ import annotations

import pytest

from studio.cli import keyboard
from studio.cli.program import catch, command_line
from tests.cli.command import Ended, has_traceback
from tests.pipeline.flows import Desk


class Prompt:
    """A shell in the novel, with the desk's own model server in its environment."""

    def __init__(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self._desk, self._capsys = desk, capsys
        for name, value in desk.environ.items():
            monkeypatch.setenv(name, value)

    def __call__(self, *arguments: object) -> Ended:
        """Runs one command; what it printed, and how it ended."""
        self._capsys.readouterr()
        words = [str(argument) for argument in arguments]
        code = catch(command_line, [*words, "--project", str(self._desk.folder)])
        said = self._capsys.readouterr()
        assert not any(map(has_traceback, said))
        return Ended(code, said.out, said.err)


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """The writer answers with these lines, and then closes the input."""
    waiting = iter(lines)

    def typed() -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(keyboard, "asks", lambda: True)
    monkeypatch.setattr(keyboard, "read_line", typed)
