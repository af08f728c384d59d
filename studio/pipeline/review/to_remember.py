"""What the book will remember of the chapter in work: shown before it goes into the book, and left
out or said otherwise by the author, one by one.

What she left out or said stands when the chapter is summarized once more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from studio.book.plans import planned_promises
from studio.book.promise_standing import PromiseStanding, standing_in_review
from studio.book.state_names import names_in
from studio.errors import usage
from studio.messages import readable, said
from studio.pipeline.chapter.lineage import Lineage
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.view import ChapterView
from studio.project.commit.writing import hold_for_writing
from studio.project.store import ProjectStore
from studio.story.checkpoint import Decision
from studio.story.form.numerals import whole_number
from studio.story.state import LAST_SEEN, Delta, StateOp, op_fault, put_to, read_by_a_model
from studio.story.state_words import change_by_names, reason_by_names, said_of_left_out

_NAME = ".name"


class Remembered(NamedTuple):
    """One thing that the chapter adds to what the book remembers."""

    number: int
    """Its number from 1 among those of the chapter, by which it is left out or changed."""
    change: StateOp
    words: str = ""
    """Of a promise, what is promised: her words, the plan's, or the text's; empty for a fact."""
    is_new: bool = False
    """Whether it brings a promise into the book that nobody planned and she has not put in her
    words. Of several events of one promise only the first does, and that it is kept brings none."""
    names: Mapping[str, str] = MappingProxyType({})
    """The name of whom or what a fact is about, by its id, where one is known."""

    @property
    def is_promise(self) -> bool:
        """Whether it is an event of a promise to the reader."""
        return self.change.op == "foreshadow"


def remembered_of(store: ProjectStore, chapter: int) -> tuple[Remembered, ...]:
    """Returns what the book will remember of a chapter in work, promises first; nothing before it
    is summarized. Who appears in it, and names alone, are not listed.

    StudioError (exit 5) for a damaged file.
    """
    delta = store.staging_of(chapter).delta()
    return () if delta is None else _remembered(store, delta)


def remembered_in_book(store: ProjectStore, chapter: int) -> tuple[Remembered, ...]:
    """Returns what the book remembers of a chapter that is in it, as `remembered_of` does.

    StudioError (exit 5) for a damaged file.
    """
    entry = store.changelog().newest(chapter)
    return () if entry is None else _remembered(store, entry.delta())


def _remembered(store: ProjectStore, delta: Delta) -> tuple[Remembered, ...]:
    contract = store.contract(delta.chapter)
    volume = contract.volume if contract is not None else store.checkpoint().current_volume
    descriptions = {p.id: p.description for p in planned_promises(store, volume).values()}
    tasks = {task.id for task in contract.foreshadowing} if contract is not None else set()
    names = {id_: name for (_kind, id_), name in names_in(store.state().tree).items()}
    names |= {op.path.split(".")[1]: str(op.value) for op in delta.ops if op.path.endswith(_NAME)}
    things, promises = [], {*descriptions, *tasks}
    for number, op in enumerate(_listed(delta), start=1):
        is_promise = op.op == "foreshadow"
        words = _promised(op, descriptions.get(op.path, "")) if is_promise else ""
        is_unplanned = is_promise and op.path not in promises
        is_new = is_unplanned and op.value != "resolve" and op.by != "author"
        promises |= {op.path} if is_promise else set()
        about = op.path.split(".")[1] if not is_promise else ""
        name = {about: names[about]} if about in names else {}
        things.append(Remembered(number, op, words, is_new, name))
    return tuple(things)


def _promised(op: StateOp, description: str) -> str:
    """Returns what is promised: in her words, as it is listed, as the summary or the text says."""
    hers = op.about if op.by == "author" else ""
    return hers or description or op.about or op.quote


def _listed(delta: Delta) -> list[StateOp]:
    ops = [op for op in delta.ops if not op.path.endswith((LAST_SEEN, _NAME))]
    return sorted(ops, key=lambda op: op.op != "foreshadow")


def leave_out(store: ProjectStore, number: int) -> StateOp:
    """Takes one thing out of what the book will remember of the chapter in work; returns it.

    StudioError: 2 where there is no such number, 3 if the novel is locked.
    """
    with hold_for_writing(store):
        delta, change = _find(store, number)
        rest = tuple(op for op in delta.ops if op != change)
        update = {"ops": rest, "left_out": (*delta.left_out, change)}
        _keep(store, delta.copy_with(**update))
    return change


def say_otherwise(store: ProjectStore, number: int, words: str) -> StateOp:
    """Puts her words in the place of what the chapter's summary says: of a promise what is
    promised, of a fact its value. Returns the change as it is now.

    StudioError: 2 where there is no such number, without words, or for a value that the change
    cannot have; 3 if the novel is locked.
    """
    plain = " ".join(words.split())
    if not plain:
        raise usage(said("Say in a few words what the book is to remember."))
    with hold_for_writing(store):
        delta, change = _find(store, number)
        now = change.copy_with(by="author", **_said_otherwise(change, plain))
        if (fault := op_fault(now)) is not None:
            raise usage(said("The book cannot remember that: {fault}.", fault=fault))
        ops = tuple(now if op == change else op for op in delta.ops)
        _keep(store, delta.copy_with(ops=ops))
    return now


def _said_otherwise(change: StateOp, words: str) -> dict[str, str | int]:
    if change.op == "foreshadow":
        return {"about": words}
    number = whole_number(words.removeprefix("-")) if isinstance(change.value, int) else None
    return {"value": words if number is None else -number if words[0] == "-" else number}


def carry_over(before: Delta | None, fresh: Delta) -> Delta:
    """Returns a fresh summary's changes with what the author left out of the one before, or said
    otherwise there."""
    if before is None or before.chapter != fresh.chapter:
        return fresh
    out = {op.plain for op in before.left_out}
    hers = {(op.op, op.path): op for op in before.authors_word}
    ops = [op for op in fresh.ops if op.plain not in out]
    kept_ops = [hers.pop((op.op, op.path), op) for op in ops]
    return fresh.copy_with(ops=(*kept_ops, *hers.values()), left_out=before.left_out)


def _find(store: ProjectStore, number: int) -> tuple[Delta, StateOp]:
    inflight = store.checkpoint().inflight_chapter
    delta = store.staging_of(inflight).delta() if inflight is not None else None
    if delta is None:
        raise usage(said("No chapter is in progress that was summarized."))
    rows: Sequence[StateOp] = _listed(delta)
    if not 1 <= number <= len(rows):
        raise usage(
            said("There is nothing with the number {number}.", number=number),
            said("`studio directives remembers` numbers what the book will remember."),
        )
    return delta, rows[number - 1]


def _keep(store: ProjectStore, delta: Delta) -> None:
    """Stages the changes. The record of the summary follows the file, and names it."""
    checkpoint = store.checkpoint()
    staged = store.staging_of(delta.chapter)
    text = staged.text()
    path, sha256 = staged.put_delta(delta)
    if text is None:
        return
    record = Lineage(checkpoint.stage_records, text.sha256).reader("summarize")
    if record is None or record.input_sha256 is None:  # it is made once more before the commit
        return
    new_record = record.copy_with(artifacts={**record.artifacts, path: sha256})
    records = tuple(new_record if one is record else one for one in checkpoint.stage_records)
    store.save_checkpoint(checkpoint.copy_with(stage_records=records))


def ask_about_state(run: ChapterRun) -> Decision | None:
    """Carries out the writer's answer about what was held back; returns a Decision if there is
    none yet."""
    delta = run.staged.delta()
    if delta is None or not delta.held_back:
        return None
    decision = _question(run, delta)
    option = run.answer(decision.id)
    if option is None and run.review == "ask":
        return decision
    if option is None:
        option = decision.recommendation
        run.answered_by_mode(decision, option)
    if option == "take":
        _take(run, delta)
        return None
    for sentence in readable(said_of_held_back(run, delta)):
        run.emit.warn(sentence)
    return None


def _take(run: ChapterRun, delta: Delta) -> None:
    """Adds what was held back to the changes of the chapter. The record of the summary follows the
    file, so that a kill here repeats no call."""
    changes = (*delta.ops, *(entry.change for entry in delta.held_back))
    path, sha256 = run.staged.put_delta(delta.copy_with(ops=changes, held_back=()))
    record = run.lineage.reader("summarize")
    artifacts = dict(record.artifacts) if record is not None else {}
    run.record(run.records.record_summary(run.current.sha256, {**artifacts, path: sha256}))


def _question(run: ChapterRun, delta: Delta) -> Decision:
    ids = [entry.sentence for entry in delta.held_back]
    notes = held_back_by_names(delta, _name_of(run, delta))
    return Decision(
        id=run.decision_id("state_changes", "\n".join(map(str, ids))),
        kind="state_changes",
        recommendation="leave",
        options=("take", "leave"),
        rationale=said(
            "The summary of chapter {chapter} changes the story in ways that its text does not"
            " bear out.",
            chapter=run.chapter,
        ),
        data={
            "notes": list(readable(notes)),
            "changes": [entry.model_dump(mode="json") for entry in delta.held_back],
            "options": {
                "take": said("The story's state takes them over as they are listed."),
                "leave": said("They stay out of the story's state; the rest goes in."),
            },
        },
    )


def promises_of(run: ChapterRun) -> PromiseStanding:
    """Returns what the chapter leaves open of its tasks, and what is overdue after it."""
    return standing_in_review(run.store, run.contract, run.staged.delta())


def clashes_of(run: ChapterRun) -> tuple[str, ...]:
    """Returns the changes that the state cannot take over because they contradict what is true
    already, a sentence each. A chapter review again is folded in its place, before the chapters
    that came later."""
    delta = run.staged.delta()
    if delta is None:
        return ()
    return said_of_clashes(run, delta)


def said_of_clashes(view: ChapterView, delta: Delta) -> tuple[str, ...]:
    """Returns a sentence about each change of a delta that the state before it cannot take."""
    _, refusals = put_to(view.story.state_before.tree, delta.ops, view.chapter)
    return tuple(
        said_of_left_out(op.plain, reason, _name_of(view, delta)) for op, reason in refusals
    )


def held_back_by_names(delta: Delta, name_of: Callable[[str], str]) -> tuple[str, ...]:
    """Returns the changes that the chapter does not bear out, for a list that says already what
    they are."""
    return tuple(
        said(
            "{entry}: {reason}.",
            entry=change_by_names(one.change.plain, name_of),
            reason=reason_by_names(one.change.plain, one.reason, name_of),
        )
        for one in delta.held_back
    )


def said_of_held_back(view: ChapterView, delta: Delta) -> tuple[str, ...]:
    """Returns a sentence about each change that the chapter does not bear out."""
    return tuple(
        said_of_left_out(one.change.plain, one.reason, _name_of(view, delta))
        for one in delta.held_back
    )


def _name_of(view: ChapterView, delta: Delta) -> Callable[[str], str]:
    """Returns what gives the name of an id, also of one that is new with this delta."""
    given = {
        op.path.split(".")[1]: str(op.value)
        for op in delta.ops
        if op.op == "set" and op.path.endswith(".name") and op.path.count(".") == _OF_A_NAME
    }
    return lambda id_: given.get(id_) or view.story.name_of(id_)


_OF_A_NAME = 2
"""The dots in the path of a name: category, id, name."""


def what_she_knows(run: ChapterRun) -> tuple[str, ...]:
    """Returns all of it as the record of her review keeps it: a sentence each, and the ids of the
    promises that come into the book with the chapter, whose words each summary finds anew."""
    return (*_findings(run), *(one.change.path for one in _promises_it_brings(run)))


def new_findings(run: ChapterRun) -> tuple[str, ...]:
    """Returns what a summary made after the review of this very text found, and the review did not
    know of; nothing once the writer was asked about it, and nothing where no model made it: that
    nobody looked is no finding."""
    delta = run.staged.delta()
    if delta is None or not read_by_a_model(delta.ops):
        return ()
    review, summary = run.records.newest("review"), run.records.newest("summarize")
    if review is None or summary is None or run.text is None:
        return ()
    if review.input_sha256 != run.text.sha256 or not run.records.is_later(summary, review):
        return ()
    notes = {str(one) for one in review.notes}
    promises = (
        said(
            "A promise that nobody planned comes into the book with it: “{words}”.",
            words=one.words.rstrip(".。"),
        )
        for one in _promises_it_brings(run)
        if one.change.path not in notes
    )
    return (*(one for one in _findings(run) if str(one) not in notes), *promises)


def _findings(run: ChapterRun) -> tuple[str, ...]:
    return (*promises_of(run).sentences, *clashes_of(run))


def _promises_it_brings(run: ChapterRun) -> tuple[Remembered, ...]:
    return tuple(one for one in remembered_of(run.store, run.chapter) if one.is_new)
