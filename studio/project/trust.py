"""What the writer trusts on this machine for one novel, exactly as it then was.

A novel may come from anybody, so what would take a decision out of her hands (plugins that run, a
setting that accepts proposals) counts only once she agreed to it here. An agreement holds for the
novel by its id, in the folder where she gave it, and for the sha256 of what she agreed to: in a
copy, after a move or after any change it is asked for again.

Of plugins it is the names and sha256s of their files. Trust given before there were agreements
stands in plugins.json, by the novel's folder.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from studio.errors import StudioError, damaged, usage
from studio.foreign_json import JsonError, read_json
from studio.fsio import Root, make_root
from studio.fsio.read import sha256_hex
from studio.messages import said, series
from studio.project import layout as places
from studio.project.novel_id import claim_novel_id, folder_of, novel_id
from studio.story.form.document import Value, encode, to_bytes
from studio.story.form.ids import Sha256

_FILE = "approvals.json"


class Approval(Value):
    """One agreement."""

    folder: str
    """The folder of the novel when she agreed."""
    sha256: Sha256
    """The sha256 of what she agreed to."""


class Approvals(Value):
    """`novels/{id}/approvals.json` in the state folder."""

    schema_version: int = 1
    approvals: dict[str, Approval] = {}
    """The agreements by kind, such as `plugins`."""


def is_approved(root: Root, state: Path | None, kind: str, sha256: str) -> bool:
    """Whether the writer agreed, on this machine and for this novel, to what has this sha256."""
    if state is None:
        return False
    try:
        name = novel_id(root, state)
    except StudioError:
        return False
    agreement = _read_approvals(state, name).approvals.get(kind) if name else None
    return agreement == Approval(folder=str(root.path), sha256=sha256)


def approve(root: Root, state: Path, kind: str, sha256: str) -> None:
    """Records that she agrees to what has this sha256, instead of an earlier agreement of the kind.

    Raises StudioError (exit 1) if the state folder cannot be written.
    """
    name = claim_novel_id(root, state)
    agreements = {
        **_read_approvals(state, name).approvals,
        kind: Approval(folder=str(root.path), sha256=sha256),
    }
    _write(state, name, agreements)


def withdraw(root: Root, state: Path, kind: str) -> None:
    """Takes an agreement of the kind back, if there was any; raises StudioError like `approve`."""
    name = novel_id(root, state)
    if name is not None and kind in (agreements := _read_approvals(state, name).approvals):
        _write(state, name, {other: agreements[other] for other in agreements if other != kind})


def _read_approvals(state: Path, name: str) -> Approvals:
    try:
        data = Root(state).find(f"{folder_of(name)}/{_FILE}")
        return Approvals.model_validate(read_json(data, dict)) if data else Approvals()
    except (StudioError, ValueError):
        return Approvals()


def _write(state: Path, name: str, approvals: dict[str, Approval]) -> None:
    data = to_bytes(Approvals(approvals=approvals))
    make_root(state).write(f"{folder_of(name)}/{_FILE}", data, private=True)


# Plugins


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
