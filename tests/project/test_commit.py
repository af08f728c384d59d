"""The manifest commit: all or nothing, killed anywhere, and the writer's edits respected."""

from __future__ import annotations

import re
import shutil
import signal
from pathlib import Path

import pytest

from studio import project
from studio.errors import Exit, StudioError
from studio.fsio import sha256_hex
from studio.project import changelog
from studio.project.commit.plan import plan_commit
from studio.project.commit.transaction import (
    HandEdit,
    Placement,
    commit,
    roll_forward,
)
from studio.project.lock.lock import ProjectLock
from studio.project.staging import staged_files
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint, PipelineStage
from studio.story.form.document import to_bytes
from studio.story.state import StateOp
from tests.project.novels import (
    CHINESE,
    ENGLISH,
    KOREAN,
    commit_in_child,
    commit_now,
    half_done,
    make_novel,
    put,
    stage,
    tree,
)


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    return make_novel(tmp_path / "novel")


# req: B7
# req: E4
# req: E6
def test_a_commit_brings_everything_of_the_chapter_into_the_book(store: ProjectStore) -> None:
    plant = StateOp(op="foreshadow", path="drowned_bell", value="plant")
    commit_now(
        store, 1, KOREAN, StateOp(op="set", path="characters.mara.mood", value="wary"), plant
    )
    folder = store.layout.folder
    assert (folder / "chapters/chapter-001.md").read_text() == KOREAN
    assert store.summary(1) == "What happens in chapter 1.\n"
    assert store.memory("main") == "Main line up to chapter 1.\n"
    for part in (store.evaluation(1), store.directives(1), store.crossref(1)):
        assert part is not None
        assert part.source_sha256 == sha256_hex(KOREAN.encode())
    assert store.state().characters == {"mara": {"mood": "wary"}}
    assert store.state().active_foreshadowing == {"drowned_bell": {"planted": 1, "last": 1}}
    assert [(p.id, p.status, p.planted) for p in store.foreshadowing().promises] == [
        ("drowned_bell", "planted", 1)
    ]
    entry = store.changelog().newest(1)
    assert entry is not None
    assert (entry.seq, entry.state_version, entry.source_sha256) == (
        1, 1, sha256_hex(KOREAN.encode()),
    )  # fmt: skip
    done = store.checkpoint()
    assert done.pipeline_stage is PipelineStage.COMMITTED
    assert (done.last_completed_chapter, done.inflight_chapter, done.state_version) == (1, None, 1)
    assert not (folder / "staging").exists() or staged_files(store.root) == []
    assert not (folder / ".novel.lock").exists()


# req: B2
def test_staging_changes_nothing_in_the_book(store: ProjectStore) -> None:
    before = tree(store.layout.folder)
    stage(store, 1, ENGLISH)
    outside = {
        name
        for name in tree(store.layout.folder).keys() - before.keys()
        if not name.startswith("staging")
    }
    assert {name.split("/")[0] for name in outside} == {".checkpoint.json", "history"}


# req: B2
@pytest.mark.parametrize(
    "dst", ["studio.toml", "plugins/x.py", "../x.md", "agents/x.md", "staging/x"]
)
def test_a_commit_writes_only_the_folders_of_the_book(dst: str) -> None:
    with pytest.raises(ValueError, match="a commit puts nothing at"):
        Placement(dst=dst, sha256="0" * 64, expected=None, content="x")
    with pytest.raises(ValueError, match="a commit takes nothing from"):
        Placement(dst="chapters/chapter-001.md", sha256="0" * 64, expected=None, src=dst[3:])


# req: B3
def test_staged_files_have_the_canonical_names(store: ProjectStore) -> None:
    stage(store, 7, ENGLISH)
    assert staged_files(store.root) == [
        "staging/chapters/chapter-007.md",
        "staging/evaluations/chapter-007-directives.json",
        "staging/evaluations/chapter-007-eval.json",
        "staging/scenes/chapter-007/scene-01.md",
        "staging/state/chapter-007-crossref.json",
        "staging/state/chapter-007-delta.json",
        "staging/storylines/main/memory.md",
        "staging/summaries/chapter-007-summary.md",
    ]


def test_committing_again_replaces_the_delta_and_keeps_the_old_text(store: ProjectStore) -> None:
    commit_now(store, 1, KOREAN)
    commit_now(store, 2, ENGLISH)
    commit_now(store, 1, CHINESE)
    assert store.state().characters["mara"]["steps"] == 2
    assert store.state() == changelog.replay(store.changelog().entries)
    assert store.state().state_version == 2
    assert [e.chapter for e in store.changelog().entries] == [1, 2, 1]
    assert store.checkpoint().last_completed_chapter == 2
    assert store.history.blob(sha256_hex(KOREAN.encode())) == KOREAN.encode()
    reasons = [(v.sha[:8], v.reason) for v in store.history.versions("chapters/chapter-001.md")]
    assert reasons == [
        (sha256_hex(KOREAN.encode())[:8], "committed"),
        (sha256_hex(CHINESE.encode())[:8], "committed"),
    ]


def test_promises_are_told_anew_when_an_earlier_chapter_changes(store: ProjectStore) -> None:
    bell = "drowned_bell"
    commit_now(store, 1, KOREAN, StateOp(op="foreshadow", path=bell, value="plant"))
    commit_now(store, 2, ENGLISH, StateOp(op="foreshadow", path=bell, value="resolve"))
    assert store.foreshadowing().promises[0].status == "resolved"
    commit_now(store, 2, CHINESE, StateOp(op="foreshadow", path=bell, value="advance"))
    promise = store.foreshadowing().promises[0]
    assert (promise.status, promise.planted, promise.last, promise.resolved) == (
        "advanced",
        1,
        2,
        None,
    )


# req: F11
def test_an_edit_of_the_committed_text_stops_the_commit_and_changes_nothing(
    store: ProjectStore,
) -> None:
    commit_now(store, 1, KOREAN)
    checkpoint = stage(store, 1, CHINESE)
    put(store.layout.folder, "chapters/chapter-001.md", ENGLISH)
    plan = plan_commit(store, 1, checkpoint)
    before = tree(store.layout.folder)
    with ProjectLock(store.layout.folder) as lock, pytest.raises(HandEdit) as caught:
        commit(store.layout, plan, lock)
    assert tree(store.layout.folder) == before
    edit = caught.value
    assert edit.path == "chapters/chapter-001.md"
    assert (edit.expected, edit.actual) == (
        sha256_hex(KOREAN.encode()),
        sha256_hex(ENGLISH.encode()),
    )
    assert edit.problem.exit_code == Exit.DECIDE
    assert "chapters/chapter-001.md was changed outside" in edit.problem.message


def test_a_chapter_file_the_studio_never_made_is_a_hand_edit_too(store: ProjectStore) -> None:
    put(store.layout.folder, "chapters/chapter-001.md", ENGLISH)
    put(
        store.layout.folder,
        ".checkpoint.json",
        to_bytes(Checkpoint()),
    )
    checkpoint = stage(store, 1, KOREAN)
    with ProjectLock(store.layout.folder) as lock, pytest.raises(HandEdit):
        commit(store.layout, plan_commit(store, 1, checkpoint), lock)
    assert (store.layout.folder / "chapters/chapter-001.md").read_text() == ENGLISH


def test_a_hand_edit_that_was_accepted_may_be_committed_over(store: ProjectStore) -> None:
    commit_now(store, 1, KOREAN)
    put(store.layout.folder, "chapters/chapter-001.md", ENGLISH)
    checkpoint = stage(store, 1, ENGLISH)
    expected = {"chapters/chapter-001.md": sha256_hex(ENGLISH.encode())}
    with ProjectLock(store.layout.folder) as lock:
        commit(store.layout, plan_commit(store, 1, checkpoint, expected), lock)
    assert store.committed_sha(1) == sha256_hex(ENGLISH.encode())
    assert store.hand_edits() == []


def test_a_derived_file_of_another_text_stops_the_plan(store: ProjectStore) -> None:
    checkpoint = stage(store, 1, KOREAN)
    put(store.layout.folder, "staging/chapters/chapter-001.md", ENGLISH)
    with pytest.raises(StudioError, match="was made from another version of chapter 1"):
        plan_commit(store, 1, checkpoint)


def test_a_lost_lock_stops_the_commit(store: ProjectStore) -> None:
    plan = plan_commit(store, 1, stage(store, 1, KOREAN))
    before = tree(store.layout.folder)
    with ProjectLock(store.layout.folder) as lock:
        shutil.rmtree(store.layout.folder / ".novel.lock")
        with pytest.raises(StudioError) as caught:
            commit(store.layout, plan, lock)
    assert caught.value.problem.exit_code == Exit.LOCKED
    assert tree(store.layout.folder) == before


def test_an_edit_during_a_half_done_commit_is_kept_beside(store: ProjectStore) -> None:
    half_done(store, "commit.after_manifest:kill")
    put(store.layout.folder, "chapters/chapter-001.md", ENGLISH)
    with ProjectLock(store.layout.folder):
        done = roll_forward(store.layout)
    assert done is not None
    name = f"variations/chapter-001/chapter-001-yours-{sha256_hex(ENGLISH.encode())[:8]}.md"
    assert name in done.notes[0]
    assert (store.layout.folder / name).read_text() == ENGLISH
    assert (store.layout.folder / "chapters/chapter-001.md").read_text() == CHINESE
    assert store.history.has(sha256_hex(ENGLISH.encode()))
    assert store.history.has(sha256_hex(KOREAN.encode()))


def test_an_edit_after_the_text_was_placed_stays_where_it_is(store: ProjectStore) -> None:
    half_done(store, "commit.after_placements:kill")
    put(store.layout.folder, "chapters/chapter-001.md", ENGLISH)
    with ProjectLock(store.layout.folder):
        done = roll_forward(store.layout)
    assert done is not None
    assert "was changed after it was committed" in done.notes[0]
    assert (store.layout.folder / "chapters/chapter-001.md").read_text() == ENGLISH
    assert store.history.blob(sha256_hex(CHINESE.encode())) == CHINESE.encode()
    assert [e.chapter for e in store.hand_edits()] == [1]


def test_staging_deleted_behind_the_commit_point_gives_the_text_from_history(
    store: ProjectStore,
) -> None:
    plan = half_done(store, "commit.after_manifest:kill")
    shutil.rmtree(store.layout.folder / "staging")
    put(store.layout.folder, "staging/commit/manifest.json", to_bytes(plan))
    with ProjectLock(store.layout.folder):
        roll_forward(store.layout)
    assert (store.layout.folder / "chapters/chapter-001.md").read_text() == CHINESE


def test_staging_deleted_before_anything_was_placed_is_named(store: ProjectStore) -> None:
    half_done(store, "commit.after_manifest:kill")
    shutil.rmtree(store.layout.folder / "staging/chapters")
    shutil.rmtree(store.layout.folder / "history")
    with ProjectLock(store.layout.folder), pytest.raises(StudioError) as caught:
        roll_forward(store.layout)
    assert caught.value.problem.exit_code == Exit.DAMAGED
    assert (store.layout.folder / "chapters/chapter-001.md").read_text() == KOREAN


def test_rolling_forward_with_nothing_to_do_changes_nothing(store: ProjectStore) -> None:
    commit_now(store, 1, KOREAN)
    before = tree(store.layout.folder)
    assert roll_forward(store.layout) is None
    assert tree(store.layout.folder) == before


def assert_all_old_or_all_new(store: ProjectStore) -> str:
    """N1, N2, N3 for a second chapter that was being committed; returns which it is."""
    assert store.changelog().faults == ()
    assert store.state() == changelog.replay(store.changelog().entries)
    for text in (KOREAN, ENGLISH):
        sha = sha256_hex(text.encode())
        files = [p for p in store.layout.folder.rglob("*.md") if sha256_hex(p.read_bytes()) == sha]
        assert files or store.history.has(sha)
    new = store.changelog().newest(2) is not None
    layout = store.layout
    parts = [
        layout.chapter(2), layout.summary(2), layout.evaluation(2),
        layout.directives(2), layout.crossref(2),
    ]  # fmt: skip
    assert {store.root.sha(path) is not None for path in parts} == {new}
    assert store.memory("main") == f"Main line up to chapter {2 if new else 1}.\n"
    assert store.state().characters["mara"]["steps"] == (2 if new else 1)
    assert store.checkpoint().last_completed_chapter == (2 if new else 1)
    assert (
        store.committed_sha(1) == sha256_hex(KOREAN.encode()) == store.root.sha(layout.chapter(1))
    )
    assert (staged_files(store.root) == []) == new
    return "new" if new else "old"


def copy_of(source: Path, target: Path) -> ProjectStore:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True)
    return ProjectStore(target)


def without_locks(folder: Path) -> dict[str, str]:
    """The tree without what killed processes left of their locks, which stays while another process
    happens to have the pid of one."""
    return {path: data for path, data in tree(folder).items() if not path.startswith(".novel.lock")}


# fault: C1
# fault: C2
@pytest.mark.crash
@pytest.mark.sweep
@pytest.mark.parametrize("first", range(5))
def test_killed_at_every_step_a_commit_is_all_old_or_all_new(
    store: ProjectStore, tmp_path: Path, first: int
) -> None:
    commit_now(store, 1, KOREAN)
    plan = plan_commit(store, 2, stage(store, 2, ENGLISH))
    seen, finished, n = set(), False, -first
    killed = tmp_path / "killed"
    while not finished:
        n += 5
        work = copy_of(store.layout.folder, killed)
        finished = commit_in_child(f"fsio.any:kill:{n}", killed, plan) == 0
        if n % 15 == 0:
            kill_the_recovery_too(killed, tmp_path / "again")
        with ProjectLock(killed):
            roll_forward(work.layout)
        seen.add(assert_all_old_or_all_new(work))
        before = without_locks(killed)
        with ProjectLock(killed):
            assert roll_forward(work.layout) is None
        assert without_locks(killed) == before
    assert seen == {"old", "new"}
    assert n > 40


def kill_the_recovery_too(half: Path, again: Path) -> None:
    """Recovery from one kill, itself killed at several steps and then let go (N8)."""
    for m in range(1, 90, 7):
        work = copy_of(half, again)
        finished = commit_in_child(f"fsio.any:kill:{m}", again) == 0
        with ProjectLock(again):
            roll_forward(work.layout)
        assert_all_old_or_all_new(work)
        if finished:
            return


def named_points() -> list[str]:
    """Every named fault point of the project's own modules, as the source has them; the one in
    the breaking of an old lock has its own tests (tests/faults/test_locks.py)."""
    sources = [path.read_text() for path in Path(project.__file__).parent.rglob("*.py")]
    names = {name for text in sources for name in re.findall(r'point\("([^"]+)"\)', text)}
    return sorted(names - {"lock.before_break"})


@pytest.mark.sampled
@pytest.mark.crash
@pytest.mark.parametrize("name", named_points())
def test_every_named_point_is_passed_by_a_commit_and_survived(
    store: ProjectStore, name: str
) -> None:
    commit_now(store, 1, KOREAN)
    plan = plan_commit(store, 2, stage(store, 2, ENGLISH))
    assert commit_in_child(f"{name}:kill", store.layout.folder, plan) == -signal.SIGKILL
    with ProjectLock(store.layout.folder):
        roll_forward(store.layout)
    assert_all_old_or_all_new(store)


# fault: C4
@pytest.mark.sampled
@pytest.mark.parametrize("error", ["ENOSPC", "EIO", "EROFS"])
@pytest.mark.parametrize("n", [5, 9, 14, 30, 45])
def test_a_failing_disk_leaves_all_old_or_all_new_after_the_next_start(
    store: ProjectStore, error: str, n: int
) -> None:
    commit_now(store, 1, KOREAN)
    plan = plan_commit(store, 2, stage(store, 2, ENGLISH))
    assert commit_in_child(f"fsio.any:{error}:{n}+", store.layout.folder, plan) == 1
    with ProjectLock(store.layout.folder):
        roll_forward(store.layout)
    assert_all_old_or_all_new(store)
