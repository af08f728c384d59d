"""Search hits in the book, and the effect of a replacement, as lines. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from studio.chapter_names import label_of
from studio.i18n import _, as_label, ngettext, translate
from studio.project.search.hits import field_in_words
from studio.tui.views.words import Line, Phrase, line

if TYPE_CHECKING:
    from studio.project.progress import Progress
    from studio.project.search.hits import Hit, SearchResults
    from studio.project.search.replacement import Replacement, ReplaceOrder

MOST_SHOWN = 400
"""The greatest number of hits on a page; a writer who gets more should refine the search."""
_HEAD = 5
"""The width of the column before a hit of a replacement, in cells."""
_PLACE = 6
"""The minimum width of the column that says where a hit is, in cells."""


class FoundRow(NamedTuple):
    """A row of the page: a heading or a hit."""

    line: Line
    hit: Hit | None = None


def found_rows(findings: SearchResults, width: int) -> Iterator[FoundRow]:
    """Yields a heading for each text with its hits below, in lines of `width` cells."""
    heading: Line | None = None
    for hit in findings.hits[:MOST_SHOWN]:
        if (fresh := _head(hit)) != heading:
            heading = fresh
            yield FoundRow(fresh)
        yield FoundRow(_place(hit, width), hit)


def count_words(findings: SearchResults | None, notes: bool) -> str:
    """Returns a sentence with the number of hits."""
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
    return _("{sentence}.", sentence=f"{words}{more}{unread}")


def progress_words(progress: Progress) -> str:
    """Returns a sentence about the progress of a search or a replacement."""
    done, of = progress.done, progress.of
    if progress.phase == "reading":
        return _("Looked through {done:,} of {of:,} texts", done=done, of=of)
    if progress.phase == "changing":
        return _("Changed {done:,} of {of:,} texts; nothing is saved yet", done=done, of=of)
    return _("Saved {done:,} of {of:,} texts", done=done, of=of)


def replacement_rows(replacement: Replacement) -> Iterator[FoundRow]:
    """Yields remarks, then the hits under a heading for each text. The line of a hit is made by
    `change_of`, since it depends on whether the hit changes and on the width."""
    for sentence in replacement.remarks:
        yield FoundRow(line(translate(sentence), "warn"))
    heading: Line | None = None
    for hit in replacement.findings.hits:
        if (fresh := _head(hit)) != heading:
            heading = fresh
            yield FoundRow(fresh)
        yield FoundRow((), hit)
    if heading is None:
        yield FoundRow(line(_("Nowhere in the book."), "quiet"))


def change_of(hit: Hit, order: ReplaceOrder, width: int, *, stays: bool) -> tuple[Line, Line]:
    """Returns two lines: a hit as it is, and as it would become or that it stays; the words
    themselves are within `width` cells."""
    words, come = order.change(hit.at.text, hit.start, hit.end, endings=not stays)
    after = hit.after.removeprefix(words[len(hit.words) :])
    old = " ".join(words.split())
    room = width - _HEAD - max(cell_len(old), cell_len(come))
    quiet = Phrase(_before(hit, room), "quiet"), Phrase(after, "quiet")
    if stays:
        place = (Phrase("   = "), quiet[0], Phrase(old), quiet[1])
        return (place, (Phrase("     "), Phrase(_("stays as it is"), "quiet")))
    return (
        (Phrase("✓  - "), quiet[0], Phrase(old, "bad"), quiet[1]),
        (Phrase("   + "), quiet[0], Phrase(come, "good"), quiet[1]),
    )


def replacement_title(hits: Sequence[Hit], old: str, new: str) -> Line:
    """Returns what would become what, and how often."""
    count, files = len(hits), len({hit.at.path for hit in hits})
    words = replacement_question(old, new)
    places = _("{places} in {texts}", places=_places(count), texts=_texts(files))
    return (Phrase(words, "heading"), Phrase(f"   {places}", "quiet"))


def replacement_question(old: str, new: str) -> str:
    """Returns what would become what."""
    return _("“{old}” becomes “{new}”", old=old, new=new) if new else _("“{old}” goes", old=old)


def _places(count: int) -> str:
    return ngettext("{n:,} place", "{n:,} places", count)


def _texts(count: int) -> str:
    return ngettext("{n} text", "{n} texts", count)


def _head(hit: Hit) -> Line:
    at = hit.at
    kind = {"prose": "", "plans": _("plan"), "bible": _("notes")}[at.area]
    kind = _("not in the book yet") if at.staged else kind
    number = f"{label_of(at.chapter)}  " if at.chapter is not None else ""
    quiet = f"   {kind}" if kind else ""
    title = translate(at.title) or _("Chapter")
    return (Phrase(number + title, "strong"), Phrase(quiet, "quiet"))


def _place(hit: Hit, width: int) -> Line:
    words = " ".join(hit.words.split())
    words_of_place = place_words(hit)
    where = f"  {words_of_place}{' ' * (_PLACE - cell_len(words_of_place))}"
    before = _before(hit, width - cell_len(where) - cell_len(words))
    return (Phrase(where, "quiet"), Phrase(before), Phrase(words, "accent"), Phrase(hit.after))


def place_words(hit: Hit) -> str:
    """Returns the scene and paragraph, the field of a plan, or else the line number."""
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
    """Returns the text before the words, cut so that it fits into `room` cells together with the
    text after them, or else takes half of them; a Korean or Chinese character takes two cells."""
    before, after = hit.before, cell_len(hit.after)
    cells = max(room - after, room // 2)
    if cell_len(before) <= cells:
        return before
    while before and cell_len(before) >= cells:
        before = before[1:]
    return f"…{before}"
