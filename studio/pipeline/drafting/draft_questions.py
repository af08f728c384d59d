"""Questions to the writer while her chapter is drafted: about a scene that was cut off, and
about the other scenes after a single one."""

from __future__ import annotations

from studio.llm.errors import ModelError
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.stage import Ask
from studio.project.history.variations import CUT_OFF
from studio.story.checkpoint import Decision
from studio.story.contract import SceneSpec


def others_wait(run: ChapterRun, number: int, others: list[int]) -> Decision:
    """Returns the question that follows one scene drafted on request."""
    names = ", ".join(map(str, others))
    return Decision(
        id=run.decision_id("review", f"scene {number} {run.staged.scene(number)}"),
        kind="review",
        recommendation="go-on",
        options=("go-on", "stop"),
        rationale=f"Scene {number} is drafted. Not drafted yet: {names}.",
        data={
            "scene": number,
            "options": {
                "go-on": "Draft the other scenes, and go on with the chapter.",
                "stop": "Leave it as it is now; the question waits.",
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
        rationale=f"Scene {scene.number} was cut off after {len(error.partial)} characters.",
        data={
            "scene": scene.number,
            "text": error.partial,
            "options": {
                "again": "Draft the scene again; what there is of it is kept as a variation.",
                "keep": "Go on with the text so far.",
            },
        },
    )
    run.variations.keep(run.chapter, scene.number, error.partial, CUT_OFF)
    if run.review != "ask":
        raise error
    return Ask(decision)
