"""The review's question in words: what waits, what is in the text, and which fixes do not help.

While anything is open the question recommends deciding on it first, so that no default answer skips
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from studio.messages import Said, join, quantity, said
from studio.pipeline.chapter.own_text import what_is_kept
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.judging.placement import counsel_in
from studio.story.chapter import Chapter
from studio.story.checkpoint import DIRECTIVES, Decision
from studio.story.lengths import Unit, length_of
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.evaluation import Evaluation
from studio.story.status import DirectiveStatus
from studio.text.oracle.fix_effect import goes_back, proposes_old_text, statement

COMMIT, LOOK_AGAIN, AGAIN = "commit", "look-again", "draft-again"
_CONSEQUENCES = {
    DIRECTIVES: said("Decide on each that is open first; nothing goes into the book meanwhile."),
    "edit": said("Change the text yourself, then resume."),
    AGAIN: said("Draft the chapter again; this text is kept as a variation."),
}
READ_AGAIN = said("The judge is told what was changed and decided; more may be proposed.")


def options_of(sheet: DirectiveSheet, choices: int, others: Iterable[str]) -> dict[str, Any]:
    """Returns options, recommendation and consequences of the review; `others` follow the
    commit, and `choices` are open that only the author can make."""
    first = (DIRECTIVES,) if sheet.open or sheet.approved_directives or choices else ()
    options = (*first, COMMIT, *others)
    words = {**_CONSEQUENCES, LOOK_AGAIN: READ_AGAIN, COMMIT: say_what_a_commit_does(sheet)}
    return {
        "recommendation": options[0],
        "options": options,
        "consequences": {name: words[name] for name in options},
    }


def still_true(
    decision: Decision,
    sheet: DirectiveSheet,
    choices: int,
    move: tuple[str, str],
    changes: Mapping[str, Any],
) -> Decision:
    """Returns the waiting question after a decision on a directive, or the answer to a choice.

    The gate's says anew what would go into the book open. The review's now refers to the
    second text of `move` (sha256 each) if it referred to the first, and lists what is open now,
    with `choices` that only the author can make, and the `changes` that she has made of the text.
    """
    if decision.kind == "gate":
        options = {**decision.data.get("options", {})}
        options |= {name: taking_as_it_is(sheet, choices) for name in options.keys() & {"keep"}}
        return decision.with_data({"options": options})
    before, after = move
    others = (o for o in decision.options if o not in (DIRECTIVES, COMMIT))
    put = options_of(sheet, choices, others)
    standing_words = decision.data.get("options", {})
    consequences = {**put["consequences"]}
    if AGAIN in consequences:  # with what of hers is kept
        consequences[AGAIN] = standing_words.get(AGAIN, consequences[AGAIN])
    return decision.copy_with(
        id=decision.id.replace(f"-{before[:8]}", f"-{after[:8]}"),
        recommendation=put["recommendation"],
        options=put["options"],
        rationale=join(
            [
                *changes["since"],
                *decision.data.get("news", ()),
                rationale_of(sheet, choices, has_news=bool(decision.data.get("news"))),
                *_of_promises(decision),
                *decision.data.get("length", {}).get("sentences", ()),
            ]
        ),
        data={**decision.data, **changes, **open_in(sheet), "options": consequences},
    )


def with_hers(view: ChapterView, question: Decision) -> Decision:
    """Returns the review's question with what another draft would keep of hers now: since it was
    asked she may have written a paragraph, or taken a model's version of one of hers."""
    options = question.data.get("options", {})
    if question.kind != "review" or AGAIN not in options:
        return question
    words = join((_CONSEQUENCES[AGAIN], what_is_kept(view)))
    return question.with_data({"options": {**options, AGAIN: words}})


def _of_promises(decision: Decision) -> Sequence[str]:
    """Returns what the question says of promises, which no decision on a directive changes."""
    sentences: Sequence[str] = decision.data.get("promises", {}).get("sentences", ())
    return sentences


def open_in(sheet: DirectiveSheet) -> dict[str, Any]:
    """Returns the ids of open directives, as the question's data."""
    return {
        "pending": _ids(_pending_fixes(sheet)),
        "applied": _ids(_applied_fixes(sheet)),
        "still": _ids(_doubtful(sheet)),
        "unhelpful": _ids(going_back(sheet)),
    }


SHORT, LONG = 0.8, 1.3
"""Below and above which part of its target a chapter is short or long (SERIAL 2.2)."""
_MEASURES: Mapping[Unit, Said] = {
    "words": said("{length} of {target} words"),
    "characters": said("{length} of {target} characters"),
    "characters with spaces": said("{length} of {target} characters with spaces"),
    "characters without spaces": said("{length} of {target} characters without spaces"),
}


def target_of(view: ChapterView) -> int:
    """Returns the length asked for of a chapter: that of its plan, or else the usual one."""
    return view.contract.target_length or view.lengths.chapter_length


def measure_of(length: int, target: int, unit: Unit) -> Said:
    """Returns a length beside the one asked for: `597 of 400 words`."""
    return _MEASURES[unit].with_values(length=f"{length:,}", target=f"{target:,}")


def length_in_review(text: Chapter, target: int, unit: Unit, *, is_hers: bool) -> dict[str, Any]:
    """Returns what a review says of the chapter's length, as the question's data: `length`,
    `target`, `unit`, and `sentences`, empty where it is neither short nor long. The one offer is
    another draft with a wish, or in a text of her own her editor."""
    length = sum(length_of(paragraph.prose, unit) for paragraph in text.paragraphs)
    share = length / max(1, target)
    measure = measure_of(length, target, unit)
    sentences: list[Said] = []
    if share < SHORT:
        words = _SHORT_OF_HERS if is_hers else _SHORT
    else:
        words = _LONG_OF_HERS if is_hers else _LONG
    if not SHORT <= share <= LONG:
        sentences = [words.with_values(measure=measure, percent=round(share * 100))]
    return {"length": length, "target": target, "unit": unit, "sentences": sentences}


_SHORT = said(
    "The chapter is short: {measure}, {percent}%. Another draft with a wish for one more beat or"
    " scene would bring it there: `studio decide draft-again --note WISH`."
)
_SHORT_OF_HERS = said(
    "The chapter is short: {measure}, {percent}%. Another beat or another scene of yours would"
    " bring it there: `studio decide edit`."
)
_LONG = said(
    "The chapter is long: {measure}, {percent}%. Another draft with a wish for a cut would bring it"
    " there: `studio decide draft-again --note WISH`."
)
_LONG_OF_HERS = said(
    "The chapter is long: {measure}, {percent}%. A cut of yours would bring it there: `studio"
    " decide edit`."
)


def open_choices(evaluation: Evaluation | None, text: Chapter | None) -> int:
    """Returns how many choices about the words of a text only the author can make, and has not
    made."""
    counsel = evaluation.counsel if evaluation is not None else ()
    return sum(one.waits for one in counsel_in(counsel, text))


_WAITING = (
    said(
        "{n} directive waits for your decision: accept, reject or edit each with"
        " `studio directives`, then `studio resume`."
    ),
    said(
        "{n} directives wait for your decision: accept, reject or edit each with"
        " `studio directives`, then `studio resume`."
    ),
)
_STILL = (
    said(
        "{n} you accepted is about a passage that was changed since. Still? Accept it again"
        " or reject it."
    ),
    said(
        "{n} you accepted are about passages that were changed since. Still? Accept each"
        " again or reject it."
    ),
)
_FOR_THE_SURGEON = (
    said("{n} waits for the surgeon: `studio resume` lets it work."),
    said("{n} wait for the surgeon: `studio resume` lets it work."),
)
_IN_HER_WORDS = (
    said("{n} passage in your words waits: `studio resume` puts it into the text."),
    said("{n} passages in your words wait: `studio resume` puts them into the text."),
)
_IN_THE_TEXT = (
    said("{n} fix is in the text: accept to keep it, undo to take it back."),
    said("{n} fixes are in the text: accept to keep them, undo to take them back."),
)
_PUT_FIRST = (
    said("{n} choice only you can make is put to you first."),
    said("{n} choices only you can make are put to you first."),
)
_ONLY_SHE = (
    said("{n} choice only you can make is open: `studio directives list` shows it."),
    said("{n} choices only you can make are open: `studio directives list` shows them."),
)


def rationale_of(sheet: DirectiveSheet, choices: int, *, has_news: bool = False) -> str:
    """Returns the reason why the writer is asked; `choices` are open that only she can make. With
    `has_news` something else is told before, to which she has to say yes."""
    pending = len(_pending_fixes(sheet))
    applied = len(_applied_fixes(sheet))
    doubtful = len(_doubtful(sheet))
    own = sum(directive.edited_text is not None for directive in sheet.approved_directives)
    counts = (
        (pending, _WAITING),
        (doubtful, _STILL),
        (len(sheet.approved_directives) - own, _FOR_THE_SURGEON),
        (own, _IN_HER_WORDS),
        (applied, _IN_THE_TEXT),
        (choices, _ONLY_SHE),
    )
    sentences: list[str] = [
        (one if n == 1 else many).with_values(n=n) for n, (one, many) in counts if n
    ]
    sentences += _measured_worse(sheet)
    if sheet.redraft_suggested:
        sentences.append(
            said("There was more than fits one review; a fresh draft may serve better.")
        )
    if has_news:
        return join(sentences) or said("Nothing else is open.")
    return join(sentences) or said("Nothing is open. Read the chapter, then take it into the book.")


def _measured_worse(sheet: DirectiveSheet) -> list[str]:
    back, stays = going_back(sheet), _fixes_that_stay(sheet)
    sentences: list[str] = []
    if back:
        words = quantity(
            len(back),
            "{n} of them does not help, and a commit takes it back unless you keep it:",
            "{n} of them do not help, and a commit takes them back unless you keep them:",
        )
        sentences.append(said("{words} {fixes}.", words=words, fixes=_with_statements(back)))
    if stays:
        words = quantity(
            len(stays),
            "{n} fix you accepted yourself stays though a number speaks for the old text;"
            " undo takes it back:",
            "{n} fixes you accepted yourself stay though a number speaks for the old text;"
            " undo takes them back:",
        )
        sentences.append(said("{words} {fixes}.", words=words, fixes=_with_statements(stays)))
    return sentences


def going_back(sheet: DirectiveSheet) -> list[Directive]:
    """Returns the fixes that a commit takes out of the text again, because nobody kept or named
    them and they did not help."""
    return [d for d in _applied_fixes(sheet) if goes_back(d)]


def _fixes_that_stay(sheet: DirectiveSheet) -> list[Directive]:
    """Returns the fixes that stay although the measures favour the old text."""
    return [d for d in _applied_fixes(sheet) if proposes_old_text(d) and not goes_back(d)]


def taking_as_it_is(sheet: DirectiveSheet, choices: int) -> str:
    """Returns what taking a chapter as it is does with what is open; `choices`, which only she can
    make, are put to her before it goes into the book."""
    first = _PUT_FIRST[choices != 1].with_values(n=choices) if choices else ""
    return join((say_what_a_commit_does(sheet), first))


def say_what_a_commit_does(sheet: DirectiveSheet) -> str:
    """Returns a sentence on what a commit does with open directives."""
    pending = len(_pending_fixes(sheet)) + len(_doubtful(sheet))
    back = len(going_back(sheet))
    fixes = len(_applied_fixes(sheet)) - back
    parts = [said("Take the chapter into the book as it stands")]
    if pending:
        parts.append(
            quantity(
                pending,
                "{n} directive is left alone, undecided",
                "{n} directives are left alone, undecided",
            )
        )
    if fixes:
        parts.append(quantity(fixes, "{n} fix in the text stays", "{n} fixes in the text stay"))
    if back:
        parts.append(
            quantity(
                back, "{n} fix that did not help goes back", "{n} fixes that did not help go back"
            )
        )
    return said("{parts}.", parts=join(parts, "; "))


def _pending_fixes(sheet: DirectiveSheet) -> list[Directive]:
    return [d for d in sheet.open if d.is_pending]


def _applied_fixes(sheet: DirectiveSheet) -> list[Directive]:
    return [d for d in sheet.open if d.status is DirectiveStatus.APPLIED]


def _doubtful(sheet: DirectiveSheet) -> list[Directive]:
    return [d for d in sheet.open if d.is_doubtful]


def _ids(directives: Sequence[Directive]) -> list[str]:
    return [d.id for d in directives]


def _with_statements(directives: Sequence[Directive]) -> str:
    return join((said("{id} ({effect})", id=d.id, effect=statement(d)) for d in directives), "; ")
