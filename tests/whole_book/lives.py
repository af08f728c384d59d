"""A book led to its end by somebody's hand, killed on the way, and what is compared of it."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.cli.command import studio
from tests.whole_book.writer import Move, Writer

COMPARED = ("chapters/", "summaries/", "state/current-state.json", "foreshadowing/", "volumes/")
LONGEST = 600
"""Moves after which a book that does not end is a fault."""


class Hand(Protocol):
    """Who carries moves out."""

    def does(self, move: Move, fault: str = "") -> bool:
        """Whether it was done; False where it was killed on the way."""


@dataclass
class Life:
    """One book."""

    writer: Writer
    hand: Hand
    environ: Mapping[str, str]
    kills: int = 0
    seed: int = 7
    often: float = 0.35
    """How likely a move is one to be killed, while kills are left."""
    deepest: int = 60
    """The change of a file, counted within one move, at which a kill comes at the latest."""
    killed: int = field(default=0, init=False)
    moves: list[Move] = field(default_factory=list, init=False)

    def live(self) -> None:
        """From nothing to the last volume; AssertionError where it does not come to an end."""
        chance = random.Random(self.seed)
        while (move := self.writer.next()) is not None:
            self.moves.append(move)
            assert len(self.moves) < LONGEST, f"no end: {move}"
            fault = ""
            if self.killed < self.kills and chance.random() < self.often:
                fault = f"fsio.any:kill:{chance.randint(1, self.deepest)}"
            self.killed += not self.hand.does(move, fault)

    def files(self) -> dict[str, str]:
        """What has to be the same whatever was killed and whoever led it, by sha256."""
        folder = self.writer.folder
        paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
        names = {path.relative_to(folder).as_posix(): path for path in paths}
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in names.items()
            if name.startswith(COMPARED)
        }

    def faults(self) -> list[str]:
        """What is wrong with the book at its end, a sentence each."""
        writer, now = self.writer, self.writer.checkpoint
        last = writer.volumes * writer.chapters
        wanted = list(range(5, last + 1, 5)), list(range(10, last + 1, 10))
        faults = []
        if (now.get("briefed", []), now.get("checked", [])) != wanted:
            faults.append(f"briefs {now.get('briefed')}, checks {now.get('checked')}: {wanted}")
        pages = [row["path"] for row in self._history() if row["path"].endswith("review.md")]
        if sorted(pages) != [
            f"volumes/vol-{v:02d}/review.md" for v in range(1, writer.volumes + 1)
        ]:
            faults.append(f"reviews: {pages}")
        if now["state_gap"]:
            faults.append(f"gaps: {now['state_gap']}")
        faults += [f"verify: {row['message']}" for row in self._asked("verify")["findings"]]
        rows = self._asked("continuity", "--all")["findings"]
        return faults + [f"continuity: {row['message']}" for row in rows]

    def _history(self) -> list[dict[str, Any]]:
        log = self.writer.folder / "history/log.jsonl"
        return [json.loads(row) for row in log.read_text("utf-8").splitlines()]

    def _asked(self, *words: str) -> dict[str, Any]:
        ended = studio(*words, "--json", cwd=self.writer.folder, environ=self.environ)
        assert ended.code == 0, ended.err
        value: dict[str, Any] = ended.json
        return value


def differences(one: Mapping[str, str], two: Mapping[str, str]) -> list[str]:
    """Files that are not the same in both."""
    return sorted(name for name in {*one, *two} if one.get(name) != two.get(name))
