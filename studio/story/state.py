"""What is true in the story so far, and the small operations that change it.

State is a tree of at most four levels under six top-level categories. It is
never edited: `apply` folds operations over it and returns a new tree that
shares what did not change, so that dropping the result is a rollback.
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


class Conflict(ValueError):
    """An op that keeps the path rules but contradicts what the state holds."""


def apply(tree: Tree, ops: Iterable[StateOp], chapter: int) -> tuple[Tree, tuple[DroppedOp, ...]]:
    """The tree after `ops`, and the ops that contradicted it.

    The given tree is not changed. Ops that contradict (inc on text, add to a
    scalar, a path through a scalar) change nothing and are reported.
    """
    conflicts: list[DroppedOp] = []
    for op in ops:
        try:
            tree = _apply_one(tree, op, chapter)
        except Conflict as conflict:
            entry = f"{op.op} {op.path} {op.value!r}"[:200]
            conflicts.append(DroppedOp(entry=entry, reason=str(conflict)))
    return tree, tuple(conflicts)


def _apply_one(tree: Tree, op: StateOp, chapter: int) -> Tree:
    if op.op == "foreshadow":
        return _foreshadow(tree, op, chapter)
    return _put(tree, op.path.split("."), op, op.path)


def _put(node: Any, parts: list[str], op: StateOp, path: str) -> dict[str, Any]:
    """A copy of `node` with `op` done at `parts`; siblings are shared, not copied."""
    if not isinstance(node, Mapping):
        raise Conflict(f"{path} runs through a value that has no parts")
    key, rest = parts[0], parts[1:]
    changed = dict(node)
    if rest:
        if op.op == "remove" and key not in node:
            raise Conflict(f"{path} is not in the state")
        changed[key] = _put(node.get(key, {}), rest, op, path)
        return changed
    if op.op == "remove":
        _remove(changed, key, op, path)
    else:
        changed[key] = _new_leaf(node.get(key), op, path, key in node)
    return changed


def _new_leaf(old: Any, op: StateOp, path: str, exists: bool) -> Any:
    if op.op == "set":
        if isinstance(old, Mapping):
            raise Conflict(f"{path} holds several values and cannot become one")
        return op.value
    if op.op == "inc":
        if exists and (isinstance(old, bool) or not isinstance(old, int | float)):
            raise Conflict(f"{path} is {old!r}, not a number")
        assert isinstance(op.value, int | float)
        return (old or 0) + op.value
    if exists and not isinstance(old, list):
        raise Conflict(f"{path} is not a list")
    items = list(old or [])
    return items if op.value in items else [*items, op.value]


def _remove(changed: dict[str, Any], key: str, op: StateOp, path: str) -> None:
    if key not in changed:
        raise Conflict(f"{path} is not in the state")
    if op.value is None:
        del changed[key]
        return
    old = changed[key]
    if not isinstance(old, list) or op.value not in old:
        raise Conflict(f"{path} does not hold {op.value!r}")
    changed[key] = [item for item in old if item != op.value]


def _foreshadow(tree: Tree, op: StateOp, chapter: int) -> Tree:
    active = dict(tree.get("active_foreshadowing", {}))
    if op.value == "resolve":
        if op.path not in active:
            raise Conflict(f"{op.path} was not planted")
        del active[op.path]
    elif op.value == "plant" and op.path in active:
        raise Conflict(f"{op.path} is planted already")
    else:
        known = active.get(op.path)
        known = dict(known) if isinstance(known, Mapping) else {}
        known.setdefault("planted", chapter)
        known["last"] = chapter
        active[op.path] = known
    return {**tree, "active_foreshadowing": active}


def fold(state: StoryState, delta: Delta) -> tuple[StoryState, tuple[DroppedOp, ...]]:
    """The state after one more chapter; ops that contradict it are left out and returned."""
    tree, conflicts = apply(state.tree, delta.ops, delta.chapter)
    after = StoryState.model_construct(
        schema_version=state.schema_version,
        state_version=state.state_version + 1,
        last_chapter=max(state.last_chapter, delta.chapter),
        **tree,
    )
    return after, conflicts
