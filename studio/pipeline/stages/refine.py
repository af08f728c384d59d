"""Refine: the style refiner proposes line edits, and the facts stay untouched (WRITING 6).

One call reads the whole chapter with what code has found in it, and answers with the paragraphs it
would change. Where nobody decides, what passes the guard is in the text before the judge reads; in
ask mode it waits in the review. The author's own prose is never refined. The same work, asked for
once more by the gate, is the polish.
"""

from __future__ import annotations

from collections.abc import Sequence

from studio.messages import join, quantity, said
from studio.pipeline.chapter.own_text import own_paragraphs
from studio.pipeline.chapter.records import Polishing
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import ProposalEvent, StageName
from studio.pipeline.judging.evaluation import findings_block
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.fit_to_window import TooLarge
from studio.pipeline.prompting.prompt_blocks import exemplar_text, number_paragraphs
from studio.pipeline.review.code_findings import measure
from studio.pipeline.review.line_edits import (
    EditGuard,
    PlacedEdit,
    as_proposals,
    carry_out,
    sheet_with,
)
from studio.pipeline.review.polish import notes_for_the_line_editor
from studio.pipeline.stage import AskWriter, Back, Go, Sight, Step, Work
from studio.project.scenes_of_chapter import scenes_of
from studio.story.chapter import Chapter, sha256_of
from studio.story.checkpoint import Decision, PipelineStage
from studio.story.form.document import to_jsonable
from studio.story.review.answers import LineEditsAnswer
from studio.story.review.directive import Directive, DirectiveSheet, DirectiveType
from studio.story.review.proposal import Proposal
from studio.story.review.scenes_in_text import TextScenes
from studio.text.content import outdated_clauses
from studio.text.oracle.directives import CodeFindings

_TASKS = {
    "refine": "Return the paragraphs of chapter {n} that you would change, and nothing else.",
    "polish": (
        "Chapter {n} has been judged; `notes` say why its language is to be looked at once more."
        " Return the paragraphs that you would change, and nothing else."
    ),
}


class RefineStage:
    """The stage of the style refiner."""

    name: StageName = "refine"
    quiet = False

    def idle(self, run: ChapterRun) -> str | None:
        """Returns why nothing is refined, or None: refining is off, not possible with this
        model, or done."""
        if run.checkpoint.own_text:
            return said("your own text is not refined")
        if run.settings.refine.on == "off":
            return said("switched off")
        if run.profile is None or run.profile.rewrites != "well":
            return said("this model is too small to refine prose")
        if _open_question(run) is not None:
            return None
        return "refined" if run.lineage.writer_done(_pass(run), run.lap) else None

    async def ask(self, work: Work) -> None:
        """Asks for the line edits of the text as it is, if they are worth a call."""
        run = work.run
        if self.idle(run) is not None or _open_question(run) is not None:
            return
        findings = findings_to_mend(run)
        if _is_worth_a_call(run, findings):
            await work.agents.structure(refine_question(work, findings), LineEditsAnswer)

    async def work(self, work: Work) -> Step:
        """Asks for line edits where something was found, and keeps them or carries them out."""
        run = work.run
        if (decision := _open_question(run)) is not None:
            return self._decide(run, decision)
        findings = findings_to_mend(run)
        if not _is_worth_a_call(run, findings):
            self._put(run, run.current, guarded=True)
            return Go(said("nothing to change was found"))
        edits = await self._edits(work, findings)
        if not edits:
            self._put(run, run.current, guarded=True)
            return Go(said("nothing is changed"))
        before = run.current
        chapter_id = run.store.chapter_list().id_of(run.chapter)
        proposals = as_proposals(chapter_id, before, edits)
        if run.review == "ask":
            _propose(run, proposals)
            self._put(run, before, guarded=True)
            return Go(quantity(len(edits), "{n} small change waits", "{n} small changes wait"))
        after, rows = carry_out(before, edits, proposals)
        _propose(run, rows)
        guarded = not outdated_clauses(before.text, after.text, run.staged.summary(), run.pack)
        self._put(run, after, guarded=guarded)
        made = quantity(len(edits), "{n} small change", "{n} small changes")
        return Go(made) if guarded else Back(made)

    async def _edits(self, work: Work, findings: CodeFindings) -> list[PlacedEdit]:
        run = work.run
        try:
            answer, _record = await work.agents.structure(
                refine_question(work, findings), LineEditsAnswer
            )
        except TooLarge:
            run.emit.warn(
                said("The chapter is too long for the model's window; your draft stands.")
            )
            return []
        guard = EditGuard(
            run.current,
            work.prompt_blocks.names(),
            run.pack,
            held={
                *run.store.locks().held_in(run.chapter, run.current),
                *((p.scene, p.number) for p in own_paragraphs(run)),
                *_paragraphs_read(run),
            },
            wording=_reasons(run),
        )
        edits, refusals = guard.take(answer.edits)
        if refusals:
            run.emit.warn(
                said(
                    "Small changes that were not taken, so that your draft stands there: {why}.",
                    why=join(dict.fromkeys(refusals), "; "),
                )
            )
        return edits

    def _put(self, run: ChapterRun, after: Chapter, *, guarded: bool) -> None:
        """Records the pass, with the text it leads to."""
        scenes = {
            str(n): sha256_of(text)
            for n, text in _texts(scenes_of(run.store, run.chapter, after)).items()
        }
        before = run.current.sha256
        record = run.records.record_polish(
            _pass(run), before, after.sha256, scenes, guarded=guarded
        )
        # A polish comes behind the gate: the chapter stays as far on as it was.
        is_behind_gate = _pass(run) == "polish" and guarded
        stage = PipelineStage.GATED if is_behind_gate else PipelineStage.REFINED
        if after.sha256 == before:
            run.record(record, stage)
        else:
            run.record(run.records.refinement_kept(after.sha256))
            run.put_text(after.text, record, stage)

    def _decide(self, run: ChapterRun, decision: Decision) -> Step:
        """Asks the question of a run from before line edits, and carries out its answer."""
        option = run.answer(decision.id)
        if option is None and run.review == "ask":
            return AskWriter(decision)
        if option is None:
            run.answered_by_mode(decision, "keep")
        if option == "undo":
            before, now = decision.data["before_sha256"], run.current.sha256
            undone = run.records.record_unpolished(now, before)
            run.put_text(run.earlier_text(before), undone, PipelineStage.REFINED)
            return Go(said("undone"))
        run.record(run.records.refinement_kept(run.current.sha256))
        if run.lineage.reader("summarize") is None:
            return Back(said("kept; the summary tells what is no longer there"))
        return Go(said("kept"))


def findings_to_mend(view: ChapterView) -> CodeFindings:
    """Returns what code has found in the scenes that no pass has read yet, and a line editor may
    mend: one that adds nothing cannot do anything about senses that are missing."""
    code = measure(view)[1]
    texts, numbers = view.scenes, _scenes_to_read(view)

    def mine(directives: Sequence[Directive]) -> tuple[Directive, ...]:
        return tuple(
            d
            for d in directives
            if d.type is not DirectiveType.SENSORY_ENRICHMENT
            and texts.number_at(d.location) in numbers
        )

    return CodeFindings(directives=(*mine(code.directives), *mine(code.beyond)))


def refine_question(work: Sight, findings: CodeFindings) -> Question:
    """Returns the question to the style refiner about the chapter's text."""
    view = work.run
    sound = work.prompt_blocks.voices()
    return Question(
        agent="style-refiner",
        stage="refine",
        what=f"{_pass(view)}-{view.current.sha256[:8]}",
        blocks={
            "chapter": number_paragraphs(view.current),
            "findings": findings_block(findings, view.pack),
            "exemplars": exemplar_text(sound, view.pack.language),
            "notes": "\n".join(_reasons(view)),
            "task": _TASKS[_pass(view)].format(n=view.chapter),
        },
        exemplars=tuple(e.id for e in sound),
        needed=frozenset({"chapter"}),
    )


def _propose(run: ChapterRun, proposals: Sequence[Proposal]) -> None:
    present = run.staged.sheet()
    sheet = present or DirectiveSheet(chapter=run.chapter, source_sha256=run.current.sha256)
    known = {p.id: p for p in sheet.proposals}
    sheet = sheet_with(run.store, sheet, proposals)
    run.staged.put_sheet(sheet)
    for proposal in sheet.proposals:
        if known.get(proposal.id) != proposal:
            run.emit(ProposalEvent(proposal=to_jsonable(proposal)))


def _texts(scenes: TextScenes) -> dict[int, str]:
    """Returns the text of each scene of which words stand."""
    text = scenes.chapter.text
    return {scene.number: text[scene.start : scene.end] for scene in scenes.scenes}


def _scenes_to_read(view: ChapterView) -> frozenset[int]:
    """Returns the scenes that no first pass has read as they are; a polish reads all."""
    seen = view.records.refined_scenes if _pass(view) == "refine" else set()
    texts = _texts(view.scenes)
    return frozenset(n for n, text in texts.items() if sha256_of(text) not in seen)


def _paragraphs_read(view: ChapterView) -> frozenset[tuple[int, int]]:
    """Returns scene and number of the paragraphs in scenes that a first pass has read."""
    numbers = _scenes_to_read(view)
    read = (scene for scene in view.scenes.scenes if scene.number not in numbers)
    return frozenset((p.scene, p.number) for scene in read for p in scene.paragraphs)


def _is_worth_a_call(run: ChapterRun, findings: CodeFindings) -> bool:
    """Whether the refiner is asked: for a polish, and where something was found or the writer wants
    it always, unless each scene was read before."""
    if _pass(run) == "polish":
        return True
    wanted = bool(findings.directives) or run.settings.refine.on == "always"
    return wanted and bool(_scenes_to_read(run))


def _reasons(view: ChapterView) -> tuple[str, ...]:
    """Returns why the gate has the language looked at once more."""
    return () if _pass(view) == "refine" else notes_for_the_line_editor(view)


def _pass(run: ChapterView) -> Polishing:
    """Returns `refine` for the first pass, `polish` when the gate asked for another (once per
    chapter)."""
    granted = run.checkpoint.polished and run.records.polished_in in (None, run.lap)
    return "polish" if granted else "refine"


def _open_question(run: ChapterRun) -> Decision | None:
    """Returns the question of a run from before line edits about a refinement that changed text
    and was not yet kept or undone."""
    record, text = run.records.refinement(_pass(run)), run.text
    if record is None or text is None or record.output_sha256 != text.sha256:
        return None
    if record.input_sha256 == record.output_sha256 or run.records.is_refinement_kept(text.sha256):
        return None
    return Decision(
        id=run.decision_id("refine"),
        kind="refine",
        recommendation="keep",
        options=("keep", "undo"),
        rationale=said("The style refiner changed the draft; its names, numbers and speech stand."),
        data={
            "before_sha256": record.input_sha256,
            "after_sha256": record.output_sha256,
            "options": {
                "keep": said("Go on with the refined text."),
                "undo": said("Go on with the draft as it was."),
            },
        },
    )
