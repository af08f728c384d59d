"""Draft: from the chapter's plan to a text, scene by scene.

A scene is durable before the next begins. Of a scene that was stopped or cut off the words stand,
and it goes on from the last of them (CONTRACTS 4). The writer is asked about a scene that was cut
off, about one in another language than the novel's, and about the other scenes after a single one.
A small model's sentences pass a sieve that lets
only people and things of the plan through.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from studio.llm.errors import ErrorKind, ModelError
from studio.messages import said, series
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.scene_in_progress import (
    cut_off_question,
    scene_in_progress,
    why_it_broke_off,
    with_prices,
    words_of,
)
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.drafting.bridges import joints, propose_bridge, scene_list
from studio.pipeline.drafting.drafter_prompt import Before, prose_before, scene_question
from studio.pipeline.drafting.prewriter import (
    brief_for,
    brief_of,
    brief_question,
    prewrites,
    put_brief,
    too_small_for_a_brief,
)
from studio.pipeline.drafting.scene_plans import (
    has_breaks,
    plan_chapter,
    planned_length,
)
from studio.pipeline.events import Phase, SceneEvent, StageName
from studio.pipeline.judging.measures import analyse_scene
from studio.pipeline.prompting.answer_stream import MINIMUM_CHARACTERS, story_of
from studio.pipeline.prompting.fit_to_window import (
    TooLarge,
)
from studio.pipeline.prompting.tools.plugin_hooks import after_generation, after_save
from studio.pipeline.stage import AskWriter, Go, Sight, Step, Work
from studio.project.clock import now
from studio.project.history.reasons import Reason
from studio.project.scenes_of_chapter import planned_file
from studio.story.chapter import Chapter, compose, sha256_of, split_paragraphs
from studio.story.checkpoint import (
    AGAIN,
    FINISHED,
    GO_ON,
    Decision,
    OpenScene,
    PipelineStage,
)
from studio.story.contract import SceneSpec
from studio.story.ledger import FREE, Estimate
from studio.story.lengths import unit_in
from studio.story.novel import LANGUAGE_NAMES
from studio.story.records import CallRecord
from studio.story.review.scenes_in_text import Purpose, TextScenes, joined_scenes
from studio.text.draft_sieve import is_told_in_another_language
from studio.text.prose.answer import excerpt, says_none, split_sections, tidy_scene
from studio.text.prose.going_on import (
    Seam,
    is_over,
    without_open_line_end,
    words_that_stand,
)


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


def cut_off(work: Work, plan: tuple[SceneSpec, ...], scene: SceneSpec, before: Before) -> AskWriter:
    """Returns the question about a scene whose answer was cut off: the words that came stand."""
    run = work.run
    words = scene_in_progress(run.staged, run.checkpoint, run.pack)
    assert words is not None
    decision_id = run.decision_id("cut_off", said("scene {scene}", scene=scene.number))
    why = why_it_broke_off(run.store, words)
    question = cut_off_question(decision_id, words, unit_in(run.settings), why)
    prices = prices_in_progress(work, plan, scene, before, words.text)
    return AskWriter(with_prices(question, prices))


def prices_in_progress(
    work: Sight, plan: tuple[SceneSpec, ...], scene: SceneSpec, before: Before, stands: str
) -> dict[str, Estimate]:
    """Returns what each answer about a scene in progress, of which `stands` is there, costs for
    this scene; without those that do not fit the model."""
    prices = {FINISHED: FREE}
    for answer, words in ((GO_ON, stands), (AGAIN, "")):
        with suppress(TooLarge):
            prices[answer] = _price_of_scene(work, plan, scene, before, words)
    return prices


def _price_of_scene(
    work: Sight, plan: tuple[SceneSpec, ...], scene: SceneSpec, before: Before, stands: str
) -> Estimate:
    """Returns what drafting a scene on from its words costs, with its brief where one is due."""
    view = work.run
    question = scene_question(work, plan, scene, before, stands=stands)
    questions = [question]
    if prewrites(view) and not (stands and brief_of(view, scene.number)):
        questions.append(brief_question(view, question))
    return Estimate.together(view.gateway.estimate(work.agents.request(q)) for q in questions)


_TOO_SHORT = (
    f" An earlier answer had less than {MINIMUM_CHARACTERS} characters: write the scene in full."
)
_KEPT_SCENE = said("{scene} holds a passage that you keep as it is, so it is not drafted again.")
_BROKE_OFF: frozenset[ErrorKind] = frozenset(
    {"cut", "timeout", "connection", "overloaded", "server"}
)
"""The kinds of errors after which the words that came stand."""
_IN_LANGUAGE = " An earlier answer was in another language: write the scene in {language}."


class DraftStage:
    """The stage of the decomposer and the scene drafter."""

    name: StageName = "draft"
    quiet = False

    def idle(self, run: ChapterRun) -> str | None:
        """Returns why no drafter is needed, or None: the text is the author's own, or the draft
        is finished."""
        if run.checkpoint.own_text:
            return said("your own text")
        if run.lineage.writer_done("draft", run.lap):
            return "drafted"
        return None

    async def work(self, work: Work) -> Step:
        """Drafts the scenes that are due and assembles the chapter."""
        run = work.run
        run.save(
            pipeline_stage=PipelineStage.REVISING if run.lap else PipelineStage.DRAFTING,
            pending_decision=None,
        )
        if too_small_for_a_brief(run):
            run.emit.warn(
                said("This model is too small to write from a brief; it drafts without one.")
            )
        plan = await plan_chapter(work)
        if run.text is not None and _locked_scenes(run) and not _is_divided_so(run.scenes, plan):
            return self._leave(run)
        if run.text is None and run.only_scene is not None:
            paused = await self._one_scene(work, plan, run.only_scene)
            if paused is not None:
                return paused
        texts: list[str] = []
        for scene in plan:
            outcome = await self._scene(work, plan, scene, texts)
            if isinstance(outcome, AskWriter):
                return outcome
            texts.append(outcome)
        bridges = await self._bridges(work, plan, texts)
        self._assemble(run, plan, texts, bridges)
        return Go(said("1 scene") if len(plan) == 1 else said("{n} scenes", n=len(plan)))

    async def _one_scene(
        self, work: Work, plan: tuple[SceneSpec, ...], number: int
    ) -> AskWriter | None:
        """Drafts the one scene that was asked for; in ask mode the other scenes wait for the
        writer."""
        run = work.run
        scene = next((s for s in plan if s.number == number), None)
        if scene is None:
            run.emit.warn(
                said(
                    "The chapter is planned in {number} scenes; there is no {other}.",
                    number=len(plan),
                    other=number,
                )
            )
            return None
        before = [_finished_scene(run, s) for s in plan if s.number < number]
        if None in before:
            run.emit.warn(
                said(
                    "Scene {scene} is written before those that lead to it; draft it again "
                    "once they exist.",
                    scene=number,
                )
            )
        outcome = await self._scene(work, plan, scene, [text for text in before if text])
        if isinstance(outcome, AskWriter):
            return outcome
        await run.background.settle()
        others = [s.number for s in plan if _finished_scene(run, s) is None]
        return (
            AskWriter(others_wait(run, number, others)) if others and run.review == "ask" else None
        )

    def _leave(self, run: ChapterRun) -> Go:
        """Leaves the text as it stands where a passage of it is locked and its scenes are no
        longer those of the plan: it is unknown which of them may be replaced."""
        run.emit.warn(_KEPT_SCENE.format(scene=said("The chapter")))
        record = run.records.record_draft(run.current.sha256, None)
        run.put_text(run.current.text, record, PipelineStage.DRAFTED)
        return Go(said("kept"))

    async def _scene(
        self, work: Work, plan: tuple[SceneSpec, ...], scene: SceneSpec, before: list[str]
    ) -> str | AskWriter:
        """Returns the scene's text: as it stands, as it was drafted already, or drafted now."""
        run = work.run
        standing = _scene_that_stays(run, plan, scene)
        if standing is not None:
            if is_asked_for(run, scene.number):
                run.emit.warn(_KEPT_SCENE.format(scene=said("Scene {n}", n=scene.number)))
            return standing
        scene_text = _finished_scene(run, scene)
        if scene_text is not None:
            run.emit(SceneEvent(number=scene.number, status="skipped"))
            return scene_text
        draft = await self._draft(work, plan, scene, prose_before(work, before))
        if isinstance(draft, AskWriter):
            return draft
        self._finish_scene(run, scene, draft)
        await after_save(run, draft.text, sha256_of(draft.text), scene.number)
        run.emit(
            SceneEvent(
                number=scene.number,
                status="finished",
                estimated_tokens=run.gateway.provider.estimate_tokens(draft.text),
                exemplars=draft.exemplars,
                generation=draft.generation,
            )
        )
        return draft.text

    async def _draft(
        self, work: Work, plan: tuple[SceneSpec, ...], scene: SceneSpec, before: Before
    ) -> _SceneDraft | AskWriter:
        """Returns the whole scene. A draft in another language than the novel's is asked about, in
        the modes without the author once it was asked for again (PROSE 0.10)."""
        turn = 0
        while True:
            draft = await self._draft_to_its_end(work, plan, scene, before, turn)
            if isinstance(draft, AskWriter):
                return draft
            answer = _answer_about_language(work.run, scene.number, draft, turn)
            if isinstance(answer, AskWriter):
                return answer
            if answer != AGAIN:
                return draft
            turn += 1
            _leave_foreign_words(work.run, scene.number, draft.stands)

    async def _draft_to_its_end(
        self, work: Work, plan: tuple[SceneSpec, ...], scene: SceneSpec, before: Before, turn: int
    ) -> _SceneDraft | AskWriter:
        """Returns the whole scene, which goes on from what stands of it. If its answer is cut off,
        what came is added to that, and it goes on by itself as often as a call is tried again; then
        in ask mode the author is asked. An answer that was too long goes on once in the others.
        """
        run, number = work.run, scene.number
        is_second, times = False, 0
        while True:
            stands = _take_up(work, plan, scene, before)
            if isinstance(stands, _SceneDraft):
                return stands
            if stands:
                run.emit(SceneEvent(number=number, status="continued", stands_to=len(stands)))
            else:
                run.emit(SceneEvent(number=number, status="started"))
            try:
                return await _draft_scene(work, plan, scene, before, stands, turn)
            except ModelError as error:
                times += error.stands
                if error.stands and await _may_go_on(run, error, times):
                    continue
                if run.checkpoint.open_scene is None or error.error_kind != "cut":
                    raise
                if run.review == "ask":
                    return cut_off(work, plan, scene, before)
                if error.retryable:
                    raise
                if is_second:
                    raise ModelError(
                        "cut",
                        error.detail,
                        partial=error.partial,
                        usage=error.usage,
                        retryable=False,
                    ) from error
                is_second = True

    def _finish_scene(self, run: ChapterRun, scene: SceneSpec, draft: _SceneDraft) -> None:
        text, went_on = draft.text, bool(draft.stands)
        if run.staged.scene(scene.number) != text:
            run.staged.put_scene(scene.number, text)
        record = run.records.scene_drafted(
            scene.number, sha256_of(text), draft.hints, went_on=went_on
        )
        open_scene = run.checkpoint.open_scene
        is_other = open_scene is not None and open_scene.number != scene.number
        run.save(stage_records=run.records.add(record), open_scene=open_scene if is_other else None)
        analyse_scene(run, scene.number, text)

    async def _bridges(
        self, work: Work, plan: tuple[SceneSpec, ...], texts: list[str]
    ) -> dict[int, str]:
        """Proposes bridges, by the scene they lead into; only over two or more gaps (seed A6)."""
        run = work.run
        if run.lap or run.gateway.provider.profile.rewrites != "well" or not has_breaks(run):
            return {}
        proposals = {
            joint.scene: await propose_bridge(work, scene_list(plan), joint)
            for joint in joints(run, plan, texts)
        }
        bridges = {number: text for number, text in proposals.items() if text}
        if len(plan) > 2 and len(bridges) == len(plan) - 1:
            run.emit.warn(
                said(
                    "Every transition of this chapter would be bridged; the scene plans may "
                    "not join up, and a chapter bridged at every joint reads like a "
                    "timetable."
                )
            )
        return bridges

    def _assemble(
        self,
        run: ChapterRun,
        plan: tuple[SceneSpec, ...],
        texts: list[str],
        bridges: dict[int, str],
    ) -> None:
        before = run.text
        fresh = dict(enumerate(texts, start=1))
        if (
            run.checkpoint.revision is not None
            and before is not None
            and (run.scenes.may_be_replaced(fresh))
        ):
            whole = run.scenes.with_texts(fresh).text
        else:
            whole = compose(run.contract.title, texts, breaks=has_breaks(run))
        if before is not None and before.text != whole:
            run.variations.keep(run.chapter, None, before.text, Reason.BEFORE_REDRAFT)
        record = run.records.record_draft(
            sha256_of(whole),
            before.sha256 if before else None,
            {str(n): sha256_of(text) for n, text in enumerate(texts, start=1)},
            bridges,
        )
        earlier = planned_file(run.store, run.chapter)
        planned = joined_scenes(Chapter(whole), texts, _purposes(run, plan), earlier)
        put_planned = partial(run.staged.put_planned_scenes, planned)
        run.put_text(whole, record, PipelineStage.DRAFTED, first=put_planned)


def _purposes(view: ChapterView, plan: Sequence[SceneSpec]) -> list[Purpose]:
    """Returns what the plan says of each scene, and whether a model divided it so."""
    division = view.records.division
    is_by_model = division is not None and division.shares and not view.contract.scenes
    return [Purpose(scene.purpose, "model" if is_by_model else "hand") for scene in plan]


def scene_so_far(view: ChapterView, plan: tuple[SceneSpec, ...], scene: SceneSpec) -> str | None:
    """Returns the scene's text if nobody has to draft it (again), else None."""
    standing = _scene_that_stays(view, plan, scene)
    return standing if standing is not None else _finished_scene(view, scene)


def _is_divided_so(scenes: TextScenes, plan: Sequence[SceneSpec]) -> bool:
    """Whether a text has the scenes of the plan, and it is known of each where it stands."""
    return scenes.count == len(scenes.bounded) == len(plan)


def _scene_that_stays(
    view: ChapterView, plan: tuple[SceneSpec, ...], scene: SceneSpec
) -> str | None:
    """Returns, in a revision, the text of a scene that is not to be drafted again."""
    if view.checkpoint.revision is None or view.text is None:
        return None
    scenes = view.scenes
    if scenes.count != len(plan):
        return None
    if is_asked_for(view, scene.number) and scene.number not in _locked_scenes(view):
        return None
    return scenes.text_of(scene.number)


def is_asked_for(view: ChapterView, scene: int) -> bool:
    """Whether a revision wants a scene drafted again: it names the scene, or names none."""
    revision = view.checkpoint.revision
    return revision is not None and (not revision.scenes or scene in revision.scenes)


def _locked_scenes(view: ChapterView) -> frozenset[int]:
    """Returns the scenes with a passage that the author has locked: no draft replaces them."""
    if view.text is None:
        return frozenset()
    return view.store.locks().scenes_held(view.chapter, view.scenes)


def _finished_scene(view: ChapterView, scene: SceneSpec) -> str | None:
    """Returns a scene that was drafted in this lap, as the writer has changed it since."""
    if str(scene.number) not in view.records.drafted_scenes:
        return None
    text = view.staged.scene(scene.number)
    return text if text and split_paragraphs(text) else None


@dataclass(frozen=True, slots=True)
class _SceneDraft:
    """A scene's prose and what it was made with (A7)."""

    text: str
    hints: str | None = None
    exemplars: tuple[str, ...] = ()
    generation: str = ""
    stands: str = ""
    """The words that stood before the last answer."""


def _take_up(
    work: Work, plan: tuple[SceneSpec, ...], scene: SceneSpec, before: Before
) -> str | _SceneDraft:
    """Returns the words that stand of a scene, empty if it is not begun; or the whole scene, if a
    run was killed after it had written the scene and before it said so.

    Words that somebody put into the scene's file since it was recorded are the author's.
    """
    run, number = work.run, scene.number
    open_scene = run.checkpoint.open_scene
    open_scene = open_scene if open_scene is not None and open_scene.number == number else None
    text = words_of(run.staged, run.checkpoint, number)
    if not text:
        if open_scene is not None:
            run.save(open_scene=None)
        return ""
    if open_scene is not None and open_scene.sha256 == sha256_of(text):
        return text
    base = "" if open_scene is None else run.staged.scene_version(open_scene.sha256)
    record = None if base is None else _answer_that_came(work, plan, scene, before, base)
    if record is not None:
        return _SceneDraft(text, split_sections(record.generated_text).hints, generation=record.id)
    words = without_open_line_end(text)
    if words != text:
        run.staged.put_scene(number, words)
    hers = OpenScene(
        number=number,
        sha256=sha256_of(words),
        by="hand",
        target=open_scene.target if open_scene else planned_length(run, number),
        calls=open_scene.calls if open_scene else (),
        at=now(),
    )
    run.save(open_scene=hers, stage_records=run.records.by_hand())
    return words


def _answer_about_language(
    run: ChapterRun, scene: int, draft: _SceneDraft, turn: int
) -> AskWriter | str | None:
    """Returns what is to happen with a model's draft that is not in the novel's language, after it
    was asked for again so many times: `again`, `keep`, or the question. None if it is in it."""
    begun = run.checkpoint.open_scene
    more = draft.text[len(draft.stands) :]
    is_hers = begun is not None and begun.number == scene and begun.by == "hand"
    texts = {more} if is_hers else {more, draft.text}
    if not (draft.generation and any(is_told_in_another_language(t, run.pack) for t in texts)):
        return None
    decision_id = run.decision_id("language", f"scene {scene} {turn} {sha256_of(draft.text)}")
    choice = run.answer(decision_id)
    if choice is not None:
        return choice
    if run.review == "ask" or turn:
        return AskWriter(_language_question(decision_id, scene, more))
    run.emit.warn(
        said(
            "Scene {scene} came in another language than the novel's: “{quote}” It is asked for "
            "once more.",
            scene=scene,
            quote=excerpt(more, _QUOTED),
        )
    )
    return AGAIN


_QUOTED = 80
"""The most characters that are quoted of a draft in another language."""


def _language_question(decision_id: str, scene: int, text: str) -> Decision:
    return Decision(
        id=decision_id,
        kind="language",
        recommendation=AGAIN,
        options=(AGAIN, "keep"),
        rationale=said(
            "Scene {scene} came in another language than the novel's: “{quote}”",
            scene=scene,
            quote=excerpt(text, _QUOTED),
        ),
        data={
            "scene": scene,
            "text": text,
            "options": {
                AGAIN: said("Ask for the scene again, in the language of the novel."),
                "keep": said("The scene stands as it came."),
            },
        },
    )


def _leave_foreign_words(run: ChapterRun, scene: int, stands: str) -> None:
    """Begins a scene anew if the words that stand of it are in another language as well; they are
    kept as a version."""
    if stands and is_told_in_another_language(stands, run.pack):
        run.variations.keep(run.chapter, scene, stands, Reason.BEGUN_ANEW)
        run.staged.drop_scene(scene)
        run.save(open_scene=None)


def _attempts(view: ChapterView, turn: int) -> tuple[tuple[str, str], ...]:
    """Returns the two attempts at a scene, each with its name and what is said to the model, after
    its draft came in another language so many times."""
    language = LANGUAGE_NAMES[view.settings.novel.language]
    name = f"-anew{turn}" if turn else ""
    plea = _IN_LANGUAGE.format(language=language) if turn else ""
    return (name, plea), (f"{name}-again", f"{plea}{_TOO_SHORT}")


def _turns_asked(run: ChapterRun) -> int:
    """Returns how often a scene can have been asked for again for its language: without a question
    once, and as often as she said so."""
    return 1 + sum(a.kind == "language" and a.option == AGAIN for a in run.checkpoint.answers)


def _answer_that_came(
    work: Work, plan: tuple[SceneSpec, ...], scene: SceneSpec, before: Before, stands: str
) -> CallRecord | None:
    """Returns the whole answer to the question for the rest of a scene, if it came already."""
    turns = [_attempts(work.run, turn) for turn in range(_turns_asked(work.run) + 1)]
    for attempt, plea in reversed([attempt for turn in turns for attempt in turn]):
        question = scene_question(work, plan, scene, before, attempt, plea, stands)
        if prewrites(work.run):
            brief = brief_of(work.run, scene.number)
            if brief is None:
                continue
            question = put_brief(work.run, question, brief)
        record = work.run.gateway.find_finished(work.agents.request(question))
        if record is not None:
            return record
    return None


async def _draft_scene(
    work: Work,
    plan: tuple[SceneSpec, ...],
    scene: SceneSpec,
    before: Before,
    stands: str,
    turn: int,
) -> _SceneDraft:
    """Returns a scene's prose, which begins with the words that stand of it, and the drafter's
    hints; a scene that is too short is asked for once more. `turn` is how often its draft came in
    another language."""
    if (begun := _kept_partial(work.run, scene)) is not None and not stands:
        return _SceneDraft(begun)
    best, best_answer, asides = _SceneDraft(""), "", list[str]()
    seam = Seam(stands, work.run.pack)
    brief: CallRecord | None = None
    for attempt, plea in _attempts(work.run, turn):
        question = scene_question(work, plan, scene, before, attempt, plea, stands)
        if prewrites(work.run):
            brief = brief or (brief_of(work.run, scene.number) if stands else None)
            brief = brief or await brief_for(work, question)
            question = put_brief(work.run, question, brief)
            work.run.emit(Phase(phase="writing"))
        record = await work.agents.prose(question, partial(_take_in_what_came, work.run, scene))
        answer, goes_on = record.generated_text, bool(stands)
        prose, left_out = story_of(answer, work.run.pack, short=question.short, goes_on=goes_on)
        asides.extend(left_out)
        hints = split_sections(answer).hints
        if stands and says_none(prose) and is_over(stands):
            _say_that_it_is_finished(work.run, scene.number)
            return _SceneDraft(stands, hints, question.exemplars, record.id, stands)
        more = seam.added_by(prose) if stands else prose
        if len(stands + more) > max(len(best.text), len(stands)):
            best = _SceneDraft(stands + more, hints, question.exemplars, record.id, stands)
            best_answer = answer
        if len(best.text) >= MINIMUM_CHARACTERS:
            break
    if asides:
        work.run.emit.warn(
            said(
                "The model spoke to you in scene {scene} instead of telling the story. Left "
                "out: “{quote}”",
                scene=scene.number,
                quote=asides[0],
            )
        )
    if not best.text:
        raise ModelError("empty", said("scene {scene}", scene=scene.number))
    work.run.say_headings_left_out(scene.number, best_answer, best.text, goes_on=bool(stands))
    if len(best.text) < MINIMUM_CHARACTERS:
        work.run.emit.warn(
            said(
                "Scene {scene} has {number} characters, less than {least}.",
                scene=scene.number,
                number=len(best.text),
                least=MINIMUM_CHARACTERS,
            )
        )
    prose = await after_generation(work.run, scene.number, best.text)
    return best if prose == best.text else replace(best, text=prose)


def _take_in_what_came(run: ChapterRun, scene: SceneSpec, error: ModelError) -> bool:
    """Adds the words of an answer that broke off to those that stand of its scene; returns whether
    words stand. Those of an answer that went wrong otherwise are kept as a version."""
    number, prose = scene.number, words_that_stand(error.partial, run.pack)
    if error.error_kind in _BROKE_OFF:
        target = planned_length(run, number)
        run.add_answer(number, error.partial, error.generation, target)
        begun = run.checkpoint.open_scene
        return bool(prose) and begun is not None and begun.number == number
    if prose:
        run.variations.keep(run.chapter, number, prose, Reason.BEGUN_ANEW)
    return False


async def _may_go_on(run: ChapterRun, error: ModelError, times: int) -> bool:
    """Whether a scene whose answer broke off so many times goes on by itself, after a wait."""
    try:
        await run.gateway.wait_to_go_on(error, times)
    except ModelError:
        return False
    return True


def _say_that_it_is_finished(run: ChapterRun, scene: int) -> None:
    """Says that a scene that was to go on is at its end."""
    run.emit.warn(
        said(
            "The model finds nothing of its plan left in scene {scene}: nothing was added, and "
            "the scene is finished.",
            scene=scene,
        )
    )


def _kept_partial(run: ChapterRun, scene: SceneSpec) -> str | None:
    """Returns the cut-off text, if the writer chose to continue with it."""
    if run.answer(run.decision_id("cut_off", said("scene {scene}", scene=scene.number))) != "keep":
        return None
    partial = run.variations.newest(run.chapter, scene.number, Reason.CUT_OFF)
    return tidy_scene(partial) if partial else None
