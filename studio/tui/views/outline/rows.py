"""The outline as rows of volumes, chapters and scenes, some of them folded.

Nothing is stored per row: a row is found by counting volumes and open chapters, so ten thousand
chapters cost no more than ten (performance P7).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from studio.chapter_names import label_of
from studio.i18n import N_, _
from studio.project.contents import each, position
from studio.story.lengths import length_of, unit_of
from studio.tui.book import Book, CurrentChapter
from studio.tui.views.signs import BADGES, Badge

if TYPE_CHECKING:
    from studio.project.contents import ContentsEntry
    from studio.story.checkpoint import Checkpoint
    from studio.tui.book import Glanced


RowKind = Literal["chapter", "add", "note"]
_number = attrgetter("number")
ADD = 1_000_000_000
"""Stands for the chapter number in the row that adds a chapter; larger than any real number."""
NOTES = 1_000_000_001
"""Stands for the number of the volume of notes, after all others; its rows count on from it."""
ChapterState = Literal["empty", "planned", "drafting", "waiting", "committed", "failed"]
"""The states of a chapter: only in the outline; has a contract; in progress; waits for a decision;
committed; damaged."""


class SceneItem(NamedTuple):
    """A scene of a chapter."""

    number: int
    title: str
    state: ChapterState = "committed"
    count: int = 0  # type: ignore[assignment]
    """The length, in words (en) or characters (ko, zh)."""


class ChapterItem(NamedTuple):
    """A chapter; `title` is as it is in the file, and is made harmless when it is drawn."""

    number: int
    title: str
    state: ChapterState = "empty"
    count: int = 0  # type: ignore[assignment]
    score: float | None = None
    badge: str = ""
    """The text displayed instead of the score, such as forced or unjudged."""
    stale: bool = False
    """Whether anything derived from the text is older than the text."""
    is_changed_there: bool | None = None
    """Whether it was changed since it was published; None if it is not published."""
    scenes: Sequence[SceneItem] = ()
    kind: RowKind = "chapter"
    """Marks rows for adding a chapter and for notes, which are listed like chapters."""


class VolumeItem(NamedTuple):
    """A volume and its chapters, in order."""

    number: int
    title: str
    chapters: Sequence[ChapterItem] = ()


class RowPlace(NamedTuple):
    """The numbers of a volume, a chapter and a scene; 0 for a level that is not meant."""

    volume: int
    chapter: int = 0
    scene: int = 0

    @property
    def is_chapter(self) -> bool:
        """Whether the place is a chapter or a scene of one."""
        return 0 < self.chapter < ADD

    @property
    def note(self) -> int | None:
        """The index of the note, from 0; None if the place is not a note."""
        return self.chapter - NOTES - 1 if self.chapter > NOTES else None


class OutlineRow(NamedTuple):
    """The content of a row; `chapter` and `scene` are None above their level."""

    volume: VolumeItem
    chapter: ChapterItem | None = None
    scene: SceneItem | None = None

    @property
    def place(self) -> RowPlace:
        """The place of this row."""
        return RowPlace(
            self.volume.number,
            self.chapter.number if self.chapter else 0,
            self.scene.number if self.scene else 0,
        )

    @property
    def title(self) -> str:
        """The title of the innermost level."""
        return (self.scene or self.chapter or self.volume).title


class Outline:
    """Volumes and the folding state of their rows; rows are counted, never stored."""

    def __init__(self, volumes: Sequence[VolumeItem] = ()) -> None:
        self.volumes = volumes
        self._folded: set[int] = set()  # numbers of volumes
        self._open: set[RowPlace] = set()  # chapters whose scenes are listed
        self._count()

    def renew(self, volumes: Sequence[VolumeItem]) -> None:
        """Replaces the volumes; the folding state is kept."""
        self.volumes = volumes
        self._count()

    def __len__(self) -> int:
        return self._tops[-1]

    def row(self, y: int) -> OutlineRow | None:
        """Returns the content of row `y`; None outside the outline."""
        if not 0 <= y < len(self):
            return None
        which = bisect_right(self._tops, y) - 1
        volume, rest = self.volumes[which], y - self._tops[which] - 1
        if rest < 0:
            return OutlineRow(volume)
        opened = self._opened[which]
        before = bisect_right(opened, rest, key=lambda o: o.row) - 1
        if before < 0:
            return OutlineRow(volume, volume.chapters[rest])
        last = opened[before]
        below = rest - last.row
        chapter = volume.chapters[last.chapter]
        if below == 0:
            return OutlineRow(volume, chapter)
        if below <= len(chapter.scenes):
            return OutlineRow(volume, chapter, chapter.scenes[below - 1])
        return OutlineRow(volume, volume.chapters[last.chapter + below - len(chapter.scenes)])

    def find(self, place: RowPlace) -> int | None:
        """Returns the row of a place; None if the place does not exist or is folded away."""
        which = next((i for i, v in enumerate(self.volumes) if v.number == place.volume), None)
        if which is None:
            return None
        if not place.chapter:
            return self._tops[which]
        index = index_of(self.volumes[which].chapters, place.chapter)
        if index is None or place.volume in self._folded:
            return None
        opened = self._opened[which][: bisect_left(self._opened[which], index, key=_by_index)]
        row = self._tops[which] + 1 + index + sum(o.scenes for o in opened)
        chapter = self.volumes[which].chapters[index]
        if not place.scene:
            return row
        at = position(chapter.scenes, place.scene, _number)
        return row + 1 + at if at is not None and self.is_open(RowPlace(*place[:2])) else None

    def place_of(self, chapter: int) -> RowPlace | None:
        """Returns the place of a chapter, given by its number alone."""
        for volume in self.volumes:
            if index_of(volume.chapters, chapter) is not None:
                return RowPlace(volume.number, chapter)
        return None

    def above(self, place: RowPlace) -> RowPlace | None:
        """Returns the parent of a place that has no open rows below it; None for a volume."""
        if place.scene:
            return RowPlace(place.volume, place.chapter)
        return RowPlace(place.volume) if place.chapter and not self.is_open(place) else None

    def is_open(self, place: RowPlace) -> bool:
        """Whether the rows below a volume or chapter are open."""
        if place.chapter:
            return RowPlace(*place[:2]) in self._open
        return place.volume not in self._folded

    def unfold(self, place: RowPlace, is_open: bool = True) -> bool:
        """Opens or folds a volume or chapter; returns whether it is open now."""
        if place.chapter:
            (self._open.add if is_open else self._open.discard)(RowPlace(*place[:2]))
        else:
            (self._folded.discard if is_open else self._folded.add)(place.volume)
        self._count()
        return self.is_open(place)

    def reveal(self, place: RowPlace) -> int | None:
        """Opens all levels above a place; returns its row."""
        if place.chapter:
            self._folded.discard(place.volume)
        if place.scene:
            self._open.add(RowPlace(*place[:2]))
        self._count()
        return self.find(place)

    def search(self, words: str, after: RowPlace | None = None) -> RowPlace | None:
        """Returns the next volume or chapter whose title contains the words, or whose number or
        label they are, wrapping at the end."""
        needle = words.casefold().strip()
        if not needle:
            return None
        first: RowPlace | None = None
        is_behind = after is None
        for place, title in self._titles():
            number = label_of(place.chapter) if place.chapter else str(place.volume)
            if needle in title.casefold() or needle in (number.casefold(), str(place.chapter)):
                if is_behind:
                    return place
                first = first or place
            is_behind = is_behind or place == after
        return first

    def _titles(self) -> Iterator[tuple[RowPlace, str]]:
        for volume in self.volumes:
            yield RowPlace(volume.number), volume.title
            for chapter in volume.chapters:
                yield RowPlace(volume.number, chapter.number), chapter.title

    def _count(self) -> None:
        self._opened = [self._opened_in(volume) for volume in self.volumes]
        self._tops = list(
            accumulate(
                (
                    1
                    if volume.number in self._folded
                    else 1 + len(volume.chapters) + sum(o.scenes for o in opened)
                    for volume, opened in zip(self.volumes, self._opened, strict=True)
                ),
                initial=0,
            )
        )

    def _opened_in(self, volume: VolumeItem) -> list[_Opened]:
        numbers = sorted(place.chapter for place in self._open if place.volume == volume.number)
        rows: list[_Opened] = []
        extra = 0
        for number in numbers:
            index = index_of(volume.chapters, number)
            if index is not None and (scenes := len(volume.chapters[index].scenes)):
                rows.append(_Opened(index, index + extra, scenes))
                extra += scenes
        return rows


class _Opened(NamedTuple):
    """An open chapter, whose scenes are listed."""

    chapter: int
    """The index of the chapter in its volume."""
    row: int
    """The index of its row below the row of the volume."""
    scenes: int


def _by_index(opened: _Opened) -> int:
    return opened.chapter


def index_of(chapters: Sequence[ChapterItem], number: int) -> int | None:
    """Returns the index of a chapter in its volume; None if the volume does not contain it."""
    return position(chapters, number, _number)


NOTE_NAMES = (
    *(
        N_("Brief"),
        N_("Style"),
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
            " ".join(scene.paragraphs[0].text.split())[:_OPENING],
            state,
            sum(length_of(paragraph.text, unit) for paragraph in scene.paragraphs),
        )
        for scene in (current.planned or current.text).scenes
    )
