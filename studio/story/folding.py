"""Folding a chapter's operations over the story's state.

The state is never edited: `apply` gives a new tree that shares what did not
change, so that dropping the result is a rollback and an old state stays what
it was. A delta copies each part it touches once, however often it touches it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from studio.story.state import Delta, DroppedOp, StateOp, StoryState, Tree

PlainOp = tuple[str, str, Any]
"""(op, path, value) of a StateOp."""
_MISSING: Any = object()
_PROMISES = "active_foreshadowing"


class Conflict(ValueError):
    """An op that keeps the path rules but contradicts what the state holds."""


def apply(tree: Tree, ops: Iterable[StateOp], chapter: int) -> tuple[Tree, tuple[DroppedOp, ...]]:
    """The tree after `ops`, and the ops that contradicted it.

    The given tree is not changed. Ops that contradict (inc on text, add to a
    scalar, a path through a scalar) change nothing and are reported.
    """
    work, conflicts = _Work(tree), []
    for op in ops:
        try:
            work.do(op.op, op.path, op.value, chapter)
        except Conflict as conflict:
            entry = f"{op.op} {op.path} {op.value!r}"[:200]
            conflicts.append(DroppedOp(entry=entry, reason=str(conflict)))
    return work.tree, tuple(conflicts)


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


def accepted(tree: Tree, deltas: Iterable[Delta]) -> Iterator[Delta]:
    """Each delta with those of its ops alone that the state takes, folded one after the other."""
    work = _Work(tree)
    for delta in deltas:
        taken: list[StateOp] = []
        for op in delta.ops:
            with suppress(Conflict):
                work.do(op.op, op.path, op.value, delta.chapter)
                taken.append(op)
        yield delta.model_copy(update={"ops": tuple(taken)})


def fold_all(deltas: Iterable[tuple[int, Iterable[PlainOp]]]) -> StoryState:
    """The state after the ops of many chapters, in the order given, from nothing.

    The same as folding one delta after another; nobody keeps the states in
    between, so nothing is copied twice.
    """
    work, chapters, last = _Work(StoryState().tree), 0, 0
    for chapter, ops in deltas:
        chapters, last = chapters + 1, max(last, chapter)
        for kind, path, value in ops:
            with suppress(Conflict):
                work.do(kind, path, value, chapter)
    return StoryState.model_construct(state_version=chapters, last_chapter=last, **work.tree)


class _Work:
    """A tree while one delta changes it."""

    def __init__(self, tree: Tree) -> None:
        self.tree: dict[str, Any] = dict(tree)
        self._parts: dict[str, dict[str, Any]] = {}
        """By its path each part that is a copy of our own, and therefore every part above it."""

    def do(self, kind: str, path: str, value: Any, chapter: int) -> None:
        """One op; raises Conflict before any value is changed."""
        if kind == "foreshadow":
            self._foreshadow(path, value, chapter)
            return
        above, dot, leaf = path.rpartition(".")
        held = self._parts.get(above) if dot else self.tree
        if held is None:
            held = self._reach(above, path, kind)
        old = held.get(leaf, _MISSING)
        if kind != "remove":
            held[leaf] = _leaf(kind, old, value, path)
            return
        left = _without(old, value, path)
        if left is _MISSING:
            del held[leaf]
            if isinstance(old, dict):
                self._forget(path)
        else:
            held[leaf] = left

    def _reach(self, at: str, path: str, kind: str) -> dict[str, Any]:
        """The part at `at` as a copy of our own, with every part above it."""
        above, dot, key = at.rpartition(".")
        held = self._parts.get(above) if dot else self.tree
        if held is None:
            held = self._reach(above, path, kind)
        part = held.get(key, _MISSING)
        if part is _MISSING:
            if kind == "remove":
                raise Conflict(f"{path} is not in the state")
            part = {}
        elif not isinstance(part, dict):
            raise Conflict(f"{path} runs through a value that has no parts")
        held[key] = self._parts[at] = own = part.copy()
        return own

    def _forget(self, path: str) -> None:
        """What was at a path is gone, with all its parts."""
        for gone in [at for at in self._parts if at == path or at.startswith(f"{path}.")]:
            del self._parts[gone]

    def _foreshadow(self, promise: str, what: Any, chapter: int) -> None:
        held = self._parts.get(_PROMISES)
        if held is None:
            held = self._reach(_PROMISES, promise, "foreshadow")
        known = held.get(promise, _MISSING)
        if what == "resolve":
            if known is _MISSING:
                raise Conflict(f"{promise} was not planted")
            del held[promise]
            self._forget(f"{_PROMISES}.{promise}")
            return
        if what == "plant" and known is not _MISSING:
            raise Conflict(f"{promise} is planted already")
        known = known if isinstance(known, dict) else {}
        held[promise] = {"planted": chapter, **known, "last": chapter}
        self._parts.pop(f"{_PROMISES}.{promise}", None)


def _leaf(kind: str, old: Any, value: Any, path: str) -> Any:
    if kind == "set":
        if isinstance(old, dict):
            raise Conflict(f"{path} holds several values and cannot become one")
        return value
    if kind == "inc":
        if old is not _MISSING and (isinstance(old, bool) or not isinstance(old, int | float)):
            raise Conflict(f"{path} is {old!r}, not a number")
        return (0 if old is _MISSING else old) + value
    if old is not _MISSING and not isinstance(old, list):
        raise Conflict(f"{path} is not a list")
    items = [] if old is _MISSING else old
    return items if value in items else [*items, value]


def _without(old: Any, value: Any, path: str) -> Any:
    """What is left at a path after `remove`: nothing at all, or a list without a value."""
    if old is _MISSING:
        raise Conflict(f"{path} is not in the state")
    if value is None:
        return _MISSING
    if not isinstance(old, list) or value not in old:
        raise Conflict(f"{path} does not hold {value!r}")
    return [item for item in old if item != value]
