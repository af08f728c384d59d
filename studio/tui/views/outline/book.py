"""The book as the outline displays it: volumes, chapters with their states, and the scenes of the
current chapter. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from studio.i18n import N_, _
from studio.project.contents import each
from studio.story.lengths import Unit, length_of, unit_of
from studio.tui.book import Book, CurrentChapter
from studio.tui.views.outline.rows import (
    ADD,
    NOTES,
    ChapterItem,
    ChapterState,
    SceneItem,
    VolumeItem,
    index_of,
)
from studio.tui.views.signs import BADGES, Badge

if TYPE_CHECKING:
    from studio.project.contents import ContentsEntry
    from studio.story.chapter import Scene
    from studio.story.checkpoint import Checkpoint
    from studio.tui.book import Glanced

NOTE_NAMES = (
    *(
        N_("Brief"),
        N_("People"),
        N_("Places and things"),
        N_("Rules"),
        N_("Storylines"),
        N_("Promises"),
        N_("Secrets"),
    ),
)
"""The names of the notes, in the order of the outline."""
_OPENING = 60
"""The number of characters of a scene's first paragraph that serve as its title."""


def volumes_of(book: Book, before: Sequence[VolumeItem] = ()) -> tuple[VolumeItem, ...]:
    """Returns every volume with its chapters, without scenes. For a long book, call it in a thread.

    A volume that is unchanged since `before` is the same object, so the loop compares no chapters.
    """
    badges = _badges(book)
    marked = book.differences.reasons_by_chapter if book.differences else {}

    def item(entry: ContentsEntry) -> ChapterItem:
        return ChapterItem(
            entry.chapter,
            entry.title,
            _state(book.checkpoint, entry),
            entry.length or 0,
            entry.score,
            badges.get(entry.chapter, ""),
            entry.chapter in marked,
            book.publication.get(entry.chapter),
        )

    earlier = {volume.number: volume for volume in before}
    volumes = (
        VolumeItem(
            volume.number,
            volume.title or _("Volume {number}", number=volume.number),
            each(volume.entries, item),
        )
        for volume in book.contents.volumes
    )
    same = ((earlier.get(volume.number), volume) for volume in volumes)
    return tuple(old if old is not None and old == new else new for old, new in same)


def with_present(
    volumes: Sequence[VolumeItem], book: Book, current: CurrentChapter | None, in_work: int | None
) -> tuple[VolumeItem, ...]:
    """Returns the outline with the scenes of the chapter on the screen, and with the chapter in
    progress marked."""
    present = tuple(volumes)
    if current is not None:
        present = _replace(present, current.chapter, scenes=_scenes(book, current))
    if in_work is not None:
        present = _replace(present, in_work, state="drafting")
    return present


def with_ways(volumes: Sequence[VolumeItem], book: Book, *, asleep: bool) -> tuple[VolumeItem, ...]:
    """Returns the outline with rows for going on: the next chapter if it is not planned, a row that
    adds a chapter, and the notes. `asleep` means that a run is writing and announces its chapter
    itself."""
    after = book.next_chapter
    is_planned = book.contents.entry(after) is not None
    ahead = book.checkpoint.volume_ahead
    if not volumes or (not is_planned and volumes[-1].number < ahead):
        volumes = (*volumes, VolumeItem(ahead, _("Volume {number}", number=ahead)))
    *before, last = volumes
    chapters = [*last.chapters]
    if not asleep and not is_planned:
        chapters.append(ChapterItem(after, ""))
        chapters.sort(key=lambda item: item.number)
    chapters.append(ChapterItem(ADD, _("chapter"), kind="add"))
    notes = [
        ChapterItem(NOTES + 1 + i, _(name), count=book.notes.get(name, 0), kind="note")
        for i, name in enumerate(NOTE_NAMES)
    ]
    return (*before, last._replace(chapters=tuple(chapters)), VolumeItem(NOTES, _("Notes"), notes))


def _replace(
    volumes: tuple[VolumeItem, ...], chapter: int, **changes: Any
) -> tuple[VolumeItem, ...]:
    for index, volume in enumerate(volumes):
        at = index_of(volume.chapters, chapter)
        if at is not None:
            items = list(volume.chapters)
            items[at] = items[at]._replace(**changes)
            fresh = volume._replace(chapters=tuple(items))
            return (*volumes[:index], fresh, *volumes[index + 1 :])
    return volumes


def _state(checkpoint: Checkpoint | Glanced, entry: ContentsEntry) -> ChapterState:
    if entry.chapter == checkpoint.inflight_chapter:
        return "waiting" if checkpoint.pending_decision else "drafting"
    if entry.chapter <= checkpoint.last_completed_chapter:
        return "committed" if entry.written else "failed"
    if entry.written:
        return "waiting"
    return "planned" if entry.planned else "empty"


def _badges(book: Book) -> dict[int, str]:
    checkpoint = book.checkpoint
    badges: dict[int, Badge] = dict(book.marks)
    rows: tuple[tuple[Badge, Collection[int]], ...] = (
        ("left something open", checkpoint.left_open),
        ("changed since it was judged", checkpoint.changed_since),
        ("not judged", checkpoint.unjudged),
        ("passed after two revisions", checkpoint.force_passed),
        ("state gap", checkpoint.state_gap),
        ("scored below 3", checkpoint.low_quality),
        ("breaks a rule", checkpoint.violations_open),
    )
    if book.changed and checkpoint.inflight_chapter is not None:
        badges[checkpoint.inflight_chapter] = "changed since it was judged"
    badges |= {chapter: badge for badge, chapters in rows for chapter in chapters}
    return {chapter: _(BADGES[badge][0]) for chapter, badge in badges.items()}


def _scenes(book: Book, current: CurrentChapter) -> Sequence[SceneItem]:
    if current.text is None:
        return ()
    state: ChapterState = "drafting" if current.source == "staged" else "committed"
    unit = book.unit or unit_of(book.language)
    return tuple(
        SceneItem(
            scene.number,
            _first_words(scene),
            state,
            _length(scene, unit),
        )
        for scene in (current.planned or current.text).scenes
    )


def _first_words(scene: Scene) -> str:
    return " ".join(scene.paragraphs[0].text.split())[:_OPENING]


def _length(scene: Scene, unit: Unit) -> int:
    return sum(length_of(paragraph.text, unit) for paragraph in scene.paragraphs)
