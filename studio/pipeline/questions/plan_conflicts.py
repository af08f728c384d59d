"""Where the plans of a chapter disagree with each other or have changed during the work (seed E1).

In ask mode the writer decides; the other modes follow the recommendation and announce it.
"""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.ledger import Ledger, contradictions_before, put_waiver
from studio.messages import join, said
from studio.pipeline.chapter.derived_contract import contract_from_outline
from studio.pipeline.chapter.run import ChapterRun
from studio.project.commit.new_wording import wordings_before
from studio.project.outline import section_of
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of
from studio.story.checkpoint import Decision, PipelineStage, Revision
from studio.story.contract import ChapterContract
from studio.story.form.document import to_bytes, to_jsonable
from studio.story.form.validation import read_document
from studio.story.novel import StorylineSchedule


def ask_about_plans(run: ChapterRun) -> Decision | None:
    """Carries out the writer's answers, and returns a Decision for a conflict not answered yet."""
    for decision in (_schedule_conflict(run), _contract_change(run)):
        if decision is None:
            continue
        option = run.answer(decision.id)
        if option is None and run.review == "ask":
            return decision
        if option is None:
            option = decision.recommendation
            run.answered_by_mode(decision, option)
        _carry_out(run, decision, option)
    return None


def _carry_out(run: ChapterRun, decision: Decision, option: str) -> None:
    if decision.kind == "schedule_conflict" and option == "schedule":
        scheduled = _storyline_in_schedule(run.store.schedule(run.contract.volume), run.chapter)
        run.contract = run.contract.copy_with(storyline_id=scheduled)
    elif decision.kind == "contract_change":
        if option == "draft-again":
            number = run.lap + 1
            run.save(
                laps=number,
                revision=Revision(number=number, deep=False),
                pipeline_stage=PipelineStage.REVISING,
            )
        remember_plan(run)


def remember_plan(run: ChapterRun) -> None:
    """Records which contract the chapter is written to."""
    run.record(run.records.written_to(_identity(run.contract)))


def _schedule_conflict(run: ChapterRun) -> Decision | None:
    """Returns a Decision if the contract gives the chapter to one storyline and the schedule to
    another."""
    scheduled = _storyline_in_schedule(run.store.schedule(run.contract.volume), run.chapter)
    own = run.contract.storyline_id
    if scheduled in (None, own):
        return None
    return Decision(
        id=f"schedule_conflict-{run.chapter:03d}-{sha256_of(f'{own} {scheduled}')[:8]}",
        kind="schedule_conflict",
        recommendation="contract",
        options=("contract", "schedule"),
        rationale=(
            said(
                "The plan of chapter {chapter} belongs to “{name}”, the storyline schedule "
                "has “{name_other}” there.",
                chapter=run.chapter,
                name=own,
                name_other=scheduled,
            )
        ),
        data={
            "contract": own,
            "schedule": scheduled,
            "options": {
                "contract": said("The chapter belongs to {line}.", line=own),
                "schedule": said("The chapter belongs to {line}.", line=scheduled),
            },
        },
    )


def _contract_change(run: ChapterRun) -> Decision | None:
    """Returns a Decision if the contract is not the one the text was drafted from."""
    remembered = run.records.contract
    if remembered is None or run.text is None or run.checkpoint.own_text:
        return None
    now = _identity(run.contract)
    if remembered in (now, sha256_of(to_bytes(run.contract).decode())):  # the latter: an older one
        return None
    if any(_identity(plan) == remembered for plan in _plans_before_rewording(run)):
        remember_plan(run)
        return None
    return Decision(
        id=f"contract_change-{run.chapter:03d}-{now[:8]}",
        kind="contract_change",
        recommendation="keep",
        options=("keep", "draft-again"),
        rationale=said(
            "The plan of chapter {chapter} was changed after it was drafted.", chapter=run.chapter
        ),
        data={
            "options": {
                "keep": said("Go on with the text; it is judged by the new plan."),
                "draft-again": said("Draft the chapter again from the new plan."),
            }
        },
    )


def _plans_before_rewording(run: ChapterRun) -> Iterator[ChapterContract]:
    """Yields what the plan was before words in it were replaced, such as a name: that is no other
    plan, as the text has the new words too."""
    store, chapter, volume = run.store, run.chapter, run.contract.volume
    path = store.layout.contract(volume, chapter)
    if store.root.info(path) is not None:
        for data in wordings_before(store, path):
            yield read_document(ChapterContract, data, path)
        return
    for data in wordings_before(store, store.layout.outline(volume)):
        section = section_of(data.decode(), chapter)
        if section is not None:
            title = section[0] or run.contract.title
            yield contract_from_outline(store, chapter, volume, (title, section[1]))


def _storyline_in_schedule(schedule: StorylineSchedule, chapter: int) -> str | None:
    return next((c.storyline_id for c in schedule.chapters if c.chapter == chapter), None)


def _identity(contract: ChapterContract) -> str:
    """Returns what a plan is known by. How long the chapter is to be is none of it: another length
    asks for no other draft, and the review says how long the text is."""
    scenes = tuple(scene.copy_with(target_length=None) for scene in contract.scenes)
    events = contract.copy_with(target_length=None, scenes=scenes)
    return sha256_of(to_bytes(events).decode())


_NO_REASON = said("It is meant.")
_BEFORE_READING = (PipelineStage.DRAFTING, PipelineStage.DRAFTED)
"""The stages at which nothing but the prose, if any, has been paid for."""


def ask_about_continuity(run: ChapterRun) -> Decision | None:
    """Carries out the writer's answer, and returns a Decision for contradictions not answered
    yet."""
    is_new = run.chapter > run.checkpoint.last_completed_chapter
    if not is_new or run.checkpoint.pipeline_stage not in _BEFORE_READING:
        return None
    ledger = contradictions_before(run.store, run.pack, run.chapter)
    if not ledger.high:
        return None
    identity = _identity_of(run.store, ledger)
    if identity in run.checkpoint.went_on:
        return None
    decision = _decision(run.chapter, identity, ledger)
    option = run.answer(decision.id)
    if option is None:
        return decision
    if option == "waive":
        answer = run.checkpoint.answer_to(decision.id)
        reason = (answer.note.strip() if answer else "") or _NO_REASON
        for fact_key in dict.fromkeys(entry.fact_key for entry in ledger.high):
            put_waiver(run.store, fact_key, reason)
    else:
        run.save(went_on=(*run.checkpoint.went_on, identity))
    return None


def _decision(chapter: int, identity: str, ledger: Ledger) -> Decision:
    sentences = list(dict.fromkeys(entry.message for entry in ledger.high))
    return Decision(
        id=f"continuity-{chapter:03d}-{identity[:8]}",
        kind="continuity",
        recommendation="edit",
        options=("go-on", "edit", "waive"),
        rationale=join(sentences),
        data={
            "findings": [to_jsonable(entry) for entry in ledger.high],
            "options": {
                "go-on": said(
                    "Write the chapter all the same; asked again when one of these changes."
                ),
                "edit": said("Change the plan or the entry yourself, then resume."),
                "waive": said("It is meant: it is not named again. A note becomes the reason."),
            },
        },
    )


def _identity_of(store: ProjectStore, ledger: Ledger) -> str:
    """Returns an identity of the findings, with the texts and plans they are about."""
    parts = sorted(entry.id for entry in ledger.high)
    layout = store.layout
    for number in sorted({n for entry in ledger.high for n in entry.chapters}):
        paths = [layout.chapter(number)]
        paths += [layout.contract(volume, number) for volume in layout.volume_numbers()]
        parts += [store.root.sha(path) or "" for path in paths]
    return sha256_of(join(parts))[:16]
