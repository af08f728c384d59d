"""The list of a review: directives, choices, advice, and what was rejected in earlier rounds, as
rows and in full. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

from studio.i18n import N_, _, ngettext, translate
from studio.story.review.directive import DirectiveSheet, kind_name
from studio.story.review.evaluation import ChoiceAnswer, Counsel, PlaceAnswer
from studio.story.review.stale_directives import PlacedProposal
from studio.story.status import DirectiveStatus
from studio.text.prose.answer import first_words
from studio.tui.views.review.directive_text import find_conflicts, reason_words, row
from studio.tui.views.review.plain_names import FixOrProposal, in_reading_order, place
from studio.tui.views.review.proposal_text import (
    COULD_NOT_BE_PLACED,
    LineEdits,
    edits_row,
    proposal_row,
    unplaced_row,
)
from studio.tui.views.signs import (
    ADVICE,
    ANSWERED,
    BEYOND,
    CHOICE,
    PASSAGE_GONE,
    PATTERN,
    STATUSES,
    Sign,
)
from studio.tui.views.words import Line, Phrase, block, line

if TYPE_CHECKING:
    from studio.story.chapter import Chapter, Paragraph


_LONGEST = 5
"""The greatest number of paragraphs in a passage."""
_REJECTED = STATUSES[DirectiveStatus.REJECTED]


class Rejected(NamedTuple):
    """A rejected proposal that will not be made again."""

    kind: str
    reason: str
    where: str = ""
    """The place of the passage, such as `2.3`; empty if the passage is no longer in the text."""
    words: str = ""


def rejected_before(sheet: DirectiveSheet | None, chapter: Chapter | None) -> tuple[Rejected, ...]:
    """Returns the rejections that are no longer on the sheet, with their passages if still
    present."""
    if sheet is None:
        return ()
    others = [f for f in sheet.rejected if not any(map(f.is_of, sheet.directives))]
    if not others:
        return ()
    places = _passages(chapter, {f.passage_sha256 for f in others})
    return tuple(
        Rejected(kind_name(f.type), f.reason, *places.get(f.passage_sha256, ())) for f in others
    )


def _passages(chapter: Chapter | None, hashes: set[str]) -> dict[str, tuple[str, str]]:
    """Returns the place and the text of passages by their hash."""
    from studio.story.chapter import passage_text, sha256_of

    by_hash: dict[str, tuple[str, str]] = {}
    for passage in _stretches(chapter):
        text = passage_text(passage)
        if (sha256 := sha256_of(text)) in hashes:
            first, last = passage[0], passage[-1]
            to = f"-{last.number}" if len(passage) > 1 else ""
            by_hash.setdefault(sha256, (f"{first.scene}.{first.number}{to}", text))
    return by_hash


def _stretches(chapter: Chapter | None) -> Iterator[tuple[Paragraph, ...]]:
    for _number, scene in groupby(chapter.paragraphs if chapter else (), lambda p: p.scene):
        paragraphs = tuple(scene)
        for start in range(len(paragraphs)):
            rest = ((paragraph,) for paragraph in paragraphs[start : start + _LONGEST])
            yield from accumulate(rest)


def earlier_row(earlier: Sequence[Rejected]) -> Line:
    """Returns the single row for all earlier rejections."""
    return (
        Phrase(f"{_REJECTED.glyph} ", _REJECTED.tone),
        Phrase(_("{count} rejected in earlier rounds", count=len(earlier)), "quiet"),
    )


def earlier_lines(earlier: Sequence[Rejected]) -> Iterator[Line]:
    """Yields each rejection with its reason."""
    mark = Phrase(f"{_REJECTED.glyph} ", _REJECTED.tone)
    yield (mark, Phrase(_("Rejected in earlier rounds"), "strong"))
    yield line(_("They do not come back while their passages stand as they are."), "quiet")
    for one in earlier:
        yield line()
        yield (Phrase(one.kind, "heading"), Phrase(f"  {one.where}" if one.where else "", "quiet"))
        yield line(
            reason_words(one.reason) or _("No reason was given."),
            "accent" if one.reason else "quiet",
        )
        for paragraph in one.words.split("\n\n") if one.words else ():
            yield line(paragraph, "quote")
        if not one.where:
            yield line(_("Its passage is no longer in the text."), "quiet")


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
    "next": N_("For the next chapter: whoever plans, writes and judges it is told"),
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
        "Enter answers it: a fix here, a wish for the next draft or for the next chapter, a note,"
        " or it is meant. Nobody writes it for you; Ctrl+E opens the text."
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
