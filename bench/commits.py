"""One commit of eight files (P13), timed until it is durable, visible, and finished.

The reference puts the same eight files into the same folders as a careful program does with
unrelated files: each is written, fsynced and renamed, and then each folder is fsynced. It keeps no
old version, does not check for concurrent edits, and a kill leaves a mix of old and new files.
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
_REFERENCE = "8 files written, fsynced, renamed, folders fsynced"
_MOMENTS = {"durable": "commit.after_manifest", "visible": "commit.after_placements"}
_GOALS = {"durable": None, "visible": 3.0, "over": None}


def rows() -> list[Row]:
    """Returns three rows: the same commits at three moments."""
    with tempfile.TemporaryDirectory() as folder:
        novel, plain = Path(folder) / "novel", Path(folder) / "plain"
        create_novel(novel, "Bench", "en")
        times: dict[str, list[float]] = {name: [] for name in (*_MOMENTS, "over", "plain")}
        with ProjectLock(novel) as lock:
            for chapter in range(1, _ROUNDS + 1):
                plan = _plan(ProjectStore(novel), chapter)

                def committed(plan: CommitPlan = plan) -> dict[str, float]:
                    return _committed(novel, plan, lock)

                def saved(plan: CommitPlan = plan) -> dict[str, float]:
                    return {"plain": _saved(plain, plan)}

                for side in (committed, saved) if chapter % 2 else (saved, committed):
                    for name, seconds in side().items():
                        times[name].append(seconds)
    median = {name: statistics.median(values[1:]) for name, values in times.items()}
    return [
        Row(f"commit of 8 files: {name}", median[name], median["plain"], _REFERENCE, goal)
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
    """Records when each named point of a commit was passed."""
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


def _saved(place: Path, plan: CommitPlan) -> float:
    """Returns the seconds it takes to put the files of a plan in place
    durably, one after another."""
    files = [(place / p.dst, (p.content or "").encode()) for p in plan.placements]
    folders = sorted({path.parent for path, _ in files})
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    begun = time.perf_counter()
    for path, data in files:
        temporary = path.with_name(f".{path.name}~")
        with _opened(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as fd:
            os.write(fd, data)
            os.fsync(fd)
        temporary.rename(path)
    for folder in folders:
        with _opened(folder, os.O_RDONLY) as fd:
            os.fsync(fd)
    return time.perf_counter() - begun


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    fd = os.open(path, flags)
    try:
        yield fd
    finally:
        os.close(fd)
