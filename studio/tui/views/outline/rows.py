"""The outline as rows: volumes, chapters and scenes, some of them folded away.

Nothing is kept per row: a row is found by counting volumes and open chapters,
so that ten thousand chapters cost what ten do (performance P7).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import Literal

from studio.project.contents import position
from studio.tuples import NamedTuple

RowKind = Literal["chapter", "add", "note"]
_number = attrgetter("number")
ADD = 1_000_000_000
"""What stands for a number in the row that adds a chapter: it comes after all of them."""
NOTES = 1_000_000_001
"""The same of the notes, behind every volume; their rows count on from it."""
State = Literal["empty", "planned", "drafting", "waiting", "committed", "failed"]
"""Only in the outline; has a contract; under way; asks for a decision; done; damaged."""


class SceneItem(NamedTuple):
    """A scene of a chapter."""

    number: int
    title: str
    state: State = "committed"
    count: int = 0  # type: ignore[assignment]
    """Words (en) or characters (ko, zh)."""


class ChapterItem(NamedTuple):
    """A chapter; `title` as it is in the file, made harmless when it is drawn."""

    number: int
    title: str
    state: State = "empty"
    count: int = 0  # type: ignore[assignment]
    score: float | None = None
    badge: str = ""
    """Stands instead of the score: forced, unjudged."""
    stale: bool = False
    """Whether something made from its text is older than the text."""
    scenes: Sequence[SceneItem] = ()
    kind: RowKind = "chapter"
    """A row that adds a chapter, and a note, stand among chapters and are none."""


class VolumeItem(NamedTuple):
    """A volume and its chapters, in order."""

    number: int
    title: str
    chapters: Sequence[ChapterItem] = ()


class Place(NamedTuple):
    """A volume, a chapter of it, a scene of that, by their numbers; 0 for what is not meant."""

    volume: int
    chapter: int = 0
    scene: int = 0

    @property
    def is_chapter(self) -> bool:
        """Whether it is a chapter, or a scene of one."""
        return 0 < self.chapter < ADD

    @property
    def note(self) -> int | None:
        """Which of the notes it is, from 0; None where it is none."""
        return self.chapter - NOTES - 1 if self.chapter > NOTES else None


class OutlineRow(NamedTuple):
    """What stands in a row; `chapter` and `scene` are None above their level."""

    volume: VolumeItem
    chapter: ChapterItem | None = None
    scene: SceneItem | None = None

    @property
    def place(self) -> Place:
        """Its numbers."""
        return Place(
            self.volume.number,
            self.chapter.number if self.chapter else 0,
            self.scene.number if self.scene else 0,
        )

    @property
    def title(self) -> str:
        """The title of the innermost of the three."""
        return (self.scene or self.chapter or self.volume).title


class Outline:
    """Volumes with the places that are folded or open; rows are counted, never stored."""

    def __init__(self, volumes: Sequence[VolumeItem] = ()) -> None:
        self.volumes = volumes
        self._folded: set[int] = set()  # volumes by number
        self._open: set[Place] = set()  # chapters whose scenes show
        self._count()

    def renew(self, volumes: Sequence[VolumeItem]) -> None:
        """Takes other contents; what was folded or open stays so."""
        self.volumes = volumes
        self._count()

    def __len__(self) -> int:
        return self._tops[-1]

    def row(self, y: int) -> OutlineRow | None:
        """What stands in a row."""
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

    def find(self, place: Place) -> int | None:
        """The row of a place, or None if there is none or it is folded away."""
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
        if not self.is_open(Place(*place[:2])) or not 0 < place.scene <= len(chapter.scenes):
            return None
        return row + place.scene

    def place_of(self, chapter: int) -> Place | None:
        """A chapter by its number alone."""
        for volume in self.volumes:
            if index_of(volume.chapters, chapter) is not None:
                return Place(volume.number, chapter)
        return None

    def above(self, place: Place) -> Place | None:
        """What a place stands under, where nothing below it shows; None for a volume."""
        if place.scene:
            return Place(place.volume, place.chapter)
        return Place(place.volume) if place.chapter and not self.is_open(place) else None

    def is_open(self, place: Place) -> bool:
        """Whether what is below a volume or chapter shows."""
        if place.chapter:
            return Place(*place[:2]) in self._open
        return place.volume not in self._folded

    def unfold(self, place: Place, is_open: bool = True) -> bool:
        """Opens (or folds) a volume or chapter; whether it is open now."""
        if place.chapter:
            (self._open.add if is_open else self._open.discard)(Place(*place[:2]))
        else:
            (self._folded.discard if is_open else self._folded.add)(place.volume)
        self._count()
        return self.is_open(place)

    def reveal(self, place: Place) -> int | None:
        """Unfolds what hides a place; its row."""
        if place.chapter:
            self._folded.discard(place.volume)
        if place.scene:
            self._open.add(Place(*place[:2]))
        self._count()
        return self.find(place)

    def search(self, words: str, after: Place | None = None) -> Place | None:
        """The next volume or chapter whose title or number has the words, round the end."""
        needle = words.casefold().strip()
        if not needle:
            return None
        first: Place | None = None
        is_behind = after is None
        for place, title in self._titles():
            if needle in title.casefold() or needle == str(place.chapter or place.volume):
                if is_behind:
                    return place
                first = first or place
            is_behind = is_behind or place == after
        return first

    def _titles(self) -> Iterator[tuple[Place, str]]:
        for volume in self.volumes:
            yield Place(volume.number), volume.title
            for chapter in volume.chapters:
                yield Place(volume.number, chapter.number), chapter.title

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
    """A chapter whose scenes show."""

    chapter: int
    """Its place in the volume, from 0."""
    row: int
    """Rows below the volume's own, from 0."""
    scenes: int


def _by_index(opened: _Opened) -> int:
    return opened.chapter


def index_of(chapters: Sequence[ChapterItem], number: int) -> int | None:
    """Where a chapter stands in its volume, from 0; None where it is none of them."""
    return position(chapters, number, _number)
