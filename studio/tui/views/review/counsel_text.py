"""The three kinds of help in one list, and the two that are no fix in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from studio.i18n import N_, _, ngettext, translated
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Counsel
from studio.tui.views.review.directive_text import conflicting, row
from studio.tui.views.review.earlier_rejections import Rejected, earlier_row
from studio.tui.views.review.plain_names import in_reading_order
from studio.tui.views.words import Line, Said, Tone, block, line

_HEADINGS = {"decide": N_("Only you decide"), "advice": N_("Advice on the chapter")}
_GLYPHS: dict[str, tuple[str, Tone]] = {"decide": ("◇", "accent"), "advice": ("·", "quiet")}


class Listed(NamedTuple):
    """A line of the list, and which entry it stands for; None for a heading."""

    words: Line
    entry: int | None = None


def listed(
    sheet: DirectiveSheet | None, counsel: Sequence[Counsel], earlier: Sequence[Rejected] = ()
) -> list[Listed]:
    """Fixes first, then choices, then advice; the entries are numbered in this order.

    Headings stand only where there is more than one kind. What was left out is
    said behind the fixes, and what was rejected before is one row at the end.
    """
    fixes = in_reading_order(sheet.directives) if sheet else ()
    shared = conflicting(fixes)
    lines = [Listed(row(fix, fix.id in shared), number) for number, fix in enumerate(fixes)]
    if lines and counsel:
        lines.insert(0, Listed(line(_("The surgeon can fix"), "heading")))
    if sheet is not None and sheet.suppressed:
        lines.append(Listed(line(f"+ {_smaller(sheet.suppressed)}", "quiet")))
    before = ""
    for number, entry in enumerate(counsel, start=len(fixes)):
        if entry.kind != before:
            lines.append(Listed(line(_(_HEADINGS[entry.kind]), "heading")))
        before = entry.kind
        glyph, tone = _GLYPHS[entry.kind]
        lines.append(Listed((Said(f"{glyph} ", tone), Said(_issue(entry))), number))
    if earlier:
        lines.append(Listed(earlier_row(earlier), len(fixes) + len(counsel)))
    return lines


def counsel_detail(counsel: Counsel) -> list[Line]:
    """Everything about one that cannot be accepted."""
    glyph, tone = _GLYPHS[counsel.kind]
    by = _("the measures") if counsel.origin == "code" else _("the judge")
    where = _("scene {scene}", scene=counsel.scene) + " · " if counsel.scene else ""
    return [
        (Said(f"{glyph} ", tone), Said(_(_HEADINGS[counsel.kind]), "strong")),
        line(where + _("by {by}", by=by), "quiet"),
        line(),
        line(_issue(counsel)),
        line(),
        *block(_("The words it is about"), [counsel.quote], "quote"),
        *block(_("Ways to go"), [f"· {way}" for way in counsel.options]),
        line(_(_WHAT_THEN[counsel.kind]), "quiet"),
    ]


_WHAT_THEN = {
    "decide": N_(
        "There is nothing to accept here, and nobody writes it for you: Ctrl+E opens the text."
    ),
    "advice": N_(
        "There is nothing to accept here. Ctrl+E opens the text; the question before the"
        " commit offers a fresh draft too."
    ),
}


def _smaller(count: int) -> str:
    return ngettext("{n} more finding is not shown", "{n} more findings are not shown", count)


def _issue(counsel: Counsel) -> str:
    """What it is about; a judge writes in the language of the book."""
    return translated(counsel.issue) if counsel.origin == "code" else counsel.issue
