"""Small novels on disk and chapters staged in them, for the tests of studio.project."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint, PipelineStage
from studio.story.records import Crossref
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Evaluation
from studio.story.state import Delta, StateOp

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
    staging, sha = store.staging(chapter), Chapter(text).sha256
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
        store.checkpoint().updated(inflight_chapter=chapter, pipeline_stage=PipelineStage.GATED)
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
