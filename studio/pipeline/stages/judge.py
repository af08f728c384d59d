"""Judge: metrics by code, then the quality oracle in a fresh context (seed A8, A19).

The oracle sees the text, the contracts and the measures, never the conversation that wrote the
text. It writes nothing: this module writes the evaluation and the directives.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace

from studio.messages import said
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.targets import intended
from studio.pipeline.drafting.scene_plans import climax_paragraphs
from studio.pipeline.events import ProposalEvent, StageName
from studio.pipeline.judging.evaluation import (
    answer_findings,
    evaluation_of,
    findings_block,
    patterns_of,
)
from studio.pipeline.judging.gate import TOO_SMALL
from studio.pipeline.judging.measures import (
    announce,
    announce_metrics,
    measures_in_words,
    metrics_of,
    with_exemplars,
)
from studio.pipeline.judging.placement import place_proposals
from studio.pipeline.prompting import fit_to_window
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.fit_to_window import RULES, TooLarge
from studio.pipeline.prompting.lines import join_lines
from studio.pipeline.prompting.prompt_blocks import (
    LAST_LINES,
    exemplar_text,
    number_paragraphs,
)
from studio.pipeline.prompting.tools.plugin_hooks import ask_plugins
from studio.pipeline.review.changed_since_judged import told_again
from studio.pipeline.review.choice_answers import with_answers
from studio.pipeline.review.code_findings import code_findings, measure
from studio.pipeline.review.fixes_kept import is_quiet
from studio.pipeline.review.line_edits import edits_block, open_edits
from studio.pipeline.review.rounds import (
    asked_to_look_again,
    decided_before,
    is_open,
    round_of,
    taken_ids,
)
from studio.pipeline.stage import Go, Sight, Step, Work
from studio.story.chapter import Chapter, passage_text, sha256_of
from studio.story.checkpoint import PipelineStage
from studio.story.form.document import to_jsonable
from studio.story.review.answers import JudgeAnswer
from studio.story.review.directive import Directive, DirectiveSheet, DirectiveType
from studio.story.review.evaluation import SCORE_NAMES
from studio.story.review.operations import MAX_DIRECTIVES
from studio.story.review.passages_in_changed_text import SearchableChapter, location_of
from studio.story.review.proposal import Proposal
from studio.story.review.scenes_in_text import TextScenes
from studio.story.review.stale_directives import relocate, sheet_in
from studio.story.status import APPROVED_STATUSES, DirectiveStatus
from studio.text.metrics.measure import Metric
from studio.text.oracle.directives import CodeFindings, merge, overlaps

_SETTLED = APPROVED_STATUSES | {DirectiveStatus.UNDONE, DirectiveStatus.WAIVED}
"""What is not proposed once more beside the decision that stands: it waits for the surgeon, or she
has said no to it."""


class JudgeStage:
    """The stage of the metrics and the quality oracle."""

    name: StageName = "judge"
    quiet = False

    def idle(self, run: ChapterRun) -> str | None:
        """Returns why the judgement still stands, or None. It stands through guarded changes,
        unless a violation was open."""
        record = run.lineage.reader("judge")
        earlier = run.lineage.overtaken("judge") if run.is_attended else None
        if record is None and earlier is None:
            return None
        if run.staged.evaluation() is None or run.staged.sheet() is None:
            run.emit.warn(
                said(
                    "The evaluation of the chapter in progress is missing or was changed; it "
                    "is made again."
                )
            )
            return None
        if record is None:  # she typed: nothing is called for that (CONTRACTS 7)
            due = earlier is not None and asked_to_look_again(run, earlier)
            return None if due else said("judged before your changes; the review stands")
        evaluation = run.evaluation()
        judged_sha256 = evaluation.judged_sha256
        if (
            judged_sha256
            and judged_sha256 != run.current.sha256
            and evaluation.open_high_violations
        ):
            return None
        if asked_to_look_again(run, record):
            return None
        return "judged" if judged_sha256 else "measured"

    async def work(self, work: Work) -> Step:
        """Measures, asks the oracle if there is one, and stages the findings."""
        run = work.run
        run.background.cancel()  # the whole chapter is measured now
        metrics, code = measure(run)
        answer, model, fault = await self._ask(work, metrics, code)
        patterns = await asyncio.to_thread(patterns_of, run)
        evaluation = with_answers(evaluation_of(run, metrics, answer, model, patterns), run)
        remarks = (*((fault,) if fault else ()), *await ask_plugins(run))
        for remark in remarks:
            run.emit.warn(remark)
        if remarks:
            warnings = (*evaluation.warnings, *remarks)
            evaluation = evaluation.copy_with(warnings=warnings)
        sheet = _sheet(work, code if answer else code_findings(run, metrics, judged=False), answer)
        evaluation = evaluation.copy_with(verdict="REVISE" if sheet.open else "PASS")
        announce_metrics(run, metrics, evaluation.overall)
        for directive in sheet.directives:
            announce(run, directive)
        run.staged.put_evaluation(evaluation)
        run.staged.put_sheet(sheet)
        fit_to_window.tell(run)
        run.record(run.records.record_judgement(run.current.sha256), PipelineStage.JUDGED)
        return Go("" if answer else said("not judged: measured only"))

    async def _ask(
        self, work: Work, metrics: dict[str, Metric], code: CodeFindings
    ) -> tuple[JudgeAnswer | None, str | None, str]:
        """Returns the judgement, the model that gave it, and why there is none where a model
        could have given one."""
        run = work.run
        if run.profile is None or not run.profile.judges:
            return None, None, ""
        question = judge_question(work, metrics, code)
        try:
            answer, record = await work.agents.structure(question, JudgeAnswer, score_faults)
        except TooLarge:
            return None, None, TOO_SMALL.format(window=f"{run.profile.window:,}")
        return answer, record.model, ""


def judge_question(work: Sight, metrics: dict[str, Metric], code: CodeFindings) -> Question:
    """Returns the question to the quality oracle about the chapter's text."""
    view = work.run
    sound = work.prompt_blocks.voices()
    edits = open_edits(view.staged.sheet(), view.current)
    return Question(
        agent="quality-oracle",
        stage="judge",
        what=view.current.sha256[:8],
        blocks={
            "chapter": number_paragraphs(view.current),
            "direction": view.direction,
            "measures": measures_in_words(metrics, view.pack),
            "findings": findings_block(code, view.pack),
            "previous-tail": join_lines(
                "previous-tail", work.prompt_blocks.last_pages(pages=LAST_LINES)
            ),
            "decided": told_again(view),
            "line-edits": edits_block(edits, view.current),
            "exemplars": exemplar_text(sound, view.pack.language),
            "task": f"Judge chapter {view.chapter}.{_where_scenes_begin(view.scenes)}",
        },
        exemplars=tuple(e.id for e in sound),
        needed=RULES,
    )


def _where_scenes_begin(scenes: TextScenes) -> str:
    """Returns where each scene begins in a text; empty where its breaks say it."""
    if not scenes.are_planned:
        return ""
    firsts = ((scene.number, scene.paragraphs[0]) for scene in scenes.scenes)
    begins = "; ".join(f"scene {n} from [{p.scene}.{p.number}]" for n, p in firsts)
    return (
        f" Its scenes are not those between breaks: {begins}. Where a `scene` is asked for, these"
        " numbers are meant; labels stay as they are."
    )


def score_faults(answer: JudgeAnswer) -> list[str]:
    """Returns the scores that are not valid: missing, not a number, or outside 1 to 5."""
    return [
        f"scores.{name}.score: {score} is not a number from 1 to 5"
        for name in SCORE_NAMES
        if not math.isfinite(score := getattr(answer.scores, name).score) or not 1 <= score <= 5
    ]


def _sheet(work: Work, code: CodeFindings, answer: JudgeAnswer | None) -> DirectiveSheet:
    """Merges code findings and the judge's proposals into one list of at most five."""
    run = work.run
    chapter = run.current
    forgotten, is_waived = run.rejections(), intended(run.store, run.chapter)
    climax = climax_paragraphs(run)
    before = decided_before(run, chapter)
    by_judge, unplaced = place_proposals(chapter, answer.directives if answer else (), climax)
    by_judge = [_aim(run, directive) for directive in by_judge]
    answers = answer_findings(code, answer.findings if answer else (), by_judge)
    warnings = answers.warnings
    for warning in warnings:
        run.emit.warn(warning)
    proposals = [
        d for d in (*by_judge, *_bridges(run)) if not d.is_among(forgotten) and not is_waived(d)
    ]
    undecided = [d for d in before if is_open(d)]
    settled = [d for d in before if d.status in _SETTLED and d.stands == "same"] + undecided
    proposals = [d for d in proposals if not any(overlaps(d, s) for s in settled)]
    code_findings = replace(
        answers.findings,
        directives=tuple(
            d for d in answers.findings.directives if not any(overlaps(d, s) for s in settled)
        ),
    )
    merged = merge(
        code_findings,
        proposals,
        used_ids=taken_ids(run, before, chapter),
        most=max(0, MAX_DIRECTIVES - len(undecided)),
    )
    ground = SearchableChapter(chapter)
    fresh = (relocate(directive, ground) for directive in merged.directives)
    return DirectiveSheet(
        chapter=run.chapter,
        source_sha256=chapter.sha256,
        round=round_of(run),
        directives=(*before, *with_exemplars(fresh, work.prompt_blocks.exemplars)),
        suppressed=merged.suppressed,
        beyond=tuple(relocate(directive, ground) for directive in merged.beyond),
        unplaced=tuple(unplaced),
        proposals=_proposals(run),
        redraft_suggested=merged.redraft_suggested,
        rejected=(*forgotten, *answers.refused),
        warnings=warnings,
    )


def _proposals(run: ChapterRun) -> tuple[Proposal, ...]:
    """Returns the proposals of the chapter, at their present places; no reading decides on them."""
    sheet = sheet_in(run.staged.sheet(), run.current)
    proposals = sheet.proposals if sheet is not None else ()
    for proposal in proposals:
        run.emit(ProposalEvent(proposal=to_jsonable(proposal)))
    return proposals


def _aim(run: ChapterRun, directive: Directive) -> Directive:
    """Returns a judge's directive without its metric where code sees nothing in the passage: the
    judge then means something else, and the number could not move."""
    if directive.metric is None:
        return directive
    quiet = is_quiet(directive.metric, metrics_of(run, Chapter(directive.current_text)))
    return directive.copy_with(metric=None) if quiet else directive


def _bridges(run: ChapterRun) -> list[Directive]:
    """Returns the bridges that the assembly agent proposed, each as a directive that carries its
    text."""
    directives: list[Directive] = []
    for number, bridge in run.records.bridges.items():
        scene = run.scenes.scene(number)
        passage = scene.paragraphs[:1] if scene is not None else ()
        text = passage_text(passage)
        if not passage or text.startswith(bridge):
            continue
        directives.append(
            Directive(
                id="dir_transition_smoothing_001",
                type=DirectiveType.TRANSITION_SMOOTHING,
                priority=9,
                location=location_of(passage),
                issue=said(
                    "The step into scene {number} leaves out more than one thing at once.",
                    number=number,
                ),
                current_text=text,
                instruction=said("Begin the scene with: {bridge}", bridge=bridge),
                max_scope=1,
                source_sha256=sha256_of(text),
                origin="code",
                edited_text=f"{bridge} {text}",
            )
        )
    return directives
