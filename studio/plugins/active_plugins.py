"""Which plugins run for a novel, the installed ones and its own where they are trusted; and how:
one after another, a misbehaving one off for the rest of the run (C3).

The caller checks what a plugin answers. Whatever a plugin does, no text is lost: its input stays as
it was.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studio.errors import Problem, StudioError
from studio.messages import said
from studio.plugins.calls import Child, PluginFault
from studio.project.store import ProjectStore
from studio.project.trust import novel_plugins, untrusted_sentence
from studio.text.safe import safe_text

PATIENCE = 5.0
"""Seconds a plugin may take for one answer."""
_LONGEST_FAULT = 300


@dataclass(frozen=True, slots=True)
class PluginSource:
    """The origin of a plugin: the source text of a novel's own, or an installed entry point."""

    name: str
    source: str | None = None
    entry_point: str | None = None

    @property
    def order(self) -> dict[str, str]:
        """Returns the order that makes the process load the plugin."""
        if self.source is not None:
            return {"load": self.name, "source": self.source}
        return {"load": self.name, "entry_point": self.entry_point or ""}


class Plugins:
    """The plugins of one run. `warn` is called once for each that is switched off."""

    def __init__(
        self,
        sources: Sequence[PluginSource],
        warn: Callable[[str], None],
        patience: float | None = None,
    ) -> None:
        self._sources = {source.name: source for source in sources}
        self._warn = warn
        self._child = Child(PATIENCE if patience is None else patience)
        self._hooks: dict[str, frozenset[str]] = {}
        """The hooks of the plugins that are loaded in the current process."""
        self._lock = threading.Lock()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the plugins that are active."""
        return tuple(self._sources)

    def answers(self, hook: str, /, **args: Any) -> Iterator[tuple[str, Any]]:
        """Yields the name and answer of each plugin with this hook, except those that answer None
        or fail."""
        for name in self.names:
            value = self.answer(name, hook, **args)
            if value is not None:
                yield name, value

    def answer(self, name: str, hook: str, /, **args: Any) -> Any:
        """Returns one plugin's answer; None if it has none."""
        with self._lock:
            try:
                if hook not in self._load(name):
                    return None
                return self._child.ask({"plugin": name, "hook": hook, "args": args})
            except PluginFault as fault:
                self._switch_off(name, said("at {hook} it {fault}", hook=hook, fault=fault))
                return None

    def fault_of(self, name: str) -> str | None:
        """Loads a plugin; returns what keeps it from running, None if nothing does."""
        with self._lock:
            try:
                self._load(name)
            except PluginFault as fault:
                return safe_text(str(fault), keep_newlines=False)[:_LONGEST_FAULT]
        return None

    def nonsense(self, name: str, hook: str) -> None:
        """Switches off a plugin whose answer is invalid."""
        self._switch_off(
            name, said("at {hook} it answered with something that makes no sense", hook=hook)
        )

    def close(self) -> None:
        """Ends the plugin process."""
        with self._lock:
            self._child.stop()
            self._hooks.clear()

    def _load(self, name: str) -> frozenset[str]:
        """Returns the hooks of a plugin, loading it first if necessary, which includes after the
        process was killed because of another one."""
        if not self._child.is_running:
            self._hooks.clear()
        if name not in self._hooks and name in self._sources:
            hooks = self._child.ask(self._sources[name].order)
            self._hooks[name] = frozenset(map(str, hooks if isinstance(hooks, list) else ()))
        return self._hooks.get(name, frozenset())

    def _switch_off(self, name: str, why: str) -> None:
        if self._sources.pop(name, None) is None:
            return
        words = safe_text(why, keep_newlines=False)[:_LONGEST_FAULT]
        self._warn(
            said(
                "The plugin {name} is off for this run: {words}. Nothing of yours is changed.",
                name=name,
                words=words,
            )
        )


def text_rows(value: Any, keys: Mapping[str, type]) -> list[dict[str, Any]] | None:
    """Returns the value if it is a list of objects with these keys and valid values, otherwise
    None."""
    if not isinstance(value, list):
        return None
    for row in value:
        if not isinstance(row, dict):
            return None
        if any(not isinstance(row.get(key), kind) for key, kind in keys.items()):
            return None
    return value


GROUP = "studio.plugins"
"""The entry point group of installed plugins."""


def installed_plugins() -> list[PluginSource]:
    """Returns the plugins of installed packages, sorted by name.

    Raises:
        StudioError: what the installed packages say of themselves cannot be read.
    """
    from importlib.metadata import entry_points  # it reads every package's metadata

    try:
        points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else ""
        raise StudioError(
            Problem(
                said("The installed packages cannot be read: {strerror}.", strerror=why or error),
                said("Install the studio again, or try again."),
            )
        ) from error
    return [PluginSource(point.name, entry_point=point.value) for point in points]


def faults_of(sources: Sequence[PluginSource]) -> dict[str, str]:
    """Loads plugins, and returns by name what keeps those from running that cannot be loaded."""
    plugins = Plugins(sources, lambda _words: None)
    try:
        faults = {source.name: plugins.fault_of(source.name) for source in sources}
    finally:
        plugins.close()
    return {name: fault for name, fault in faults.items() if fault is not None}


def plugins_of(store: ProjectStore, warn: Callable[[str], None]) -> Plugins:
    """Returns the plugins of one run; `warn` gets a sentence on each plugin that does not run."""
    sources: list[PluginSource] = []
    try:
        sources = installed_plugins()
    except StudioError as error:
        warn(said("{why} No installed plugin runs.", why=error.problem.message))
    try:
        own = novel_plugins(store.root, store.state_folder)
    except StudioError as error:
        warn(said("{why} No plugin of this novel runs.", why=error.problem.message))
        return Plugins(sources, warn)
    if own.trusted:
        taken = {source.name for source in sources}
        sources += [PluginSource(n, source=s) for n, s in own.sources.items() if n not in taken]
    elif own.sources:
        warn(untrusted_sentence(own))
    return Plugins(sources, warn)
