"""Directives in words: the row in the list and the full details. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studio.i18n import N_, _, ngettext, sentence_of, translate
from studio.quotation_marks import put_in_quotes
from studio.story.ledger import dollars
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.surgery import MetricChange
from studio.story.status import IN_TEXT_STATUSES, DirectiveStatus
from studio.text.metrics.metric_kinds import figure, metric_words
from studio.text.oracle.fix_effect import (
    content_words,
    proposes_old_text,
    reader_words,
    statement,
)
from studio.text.prose.answer import first_words
from studio.tui.views.review.plain_names import (
    FixOrProposal,
    change_name,
    place_in_text,
)
from studio.tui.views.signs import (
    BEFORE_AFTER,
    PASSAGE_GONE,
    SHARED,
    STATUSES,
    STILL,
    WITHDRAWN,
    Sign,
)
from studio.tui.views.words import Line, Phrase, Tone, block, line

_ORIGINS = {"code": N_("the measures"), "judge": N_("the judge"), "writer": N_("you")}
_NOTES: Mapping[DirectiveStatus, str] = {
    DirectiveStatus.REJECTED: N_("Why not"),
    DirectiveStatus.WAIVED: N_("Why it is meant so"),
}
"""The heading over the writer's note, where it is more than a note."""
_NOTE = N_("Your note")
_FAULTS: Mapping[DirectiveStatus, str] = {DirectiveStatus.UNDONE: N_("Why it was not kept")}
"""The heading over the reasons against a rewrite, where the rewrite did not fail."""
_FAULT = N_("Why it failed")


def counter(changes: Sequence[FixOrProposal]) -> str:
    """Returns how many directives and proposals are decided out of all: `2/5`. An applied fix
    counts as decided; one whose passage is gone does not count at all."""
    there = [change for change in changes if change.stands != "gone"]
    if not there:
        return ""
    waiting = sum(map(is_undecided, there))
    return f"{len(there) - waiting}/{len(there)}"


def is_undecided(change: FixOrProposal) -> bool:
    """Whether a change waits for the writer's word; an applied fix does not."""
    if isinstance(change, Directive):
        return change.is_pending or change.is_doubtful
    return change.is_open


def find_conflicts(changes: Sequence[FixOrProposal]) -> Mapping[str, tuple[str, ...]]:
    """Returns, by id, the ids of the other changes that touch the same paragraphs."""
    by_id = {}
    there = [change for change in changes if change.stands != "gone"]
    for one in there:
        others = tuple(d.id for d in there if d.id != one.id and _overlap(one, d))
        if others:
            by_id[one.id] = others
    return by_id


def neighbours(changes: Sequence[FixOrProposal], change: FixOrProposal) -> tuple[str, ...]:
    """Returns the other changes that touch the same paragraphs, by kind and place."""
    ids = find_conflicts(changes).get(change.id, ())
    return tuple(
        _("{kind} in {place}", kind=change_name(c), place=place_in_text(c))
        for c in changes
        if c.id in ids
    )


def _overlap(one: FixOrProposal, other: FixOrProposal) -> bool:
    a, b = one.location, other.location
    return (
        a is not None
        and b is not None
        and a.scene_number == b.scene_number
        and a.paragraph_start <= b.paragraph_end
        and b.paragraph_start <= a.paragraph_end
    )


def row(directive: Directive, conflicts: bool = False) -> Line:
    """Returns the line of a directive in the list."""
    sign = _sign(directive)
    dimmed: Tone = "plain" if directive.is_open else "quiet"
    shared = Phrase(f" {SHARED.glyph}", SHARED.tone) if conflicts else Phrase("")
    return (
        Phrase(f"{sign.glyph} ", sign.tone),
        Phrase(f"{place_in_text(directive)} ", "quiet"),
        Phrase(change_name(directive), dimmed),
        shared,
        Phrase(f"  {first_words(directive.current_text)}", "quiet"),
    )


def _sign(directive: Directive) -> Sign:
    """Returns the mark of a directive: of its status, unless its passage is another one now."""
    if directive.stands == "gone":
        return PASSAGE_GONE
    if directive.is_withdrawn:
        return WITHDRAWN
    return STILL if directive.is_doubtful else STATUSES[directive.status]


def detail(
    directive: Directive,
    others: Sequence[str] = (),
    *,
    writing: str = "",
    expanded: bool = False,
    in_book: bool = False,
) -> list[Line]:
    """Returns the details of a directive; `writing` is what the surgeon has written so far.

    With `in_book`, a directive that was pending at the commit no longer waits for a decision.
    """
    sign = _sign(directive)
    undecided = in_book and directive.status is DirectiveStatus.PENDING
    stands = _("left as it was, undecided") if undecided else _(sign.meaning)
    if directive.is_doubtful:  # the question in full follows
        stands = _(STATUSES[directive.status].meaning)
    lines: list[Line] = [
        (Phrase(f"{sign.glyph} ", sign.tone), Phrase(change_name(directive), "strong")),
        (
            Phrase(f"{place_in_text(directive)} · {stands}", "quiet"),
            Phrase(" · " + _("by {by}", by=_source(directive)) if expanded else "", "quiet"),
        ),
        line(),
        line(translate(directive.issue)),
        line(),
    ]
    lines += _asked_again(directive)
    lines += block(_("Instruction"), [translate(directive.instruction)])
    lines += block(_(_NOTES.get(directive.status, _NOTE)), [reason_words(directive.note)], "accent")
    if writing:
        lines += block(_("The surgeon writes"), writing.split("\n"), "accent")
    lines += _result(directive, expanded)
    if directive.result is None:
        is_cut = directive.edited_text == ""
        own_text = (_("(cut)") if is_cut else directive.edited_text or "").split("\n")
        lines += block(_own_heading(directive), own_text, "accent")
        then = directive.stands != "same"
        heading = _("Passage, as it was then") if then else _("Passage")
        lines += block(heading, directive.current_text.split("\n"), "quote")
    lines += block(
        _(_FAULTS.get(directive.status, _FAULT)),
        map(sentence_of, directive.failures),
        "bad",
    )
    if others:
        lines += block(_("Shares paragraphs with"), others, "warn")
    lines += block(_("Evidence"), [put_in_quotes(words) for words in _parts(directive)], "quote")
    lines += block(_("An example of how"), (directive.exemplar_content or "").split("\n"), "quote")
    if expanded:
        lines += _small_print(directive)
    return lines


def _asked_again(directive: Directive) -> list[Line]:
    """Returns what is asked about a decision whose passage was changed since."""
    if directive.is_doubtful:
        words = _(
            "Still? You took it, and its passage was changed since. a takes it for the words that"
            " stand there now, r puts it aside."
        )
    elif directive.stands == "changed" and directive.status in IN_TEXT_STATUSES:
        words = _("You have typed into it since, so it is yours. u shows both texts first.")
    else:
        return []
    return [line(words, "warn"), line()]


def words_to_begin_with(directive: Directive) -> str:
    """Returns the words from which she writes a passage herself: hers, those of a fix in the text,
    or of one that the studio took back, of which she may want the better half; else those that
    stand."""
    result = directive.result
    is_offered = directive.status in IN_TEXT_STATUSES or directive.is_withdrawn
    fix = result.after if result is not None and is_offered else ""
    return directive.edited_text or fix or directive.current_text


def _parts(directive: Directive) -> list[str]:
    """Returns the quoted evidence except for the whole passage, which is displayed above it."""
    whole = "".join(directive.current_text.split())
    return [words for words in directive.evidence if "".join(words.split()) != whole]


def _source(directive: Directive) -> str:
    """Returns who proposed a directive and who agrees."""
    agreed = _(", and the judge agrees") if directive.confirmed else ""
    return f"{_(_ORIGINS[directive.origin])}{agreed}"


def reason_words(note: str) -> str:
    """Returns a note as the writer left it; a note by the review mode becomes a sentence."""
    from studio.pipeline.review.decisions import REJECTED_BY_MODE

    return _("The review mode rejected it; nobody read it.") if note == REJECTED_BY_MODE else note


def _own_heading(directive: Directive) -> str:
    """Returns the heading over a directive's own text: a bridge comes with its text, any other text
    is the writer's."""
    ours = directive.origin == "code" and directive.type is DirectiveType.TRANSITION_SMOOTHING
    bridge = ours and directive.status is not DirectiveStatus.EDITED
    return _("How the scene would begin; no model is asked") if bridge else _("Your text")


def _result(directive: Directive, expanded: bool) -> list[Line]:
    result = directive.result
    if result is None:
        return []
    goes_back = proposes_old_text(directive)
    lines = block(
        _("Measured"), [translate(statement(directive))], "warn" if goes_back else "plain"
    )
    if goes_back and directive.status is DirectiveStatus.APPLIED:
        words = _("It is not kept unless you keep it: a keeps it, u takes it back.")
        lines[-1:] = [line(words), line()]
    otherwise = map(translate, content_words(result))
    lines += block(_("What it says otherwise"), otherwise, "warn")
    lines += block(_("The second reader"), map(translate, reader_words(result)))
    lines += block(_("Before"), result.before.split("\n"), "quote")
    lines += block(_("After"), result.after.split("\n") if result.after else [_("(cut)")])
    if expanded and result.metrics:
        lines += [
            line(_("Every measure that moved"), "heading"),
            *map(change, result.metrics),
            line(),
        ]
    lines += block(_("Facts that changed"), result.facts, "warn")
    return lines


def change(metric: MetricChange) -> Line:
    """Returns `filter words 12.5 → 3.1  better`, or in a passage `filter words 3 → none
    better`."""
    verdict: tuple[str, Tone] = ("", "quiet")
    if metric.better is not None:
        verdict = ("  " + _("better"), "good") if metric.better else ("  " + _("worse"), "bad")
    return (
        Phrase(f"{_(metric_words(metric.metric))} ", "quiet"),
        Phrase(f"{figure(metric.metric, metric.before)} {BEFORE_AFTER.glyph} {_after(metric)}"),
        Phrase(*verdict),
    )


def _after(metric: MetricChange) -> str:
    return _("none") if metric.counted and not metric.after else figure(metric.metric, metric.after)


def _small_print(directive: Directive) -> list[Line]:
    result = directive.result
    facts = [
        _("priority {priority}", priority=directive.priority),
        ngettext("at most {n} paragraph", "at most {n} paragraphs", directive.max_scope),
    ]
    if directive.metric:
        facts.append(_("aims at {measure}", measure=_(metric_words(directive.metric))))
    if result is not None:
        facts.append(ngettext("{n} attempt", "{n} attempts", result.attempts))
        if result.model:
            facts.append(_("written by {model}", model=result.model))
        cost = dollars(result.cost_usd)
        facts.append(_("cost {cost}", cost=cost) if result.model else _("no model was asked"))
    return [line(_("Small print"), "heading"), line(" · ".join(facts), "quiet")]


def next_open(changes: Sequence[FixOrProposal], after: int) -> int:
    """Returns the index of the next open change, wrapping at the end; `after` if there is none."""
    count = len(changes)
    for step in range(1, count + 1):
        index = (after + step) % count
        if changes[index].is_open:
            return index
    return after
