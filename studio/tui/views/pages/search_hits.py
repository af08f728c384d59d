"""Words found in the book, and what a replacement would make of them, as lines. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from studio.i18n import _, ngettext, translated
from studio.project.search.field_words import field_in_words
from studio.tui.views.words import Line, Said, as_label, line

if TYPE_CHECKING:
    from studio.project.progress import Progress
    from studio.project.search.hits import Findings, Hit
    from studio.project.search.replacement import Replacement

MOST_SHOWN = 400
"""Places a page lists; a writer who sees more has not looked for enough."""
_HEAD = 5
"""Cells before a place of a replacement."""
_PLACE = 6
"""Cells of where a place is, at least."""


class FoundRow(NamedTuple):
    """A row of the page: a heading, or a place."""

    line: Line
    hit: Hit | None = None


def found_rows(findings: Findings, width: int) -> Iterator[FoundRow]:
    """A heading for each text, and under it its places, in lines of so many cells."""
    heading: Line | None = None
    for hit in findings.hits[:MOST_SHOWN]:
        if (fresh := _heading(hit, findings)) != heading:
            heading = fresh
            yield FoundRow(fresh)
        yield FoundRow(_place(hit, width), hit)


def count_words(findings: Findings | None, notes: bool) -> str:
    """How much was found, in a sentence."""
    if findings is None:
        return _("Type the words to look for.")
    count, texts = len(findings.hits), len({hit.at.path for hit in findings.hits})
    if not count:
        return _("There are no notes to people.") if notes else _("Nowhere in the book.")
    noun = ngettext("{n:,} note", "{n:,} notes", count) if notes else _places(count)
    words = _("{places} in {texts}", places=noun, texts=_texts(texts))
    more = _("; the first {n} are shown", n=MOST_SHOWN) if count > MOST_SHOWN else ""
    unread = (
        ngettext(
            "; {n} file cannot be read", "; {n} files cannot be read", len(findings.unreadable)
        )
        if findings.unreadable
        else ""
    )
    return f"{words}{more}{unread}."


def progress_words(progress: Progress) -> str:
    """How far a search or a replacement is, in a sentence."""
    done, of = progress.done, progress.of
    if progress.phase == "reading":
        return _("Looked through {done:,} of {of:,} texts", done=done, of=of)
    if progress.phase == "changing":
        return _("Changed {done:,} of {of:,} texts; nothing is saved yet", done=done, of=of)
    return _("Saved {done:,} of {of:,} texts", done=done, of=of)


def replacement_rows(replacement: Replacement) -> Iterator[FoundRow]:
    """What is said first, then the places under a heading for each text; a place's own line is
    made by `change_of`, for it depends on whether it changes, and on the width."""
    for sentence in replacement.remarks:
        yield FoundRow(line(translated(sentence), "warn"))
    heading: Line | None = None
    for hit in replacement.findings.hits:
        if (fresh := _heading(hit, replacement.findings)) != heading:
            heading = fresh
            yield FoundRow(fresh)
        yield FoundRow((), hit)
    if heading is None:
        yield FoundRow(line(_("Nowhere in the book."), "quiet"))


def change_of(
    hit: Hit, new: str, width: int, *, stays: bool, particles: bool = False
) -> tuple[Line, Line]:
    """A place as it is and as it would be, or that it stays, in two lines of which the words
    themselves stand within `width` cells. With `particles` that behind the words fits the new."""
    words, come, after = hit.change(new, particles and not stays)
    old = " ".join(words.split())
    room = width - _HEAD - max(cell_len(old), cell_len(come))
    quiet = Said(_before(hit, room), "quiet"), Said(after, "quiet")
    if stays:
        place = (Said("   = "), quiet[0], Said(old), quiet[1])
        return (place, (Said("     "), Said(_("stays as it is"), "quiet")))
    return (
        (Said("✓  - "), quiet[0], Said(old, "bad"), quiet[1]),
        (Said("   + "), quiet[0], Said(come, "good"), quiet[1]),
    )


def replacement_title(hits: Sequence[Hit], old: str, new: str) -> Line:
    """What would become what, and how often."""
    count, files = len(hits), len({hit.at.path for hit in hits})
    words = replacement_question(old, new)
    places = _("{places} in {texts}", places=_places(count), texts=_texts(files))
    return (Said(words, "heading"), Said(f"   {places}", "quiet"))


def replacement_question(old: str, new: str) -> str:
    """What would become what."""
    return _("“{old}” becomes “{new}”", old=old, new=new) if new else _("“{old}” goes", old=old)


def _places(count: int) -> str:
    return ngettext("{n:,} place", "{n:,} places", count)


def _texts(count: int) -> str:
    return ngettext("{n} text", "{n} texts", count)


def _heading(hit: Hit, findings: Findings) -> Line:
    at = hit.at
    kind = {"prose": "", "plans": _("plan"), "bible": _("notes")}[at.area]
    kind = _("not in the book yet") if at.staged else kind
    number = f"{at.chapter}  " if at.chapter is not None else ""
    quiet = f"   {kind}" if kind else ""
    return (Said(f"{number}{at.title or _('Chapter')}", "strong"), Said(quiet, "quiet"))


def _place(hit: Hit, width: int) -> Line:
    words = " ".join(hit.words.split())
    words_of_place = place_words(hit)
    where = f"  {words_of_place}{' ' * (_PLACE - cell_len(words_of_place))}"
    before = _before(hit, width - cell_len(where) - cell_len(words))
    return (Said(where, "quiet"), Said(before), Said(words, "accent"), Said(hit.after))


def place_words(hit: Hit) -> str:
    """Scene and paragraph; the field of a plan; else the line."""
    if hit.scene is not None:
        return f"{hit.scene}.{hit.paragraph} "
    if hit.at.field:
        return as_label(field_in_words(hit.at.field))
    return (
        _("title ")
        if hit.at.area == "prose" and not hit.note
        else _("line {line}: ", line=hit.line)
    )


def _before(hit: Hit, room: int) -> str:
    """What stands before the words, so that with what stands behind them it fits into as many
    cells, or takes half of them: a Korean or Chinese character takes two."""
    before, after = hit.before, cell_len(hit.after)
    cells = max(room - after, room // 2)
    if cell_len(before) <= cells:
        return before
    while before and cell_len(before) >= cells:
        before = before[1:]
    return f"…{before}"
