"""Taking a finished chapter into the book as it is: no summary, no judge, no change of the state.

One commit like any other. The summary's file is there and empty, the story's
state has a gap, and the chapter is marked as not judged: what is missing is
said, and `write N --again` makes it.
"""

from __future__ import annotations

import secrets

from studio.fsio import sha256_hex
from studio.project import changelog as log
from studio.project import frontmatter
from studio.project import layout as places
from studio.project.clock import now
from studio.project.commit import CommitPlan, Committed, Placement, commit
from studio.project.frontmatter import Provenance
from studio.project.lock import ProjectLock
from studio.project.store import ProjectStore
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
    commit_id, ts = f"i{chapter:03d}-{secrets.token_hex(8)}", now()
    delta = Delta(chapter=chapter, storyline_id=storyline_id, source_sha256=sha, state_gap=True)
    changes = log.ChangelogFile(store.root).trusted()
    draft = log.entry_of(changes, delta, commit_id, ts, 0)
    state = log.advance(store.state(), changes.entries, draft)
    entry = log.entry_of(changes, delta, commit_id, ts, state.state_version)
    made = Provenance(chapter=chapter, source_sha256=sha)
    contents = {
        layout.chapter(chapter): text.text.encode(),
        layout.summary(chapter): frontmatter.with_provenance(made, "").encode(),
        layout.evaluation(chapter): to_bytes(evaluation),
    }
    placements = [_placed(path, data, None) for path, data in contents.items()]
    placements.append(
        _placed(places.STATE, to_bytes(state), store.root.sha(places.STATE), kept=False)
    )
    plan = CommitPlan(
        commit_id=commit_id,
        chapter=chapter,
        ts=ts,
        placements=tuple(placements),
        changelog_line=entry.line().decode(),
        checkpoint=to_bytes(_after(store.checkpoint(), chapter, state.state_version, ts)).decode(),
    )
    done = commit(layout, plan, lock)
    # What `repair` makes a lost line of the changelog from.
    store.history.keep(layout.staged_delta(chapter), to_bytes(delta), "committed", commit_id, ts)
    return done


def _placed(path: str, data: bytes, expected: str | None, kept: bool = True) -> Placement:
    return Placement(
        dst=path, sha256=sha256_hex(data), expected=expected, content=data.decode(), kept=kept
    )


def _after(checkpoint: Checkpoint, chapter: int, version: int, ts: str) -> Checkpoint:
    return checkpoint.at_rest().updated(
        orchestrator_state=OrchestratorState.WRITING,
        pipeline_stage=PipelineStage.COMMITTED,
        last_completed_chapter=max(checkpoint.last_completed_chapter, chapter),
        unjudged=tuple(sorted({*checkpoint.unjudged, chapter})),
        state_gap=tuple(sorted({*checkpoint.state_gap, chapter})),
        state_version=version,
        updated_at=ts,
    )
