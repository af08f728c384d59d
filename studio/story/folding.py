"""Folding a chapter's operations over the story's state.

The state is never edited: `apply` gives a new tree that shares what did not
change, so that dropping the result is a rollback and an old state stays what
it was. A delta copies each part it touches once, however often it touches it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from studio.story.state import Delta, DroppedOp, StateOp, StoryState, Tree

PlainOp = tuple[str, str, Any]
"""(op, path, value) of a StateOp."""
_MISSING: Any = object()


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
        self._own: dict[int, dict[str, Any]] = {id(self.tree): self.tree}
        """Parts that are copies already, by identity; held, so that no identity comes back."""

    def do(self, kind: str, path: str, value: Any, chapter: int) -> None:
        """One op; raises Conflict before anything is changed."""
        if kind == "foreshadow":
            self._foreshadow(path, value, chapter)
            return
        *above, leaf = path.split(".")
        node = self._look(above, path, kind)
        old = node.get(leaf, _MISSING)
        if kind == "remove":
            left = _without(old, value, path)
            held = self._reach(above)
            if left is _MISSING:
                del held[leaf]
            else:
                held[leaf] = left
        else:
            new = _leaf(kind, old, value, path)
            self._reach(above)[leaf] = new

    def _look(self, above: list[str], path: str, kind: str) -> Mapping[str, Any]:
        node: Any = self.tree
        for key in above:
            node = node.get(key, _MISSING)
            if node is _MISSING:
                if kind == "remove":
                    raise Conflict(f"{path} is not in the state")
                return {}
            if type(node) is not dict and not isinstance(node, Mapping):
                raise Conflict(f"{path} runs through a value that has no parts")
        found: Mapping[str, Any] = node
        return found

    def _reach(self, above: list[str]) -> dict[str, Any]:
        """The part that holds the leaf, as a copy of our own, and every part above it."""
        held = self.tree
        for key in above:
            node = held.get(key)
            if id(node) not in self._own:
                node = dict(node) if node is not None else {}
                self._own[id(node)] = node
                held[key] = node
            held = self._own[id(node)]
        return held

    def _foreshadow(self, promise: str, what: Any, chapter: int) -> None:
        active: Mapping[str, Any] = self.tree.get("active_foreshadowing", {})
        if what == "resolve" and promise not in active:
            raise Conflict(f"{promise} was not planted")
        if what == "plant" and promise in active:
            raise Conflict(f"{promise} is planted already")
        held = self._reach(["active_foreshadowing"])
        if what == "resolve":
            del held[promise]
            return
        known = held.get(promise)
        known = dict(known) if isinstance(known, Mapping) else {}
        known.setdefault("planted", chapter)
        known["last"] = chapter
        held[promise] = known


def _leaf(kind: str, old: Any, value: Any, path: str) -> Any:
    if kind == "set":
        if isinstance(old, Mapping):
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
