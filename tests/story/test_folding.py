"""Folding ops: like a plain copy of everything for each op, only without the copying."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from studio.story.state import CATEGORIES, Conflict, DroppedOp, StateOp, StoryState, apply, fold_all

IDS = st.sampled_from(["mara", "joss", "lamp", "key"])
VALUES = st.sampled_from(["wet", "dry", 1, 2.5, True, None])
PATHS = st.builds(
    lambda head, rest: ".".join([head, *rest]),
    st.sampled_from(CATEGORIES),
    st.lists(IDS, min_size=1, max_size=3),
)
OPS = st.one_of(
    st.builds(StateOp, op=st.sampled_from(["set", "add", "remove"]), path=PATHS, value=VALUES),
    st.builds(StateOp, op=st.just("inc"), path=PATHS, value=st.sampled_from([1, -2, 0.5])),
    st.builds(
        StateOp,
        op=st.just("foreshadow"),
        path=IDS,
        value=st.sampled_from(["plant", "advance", "resolve"]),
    ),
)


def plainly(tree: dict[str, Any], op: StateOp, chapter: int) -> dict[str, Any]:
    """One op on a deep copy of the whole tree."""
    tree = copy.deepcopy(tree)
    if op.op == "foreshadow":
        plainly_foreshadow(tree["active_foreshadowing"], op, chapter)
        return tree
    *above, leaf = op.path.split(".")
    node: Any = tree
    for key in above:
        if not isinstance(node, dict) or (key not in node and op.op == "remove"):
            raise Conflict
        node = node.setdefault(key, {})
    if not isinstance(node, dict):
        raise Conflict
    plainly_put(node, leaf, op)
    return tree


def plainly_put(node: dict[str, Any], leaf: str, op: StateOp) -> None:
    if op.op == "remove":
        plainly_remove(node, leaf, op.value)
    elif op.op == "set":
        if isinstance(node.get(leaf), dict):
            raise Conflict
        node[leaf] = op.value
    elif op.op == "inc":
        old = node.get(leaf, 0)
        if isinstance(old, bool) or not isinstance(old, int | float):
            raise Conflict
        assert isinstance(op.value, int | float)
        node[leaf] = old + op.value
    else:
        held = node.setdefault(leaf, [])
        if not isinstance(held, list):
            raise Conflict
        if op.value not in held:
            held.append(op.value)


def plainly_remove(node: dict[str, Any], leaf: str, value: Any) -> None:
    if leaf not in node:
        raise Conflict
    if value is None:
        del node[leaf]
        return
    if not isinstance(node[leaf], list) or value not in node[leaf]:
        raise Conflict
    node[leaf] = [item for item in node[leaf] if item != value]


def plainly_foreshadow(active: dict[str, Any], op: StateOp, chapter: int) -> None:
    if op.value == "resolve":
        if op.path not in active:
            raise Conflict
        del active[op.path]
        return
    if op.value == "plant" and op.path in active:
        raise Conflict
    known = active.setdefault(op.path, {})
    if not isinstance(known, dict):
        active[op.path] = known = {}
    known.setdefault("planted", chapter)
    known["last"] = chapter


# req: E6
@given(st.lists(st.lists(OPS, max_size=8), max_size=5))
def test_deltas_fold_as_if_everything_were_copied(deltas: list[list[StateOp]]) -> None:
    expected = copy.deepcopy(StoryState().tree)
    tree: Any = StoryState().tree
    for chapter, ops in enumerate(deltas, 1):
        before, dropped = copy.deepcopy(tree), []
        for op in ops:
            try:
                expected = plainly(expected, op, chapter)
            except Conflict:
                dropped.append(f"{op.op} {op.path} {op.value!r}")
        after, conflicts = apply(tree, ops, chapter)
        assert tree == before, "the old state stays what it was"
        assert [conflict.entry for conflict in conflicts] == dropped
        assert after == expected
        assert all(isinstance(conflict, DroppedOp) for conflict in conflicts)
        tree = after
    plain = [(n, [(op.op, op.path, op.value) for op in ops]) for n, ops in enumerate(deltas, 1)]
    at_once = fold_all(plain)
    assert at_once.tree == tree
    assert (at_once.state_version, at_once.last_chapter) == (len(deltas), len(deltas))
