"""Taking a finished chapter into the book as it is: no summary, no judge, no change of the state.

One commit like any other. The summary's file is there and empty, the story's
state has a gap, and the chapter is marked as not judged: what is missing is
said, and `write N --again` makes it.
"""

from __future__ import annotations

from studio.project import frontmatter
from studio.project.commit import Committed
from studio.project.frontmatter import Provenance
from studio.project.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.project.unstaged import Unstaged
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint, OrchestratorState, PipelineStage
from studio.story.document import to_bytes
from studio.story.evaluation import Evaluation
from studio.story.state import Delta


def adopt_chapter(
    store: ProjectStore,
    lock: ProjectLock,
    chapter: int,
    text: Chapter,
    evaluation: Evaluation,
    storyline_id: str,
) -> Committed:
    """Commits a chapter that is not in the book yet, whole or not at all.

    `evaluation` is what code measured of it. HandEdit (exit 4) if a file of
    the book stands in its place, exit 5 if changelog or state are damaged.
    """
    layout, sha = store.layout, text.sha256
    delta = Delta(chapter=chapter, storyline_id=storyline_id, source_sha256=sha, state_gap=True)
    made = Provenance(chapter=chapter, source_sha256=sha)
    contents = {
        layout.chapter(chapter): text.text.encode(),
        layout.summary(chapter): frontmatter.with_provenance(made, "").encode(),
        layout.evaluation(chapter): to_bytes(evaluation),
    }
    after = _after(store.checkpoint(), chapter)
    return Unstaged.of(store, "i", delta).commit(lock, contents, after, dict.fromkeys(contents))


def _after(checkpoint: Checkpoint, chapter: int) -> Checkpoint:
    return checkpoint.at_rest().updated(
        orchestrator_state=OrchestratorState.WRITING,
        pipeline_stage=PipelineStage.COMMITTED,
        last_completed_chapter=max(checkpoint.last_completed_chapter, chapter),
        unjudged=tuple(sorted({*checkpoint.unjudged, chapter})),
    )
