"""Questions to the writer while her chapter is drafted: about a scene that was cut off, and
about the other scenes after a single one."""

from __future__ import annotations

from studio.llm.errors import ModelError
from studio.messages import said, series
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.stage import Ask
from studio.project.history.variations import CUT_OFF
from studio.story.checkpoint import Decision
from studio.story.contract import SceneSpec


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


def cut_off(run: ChapterRun, scene: SceneSpec, error: ModelError) -> str | Ask:
    """Keeps a scene the model did not finish as a variation, and returns the writer's choice or
    the question to her; outside ask mode raises `error`."""
    decision = Decision(
        id=run.decision_id("cut_off", f"scene {scene.number}"),
        kind="cut_off",
        recommendation="again",
        options=("again", "keep"),
        rationale=said(
            "Scene {number} was cut off after {len} characters.",
            number=scene.number,
            len=len(error.partial),
        ),
        data={
            "scene": scene.number,
            "text": error.partial,
            "options": {
                "again": said("Draft the scene again; what there is of it is kept as a variation."),
                "keep": said("Go on with the text so far."),
            },
        },
    )
    run.variations.keep(run.chapter, scene.number, error.partial, CUT_OFF)
    if run.review != "ask":
        raise error
    return Ask(decision)
