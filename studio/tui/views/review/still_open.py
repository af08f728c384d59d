"""What is still open in a review when a chapter is about to be committed, in words. Pure
functions."""

from __future__ import annotations

from collections.abc import Sequence

from studio.i18n import _, ngettext, translate
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.evaluation import Counsel
from studio.story.review.stale_directives import PlacedProposal
from studio.story.status import DirectiveStatus
from studio.text.oracle.fix_effect import goes_back, proposes_old_text
from studio.text.prose.answer import first_words
from studio.tui.views.review.plain_names import (
    Change,
    change_name,
    in_reading_order,
    passage_of,
    place_in_text,
)

_MOST = 6
"""The greatest number of passages that are named; the others are counted."""


def still_open(
    sheet: DirectiveSheet | None,
    proposals: Sequence[PlacedProposal] = (),
    counsel: Sequence[Counsel] = (),
) -> tuple[str, ...]:
    """Returns a sentence with passages for each kind of undecided directive or proposal; empty if
    the writer has decided on everything."""
    undecided, back, unkept, doubtful = _open(sheet)
    own = [p for p in proposals if not p.proposal.is_line_edit]
    open_changes: list[Change] = [*undecided, *(p for p in own if p.is_open)]
    pending = in_reading_order(open_changes)
    heads = (
        ngettext(
            "{n} is left as it stands, undecided:",
            "{n} are left as they stand, undecided:",
            len(pending),
        ),
        ngettext("{n} did not help and goes back:", "{n} did not help and go back:", len(back)),
        ngettext(
            "{n} stays though nobody kept it:",
            "{n} stay though nobody kept them:",
            len(unkept),
        ),
        ngettext(
            "{n} you took is not done, for its passage was changed since:",
            "{n} you took are not done, for their passages were changed since:",
            len(doubtful),
        ),
    )
    groups = zip(heads, (pending, back, unkept, doubtful), strict=True)
    rows = (*(_name_changes(head, group) for head, group in groups if group), *_choices(counsel))
    return (*rows, *_small_changes(proposals)) if rows else ()  # alone they hold nothing up


def _choices(counsel: Sequence[Counsel]) -> tuple[str, ...]:
    """Returns what only she decides and has not yet."""
    left = [one for one in counsel if one.waits]
    if not left:
        return ()
    head = ngettext(
        "{n} that only you decide is not answered, and stays open in the book:",
        "{n} that only you decide are not answered, and stay open in the book:",
        len(left),
    )
    return ("\n".join([head, *(f"  {translate(one.issue)}" for one in left[:_MOST])]),)


def _small_changes(proposals: Sequence[PlacedProposal]) -> tuple[str, ...]:
    """Returns that small changes are left undecided, which are not named one by one."""
    left = sum(p.is_open and p.proposal.is_line_edit for p in proposals)
    if not left:
        return ()
    words = ngettext(
        "{n} small change is left out, undecided.",
        "{n} small changes are left out, undecided.",
        left,
    )
    return (words,)


def unread_fixes(sheet: DirectiveSheet | None) -> tuple[Directive, ...]:
    """Returns the directives for which the surgeon is still to write words, in reading order: on
    the way to the book nobody reads these words before they are in it."""
    approved = sheet.approved_directives if sheet else ()
    return tuple(in_reading_order([d for d in approved if d.edited_text is None]))


def left_to_surgeon(fixes: Sequence[Directive]) -> tuple[str, ...]:
    """Returns a sentence that names what the surgeon does on the way to the book; empty if
    nothing."""
    if not fixes:
        return ()
    head = ngettext(
        "{n} is done by the surgeon first, and goes into the book unread:",
        "{n} are done by the surgeon first, and go into the book unread:",
        len(fixes),
    )
    return (_name_changes(head, fixes),)


def worth_a_look(sheet: DirectiveSheet | None) -> frozenset[str]:
    """Returns the ids of the open directives and of those that the surgeon failed to apply."""
    failed = [d for d in sheet.directives if d.status is DirectiveStatus.FAILED] if sheet else []
    undone = [d for d in failed if d.stands != "gone"]
    return frozenset(d.id for group in (*_open(sheet), undone) for d in group)


def _open(
    sheet: DirectiveSheet | None,
) -> tuple[list[Directive], list[Directive], list[Directive], list[Directive]]:
    """Returns the pending directives, the applied ones that will be reverted, the applied ones
    that nobody has kept, and those accepted for words that were changed since."""
    fixes = in_reading_order(sheet.open) if sheet else ()
    pending = [d for d in fixes if d.is_pending]
    applied = [d for d in fixes if d.status is DirectiveStatus.APPLIED]
    back = [d for d in applied if goes_back(d)]
    unkept = [d for d in applied if d not in back and _is_unkept(d)]
    return pending, back, unkept, [d for d in fixes if d.is_doubtful]


def _is_unkept(directive: Directive) -> bool:
    """Whether an applied fix is contradicted by the measures, changed facts, or was not accepted by
    name."""
    facts = bool(directive.result and directive.result.facts)
    named = directive.accepted_by == "name" or directive.edited_text is not None
    return proposes_old_text(directive) or facts or not named


def _name_changes(head: str, changes: Sequence[Change]) -> str:
    rows = [
        f"{place_in_text(change)} {change_name(change)} {first_words(passage_of(change))}"
        for change in changes[:_MOST]
    ]
    more = len(changes) - len(rows)
    rest = [_("and {n} more", n=more)] if more else []
    return "\n".join([head, *(f"  {row}" for row in [*rows, *rest])])
