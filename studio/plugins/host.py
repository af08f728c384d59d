"""The process in which plugins run: `python -m studio.plugins.host`.

It reads one JSON object per line from stdin and answers each with one. Plugin output is discarded.
If a call takes too long, the system's alarm ends the process, even if no parent is left to kill it,
and even inside a library that never returns to Python.
"""

from __future__ import annotations

import json
import os
import signal
from importlib.metadata import EntryPoint
from io import FileIO
from traceback import extract_tb
from types import ModuleType
from typing import Any

import pluggy

from studio.plugins import api
from studio.plugins.bounds import MARK, end_marked, stay_inside

FOLDER = "plugins/"
"""Where a novel has its own, as a traceback names them."""
LONGEST_CALL = 30
"""Seconds after which the system ends the process."""


class Host:
    """The plugins by name, each with a plugin manager of its own so that they are called
    separately."""

    def __init__(self) -> None:
        self._plugins: dict[str, pluggy.PluginManager] = {}

    def answer(self, order: dict[str, Any]) -> Any:
        """Loads a plugin or calls one of its hooks. Exceptions of the plugin pass through."""
        if "hello" in order:
            return True
        if "load" in order:
            return self._load(str(order["load"]), order)
        manager = self._plugins[str(order["plugin"])]
        results = getattr(manager.hook, str(order["hook"]))(**order["args"])
        return results[0] if results else None

    def _load(self, name: str, order: dict[str, Any]) -> list[str]:
        """Loads a plugin and returns the names of its hooks."""
        manager = pluggy.PluginManager(api.NAME)
        manager.add_hookspecs(api)
        manager.register(_module(name, order), name)
        manager.check_pending()
        self._plugins[name] = manager
        return [hook for hook in api.HOOKS if getattr(manager.hook, hook).get_hookimpls()]


def _module(name: str, order: dict[str, Any]) -> object:
    """Returns an installed plugin, or one whose source came with the order."""
    if "entry_point" in order:
        loaded: object = EntryPoint(name, str(order["entry_point"]), "studio.plugins").load()
        return loaded
    module = ModuleType(f"novel_plugin_{name}")
    exec(compile(str(order["source"]), f"{FOLDER}{name}.py", "exec"), module.__dict__)
    return module


def answer_line(host: Host, line: bytes) -> bytes:
    """Carries out one order; an exception becomes the answer's `error`."""
    try:
        value = {"value": host.answer(json.loads(line))}
        return json.dumps(value, allow_nan=False).encode() + b"\n"
    except BaseException as error:
        words = f"{type(error).__name__}: {error}"[:200] + _line_of(error)
        return json.dumps({"error": words}).encode() + b"\n"


def _line_of(error: BaseException) -> str:
    """Returns the line of a novel's plugin at which it failed, ready to follow what failed."""
    frames = [f for f in extract_tb(error.__traceback__) if f.filename.startswith(FOLDER)]
    return f", {frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def main() -> None:
    """Answers orders until stdin ends."""
    orders, answers = os.dup(0), FileIO(os.dup(1), "wb")
    for descriptor in (0, 1):
        os.dup2(2, descriptor)  # discards output: the parent has redirected stderr
    stay_inside()
    host = Host()
    with os.fdopen(orders, "rb") as source:
        for line in source:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(LONGEST_CALL)
            answer = answer_line(host, line)
            signal.alarm(0)
            while answer:
                answer = answer[answers.write(answer) :]
    end_marked(os.environ.get(MARK, ""))  # the studio is gone, perhaps without having ended


if __name__ == "__main__":
    main()
