"""A simulated disk: what a power cut may leave of a run (after ALICE).

`recorded` runs a step in a process of its own and notes each change of a file
as the kernel was asked for it. `crash_states` then makes trees that a file
system may hold when the power fails: whatever was synced is there; of the rest
any part may be missing, names in any order that leaves each name's own history
intact, bytes as none, some, or zeros.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from studio.fsio import replacement

Kind = Literal[
    "create",
    "mkdir",
    "rename",
    "exchange",
    "unlink",
    "rmdir",
    "write",
    "cut",
    "sync",
    "known",
]
NAMES = ("create", "mkdir", "rename", "exchange", "unlink", "rmdir")
MOVES = ("rename", "exchange")
FRESH = 1 << 60
EXCHANGE = 2
"""The flag of renameat2."""


class Op(NamedTuple):
    """One change. `at` is the folder's id (or the file's for write, cut and sync)."""

    kind: Kind
    at: int
    name: str = ""
    node: int = 0
    to: int = 0
    to_name: str = ""
    data: bytes = b""
    size: int = 0


@dataclass
class Tree:
    """Folders and files by id."""

    root: int
    folders: dict[int, dict[str, int]] = field(default_factory=dict)
    files: dict[int, bytes] = field(default_factory=dict)

    def paths(self, at: int | None = None, above: str = "") -> Iterator[tuple[str, bytes | None]]:
        """Every path with its bytes, folders with None."""
        for name, node in sorted(self.folders[self.root if at is None else at].items()):
            path = f"{above}{name}"
            if node in self.folders:
                yield path, None
                yield from self.paths(node, f"{path}/")
            else:
                yield path, self.files[node]

    def signature(self) -> str:
        """What tells two trees apart."""
        digest = hashlib.sha256()
        for path, data in self.paths():
            digest.update(f"{path}\0".encode())
            digest.update(b"folder" if data is None else hashlib.sha256(data).digest())
        return digest.hexdigest()

    def put(self, folder: Path) -> None:
        """Lays the tree out on a real disk."""
        folder.mkdir(parents=True)
        for path, data in self.paths():
            if data is None:
                (folder / path).mkdir()
            else:
                (folder / path).write_bytes(data)


# Recording


class _Recorder:
    """Stands before the functions of `os` that change files below one folder."""

    def __init__(self, root: Path, log: Path) -> None:
        self._root = root
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._real: dict[str, Callable[..., Any]] = {
            name: getattr(os, name)
            for name in (
                "open",
                "write",
                "fsync",
                "rename",
                "unlink",
                "rmdir",
                "mkdir",
                "ftruncate",
            )
        }
        self._ids: dict[int, int] = {}
        """Inode to id where they differ: the kernel gives the inode of a removed file to the next.
        What was there before the first recording has its inode for an id."""
        self._next = FRESH
        for op in operations(log):
            if op.kind == "known":
                self._ids[op.size] = op.node
                self._next = op.node + 1

    def _id(self, ino: int) -> int:
        return self._ids.get(ino, ino)

    def _fresh(self, ino: int) -> int:
        self._ids[ino], self._next = self._next, self._next + 1
        self._say(Op("known", 0, node=self._ids[ino], size=ino))
        return self._ids[ino]

    def _say(self, op: Op) -> None:
        self._real["write"](self._log, pickle.dumps(op))

    def _folder(self, dir_fd: int | None, path: Any) -> tuple[int, str] | None:
        """Id of the folder a name is in, and the name; None outside of the root."""
        where = Path(os.readlink(f"/proc/self/fd/{dir_fd}")) if dir_fd is not None else Path("/")
        whole = where / os.fspath(path)
        if not whole.is_relative_to(self._root) or whole == self._root:
            return None
        return self._id(whole.parent.stat().st_ino), whole.name

    def install(self) -> None:
        """From now on every change is noted; for the life of this process."""
        for name in self._real:
            setattr(os, name, getattr(self, f"_{name}"))
        real = replacement.rename_call()
        assert real is not None
        replacement.rename_call = lambda: partial(self._renameat2, real)  # type: ignore[assignment]

    def _open(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        before = None
        if flags & os.O_CREAT:
            place = self._folder(dir_fd, path)
            before = place if place and not self._there(path, dir_fd) else None
        fd: int = self._real["open"](path, flags, mode, dir_fd=dir_fd)
        if before is not None:
            node = self._fresh(os.fstat(fd).st_ino)
            self._say(Op("create", before[0], before[1], node))
        return fd

    def _there(self, path: Any, dir_fd: int | None) -> bool:
        try:
            os.stat(path, dir_fd=dir_fd, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    def _write(self, fd: int, data: Any) -> int:
        size = os.fstat(fd).st_size
        done: int = self._real["write"](fd, data)
        self._say(Op("write", self._id(os.fstat(fd).st_ino), data=bytes(data)[:done], size=size))
        return done

    def _fsync(self, fd: int) -> None:
        self._say(Op("sync", self._id(os.fstat(fd).st_ino)))

    def _ftruncate(self, fd: int, size: int) -> None:
        self._real["ftruncate"](fd, size)
        self._say(Op("cut", self._id(os.fstat(fd).st_ino), size=size))

    def _rename(
        self, src: Any, dst: Any, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None
    ) -> None:
        old, new = self._folder(src_dir_fd, src), self._folder(dst_dir_fd, dst)
        self._real["rename"](src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
        if old is not None and new is not None:
            self._say(Op("rename", old[0], old[1], to=new[0], to_name=new[1]))

    def _renameat2(
        self,
        real: replacement.Rename,
        source_at: int,
        source: bytes,
        target_at: int,
        target: bytes,
        flag: int,
    ) -> int:
        old = self._folder(source_at, os.fsdecode(source))
        new = self._folder(target_at, os.fsdecode(target))
        failed = real(source_at, source, target_at, target, flag)
        if not failed and old is not None and new is not None:
            kind: Kind = "exchange" if flag == EXCHANGE else "rename"
            self._say(Op(kind, old[0], old[1], to=new[0], to_name=new[1]))
        return failed

    def _unlink(self, path: Any, *, dir_fd: int | None = None) -> None:
        place = self._folder(dir_fd, path)
        self._real["unlink"](path, dir_fd=dir_fd)
        if place is not None:
            self._say(Op("unlink", *place))

    def _rmdir(self, path: Any, *, dir_fd: int | None = None) -> None:
        place = self._folder(dir_fd, path)
        self._real["rmdir"](path, dir_fd=dir_fd)
        if place is not None:
            self._say(Op("rmdir", *place))

    def _mkdir(self, path: Any, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        place = self._folder(dir_fd, path)
        self._real["mkdir"](path, mode, dir_fd=dir_fd)
        if place is not None:
            ino = os.stat(path, dir_fd=dir_fd).st_ino
            self._say(Op("mkdir", *place, node=self._fresh(ino)))


def record(folder: Path, log: Path) -> None:
    """Notes in `log` what this process does to `folder` from now on; a second process goes on."""
    _Recorder(folder.resolve(), log).install()


def operations(log: Path) -> list[Op]:
    """What was noted."""
    ops = []
    if log.exists():
        with log.open("rb") as stream:
            while stream.peek(1):
                ops.append(pickle.load(stream))
    return ops


# What may be left


class PowerCut:
    """The trees that may be left of a novel and the operations on it."""

    def __init__(self, start: Tree, log: Path) -> None:
        self._start = start
        self.ops = [op for op in operations(log) if op.kind != "known"]
        self._durable = lru_cache(maxsize=None)(self._made_sure)

    def states(self, many: int, seed: int = 1) -> Iterator[Tree]:
        """Different trees, at most `many`: at every moment the extremes, then whatever chance
        picks."""
        chance = random.Random(seed)
        moments = list(range(len(self.ops) + 1))
        seen: set[str] = set()
        for tree in self._candidates(moments, chance, many):
            mark = tree.signature()
            if mark not in seen:
                seen.add(mark)
                yield tree
            if len(seen) >= many:
                return

    def _candidates(
        self, moments: Sequence[int], chance: random.Random, many: int
    ) -> Iterator[Tree]:
        shuffled = chance.sample(moments, len(moments))
        for end in shuffled:
            yield self.left(end, lambda n: False, lambda n: "none")
            yield self.left(end, lambda n: True, lambda n: "none")
            yield self.left(end, lambda n: True, lambda n: "zeros")
        for end in shuffled:
            for one in self.waiting(end):
                yield self.left(end, lambda n, one=one: n != one, lambda n: "all")  # type: ignore[misc]
                yield self.left(end, lambda n, one=one: n == one, lambda n: "all")  # type: ignore[misc]
        for _ in range(4 * many):
            rate, end = chance.random(), chance.choice(moments)
            keep = {n: chance.random() < rate for n in range(end)}
            ways = {n: chance.choice(("none", "some", "zeros", "all")) for n in range(end)}
            yield self.left(end, keep.__getitem__, ways.__getitem__)

    def waiting(self, end: int) -> list[int]:
        """Numbers of the changes of names before `end` that are not synced yet."""
        durable = self._durable(end)
        return [n for n in range(end) if self.ops[n].kind in NAMES and n not in durable]

    def left(self, end: int, keep: Callable[[int], bool], way: Callable[[int], str]) -> Tree:
        """The tree after the first `end` operations, of which the unsynced ones are kept as told:
        names by `keep`, bytes by `way` (none, some, zeros, all)."""
        durable = self._durable(end)
        tree = Tree(
            self._start.root,
            {node: dict(names) for node, names in self._start.folders.items()},
            dict(self._start.files),
        )
        lost: set[tuple[int, str]] = set()
        for number, op in enumerate(self.ops[:end]):
            if op.kind in NAMES:
                touched = _touched(op)
                if number in durable or (keep(number) and not lost & touched):
                    _rename_in(tree, op)
                else:
                    lost |= touched
                    tree.folders.update({op.node: {}} if op.kind == "mkdir" else {})
                    tree.files.update({op.node: b""} if op.kind == "create" else {})
            elif op.kind in ("write", "cut"):
                _write_in(tree, op, "all" if number in durable else way(number))
        return tree

    def _made_sure(self, end: int) -> set[int]:
        """Numbers of the operations before `end` that a sync has made sure of, with all that
        each builds on."""
        numbers: set[int] = set()
        synced: set[int] = set()
        names: set[tuple[int, str]] = set()
        for number in range(end - 1, -1, -1):
            op = self.ops[number]
            if op.kind == "sync":
                synced.add(op.at)
            elif op.kind in ("write", "cut"):
                numbers |= {number} if op.at in synced else set()
            elif {op.at, op.to if op.kind in MOVES else op.at} & synced or _touched(op) & names:
                numbers.add(number)
                names |= _touched(op)
        return numbers


def _touched(op: Op) -> set[tuple[int, str]]:
    places = {(op.at, op.name)}
    return places | {(op.to, op.to_name)} if op.kind in MOVES else places


def _rename_in(tree: Tree, op: Op) -> None:
    folder = tree.folders[op.at]
    if op.kind == "rename":
        tree.folders[op.to][op.to_name] = folder.pop(op.name)
    elif op.kind == "exchange":
        other = tree.folders[op.to]
        folder[op.name], other[op.to_name] = other[op.to_name], folder[op.name]
    elif op.kind in ("unlink", "rmdir"):
        del folder[op.name]
    elif op.kind == "mkdir":
        folder[op.name] = op.node
        tree.folders[op.node] = {}
    else:
        folder[op.name] = op.node
        tree.files[op.node] = b""


def _write_in(tree: Tree, op: Op, way: str) -> None:
    old = tree.files.get(op.at, b"")
    if op.kind == "cut":
        tree.files[op.at] = old if way == "none" else old[: op.size]
        return
    part = {
        "all": op.data,
        "none": b"",
        "some": op.data[: len(op.data) // 2],
        "zeros": bytes(len(op.data)),
    }[way]
    if part:
        tree.files[op.at] = old[: op.size].ljust(op.size, b"\0") + part


def scanned(folder: Path) -> Tree:
    """The tree as it is on the disk, all of it durable: taken before anything is recorded."""
    tree = Tree(folder.stat().st_ino, {folder.stat().st_ino: {}})
    for path in sorted(folder.rglob("*")):
        node = path.stat().st_ino
        tree.folders[path.parent.stat().st_ino][path.name] = node
        if path.is_dir():
            tree.folders[node] = {}
        else:
            tree.files[node] = path.read_bytes()
    return tree
