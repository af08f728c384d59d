"""The statement of authorship, for a publisher or a reader: who wrote how much of the book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from studio.book.authorship import ALL_BY, Authorship, By, ChapterAuthorship, models_of
from studio.chapter_names import label_of
from studio.config.schema import Settings
from studio.errors import StudioError, usage
from studio.exchange.destination import check_file, refuse_unfit, write_file
from studio.i18n import _, translate
from studio.messages import Said, join, said, series
from studio.project.progress import Listener, count_progress, nobody
from studio.project.store import ProjectStore
from studio.story.lengths import Unit, length_of, unit_in

_SHARES: Mapping[By, str] = {
    "hand": said("{share} written by hand"),
    "brought": said("{share} brought in from files and other programs"),
    "model": said("{share} written by a model"),
    "model_edited": said("{share} a person's, changed by a model"),
    "hand_edited": said("{share} a model's, changed by hand"),
    "unknown": said("{share} of unknown origin"),
}
"""The phrase for each kind of authorship and its share."""
_HEADS: Mapping[By, str] = {
    "hand": said("by hand"),
    "brought": said("brought in"),
    "model": said("model"),
    "model_edited": said("model over a person"),
    "hand_edited": said("hand over a model"),
    "unknown": said("unknown"),
}
_HOW = said(
    "Each paragraph was followed from version to version through the novel's history. One "
    "that stayed mostly as it was is its first writer's, changed by the next. What came in "
    "from a file or another program counts as brought in: who wrote it there, the studio does "
    "not know."
)


_WHOLE: Mapping[Unit, Said] = {
    "words": said("Of {n} words: {shares}."),
    "characters": said("Of {n} characters: {shares}."),
    "characters with spaces": said("Of {n} characters with spaces: {shares}."),
    "characters without spaces": said("Of {n} characters without spaces: {shares}."),
}


def lengths(chapters: Iterable[ChapterAuthorship], unit: Unit) -> Counter[By]:
    """Returns the length of the chapters by kind of authorship."""
    sums: Counter[By] = Counter()
    for chapter in chapters:
        for paragraph in chapter.paragraphs:
            sums[paragraph.by] += length_of(paragraph.text, unit)
    return sums


def summary(sums: Counter[By], unit: Unit) -> str:
    """Returns one sentence with the total length and the share of each kind of authorship."""
    total = sums.total()
    if not total:
        return said("There is no text yet.")
    parts = [_SHARES[by].format(share=_percent(sums[by], total)) for by in ALL_BY if sums[by]]
    shares = join(parts, "; ")
    return _WHOLE[unit].format(n=f"{total:,}", shares=shares)


def table(
    chapters: Sequence[ChapterAuthorship], sums: Counter[By], unit: Unit
) -> list[tuple[str, ...]]:
    """Returns a header, a row per chapter and a total row; columns without values are omitted."""
    columns = [by for by in ALL_BY if sums[by]]
    rows: list[tuple[str, ...]] = [(said("Chapter"), *(_HEADS[by] for by in columns))]
    for chapter in chapters:
        own = lengths([chapter], unit)
        rows.append(
            (label_of(chapter.chapter), *(_percent(own[by], own.total()) for by in columns))
        )
    rows.append((said("All"), *(_percent(sums[by], sums.total()) for by in columns)))
    return rows


def statement(store: ProjectStore, settings: Settings, listener: Listener = nobody) -> str:
    """Returns the statement in Markdown and the writer's language for all chapters with a text."""
    title, unit = settings.novel.title, unit_in(settings)
    ledger = Authorship(store, settings.novel.language)
    chapters = list(map(ledger.of, count_progress(list(ledger.written_chapters()), listener)))
    sums = lengths(chapters, unit)
    if not sums.total():
        raise _nothing_to_state()
    lines = [map(translate, row) for row in table(chapters, sums, unit)]
    head, *rows = [f"| {' | '.join(row)} |" for row in lines]
    rule = "|" + " --- |" * (head.count("|") - 1)
    heading = _("{title}: who wrote it", title=title)
    parts = [f"# {heading}", translate(summary(sums, unit)), "\n".join([head, rule, *rows])]
    if models := models_of(store, (chapter.chapter for chapter in chapters)):
        parts.append(
            translate(said("Models that wrote or changed prose: {names}.", names=series(models)))
        )
    return "\n\n".join([*parts, translate(_HOW)]) + "\n"


def refuse_unwritten(store: ProjectStore, language: str) -> None:
    """Raises StudioError (exit 2) where no chapter has a text whose authors could be stated."""
    if not Authorship(store, language).written_chapters():
        raise _nothing_to_state()


def _nothing_to_state() -> StudioError:
    return usage(
        said("There is no text yet whose authors could be stated."), said("Write a chapter first.")
    )


def export_statement(
    store: ProjectStore,
    settings: Settings,
    place: Path,
    force: bool,
    listener: Listener = nobody,
) -> Path:
    """Writes the statement to a file outside the novel's own. Whatever `listener` raises aborts the
    export before anything is written.

    Raises StudioError (exit 2) for a place that is taken or belongs to the novel, or a book without
    text.
    """
    refuse_unwritten(store, settings.novel.language)  # before asking about an existing file
    refuse_unfit(place)
    check_file(place, force)
    write_file(place, statement(store, settings, listener).encode(), force)
    return place


def _percent(part: int, whole: int) -> str:
    """Returns a share in whole per cent; a share above zero is never rounded to zero."""
    if not whole or not part:
        return "-"
    return said("under 1%") if part * 100 < whole else f"{part * 100 // whole}%"
