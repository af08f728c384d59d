"""What is true in the story so far, and the small operations that change it.

State is a tree of at most four levels under six top-level categories;
`studio.story.folding` applies the operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from studio.story.document import Document, Value
from studio.story.ids import Sha256, Slug
from studio.story.naming import slug_fault

CATEGORIES = (
    "characters",
    "items",
    "locations",
    "factions",
    "world_state",
    "active_foreshadowing",
)
"""Top-level allow list of the seed (E6)."""

OpKind = Literal["set", "inc", "add", "remove", "foreshadow"]
Scalar = str | int | float | bool | None
Tree = Mapping[str, Any]


class StateOp(Value):
    """One change: `set characters.mara.location "lamp-room"`."""

    op: OpKind
    path: str
    """2 to 4 slugs joined by dots; for `foreshadow` the id of the promise alone."""
    value: Scalar = None


class DroppedOp(Value):
    """An entry that was left out, and why."""

    entry: str
    reason: str


class Delta(Document):
    """staging/state/chapter-NNN-delta.json: what one chapter changes in the state."""

    SCHEMA: ClassVar[str] = "delta"

    chapter: int = Field(ge=1)
    storyline_id: Slug
    source_sha256: Sha256
    made_from_sha256: Sha256 | None = None
    ops: tuple[StateOp, ...] = ()
    dropped: tuple[DroppedOp, ...] = ()
    state_gap: bool = False
    """True when the ops could not be read at all: the state knows nothing of this chapter."""


class StoryState(Document):
    """state/current-state.json: the fold of all deltas in chapter order."""

    SCHEMA: ClassVar[str] = "state"

    state_version: int = Field(default=0, ge=0)
    """How many chapters' deltas are folded in."""
    last_chapter: int = Field(default=0, ge=0)
    characters: dict[str, Any] = Field(default_factory=dict)
    items: dict[str, Any] = Field(default_factory=dict)
    locations: dict[str, Any] = Field(default_factory=dict)
    factions: dict[str, Any] = Field(default_factory=dict)
    world_state: dict[str, Any] = Field(default_factory=dict)
    active_foreshadowing: dict[str, Any] = Field(default_factory=dict)

    @property
    def tree(self) -> dict[str, Any]:
        """The six categories as one mapping."""
        return {name: getattr(self, name) for name in CATEGORIES}


def op_fault(op: StateOp) -> str | None:
    """Why an op breaks the path rules of E6, or None."""
    if op.op == "foreshadow":
        if op.value not in ("plant", "advance", "resolve"):
            return f"foreshadow takes plant, advance or resolve, not {op.value!r}"
        return slug_fault(op.path)
    parts = op.path.split(".")
    if not 2 <= len(parts) <= 4:
        return f"a path has 2 to 4 parts, {op.path!r} has {len(parts)}"
    if parts[0] not in CATEGORIES:
        return f"{parts[0]!r} is no category of the state ({', '.join(CATEGORIES)})"
    for part in parts[1:]:
        if part.startswith("__"):
            return f"{part!r} is not an id"
        fault = slug_fault(part)
        if fault is not None:
            return fault
    if op.op == "inc" and (isinstance(op.value, bool) or not isinstance(op.value, int | float)):
        return f"inc takes a number, not {op.value!r}"
    if op.op == "add" and op.value is None:
        return "add takes a value"
    return None


def sift(ops: Iterable[StateOp]) -> tuple[tuple[StateOp, ...], tuple[DroppedOp, ...]]:
    """Ops that keep the rules, and those that do not with the reason."""
    kept: list[StateOp] = []
    dropped: list[DroppedOp] = []
    for op in ops:
        fault = op_fault(op)
        if fault is None:
            kept.append(op)
        else:
            entry = f"{op.op} {op.path} {op.value!r}"[:200]
            dropped.append(DroppedOp(entry=entry, reason=fault))
    return tuple(kept), tuple(dropped)
