"""The page of a rebuild: what it will do, is doing and has done. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from studio.chapter_names import label_of, own_title
from studio.i18n import N_, _, as_label, ngettext, series, translate
from studio.pipeline.events import CommittedEvent, Event, StageEvent, WarningEvent
from studio.story.state_words import change_in_words
from studio.tui.views.words import Line, Phrase, block, line

if TYPE_CHECKING:
    from studio.pipeline.rebuild import RebuildReport
    from studio.story.consistency import Disagreement

_WHY = {
    "changed": N_("changed by hand"),
    "brought_back": N_("an earlier version brought back"),
    "taken_back": N_("a fix taken back"),
    "named": N_("named by you"),
    "interrupted": N_("left over from an interrupted rebuild"),
}


def foretold(preview: RebuildReport) -> Iterator[Line]:
    """Yields the preview, before anything is written."""
    yield from block(_("Moved"), preview.moved, "warn")
    absent = [_("Chapter {n} is missing and left alone.", n=n) for n in preview.missing]
    yield from block(_("Missing"), absent, "warn")
    if preview.gaps:
        which = series(map(label_of, preview.gaps))
        yield from block(_("Chapters the state of the story knows nothing of"), [which], "warn")
    if not preview.chapters:
        yield line(_("No chapter was changed by hand; there is nothing to rebuild."), "quiet")
        return
    yield line(_("Summarized again"), "heading")
    for chapter in preview.chapters:
        yield (
            Phrase(f"{label_of(chapter.chapter):>4}  ", "accent"),
            Phrase(f"{chapter.title}  "),
            Phrase(_(_WHY[chapter.why]), "quiet"),
        )
    yield line()
    if preview.replayed:
        first, last = preview.replayed[0], preview.replayed[-1]
        which = (
            _("Chapter {first}", first=first)
            if first == last
            else _("Chapters {first} to {last}", first=first, last=last)
        )
        yield from block(_("Replayed as they are, without a model"), [which])
    # Nobody has read them yet, so that there is no reason to be told.
    resting = [f"{chapter:>4}  {change}" for chapter, change, _reason in _rows(preview.stale)]
    yield from block(_("These facts rest on them and may no longer agree"), resting, "warn")
    yield from block(_("Cost"), [_cost(preview)])
    yield line(_("Your text is not changed. Nothing is written before you begin."), "quiet")


def progress(events: Sequence[Event]) -> Iterator[Line]:
    """Yields the progress while the rebuild runs."""
    for event in events:
        if isinstance(event, StageEvent):
            if (event.name, event.status) == ("summarize", "started"):
                yield line(_("Chapter {chapter}: read again …", chapter=event.chapter))
        elif isinstance(event, CommittedEvent):
            chapter = event.chapter or 0
            words = _("Chapter {chapter} is up to date.", chapter=chapter)
            if title := own_title(event.title, chapter):
                words = _(
                    "Chapter {chapter}: “{title}” is up to date.", chapter=chapter, title=title
                )
            yield line(words, "good")
        elif isinstance(event, WarningEvent):
            yield line(translate(event.message), "warn")


def lines_of_result(report: RebuildReport) -> Iterator[Line]:
    """Yields the result when the rebuild is done."""
    rebuilt = series(label_of(chapter.chapter) for chapter in report.chapters)
    yield from block(
        _("Rebuilt"),
        [
            _("Chapters {rebuilt}", rebuilt=rebuilt)
            if len(report.chapters) > 1
            else _("Chapter {rebuilt}", rebuilt=rebuilt)
        ],
    )
    if report.stale:
        rows = [f"{at:>4}  {as_label(change)}{why}" for at, change, why in _rows(report.stale)]
        yield from block(_("No longer in agreement; look at them again"), rows, "warn")
    if report.findings:
        sentences = [translate(entry.message) for entry in report.findings]
        yield from block(_("What contradicts itself after it"), sentences, "warn")
    elif report.checked and not report.stale:
        first, last = report.checked[0], report.checked[-1]
        reach = (
            _("Chapter {first}", first=first)
            if first == last
            else _("Chapters {first} to {last}", first=first, last=last)
        )
        yield line(_("{reach}: no contradiction was seen that code can see.", reach=reach), "good")


def _rows(stale: Sequence[Disagreement]) -> Iterator[tuple[str, str, str]]:
    """Yields the chapter of each change, the change in words, and why it no longer agrees."""
    for one in stale:
        yield label_of(one.chapter), change_in_words(one.op, one.op.about), translate(one.reason)


def _cost(preview: RebuildReport) -> str:
    if not preview.model:
        return _("No model takes part: summaries are taken from the text itself.")
    count = len(preview.chapters)
    calls = ngettext("{n} call to {model}", "{n} calls to {model}", count, model=preview.model)
    return _("{calls}: {price}.", calls=calls, price=translate(preview.cost.words))
