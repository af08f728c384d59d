"""One scene of a chapter drafted, or drafted again, because the writer asks for it (F1).

In a chapter that has a text, this is a revision that names the scene; the other scenes stand.
Before there is a text, the scene is drafted by itself, and the chapter continues from there.
"""

from __future__ import annotations

from studio.errors import StudioError, usage
from studio.messages import said
from studio.pipeline.chapter.order import WriteOrder
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.drafting.scenes import planned
from studio.pipeline.review.rounds import without_scenes
from studio.story.checkpoint import PipelineStage, Revision

AGAIN = said("before it was drafted again")
"""The reason for which the text of a replaced scene is kept."""


def check_scene(run: ChapterRun, order: WriteOrder) -> None:
    """Refuses (exit 2) a scene that is not in the chapter, is locked, or is the author's own."""
    number = order.scene
    if number is None:
        return
    text = run.text
    is_inflight = run.checkpoint.inflight_chapter == run.chapter
    if order.text is not None or order.again or (is_inflight and run.checkpoint.own_text):
        raise _not_over(run, number, is_inflight)
    there = len(text.scenes) if text is not None else len(planned(run))
    if not 1 <= number <= there:
        raise usage(
            said("Chapter {chapter} has no scene {number}.", chapter=run.chapter, number=number),
            said("It has {names}.", names=there),
        )
    if text is not None and number in run.store.locks().scenes_held(run.chapter, text):
        raise usage(
            said(
                "Scene {number} of chapter {chapter} holds a passage that you keep as it is.",
                number=number,
                chapter=run.chapter,
            ),
            said("`studio keep list {chapter}` shows it.", chapter=run.chapter),
        )


def _not_over(run: ChapterRun, number: int, is_inflight: bool) -> StudioError:
    text = run.text if is_inflight else run.store.chapter(run.chapter)
    scene = text.scene(number) if text else None
    last = len(scene.paragraphs) if scene else 1
    why = said("is your own text") if is_inflight or scene is None else said("is in the book")
    return usage(
        said(
            "Chapter {chapter} {why}; no model drafts over a scene of it.",
            chapter=run.chapter,
            why=why,
        ),
        said(
            "`studio rewrite {chapter} --passage {number}.1-{number2}.{last} --mode "
            "regenerate` writes another version of the scene, which you can take.",
            chapter=run.chapter,
            number=number,
            number2=number,
            last=last,
        ),
    )


def take_up_scene(run: ChapterRun, order: WriteOrder) -> None:
    """Makes the scene of an order the one that is due."""
    number = order.scene
    if number is None:
        return
    run.only_scene = number
    if run.text is None:
        _forget(run, number)
        return
    lap = run.lap + 1
    wish = order.direction.strip()
    run.save(
        laps=lap,
        revision=Revision(
            number=lap,
            scenes=(number,),
            notes=(f"The author about this scene: {wish}",) if wish else (),
            deep=False,
        ),
        surgery_round=0,
        worked=without_scenes(run.checkpoint.worked, (number,)),
        pipeline_stage=PipelineStage.REVISING,
        pending_decision=None,
    )


def _forget(run: ChapterRun, number: int) -> None:
    """Makes a scene that was drafted already due again; its text is kept."""
    drafted = run.records.drafted_scenes
    if str(number) not in drafted:
        return
    run.variations.keep(run.chapter, number, run.staged.scene(number) or "", AGAIN)
    records = run.records.added(run.records.scene_due_again(number))
    run.save(stage_records=records, laps=run.lap + 1)
