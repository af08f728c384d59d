"""The story's state (P11, P12): merging deltas, and reading the changelog that provides them."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import orjson

from bench.rounds import Row, compare
from studio.project import changelog
from studio.project.changelog import ChangelogEntry
from studio.story.state import StateOp, StoryState, Tree, apply

_ENTITIES = 600
_DELTAS = 1000
_OPS = 30
_ENTRIES = 300_000
_TAIL = 1000
_SHA = "0" * 64


def rows() -> list[Row]:
    """Returns P11 (merging against unsafe, bare and copying variants) and P12 (replay
    against decoding and opening)."""
    return [*_merging(), *_replaying()]


def _merging() -> list[Row]:
    chance = random.Random(11)
    tree = _tree(chance)
    deltas = [[_op(chance) for _ in range(_OPS)] for _ in range(_DELTAS)]
    few = deltas[:20]
    return [
        compare("merge 1000 deltas", partial(_merge, tree, deltas), *way, goal=goal, rounds=5)
        for way, goal in (
            (("changing one tree in place", partial(_in_place, tree, deltas)), 3.0),
            (("walking the ops", partial(_walk, deltas)), 15.0),
        )
    ] + [
        compare(
            "deepcopy before each of 20 deltas",
            partial(_deepcopied, tree, few),
            "merging 20 deltas",
            partial(_merge, tree, few),
            rounds=5,
        )
    ]


def _replaying() -> list[Row]:
    data = _log()
    lines = data.splitlines()
    snapshot = orjson.dumps(_folded(data[: _cut(data)]).model_dump(mode="json"))
    tail = data[_cut(data) :]

    def opened() -> None:
        state = StoryState.model_validate(orjson.loads(snapshot))
        for entry in changelog.read(tail).entries:
            state = changelog.advance(state, (), entry)

    replay: Callable[[], object] = partial(_folded, data)
    return [
        compare(
            f"replay of {_ENTRIES:,} entries",
            replay,
            "decoding the same lines, all kept",
            lambda: [orjson.loads(line) for line in lines],
            goal=2.0,
            rounds=3,
        ),
        compare(
            f"replay of {_ENTRIES:,} entries",
            replay,
            "decoding them, none kept",
            lambda: [None for line in lines if orjson.loads(line) is None],
            rounds=3,
        ),
        compare(
            "opening: snapshot and last 1000", opened, "full replay", replay, goal=0.02, rounds=3
        ),
    ]


def _folded(data: bytes) -> StoryState:
    return changelog.replay(changelog.read(data).entries)


def _cut(data: bytes) -> int:
    """Returns the offset of the last thousand lines."""
    at = len(data)
    for _ in range(_TAIL + 1):
        at = data.rfind(b"\n", 0, at)
    return at + 1


def _log() -> bytes:
    chance = random.Random(12)
    out = []
    for seq in range(1, _ENTRIES + 1):
        op = {"op": "set", "path": f"characters.c{chance.randrange(_ENTITIES)}.place", "value": seq}
        entry = ChangelogEntry(
            seq, f"c{seq}", seq, "main", "2026-01-01T00:00:00Z", seq, _SHA, (op,)
        )
        out.append(entry.line())
    return b"".join(out)


def _tree(chance: random.Random) -> dict[str, Any]:
    people = {
        f"c{n}": {"place": f"room-{n}", "mood": "calm", "age": chance.randrange(80), "holds": []}
        for n in range(_ENTITIES)
    }
    return {**StoryState().tree, "characters": people}


def _op(chance: random.Random) -> StateOp:
    who = f"characters.c{chance.randrange(_ENTITIES)}"
    kind = chance.randrange(3)
    if kind == 0:
        return StateOp(op="set", path=f"{who}.place", value=f"room-{chance.randrange(99)}")
    if kind == 1:
        return StateOp(op="inc", path=f"{who}.age", value=1)
    return StateOp(op="add", path=f"{who}.holds", value=f"thing-{chance.randrange(9)}")


def _merge(tree: Tree, deltas: list[list[StateOp]]) -> Tree:
    for ops in deltas:
        tree, _ = apply(tree, ops, 1)
    return tree


def _walk(deltas: list[list[StateOp]]) -> int:
    seen = 0
    for ops in deltas:
        for op in ops:
            seen += len(op.path.split("."))
    return seen


def _in_place(tree: dict[str, Any], deltas: list[list[StateOp]]) -> None:
    """Applies deltas in place, without checks or rollback, to a copy that each round makes."""
    tree = {**tree, "characters": {k: dict(v) for k, v in tree["characters"].items()}}
    for ops in deltas:
        for op in ops:
            *above, leaf = op.path.split(".")
            node = tree
            for key in above:
                node = node[key]
            if op.op == "set":
                node[leaf] = op.value
            elif op.op == "inc":
                node[leaf] += op.value
            elif op.value not in node[leaf]:
                node[leaf] = [*node[leaf], op.value]


def _deepcopied(tree: dict[str, Any], deltas: list[list[StateOp]]) -> None:
    for ops in deltas:
        tree = copy.deepcopy(tree)
        _in_place(tree, [ops])
