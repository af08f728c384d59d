"""What the app is made of, each part by itself: its look, its messages, its faults, its actions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.notifications import Notification, Notifications
from textual.worker import WorkerFailed

from studio.errors import Problem, StudioError
from studio.tui.action_dispatch import ActionDispatch
from studio.tui.performs import performs
from studio.tui.runtime.faults import Faults
from studio.tui.runtime.look import Look
from studio.tui.runtime.toasts import Toasts


class App:
    """As much of an app as its parts ask for."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.environ = environ
        self.memory = SimpleNamespace(theme=None)
        self.theme = ""
        self.no_color = False
        self.keymap: dict[str, str] = {}
        self.available_themes: dict[str, object] = {}
        self.keymaps: list[dict[str, str]] = []
        self.screen_stack: list[object] = []
        self.screen = object()
        self.NOTIFICATION_TIMEOUT = 5.0
        self.problems: list[Problem] = []
        self._notifications = Notifications()

    def register_theme(self, theme: Any) -> None:
        assert theme.name not in self.available_themes
        self.available_themes[theme.name] = theme

    def set_keymap(self, keymap: dict[str, str]) -> None:
        self.keymaps.append(keymap)

    def tell(self, problem: Problem) -> None:
        self.problems.append(problem)

    def say(self, words: str) -> None:
        self.problems.append(Problem(words))

    def call_later(self, callback: Callable[..., Any], *args: Any) -> None:
        callback(*args)

    def _unnotify(self, stale: Notification) -> None:
        del self._notifications[stale]

    def _refresh_notifications(self) -> None: ...

    @performs("app.help")
    def open_help(self) -> None:
        raise StudioError(Problem("The help is torn."))


@pytest.fixture
def app(tmp_path: Path) -> Any:
    return App({"XDG_STATE_HOME": str(tmp_path)})


def test_a_look_registers_each_theme_once_and_leaves_out_keys_of_no_action(app: Any) -> None:
    look = Look(app, False, None)
    look.take_themes()
    look.take("studio-dark", {"desk.write": "f5", "desk.dance": "f6"})
    look.take("studio-dark", {"desk.write": "f5"})
    assert app.keymaps == [{"desk.write": "f5"}]
    themes = {look.next_theme() for _ in range(len(app.available_themes))}
    assert len(themes) > 1
    assert themes <= set(app.available_themes)


def test_a_message_that_is_said_again_takes_the_place_of_the_old(app: Any) -> None:
    toasts = Toasts(app, Look(app, False, None))
    for words in ("Saved.", "저장했다.", "Saved.", "已保存。"):
        toasts.show(words, "information")
    assert [n.message for n in app._notifications] == ["Saved.", "已保存。"]


def test_a_fault_is_told_once_while_it_stands_and_written_down(app: Any, tmp_path: Path) -> None:
    faults = Faults(app)
    for _ in range(3):
        faults.tell(ValueError("the lamp went out"))
    assert len(app.problems) == 1
    assert any("the lamp went out" in log.read_text("utf-8") for log in tmp_path.rglob("*.txt"))
    failed = WorkerFailed.__new__(WorkerFailed)
    failed.error = StudioError(Problem("The chapter cannot be read."))
    assert faults.survives(failed)
    assert app.problems[-1].message == "The chapter cannot be read."
    assert not faults.survives(ValueError("nobody was composing"))


async def test_an_action_that_is_refused_is_told_and_one_that_nobody_knows_is_none(
    app: Any,
) -> None:
    actions = ActionDispatch(app)
    await actions.perform("app.help")
    assert [problem.message for problem in app.problems] == ["The help is torn."]
    await actions.perform("desk.write")
    assert len(app.problems) == 1
