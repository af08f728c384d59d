"""The page of a volume: plan against written text, promises, storylines. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from studio.chapter_names import label_of
from studio.i18n import N_, _, ngettext, series, translate
from studio.messages import said
from studio.story.form.slugs import name_of_id
from studio.story.lengths import OTHER_COUNT, Unit
from studio.story.review.scores import score_words
from studio.text.safe import safe_text
from studio.tui.views.lengths import unit_words
from studio.tui.views.signs import badge_meaning
from studio.tui.views.words import Line, Phrase, line

if TYPE_CHECKING:
    from studio.pipeline.volume.figures import (
        ChapterStanding,
        PromiseFigures,
        VolumeStanding,
    )

_STATUS = {
    "planned": N_("not planted yet"),
    "planted": N_("planted"),
    "advanced": N_("touched"),
    "resolved": N_("paid"),
    "abandoned": N_("given up"),
}


def volume_lines(
    volume: VolumeStanding, names: Mapping[str, str], unit: Unit = "words", about: str = ""
) -> Iterator[Line]:
    """Yields the page of a volume; `names` are the titles of storylines by id, `unit` is that of
    the lengths, `about` what its outline says before its chapters."""
    rows = [row for row in about.splitlines() if not row.startswith("#")]
    if words := safe_text("\n".join(rows), keep_newlines=True).strip():
        yield line(translate(said("About the volume")), "heading")
        yield from map(line, words.splitlines())
        yield line()
    if not volume.chapters:
        yield line(_("Nothing is planned in this volume yet."), "quiet")
        return
    yield line(_("Plan, and what is written"), "heading")
    for chapter in volume.chapters:
        yield _chapter_line(chapter)
    written = sum(chapter.length or 0 for chapter in volume.chapters)
    wanted = sum(chapter.wanted for chapter in volume.chapters)
    total = _("{written} of {wanted} in all.", written=f"{written:,}", wanted=f"{wanted:,}")
    if unit in OTHER_COUNT:
        total = _(
            "{written} of {wanted} {unit} in all.",
            written=f"{written:,}",
            wanted=f"{wanted:,}",
            unit=unit_words(unit),
        )
    mean = (
        "" if volume.mean is None else _(" Mean score {mean} of 5.", mean=score_words(volume.mean))
    )
    yield line(total + mean, "strong")
    yield line()
    yield line(_("Promises"), "heading")
    for promise in volume.promises:
        yield _promise_line(promise)
    if not volume.promises:
        yield line(_("None."), "quiet")
    yield line()
    yield line(_("Storylines"), "heading")
    for slug, chapters in volume.lines.items():
        title = safe_text(names.get(slug) or name_of_id(slug), keep_newlines=False)
        numbers = series(map(label_of, chapters))
        where = ngettext(
            "in chapter {numbers}", "in chapters {numbers}", len(chapters), numbers=numbers
        )
        yield (Phrase(title, "strong"), Phrase(f"  {where}", "quiet"))
    if not volume.lines:
        yield line(_("None."), "quiet")


def _chapter_line(chapter: ChapterStanding) -> Line:
    length = f"{chapter.length:,}" if chapter.in_book and chapter.length is not None else "–"
    return (
        Phrase(f"{label_of(chapter.chapter):>4}  ", "quiet"),
        Phrase(chapter.title or "–", "strong" if chapter.in_book else "plain"),
        Phrase(
            "   " + _("{length} of {wanted}", length=length, wanted=f"{chapter.wanted:,}"), "quiet"
        ),
        Phrase("" if chapter.score is None else f"   {score_words(chapter.score)}", "accent"),
        Phrase(f"   {series(map(badge_meaning, chapter.marks))}" if chapter.marks else "", "warn"),
    )


def _promise_line(promise: PromiseFigures) -> Line:
    due = "" if promise.due is None else "   " + _("due by chapter {due}", due=promise.due)
    planted = (
        "" if promise.planted is None else "   " + _("since chapter {first}", first=promise.planted)
    )
    return (
        Phrase(promise.description or name_of_id(promise.id)),
        Phrase("   " + _(_STATUS.get(promise.status, promise.status)), "quiet"),
        Phrase(planted, "quiet"),
        Phrase(due, "warn" if promise.overdue else "quiet"),
    )
