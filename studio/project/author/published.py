"""Which chapters the author has published, and what has changed in them since (SERIAL 7.2).

She says it herself. A mark goes by the chapter's id, and keeps the published text in history, so
that an edit can be held against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher

from studio.errors import StudioError, usage
from studio.messages import Said, said, series
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.files.load import chapter_of
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, Paragraph
from studio.story.form.document import to_bytes
from studio.story.published import PublishedMark


@dataclass(frozen=True, slots=True)
class ChangedPassage:
    """A paragraph, or neighbouring ones, that are no longer as they were published."""

    passage: str
    """The first of them in the chapter as it is now, such as `2.3`; the end of the chapter where
    they were taken out there."""
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PublishedChapter:
    """A mark, and how its chapter stands now."""

    mark: PublishedMark
    number: int | None
    """Its number now; None if it is not in the book any more."""
    changes: tuple[ChangedPassage, ...]
    """What differs from the published text; notes to people and line ends do not count."""
    is_kept: bool = True
    """Whether the published text is still in history, so that it can be compared."""

    @property
    def is_changed(self) -> bool:
        """Whether the chapter differs from what was published, or cannot be compared with it."""
        return bool(self.changes) or not self.is_kept


def publish(
    store: ProjectStore, numbers: Iterable[int], platform: str, day: date | None = None
) -> list[PublishedMark]:
    """Marks chapters of the book, as they are now, as published, all or none; without `day` today.

    Raises StudioError: exit 2 for a chapter that is not in the book, 3 if the novel is locked.
    """
    at = (day or date.today()).isoformat()
    with ProjectLock(store.layout.folder):
        fresh = [_mark(store, number, platform, at) for number in numbers]
        marks = store.published_marks()
        for mark in fresh:
            marks = marks.with_mark(mark)
        replace(store, places.PUBLISHED, to_bytes(marks), Reason.PUBLISHED)
    return fresh


def _mark(store: ProjectStore, number: int, platform: str, at: str) -> PublishedMark:
    """Returns the mark of a chapter as it is now, and keeps its text."""
    path = store.layout.chapter(number)
    data = store.root.find(path)
    if data is None:
        raise usage(
            said("Chapter {chapter} has no text in the book.", chapter=number),
            said("What is published is in chapters/."),
        )
    listed = store.chapter_list()
    return PublishedMark(
        chapter=listed.id_of(number),
        platform=platform,
        at=at,
        sha256=store.history.keep(path, data, Reason.PUBLISHED),
        label=listed.labels.get(number),
    )


def not_published(store: ProjectStore) -> list[int]:
    """Returns the chapters of the book beyond the last published one: the buffer."""
    last = last_published(store)
    return [number for number in store.chapter_numbers() if number > last]


def unpublish(store: ProjectStore, number: int, platform: str) -> None:
    """Takes the mark of a chapter on a platform away; raises StudioError (exit 2) for none."""
    with ProjectLock(store.layout.folder):
        marks = store.published_marks()
        fewer = marks.without(store.chapter_list().id_of(number), platform)
        if fewer == marks:
            raise usage(
                said(
                    "Chapter {chapter} is not marked as published on {platform}.",
                    chapter=number,
                    platform=platform,
                ),
                said("`studio published list` shows what is."),
            )
        replace(store, places.PUBLISHED, to_bytes(fewer), Reason.NO_LONGER_PUBLISHED)


def published_chapters(store: ProjectStore, number: int | None = None) -> list[PublishedChapter]:
    """Returns every mark, or those of one chapter, in the order of the book."""
    marks = store.published_marks().marks
    if not marks:
        return []
    listed = store.chapter_list()
    numbers = {mark.chapter: listed.number_of(mark.chapter) for mark in marks}
    rows = [
        _how_it_stands(store, mark, numbers[mark.chapter])
        for mark in marks
        if number in (None, numbers[mark.chapter])
    ]
    return sorted(rows, key=lambda row: (row.number or 0, row.mark.at, row.mark.platform))


def last_published(store: ProjectStore) -> int:
    """Returns the highest number of a published chapter; 0 for none."""
    marks = store.published_marks().marks
    listed = store.chapter_list() if marks else None
    return max((listed.number_of(m.chapter) or 0 for m in marks), default=0) if listed else 0


def changed_there(store: ProjectStore) -> dict[int, bool]:
    """Returns for each published chapter of the book whether it was changed since, on any
    platform."""
    there: dict[int, bool] = {}
    for row in published_chapters(store):
        if row.number is not None:
            there[row.number] = there.get(row.number, False) or row.is_changed
    return there


def to_put_there(store: ProjectStore, number: int | None = None) -> Iterator[Said]:
    """Yields a sentence for each published chapter, or for one, whose text has changed since: the
    change has to be put there too."""
    changed: dict[int, list[str]] = {}
    for row in published_chapters(store, number):
        if row.number is not None and row.is_changed:
            changed.setdefault(row.number, []).append(row.mark.platform)
    for chapter, platforms in changed.items():
        yield said(
            "Chapter {chapter} is published: this change has to be put there too ({platforms}). "
            "`studio published list {chapter}` shows what changed.",
            chapter=chapter,
            platforms=series(platforms),
        )


def all_to_put_there(store: ProjectStore, paths: Iterable[str]) -> Iterator[Said]:
    """Yields those sentences for the chapters among changed files; none where the marks are
    damaged, which `studio verify` says."""
    numbers = {number for path in paths if (number := places.chapter_of(path)) is not None}
    try:
        for number in sorted(numbers):
            yield from to_put_there(store, number)
    except StudioError:
        return


def _how_it_stands(
    store: ProjectStore, mark: PublishedMark, number: int | None
) -> PublishedChapter:
    if number is None:
        return PublishedChapter(mark, None, ())
    path = store.layout.chapter(number)
    if store.root.sha(path) == mark.sha256:  # first: most of a long serial is as it was
        return PublishedChapter(mark, number, ())
    text = store.chapter(number)
    if text is None:
        return PublishedChapter(mark, None, ())
    try:
        before = chapter_of(store.history.blob(mark.sha256), path)
    except StudioError:
        return PublishedChapter(mark, number, (), is_kept=False)
    return PublishedChapter(mark, number, tuple(_changes(before, text)))


def _changes(before: Chapter, after: Chapter) -> Iterator[ChangedPassage]:
    old, new = before.paragraphs, after.paragraphs
    titles = [(before.title or "",), (after.title or "",)]
    if titles[0] != titles[1]:
        yield ChangedPassage("title", *titles)
    steps = SequenceMatcher(None, _prose(old), _prose(new), autojunk=False).get_opcodes()
    for kind, first, end, start, stop in steps:
        if kind == "equal":
            continue
        before_words, after_words = _prose(old[first:end]), _prose(new[start:stop])
        if len(before_words) == len(after_words):  # then each has its counterpart
            for index, pair in enumerate(zip(before_words, after_words, strict=True)):
                yield ChangedPassage(_place(new, start + index), (pair[0],), (pair[1],))
        else:
            yield ChangedPassage(_place(new, start), tuple(before_words), tuple(after_words))


def _prose(paragraphs: Sequence[Paragraph]) -> list[str]:
    return [" ".join(paragraph.prose.split()) for paragraph in paragraphs]


def _place(paragraphs: Sequence[Paragraph], index: int) -> str:
    if not paragraphs:
        return "1.1"
    one = paragraphs[min(index, len(paragraphs) - 1)]
    return f"{one.scene}.{one.number}"
