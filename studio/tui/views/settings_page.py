"""The settings as lines: each value with the layer that set it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from studio.config import user_config_path
from studio.settings import Settings
from studio.tui.views.words import Line, Said, line


def settings_lines(settings: Settings, environ: Mapping[str, str]) -> Iterator[Line]:
    """Every setting under its table."""
    yield line("Change the novel's own in its studio.toml, yours in this file:", "quiet")
    yield line(str(user_config_path(environ)))
    table = ""
    for key, value in settings.masked().items():
        head, _, name = key.rpartition(".")
        if head != table or not head:
            if head != table or table == "":
                yield line()
                yield line(f"[{head}]" if head else "[ ]", "heading")
            table = head
        source = settings.provenance(key)
        yield (
            Said(f"  {name:<20} "),
            Said(_shown(value), "strong" if source != "default" else "plain"),
            Said(f"   {source}", "accent" if source != "default" else "quiet"),
        )


def _shown(value: object) -> str:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)
