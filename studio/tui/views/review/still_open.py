"""What is still open in a review when a chapter is about to be committed, in words. Pure
functions."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from studio.i18n import _, ngettext, translate
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.evaluation import Counsel
from studio.story.review.stale_directives import PlacedProposal
from studio.story.status import DirectiveStatus
from studio.text.oracle.fix_effect import facts_changed, goes_back, proposes_old_text
from studio.text.prose.answer import first_words
from studio.tui.views.review.plain_names import (
    FixOrProposal,
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
    the writer has decided on everything. A fix she took by name and did not keep holds nothing up
    alone, and is named with the others."""
    undecided, back, unkept, doubtful = _open(sheet)
    own = [p for p in proposals if not p.proposal.is_line_edit]
    open_changes: list[FixOrProposal] = [*undecided, *(p for p in own if p.is_open)]
    pending = in_reading_order(open_changes)
    staying = in_reading_order([*unkept, *_quiet(sheet)])
    asks = bool(pending or back or unkept or doubtful or any(one.waits for one in counsel))
    rows = (*_name_groups(pending, back, staying, doubtful), *_choices(counsel))
    return (*rows, *_small_changes(proposals)) if asks else ()  # alone they hold nothing up


def stays_unkept(sheet: DirectiveSheet | None) -> tuple[str, ...]:
    """Returns a sentence that names the fixes in the text that nobody kept, and of which nothing
    has to be asked; empty without any."""
    return _name_groups((), (), _quiet(sheet), ())


def name_news(sheet: DirectiveSheet | None, news: Collection[str]) -> tuple[str, ...]:
    """Returns a sentence with passages for each kind of what the work on the way to the book has
    left to look at; `news` are its ids."""
    groups = ([d for d in group if d.id in news] for group in _open(sheet))
    failed = in_reading_order([d for d in _undone(sheet) if d.id in news])
    head = ngettext(
        "{n} could not be done, and its passage stays as it was:",
        "{n} could not be done, and their passages stay as they were:",
        len(failed),
    )
    return (*_name_groups(*groups), *([_name_changes(head, failed)] if failed else []))


def _name_groups(
    pending: Sequence[FixOrProposal],
    back: Sequence[FixOrProposal],
    staying: Sequence[FixOrProposal],
    doubtful: Sequence[FixOrProposal],
) -> tuple[str, ...]:
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
            len(staying),
        ),
        ngettext(
            "{n} you took is not done, for its passage was changed since:",
            "{n} you took are not done, for their passages were changed since:",
            len(doubtful),
        ),
    )
    groups = zip(heads, (pending, back, staying, doubtful), strict=True)
    return tuple(_name_changes(head, group) for head, group in groups if group)


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


def worth_a_look(
    sheet: DirectiveSheet | None, agreed: Collection[str] = frozenset()
) -> frozenset[str]:
    """Returns the ids of the open directives and of those that the surgeon failed to apply. She
    has `agreed` to some before they were written: of these only what speaks against the words."""
    return frozenset(d.id for group in (*_open(sheet, agreed), _undone(sheet)) for d in group)


def _undone(sheet: DirectiveSheet | None) -> list[Directive]:
    failed = [d for d in sheet.directives if d.status is DirectiveStatus.FAILED] if sheet else []
    return [d for d in failed if d.stands != "gone"]


def _open(
    sheet: DirectiveSheet | None, agreed: Collection[str] = frozenset()
) -> tuple[list[Directive], list[Directive], list[Directive], list[Directive]]:
    """Returns the pending directives, the applied ones that will be reverted, the applied ones
    that nobody has kept, and those accepted for words that were changed since."""
    fixes = in_reading_order(sheet.open) if sheet else ()
    pending = [d for d in fixes if d.is_pending]
    applied = [d for d in fixes if d.status is DirectiveStatus.APPLIED]
    back = [d for d in applied if goes_back(d)]
    unkept = [d for d in applied if d not in back and _is_unkept(d, agreed)]
    return pending, back, unkept, [d for d in fixes if d.is_doubtful]


def _quiet(sheet: DirectiveSheet | None) -> list[Directive]:
    """Returns the applied fixes that she took by name and nothing speaks against."""
    _pending, back, unkept, _doubtful = _open(sheet)
    fixes = in_reading_order(sheet.open) if sheet else ()
    applied = [d for d in fixes if d.status is DirectiveStatus.APPLIED]
    return [d for d in applied if d not in back and d not in unkept]


def is_taken_by_name(directive: Directive) -> bool:
    """Whether she took this very fix, or wrote its words."""
    return directive.accepted_by == "name" or directive.edited_text is not None


def _is_unkept(directive: Directive, agreed: Collection[str]) -> bool:
    """Whether an applied fix is contradicted by the measures, changed facts, or was neither
    accepted by name nor `agreed` to."""
    facts = bool(directive.result and directive.result.facts)
    named = is_taken_by_name(directive) or directive.id in agreed
    return proposes_old_text(directive) or facts or not named


def _name_changes(head: str, changes: Sequence[FixOrProposal]) -> str:
    rows: list[str] = []
    for change in changes[:_MOST]:
        place, name, words = place_in_text(change), change_name(change), passage_of(change)
        rows.append(f"{place} {name} {first_words(words)}")
        result = change.result if isinstance(change, Directive) else None
        if result is not None and (facts := facts_changed(result)):
            rows.append(f"  {translate(facts)}")
    more = len(changes) - min(len(changes), _MOST)
    rest = [_("and {n} more", n=more)] if more else []
    return "\n".join([head, *(f"  {row}" for row in [*rows, *rest])])
