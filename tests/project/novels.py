"""Small novels on disk, chapters staged in them and committed, for the tests of studio.project."""

from __future__ import annotations

import hashlib
import json
import signal
from pathlib import Path
from typing import Any

from studio.fsio import fault_points
from studio.project.commit.plan import plan_commit
from studio.project.commit.transaction import CommitPlan, commit, pending, roll_forward
from studio.project.layout import Layout
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint, PipelineStage
from studio.story.records import Crossref
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Evaluation
from studio.story.state import Delta, StateOp
from tests.forking import in_child

KOREAN = "# 등대\n\n비가 그치자 마라는 계단을 올랐다.\n\n“아직 불이 켜져 있어.” 조스가 말했다.\n"
ENGLISH = "# The Lamp Room\n\nMara found the key where the oil had dried.\n\n* * *\n\nJoss lied.\n"
CHINESE = "# 灯塔\n\n雨停了，玛拉爬上楼梯。\n\n“灯还亮着。”乔斯说。\n"


def make_novel(folder: Path) -> ProjectStore:
    """A novel with nothing in it but its settings."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "studio.toml").write_text('[novel]\ntitle = "T"\nlanguage = "en"\n')
    return ProjectStore(folder)


def put(folder: Path, path: str, content: str | bytes | dict[str, Any]) -> None:
    """A file of the novel as a writer's editor would leave it."""
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, dict):
        content = json.dumps(content)
    file.write_bytes(content.encode() if isinstance(content, str) else content)


def stage(
    store: ProjectStore, chapter: int, text: str, ops: tuple[StateOp, ...] = ()
) -> Checkpoint:
    """Stage a whole chapter; returns the checkpoint of that moment."""
    staging, sha = store.staging_of(chapter), Chapter(text).sha256
    staging.put_text(text)
    staging.put_scene(1, "A first try at the scene.\n")
    staging.put_summary(f"What happens in chapter {chapter}.", sha)
    staging.put_memory("main", f"Main line up to chapter {chapter}.", sha)
    staging.put_delta(
        Delta(chapter=chapter, storyline_id="main", source_sha256=sha, ops=ops or default_ops())
    )
    staging.put_crossref(Crossref(chapter=chapter, storyline_id="main", source_sha256=sha))
    staging.put_evaluation(Evaluation(chapter=chapter, source_sha256=sha))
    staging.put_sheet(DirectiveSheet(chapter=chapter, source_sha256=sha))
    return store.save_checkpoint(
        store.checkpoint().copy_with(inflight_chapter=chapter, pipeline_stage=PipelineStage.GATED)
    )


def default_ops() -> tuple[StateOp, ...]:
    """Ops that show whether they were folded once, twice or not at all."""
    return (
        StateOp(op="inc", path="characters.mara.steps", value=1),
        StateOp(op="set", path="characters.mara.place", value="lamp-room"),
        StateOp(op="add", path="items.key.owners", value="mara"),
    )


def tree(folder: Path) -> dict[str, str]:
    """Every file and folder below, links not followed, with a hash of its bytes."""
    hashes = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            hashes[name] = f"-> {path.readlink()}"
        elif path.is_dir():
            hashes[name] = "folder"
        else:
            hashes[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return hashes


def commit_now(store: ProjectStore, chapter: int, text: str, *ops: StateOp) -> None:
    """A chapter brought into the book."""
    checkpoint = stage(store, chapter, text, ops)
    with ProjectLock(store.layout.folder) as lock:
        commit(store.layout, plan_commit(store, chapter, checkpoint), lock)


def commit_in_child(fault: str, folder: Path, plan: CommitPlan | None = None) -> int:
    """How a commit (with no plan, a recovery) that fails at a named point ends: 0, 1, -signal."""

    def commit_or_recover() -> None:
        fault_points.arm(fault)
        layout = Layout(folder)
        with ProjectLock(folder) as lock:
            if plan is None:
                roll_forward(layout)
            else:
                commit(layout, plan, lock)

    return in_child(commit_or_recover)


def half_done(store: ProjectStore, fault: str) -> CommitPlan:
    """Chapter 1 committed, chapter 1 committed again and killed at `fault`."""
    commit_now(store, 1, KOREAN)
    plan = plan_commit(store, 1, stage(store, 1, CHINESE))
    assert commit_in_child(fault, store.layout.folder, plan) == -signal.SIGKILL
    assert pending(store.layout) == plan
    return plan
