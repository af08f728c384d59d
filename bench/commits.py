"""One commit of eight files (P13): until it is durable, until all is visible, until it is over.

The reference writes and fsyncs one file of the same bytes. Every file of a
commit is durable before it is put in place, so that a power cut shows the old
one or the new one and never zeros; that is what `visible` pays for.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.rounds import Row
from studio.fsio import sha256_hex
from studio.project import changelog
from studio.project import layout as places
from studio.project.commit import transaction
from studio.project.commit.transaction import CommitPlan, Placement
from studio.project.create import create_novel
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.story.form.document import to_bytes
from studio.story.state import Delta

_ROUNDS = 25
_SIZES = (6000,) * 7 + (144_000,)
_MOMENTS = {"durable": "commit.after_manifest", "visible": "commit.after_placements"}
_GOALS = {"durable": 1.3, "visible": 4.0, "over": None}


def rows() -> list[Row]:
    """Three rows: the same commits at three moments."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        create_novel(place / "novel", "Bench", "en")
        times: dict[str, list[float]] = {name: [] for name in (*_MOMENTS, "over", "one file")}
        with ProjectLock(place / "novel") as lock:
            for chapter in range(1, _ROUNDS + 1):
                plan = _plan(ProjectStore(place / "novel"), chapter)
                for name, seconds in _committed(place / "novel", plan, lock).items():
                    times[name].append(seconds)
                times["one file"].append(_one_file(place / f"one-{chapter}"))
    median = {name: statistics.median(values) for name, values in times.items()}
    return [
        Row(f"commit of 8 files: {name}", median[name], median["one file"], "one file", goal)
        for name, goal in _GOALS.items()
    ]


def _committed(novel: Path, plan: CommitPlan, lock: ProjectLock) -> dict[str, float]:
    with _noted() as moments:
        begun = time.perf_counter()
        transaction.commit(ProjectStore(novel).layout, plan, lock)
        ended = time.perf_counter()
    times = {name: moments[point] - begun for name, point in _MOMENTS.items()}
    return {**times, "over": ended - begun}


@contextmanager
def _noted() -> Iterator[dict[str, float]]:
    """When each named point of a commit was passed."""
    moments: dict[str, float] = {}
    real = vars(transaction)["point"]

    def point(name: str) -> None:
        moments[name] = time.perf_counter()

    vars(transaction)["point"] = point
    try:
        yield moments
    finally:
        vars(transaction)["point"] = real


def _plan(store: ProjectStore, chapter: int) -> CommitPlan:
    texts = [f"{n} {chapter} ".ljust(size, "x") for n, size in enumerate(_SIZES)]
    names = (
        *(store.layout.chapter(chapter), store.layout.summary(chapter)),
        *(store.layout.evaluation(chapter), store.layout.directives(chapter)),
        *(store.layout.crossref(chapter), store.layout.memory("main")),
        *(places.FORESHADOWING, places.STATE),
    )
    placements = tuple(
        Placement(
            dst=name,
            sha256=sha256_hex(text.encode()),
            expected=store.root.sha(name),
            content=text,
            to_history=name == store.layout.chapter(chapter),
        )
        for name, text in zip(names, texts, strict=True)
    )
    delta = Delta(chapter=chapter, storyline_id="main", source_sha256="0" * 64)
    entry = changelog.entry_of(store.changelog(), delta, f"c{chapter}", "2026-01-01", chapter)
    checkpoint = Checkpoint(last_completed_chapter=chapter, state_version=chapter)
    return CommitPlan(
        commit_id=f"c{chapter}",
        chapter=chapter,
        ts="2026-01-01T00:00:00Z",
        placements=placements,
        changelog_line=entry.line().decode(),
        checkpoint=to_bytes(checkpoint).decode(),
    )


def _one_file(path: Path) -> float:
    data = b"x" * sum(_SIZES)
    begun = time.perf_counter()
    fd = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        os.write(fd, data)
        os.fsync(fd)
    finally:
        os.close(fd)
    return time.perf_counter() - begun
