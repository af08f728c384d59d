"""Questions to the writer while her chapter is drafted: about a scene that was cut off, and
about the other scenes after a single one."""

from __future__ import annotations

from studio.messages import said, series
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.scene_in_progress import cut_off_question, scene_in_progress
from studio.pipeline.stage import Ask
from studio.story.checkpoint import Decision
from studio.story.contract import SceneSpec
from studio.text.prose.parse import units_in


def others_wait(run: ChapterRun, number: int, others: list[int]) -> Decision:
    """Returns the question that follows one scene drafted on request."""
    names = series(others)
    return Decision(
        id=run.decision_id("review", f"scene {number} {run.staged.scene(number)}"),
        kind="review",
        recommendation="go-on",
        options=("go-on", "stop"),
        rationale=said(
            "Scene {scene} is drafted. Not drafted yet: {others}.", scene=number, others=names
        ),
        data={
            "scene": number,
            "options": {
                "go-on": said("Draft the other scenes, and go on with the chapter."),
                "stop": said("Leave it as it is now; the question waits."),
            },
        },
    )


def cut_off(run: ChapterRun, scene: SceneSpec) -> Ask:
    """Returns the question about a scene whose answer was cut off: the words that came stand."""
    words = scene_in_progress(run.staged, run.checkpoint, run.pack)
    assert words is not None
    decision_id = run.decision_id("cut_off", said("scene {scene}", scene=scene.number))
    return Ask(cut_off_question(decision_id, words, units_in(words.text, run.pack)))
