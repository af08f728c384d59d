"""Records which plugins of a novel its writer trusts on this machine.

Trust applies to the files as they are: it is an approval of their names and sha256s, kept in the
state folder and not in the novel, which may come from anybody. Trust given before there were
approvals stands in plugins.json, by the novel's folder.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from studio.errors import StudioError, damaged, usage
from studio.foreign_json import JsonError, read_json
from studio.fsio import make_root
from studio.fsio.read import sha256_hex
from studio.fsio.root import Root
from studio.messages import said, series
from studio.project import layout as places
from studio.project.approvals import approve, is_approved, withdraw
from studio.story.form.document import encode

KIND = "plugins"
"""The kind of the approval."""
TRUST_FILE = "plugins.json"
"""The trust of earlier versions."""
_NAME = re.compile(r"^[a-z][a-z0-9_]{0,63}\.py$")
_LARGEST = 1_000_000
"""The maximum size of one file in bytes."""


@dataclass(frozen=True, slots=True)
class NovelPlugins:
    """The files in a novel's plugins/, by name without `.py`, and whether they are trusted."""

    sources: dict[str, str]
    trusted: bool
    shas: dict[str, str]


def novel_plugins(root: Root, state: Path | None) -> NovelPlugins:
    """Reads the plugins, and the modules beside them whose names begin with `_`, which are no
    plugins and are trusted with them. Raises StudioError (exit 5) for a link, a folder or an
    invalid plugin name."""
    sources, shas = {}, {}
    for name in sorted(root.names(places.PLUGINS)):
        if not name.endswith(".py"):
            continue
        path = f"{places.PLUGINS}/{name}"
        is_plugin = not name.startswith((".", "_"))
        if is_plugin and not _NAME.match(name):
            raise damaged(
                said("{path} is not the name of a plugin.", path=path),
                said("Use a-z, 0-9 and _, and end in .py."),
            )
        data = root.find(path) or b""
        if len(data) > _LARGEST:
            raise damaged(
                said("{path} is larger than {LARGEST} kB.", path=path, LARGEST=_LARGEST // 1000),
                said("Make it smaller."),
            )
        if is_plugin:
            sources[name.removesuffix(".py")] = data.decode("utf-8", "replace")
        shas[name] = sha256_hex(data)
    trusted = bool(shas) and (
        is_approved(root, state, KIND, _sha(shas))
        or _trusted_plugins(state).get(str(root.path)) == shas
    )
    return NovelPlugins(sources, trusted, shas)


def trust(root: Root, state: Path) -> NovelPlugins:
    """Trusts the files as they are now. Raises StudioError (exit 2) if there are none."""
    present = novel_plugins(root, state)
    if not present.shas:
        raise usage(
            said("This novel has no plugins."),
            said("They are Python files in its folder plugins/."),
        )
    approve(root, state, KIND, _sha(present.shas))
    return novel_plugins(root, state)


def distrust(root: Root, state: Path) -> None:
    """Revokes the trust, if there was any."""
    withdraw(root, state, KIND)
    forget_earlier_trust(root, state)


def forget_earlier_trust(root: Root, state: Path) -> None:
    """Drops what an earlier version recorded for a novel in this folder."""
    novels = _trusted_plugins(state)
    if str(root.path) in novels:
        _keep(state, {novel: novels[novel] for novel in novels if novel != str(root.path)})


def _sha(shas: dict[str, str]) -> str:
    return sha256_hex(encode(shas))


def untrusted_sentence(plugins: NovelPlugins) -> str:
    """Returns the message about plugins that do not run."""
    files = series(plugins.shas)
    return said(
        "This novel has plugins that you have not trusted as they are: {files}. They do not "
        "run. Read them, then `studio plugins trust` lets them.",
        files=files,
    )


def _trusted_plugins(state: Path | None) -> dict[str, Any]:
    if state is None:
        return {}
    try:
        data = make_root(state).find(TRUST_FILE) if state.is_dir() else None
        value = read_json(data, dict) if data else {}
    except (StudioError, JsonError):
        return {}
    novels = value.get("novels")
    return novels if isinstance(novels, dict) else {}


def _keep(state: Path, novels: dict[str, Any]) -> None:
    value = {"schema_version": 1, "novels": novels}
    data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2) + b"\n"
    make_root(state).write(TRUST_FILE, data, private=True)
