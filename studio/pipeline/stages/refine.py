"""Refine: the language is polished scene by scene, and the facts stay untouched.

An answer that fails the guard leaves the draft as it is. The author's own prose is never refined.
The same work, asked for once more by the gate, is the polish.
"""

from __future__ import annotations

from studio.messages import join, said
from studio.pipeline.chapter.records import Polishing
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import StageName
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.answer_stream import tidy
from studio.pipeline.prompting.compile import TooLarge
from studio.pipeline.prompting.plan_words import plain_scene_plan
from studio.pipeline.review.mending import asked_before
from studio.pipeline.stage import Ask, Back, Go, Sight, Step, Work
from studio.story.chapter import Chapter, Scene, sha256_of
from studio.story.checkpoint import Decision, PipelineStage
from studio.text.content import outdated
from studio.text.guard import refine_guard
from studio.text.prose.answer import split_sections

_DONE = {"refine": "refined", "polish": said("refined once more")}


class Refine:
    """The stage of the style refiner."""

    name: StageName = "refine"
    quiet = False

    def idle(self, run: ChapterRun) -> str | None:
        """Returns why nothing is refined, or None: refining is off, not possible with this
        model, or done."""
        if run.checkpoint.own_text:
            return said("your own text is not refined")
        if not run.settings.refine.on:
            return said("switched off")
        if run.profile is None or run.profile.rewrites != "well":
            return said("this model is too small to refine prose")
        if not run.lineage.writer_done(_pass(run), run.lap):
            return None
        return None if self._undecided(run) else "refined"

    async def work(self, work: Work) -> Step:
        """Refines, then asks what to do with the change if the review mode says so."""
        run = work.run
        if not run.lineage.writer_done(_pass(run), run.lap):
            await self._refine(work)
        decision = self._undecided(run)
        if decision is None:
            return Go()
        option = run.answer(decision.id)
        if option is None and run.review == "ask":
            return Ask(decision)
        if option is None:
            run.answered_by_mode(decision, "keep")
        if option == "undo":
            self._undo(run)
            return Go(said("undone"))
        run.record(run.records.refinement_kept(run.current.sha256))
        if run.lineage.reader("summarize") is None:
            return Back(said("kept; the summary tells what is no longer there"))
        return Go(said("kept"))

    async def _refine(self, work: Work) -> None:
        run = work.run
        before = run.current
        refined_before = run.records.refined_scenes
        chapter, scenes = before, {}
        for scene in before.scenes:
            text = before.scene_text(scene.number)
            polishing = _pass(run) == "polish"
            if polishing or sha256_of(text) not in refined_before:
                text = await self._scene(work, scene.number, text)
                text = _with_locked(run, scene, text)
            if text != before.scene_text(scene.number):
                chapter = chapter.replace_scene(scene.number, text)
            scenes[str(scene.number)] = sha256_of(text)
        guarded = not outdated(before.text, chapter.text, run.staged.summary(), run.pack)
        record = run.records.refined(
            _pass(run), before.sha256, chapter.sha256, scenes, guarded=guarded
        )
        run.put_text(chapter.text, record, PipelineStage.REFINED)

    async def _scene(self, work: Work, number: int, text: str) -> str:
        run = work.run
        question = refine_question(work, number, text)
        try:
            record = await work.agents.prose(question)
        except TooLarge:
            run.emit.warn(
                said(
                    "Scene {scene} is too long for the model's window; your draft stands.",
                    scene=number,
                )
            )
            return text
        answer = tidy(split_sections(record.generated_text).prose)
        faults = refine_guard(text, answer, work.material.names(), run.pack, run.current.text)
        if faults:
            reasons = join(dict.fromkeys(faults), "; ")
            run.emit.warn(
                said(
                    "The refined scene {scene} was not taken, your draft stands: {why}.",
                    scene=number,
                    why=reasons,
                )
            )
            return text
        return _with_line_endings(answer, text)

    def _undecided(self, run: ChapterRun) -> Decision | None:
        """Returns the question about a refinement that changed text and was not yet kept or
        undone."""
        record = run.records.refinement(_pass(run))
        text = run.text
        if record is None or text is None or record.output_sha256 != text.sha256:
            return None
        if record.input_sha256 == record.output_sha256:
            return None
        if run.records.is_refinement_kept(text.sha256):
            return None
        return Decision(
            id=run.decision_id("refine"),
            kind="refine",
            recommendation="keep",
            options=("keep", "undo"),
            rationale=said(
                "The style refiner changed the draft; its names, numbers and speech stand."
            ),
            data={
                "before_sha256": record.input_sha256,
                "after_sha256": record.output_sha256,
                "options": {
                    "keep": said("Go on with the refined text."),
                    "undo": said("Go on with the draft as it was."),
                },
            },
        )

    def _undo(self, run: ChapterRun) -> None:
        record = run.records.refinement(_pass(run))
        assert record is not None
        assert record.input_sha256 is not None
        before = run.earlier_text(record.input_sha256)
        undone = run.records.unrefined(run.current.sha256, record.input_sha256)
        run.put_text(before, undone, PipelineStage.REFINED)


def refine_question(work: Sight, number: int, text: str) -> Question:
    """Returns the question to the style refiner about one scene's text."""
    view, planned = work.run, work.run.contract.scenes
    plan = (
        plain_scene_plan(planned[number - 1], work.material.name_of)
        if number <= len(planned)
        else ""
    )
    return Question(
        agent="style-refiner",
        stage="refine",
        what=f"s{number:02d}-{_pass(view)}-{sha256_of(text)[:6]}",
        scene=number,
        blocks={
            "scene": text,
            "scene-plan": plan,
            "notes": "\n".join(_wishes(view)),
            "task": f"Return the scene, number {number}, {_DONE[_pass(view)]}, and nothing else.",
        },
    )


def _wishes(view: ChapterView) -> tuple[str, ...]:
    """Returns what the writer objected to when she let the gate have the language polished."""
    return view.wishes("gate", asked_before(view)) if _pass(view) == "polish" else ()


def _pass(run: ChapterView) -> Polishing:
    """Returns `refine` for the first pass, `polish` when the gate asked for another (once per
    chapter)."""
    granted = run.checkpoint.polished and run.records.polished_in in (None, run.lap)
    return "polish" if granted else "refine"


def _with_locked(run: ChapterRun, scene: Scene, refined: str) -> str:
    """Returns the refined scene with the locked paragraphs as they were; the guard ensures that
    both have the same number of paragraphs."""
    held = run.store.locks().held_in(run.chapter, run.current)
    chapter = Chapter("\n\n" + refined)
    for old, new in reversed(list(zip(scene.paragraphs, chapter.paragraphs, strict=False))):
        if (old.scene, old.number) in held:
            chapter = chapter.replace_passage((new,), (old.text,))
    return chapter.text.removeprefix("\n\n")


def _with_line_endings(text: str, like: str) -> str:
    newline = Chapter(like).newline
    return text if newline == "\n" else text.replace("\n", newline)
