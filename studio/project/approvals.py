"""What the writer agreed to on this machine for one novel, exactly as it then was.

A novel may come from anybody, so what would take a decision out of her hands (plugins that run, a
setting that accepts proposals) counts only once she agreed to it here. An agreement holds for the
novel by its id, in the folder where she gave it, and for the sha256 of what she agreed to: in a
copy, after a move or after any change it is asked for again.
"""

from __future__ import annotations

from pathlib import Path

from studio.errors import StudioError
from studio.foreign_json import read_json
from studio.fsio import Root, make_root
from studio.project.novel_id import claim_novel_id, folder_of, novel_id
from studio.story.form.document import Value, to_bytes
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
    given = _read_approvals(state, name).approvals.get(kind) if name else None
    return given == Approval(folder=str(root.path), sha256=sha256)


def approve(root: Root, state: Path, kind: str, sha256: str) -> None:
    """Records that she agrees to what has this sha256, instead of an earlier agreement of the kind.

    Raises StudioError (exit 1) if the state folder cannot be written.
    """
    name = claim_novel_id(root, state)
    given = {
        **_read_approvals(state, name).approvals,
        kind: Approval(folder=str(root.path), sha256=sha256),
    }
    _write(state, name, given)


def withdraw(root: Root, state: Path, kind: str) -> None:
    """Takes an agreement of the kind back, if there was any; raises StudioError like `approve`."""
    name = novel_id(root, state)
    if name is not None and kind in (given := _read_approvals(state, name).approvals):
        _write(state, name, {other: given[other] for other in given if other != kind})


def _read_approvals(state: Path, name: str) -> Approvals:
    try:
        data = Root(state).find(f"{folder_of(name)}/{_FILE}")
        return Approvals.model_validate(read_json(data, dict)) if data else Approvals()
    except (StudioError, ValueError):
        return Approvals()


def _write(state: Path, name: str, approvals: dict[str, Approval]) -> None:
    data = to_bytes(Approvals(approvals=approvals))
    make_root(state).write(f"{folder_of(name)}/{_FILE}", data, private=True)
