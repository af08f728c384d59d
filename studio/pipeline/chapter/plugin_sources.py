"""Which plugins run for a novel: the installed ones, and the novel's own where they are trusted."""

from __future__ import annotations

from collections.abc import Callable

from studio.errors import Problem, StudioError
from studio.messages import said
from studio.plugins.active_plugins import Plugins, PluginSource
from studio.project.store import ProjectStore
from studio.project.trust import novel_plugins, untrusted_sentence

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
