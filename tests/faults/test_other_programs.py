"""O1, O2: somebody saves before any rename of a step, alone and together with a kill or a refusal;
and what a sync program brings back of a commit."""

from __future__ import annotations

import random
import shutil
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.fsio import fault_points
from studio.project.commit.transaction import commit, roll_forward, stray_commit
from studio.project.lock.lock import ProjectLock
from studio.project.staging import staged_files
from studio.project.store import ProjectStore
from tests.faults import tally
from tests.faults.books import BESIDE_OTHERS, EDITED, Work, commit_plan, two_chapters
from tests.faults.invariants import assert_invariants, book, tree
from tests.faults.saver import SAVED, Saver
from tests.faults.tracing import CHANGES, traced, unavailable
from tests.forking import in_child
from tests.project.novels import CHINESE, ENGLISH, KOREAN, put, stage

pytestmark = pytest.mark.crash
traces = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "strace works here")
COMMITS = sorted(BESIDE_OTHERS.keys() - {"repair", "restore", "put_back"})
PAIRS = 200
"""Of a save and a kill or refusal, over all steps, in the full run."""


def renames_of(work: Work, folder: Path) -> int:
    """How many renames a step makes, counted in a process of its own."""
    work.copy(folder)
    count = folder.parent / "renames"

    def step() -> None:
        saver = Saver(folder / work.edited, 0, folder.parent / "mark")
        saver.install()
        work.step(folder)
        count.write_text(str(saver.renames))

    assert in_child(step) == 0
    return int(count.read_text())


def with_save(work: Work, folder: Path, before: int) -> Saver:
    """The novel anew, and who will save into it."""
    work.copy(folder)
    mark = folder.parent / "mark"
    mark.unlink(missing_ok=True)
    return Saver(folder / work.edited, before, mark)


def assert_nobody_lost_anything(work: Work, folder: Path, saver: Saver) -> None:
    """After the next start, and after the step was tried once more: nothing is lost, nothing is
    damaged, and the novel can be used."""
    texts = [*work.texts, *([SAVED.encode()] if saver.has_saved else [])]
    if saver.saved_over == EDITED.encode():  # an edit the studio had not seen: her own to replace
        texts.remove(saver.saved_over)
    work.start(folder)
    assert_invariants(folder, texts)
    with suppress(StudioError):  # it may ask about the edit
        work.step(folder)
    assert_invariants(folder, texts)


# fault: O2
@pytest.mark.sweep
@pytest.mark.parametrize("name", BESIDE_OTHERS)
def test_a_save_before_any_rename_is_not_lost(name: str, tmp_path: Path, no_syncing: None) -> None:
    work, left = BESIDE_OTHERS[name](tmp_path / "novel"), tmp_path / "left"
    many = renames_of(work, left)
    assert many > 1
    for number in tally.points(many, 5):
        saver = with_save(work, left, number)

        def step(saver: Saver = saver) -> None:
            saver.install()
            work.step(left)

        assert in_child(step) in (0, 1)
        assert saver.has_saved
        tally.fault("saves at the last moment")
        assert_nobody_lost_anything(work, left, saver)


def paired(work: Work, folder: Path, before: int, name: str, inject: str) -> None:
    """The step with a save and a fault in it."""
    saver = with_save(work, folder, before)

    def step() -> None:
        saver.install()
        work.step(folder)

    ended = traced(step, name, inject, lambda: with_save(work, folder, before))
    assert ended.code in (0, 1, -signal.SIGKILL), ended.said
    tally.fault("saves at the last moment, and a kill or a refusal")
    assert_nobody_lost_anything(work, folder, saver)


# fault: O2
@pytest.mark.sweep
@traces
@pytest.mark.parametrize("name", BESIDE_OTHERS)
def test_a_save_and_a_fault_lose_nothing_together(
    name: str, tmp_path: Path, no_syncing: None
) -> None:
    work, left = BESIDE_OTHERS[name](tmp_path / "novel"), tmp_path / "left"
    many = renames_of(work, left)
    work.copy(left)
    calls = traced(lambda: work.step(left), ",".join(CHANGES)).calls
    moments = [(call, n) for call in sorted(calls) for n in range(1, calls[call] + 1)]
    chance = random.Random(name)
    each = -(-PAIRS // len(BESIDE_OTHERS))
    for _ in range({"full": each, "ci": each // 2}.get(tally.PROFILE, 1)):
        before = chance.randint(1, many)
        call, number = chance.choice(moments)
        fault = chance.choice(["signal=KILL", "error=EIO", "error=ENOSPC"])
        paired(work, left, before, call, f"{fault}:when={number}")


# fault: O2
@pytest.mark.sweep
@traces
@pytest.mark.parametrize("name", COMMITS)
def test_a_refusal_of_any_call_loses_nothing(name: str, tmp_path: Path, no_syncing: None) -> None:
    """No save here: the sweep of kills has its own test, and this is the one of errors. What is
    no commit has its own of both (test_every_call)."""
    work, left = BESIDE_OTHERS[name](tmp_path / "novel"), tmp_path / "left"
    work.copy(left)
    calls = traced(lambda: work.step(left), ",".join(CHANGES)).calls
    moments = [(call, n) for call in sorted(calls) for n in range(1, calls[call] + 1)]
    for point in tally.points(len(moments), 1, variants=3):
        call, number = moments[point - 1]
        paired(work, left, 0, call, f"error=EIO:when={number}")


# fault: O2
@pytest.mark.sweep
@traces
@pytest.mark.parametrize("name", ["commit_again", "restore"])
def test_where_names_cannot_be_exchanged_files_are_compared_and_renamed(
    name: str, tmp_path: Path, no_syncing: None
) -> None:
    work, left = BESIDE_OTHERS[name](tmp_path / "novel"), tmp_path / "left"
    _, wanted = work.books(tmp_path / "done")
    work.copy(left)
    for refusal in ("ENOSYS", "EINVAL"):
        ended = traced(lambda: work.step(left), "renameat2", f"error={refusal}")
        assert ended.code == 0, ended.said
        assert ended.calls["renameat2"] > 0
        assert_invariants(left, work.texts)
        assert book(left) == wanted
        work.copy(left)


# fault: O1
def test_a_manifest_that_history_has_passed_is_set_aside(tmp_path: Path) -> None:
    """The changelog may have been lost; each file it would replace has a later version."""
    store = two_chapters(tmp_path / "novel")
    folder = store.layout.folder
    stage(store, 1, CHINESE)
    plan = commit_plan(folder)
    with ProjectLock(folder) as lock:
        commit(store.layout, plan, lock)
    stage(store, 1, ENGLISH)
    with ProjectLock(folder) as lock:
        commit(store.layout, commit_plan(folder), lock)
    put(folder, "state/changelog.jsonl", "")
    put(folder, "staging/commit/manifest.json", plan.model_dump_json())
    before = tree(folder / "chapters")
    assert stray_commit(store.layout) == plan.came_back
    with ProjectLock(folder):
        done = roll_forward(store.layout)
    assert done is not None
    assert done.returned
    assert tree(folder / "chapters") == before


# fault: O1
def test_staging_that_comes_back_whole_changes_nothing(tmp_path: Path) -> None:
    store = two_chapters(tmp_path / "novel")
    folder = store.layout.folder
    stage(store, 3, CHINESE)
    plan = commit_plan(folder)
    staged = shutil.copytree(folder / "staging", tmp_path / "elsewhere")
    with ProjectLock(folder) as lock:
        commit(store.layout, plan, lock)
    put(folder, "chapters/chapter-003.md", KOREAN)
    before = book(folder)
    shutil.copytree(staged, folder / "staging", dirs_exist_ok=True)
    put(folder, "staging/commit/manifest.json", plan.model_dump_json())
    with ProjectLock(folder):
        assert roll_forward(store.layout) is not None
    assert book(folder) == before
    assert staged_files(ProjectStore(folder).root) == []


# fault: O1
def test_chapters_put_back_long_ago_are_not_put_back_again(tmp_path: Path) -> None:
    work = BESIDE_OTHERS["put_back"](tmp_path / "novel")
    folder, copy = work.folder, tmp_path / "manifest.json"

    def cut() -> None:
        fault_points.arm("commit.after_manifest:kill")
        work.step(folder)

    assert in_child(cut) == -signal.SIGKILL
    shutil.copy(folder / "staging/commit/manifest.json", copy)
    work.start(folder)
    put(folder, "chapters/chapter-001.md", CHINESE)
    put(folder, "staging/commit/manifest.json", copy.read_text("utf-8"))
    work.start(folder)
    assert (folder / "chapters/chapter-001.md").read_text("utf-8") == CHINESE
    assert not (folder / "variations").exists()
