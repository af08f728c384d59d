"""The list of directives, choices and advice, and the text of choices and advice. Pure
functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from studio.i18n import N_, _, ngettext, translate
from studio.story.review.directive import DirectiveSheet, kind_name
from studio.story.review.evaluation import ChoiceAnswer, Counsel, PlaceAnswer
from studio.story.review.stale_directives import PlacedProposal
from studio.text.prose.answer import first_words
from studio.tui.views.review.directive_text import find_conflicts, row
from studio.tui.views.review.earlier_rejections import Rejected, earlier_row
from studio.tui.views.review.plain_names import (
    FixOrProposal,
    in_reading_order,
    place,
)
from studio.tui.views.review.proposal_text import (
    COULD_NOT_BE_PLACED,
    LineEdits,
    edits_row,
    proposal_row,
    unplaced_row,
)
from studio.tui.views.signs import ADVICE, ANSWERED, BEYOND, CHOICE, PASSAGE_GONE, PATTERN, Sign
from studio.tui.views.words import Line, Phrase, block, line

_HEADINGS = {
    "decide": N_("Only you decide"),
    "pattern": N_("Far too often"),
    "advice": N_("Advice on the chapter"),
}
_SIGNS: Mapping[str, Sign] = {"decide": CHOICE, "pattern": PATTERN, "advice": ADVICE}
_AT_A_PLACE: Mapping[PlaceAnswer | None, str] = {
    None: "○",
    "taken": "●",
    "left": "–",
    "directive": "◆",
}
"""What became of a place of a pattern, as a sign."""
ANSWERS: Mapping[ChoiceAnswer, str] = {
    "fix": N_("A fix here: the surgeon follows your words"),
    "wish": N_("A wish for the next draft of this chapter"),
    "note": N_("A note behind the passage, for people alone"),
    "meant": N_("It is meant"),
    "always": N_("From now on, in the whole book"),
}
"""The possible answers to a choice, in the order of the card."""


class Listed(NamedTuple):
    """A line of the list with the number of its entry; None for a heading."""

    words: Line
    entry: int | None = None


def list_review(
    sheet: DirectiveSheet | None,
    counsel: Sequence[Counsel],
    earlier: Sequence[Rejected] = (),
    proposals: Sequence[PlacedProposal] = (),
    edits: LineEdits | None = None,
) -> list[Listed]:
    """Returns directives and proposals first, then the row of the line edits, then what could not
    be placed, then choices, then advice; entries are numbered in this order.

    Headings appear only if there is more than one kind. The findings beyond the limit follow the
    directives, and earlier rejections are one row at the end.
    """
    changes = changes_of(sheet, proposals)
    lost = sheet.unplaced if sheet else ()
    shared = find_conflicts(changes)
    lines = [Listed(_row(fix, fix.id in shared), number) for number, fix in enumerate(changes)]
    if lines and (counsel or lost):
        takes = _("To take or to put aside") if proposals else _("The surgeon can fix")
        lines.insert(0, Listed(line(takes, "heading")))
    others = 0
    if sheet is not None and sheet.suppressed:
        others = int(bool(sheet.beyond))
        entry_here = len(changes) if others else None
        lines.append(Listed(line(f"{BEYOND.glyph} {_smaller(sheet)}", BEYOND.tone), entry_here))
    begun = len(changes) + others
    if edits is not None:
        lines.append(Listed(edits_row(edits), begun))
        rows = edits.edits if edits.is_open else ()
        lines += (Listed(proposal_row(one), begun + n) for n, one in enumerate(rows, start=1))
        begun += 1 + len(rows)
    if lost:
        lines.append(Listed(line(_(COULD_NOT_BE_PLACED), "heading")))
        lines += (Listed(unplaced_row(one), number) for number, one in enumerate(lost, begun))
    before = ""
    for number, entry in enumerate(counsel, start=begun + len(lost)):
        if entry.kind != before:
            lines.append(Listed(line(_(_HEADINGS[entry.kind]), "heading")))
        before = entry.kind
        sign = _sign(entry)
        lines.append(Listed((Phrase(f"{sign.glyph} ", sign.tone), Phrase(_issue(entry))), number))
    if earlier:
        lines.append(Listed(earlier_row(earlier), begun + len(lost) + len(counsel)))
    return lines


def changes_of(
    sheet: DirectiveSheet | None, proposals: Sequence[PlacedProposal]
) -> tuple[FixOrProposal, ...]:
    """Returns the directives of a chapter and the proposals for it, in reading order."""
    return in_reading_order((*(sheet.directives if sheet else ()), *proposals))


def _row(change: FixOrProposal, shares: bool) -> Line:
    if isinstance(change, PlacedProposal):
        return proposal_row(change, shares)
    return row(change, shares)


def counsel_detail(counsel: Counsel) -> list[Line]:
    """Returns the full text of a choice or of a piece of advice."""
    sign = _sign(counsel)
    by = _("the measures") if counsel.origin == "code" else _("the judge")
    where = _("scene {scene}", scene=counsel.scene) + " · " if counsel.scene else ""
    return [
        (Phrase(f"{sign.glyph} ", sign.tone), Phrase(_(_HEADINGS[counsel.kind]), "strong")),
        line(where + _("by {by}", by=by), "quiet"),
        line(),
        line(_issue(counsel)),
        line(),
        *block(_("The words it is about"), [counsel.quote], "quote"),
        *block(_("Ways to go"), [f"· {way}" for way in counsel.options]),
        *block(_("Where"), [_place_line(counsel, n) for n in range(1, len(counsel.places) + 1)]),
        *_what_then(counsel),
    ]


def _place_line(pattern: Counsel, number: int) -> str:
    answer = pattern.answered(number)
    sign = _AT_A_PLACE[answer.answer if answer else None]
    return f"{sign} {number}  {pattern.places[number - 1].opens}"


def _what_then(counsel: Counsel) -> list[Line]:
    if counsel.stands == "gone":
        return [
            line(_("The words it was about are no longer in the text: it is not open."), "quiet")
        ]
    if counsel.answer is None:
        return [line(_(_WHAT_THEN[counsel.kind]), "quiet")]
    words = filter(None, [_(ANSWERS[counsel.answer]), counsel.answer_words])
    return [*block(_("Your answer"), words, "accent"), line(_("u takes it back."), "quiet")]


def beyond_lines(sheet: DirectiveSheet, *, expanded: bool) -> list[Line]:
    """Returns the findings beyond the limit of one review, with their passages if `expanded`."""
    lines: list[Line] = [
        (Phrase(f"{BEYOND.glyph} ", BEYOND.tone), Phrase(_smaller(sheet), "strong")),
        line(_("One review holds five; these are there to be read."), "quiet"),
    ]
    for finding in in_reading_order(sheet.beyond):
        words = f"{place(finding.location)} {kind_name(finding.type)}"
        lines += [
            line(),
            (Phrase(words, "strong"), Phrase(f"  {first_words(finding.current_text)}", "quiet")),
            line(translate(finding.issue)),
        ]
        if expanded:
            lines += [line(), *block(_("Passage"), finding.current_text.split("\n"), "quote")]
    if (uncounted := sheet.suppressed - len(sheet.beyond)) > 0:
        only = ngettext("{n} more was only counted.", "{n} more were only counted.", uncounted)
        lines += [line(), line(only, "quiet")]
    return lines


_WHAT_THEN = {
    "decide": N_(
        "Enter answers it: a fix here, a wish for the next draft, a note, or it is meant. Nobody"
        " writes it for you; Ctrl+E opens the text."
    ),
    "pattern": N_(
        "Enter asks what becomes of its places: taken, left, or made a directive. By itself"
        " nothing is done about it; Ctrl+E opens the text."
    ),
    "advice": N_(
        "There is nothing to accept here. Ctrl+E opens the text; the question before it"
        " goes into the book offers a fresh draft too."
    ),
}


def _sign(counsel: Counsel) -> Sign:
    if counsel.stands == "gone":
        return PASSAGE_GONE
    return ANSWERED if counsel.answer is not None else _SIGNS[counsel.kind]


def _smaller(sheet: DirectiveSheet) -> str:
    """Returns how many findings are beyond the limit, and whether they can be read."""
    count = sheet.suppressed
    if sheet.beyond:
        return ngettext("{n} more finding", "{n} more findings", count)
    return ngettext("{n} more finding is not shown", "{n} more findings are not shown", count)


def _issue(counsel: Counsel) -> str:
    """Returns the issue; a judge writes in the language of the book, code in the writer's."""
    return translate(counsel.issue)
