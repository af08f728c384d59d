"""The circuit breaker: the writer is asked when surgery goes round in circles (A15)."""

from __future__ import annotations

from studio.messages import said
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.judging.measures import announce
from studio.pipeline.review.decisions import reject
from studio.pipeline.review.rounds import MOST_ROUNDS, MOST_TIMES, times_worked
from studio.quotation_marks import put_in_quotes
from studio.story.checkpoint import Decision
from studio.story.review.directive import NAMES, Directive
from studio.story.review.passages_in_changed_text import SearchableChapter
from studio.story.review.stale_directives import relocate
from studio.story.status import DirectiveStatus
from studio.text.prose.answer import excerpt

LEAVE, AGAIN, EDIT = "leave", "again", "edit"
LEFT = said("left as it is after several tries")
_CONSEQUENCES = {
    LEAVE: said("The passage stays as it is now, and this is not proposed for it again."),
    AGAIN: said(
        "The surgeon tries once more; a note with your answer tells it what to do differently."
    ),
    EDIT: said("Change the passage yourself in the text, then resume."),
}
_QUOTED = 160
"""Characters of a passage that a question quotes."""
_STUCK = said(
    "The same thing ({type}) has come up {times} times in this passage (scene {scene}, paragraph"
    " {first}), and the surgeon has rewritten it {worked} times. One more try is unlikely to find"
    " what the others missed."
)
_ROUNDS = said(
    "The surgeon has been through this chapter {rounds} times and there is still something to do"
    " ({type} in scene {scene}, paragraph {first}). More rounds tend to wear the text down."
)


def ask_before(run: ChapterRun, approved: Directive) -> Decision | Directive | None:
    """Returns the question to ask before the surgeon works on a directive, or the directive to work
    on; None if the writer answered to leave it.

    A directive that she edited is her own wish and is never held up.
    """
    directive = relocate(approved, SearchableChapter(run.current))
    why = "" if directive.status is DirectiveStatus.EDITED else _why(run, directive)
    if not why:
        return approved
    decision = _decision(run, directive, why)
    if run.answer(decision.id) is None:
        return decision
    answer = run.checkpoint.answer_to(decision.id)
    assert answer is not None
    if answer.option == LEAVE:
        run.staged.put_sheet(reject(run.sheet(), directive, answer.note or LEFT))
        announce(run, run.sheet().find(directive.id) or directive)
        return None
    return approved.copy_with(note=answer.note or approved.note)


def _why(run: ChapterRun, directive: Directive) -> str:
    at, worked = directive.location, times_worked(run.checkpoint.worked, directive)
    facts = {
        "type": NAMES[directive.type],
        "scene": at.scene_number,
        "first": at.paragraph_start,
        "worked": worked,
        "times": worked + 1,
        "rounds": run.sheet().round - 1,
    }
    if worked + 1 >= MOST_TIMES:
        return _STUCK.with_values(**facts)
    number = run.sheet().round
    begun = any(entry.round == number for entry in run.checkpoint.worked)
    return _ROUNDS.with_values(**facts) if number > MOST_ROUNDS and not begun else ""


def _decision(run: ChapterRun, directive: Directive, why: str) -> Decision:
    options = (LEAVE, AGAIN, EDIT)
    return Decision(
        id=run.decision_id("breaker", directive.id),
        kind="breaker",
        recommendation=LEAVE,
        options=options,
        rationale=why,
        data={
            "directive": directive.id,
            "scene": directive.location.scene_number,
            "notes": [directive.issue, _now(directive), *_earlier(run, directive)],
            "options": {name: _CONSEQUENCES[name] for name in options},
        },
    )


def _now(directive: Directive) -> str:
    return said("It reads now: {text}", text=_quote(directive.current_text))


def _quote(words: str) -> str:
    return put_in_quotes(excerpt(words, _QUOTED))


def _earlier(run: ChapterRun, directive: Directive) -> list[str]:
    """Returns the results of earlier attempts, as far as the sheet still has them."""
    lines: list[str] = []
    for other in run.sheet().directives:
        if other.type is directive.type and other.result is not None:
            lines.append(said("Tried before: {text}", text=_quote(other.result.after)))
        lines += [
            said("Refused before: {text}", text=failure)
            for failure in other.failures
            if other is directive
        ]
    return lines
