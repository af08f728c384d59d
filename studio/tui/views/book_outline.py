"""The book as the outline shows it: volumes, chapters with their states, scenes of one. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studio.project.contents import Entry
from studio.story.chapter import Scene
from studio.tui.reading import Book, Shown
from studio.tui.views.outline import ChapterItem, SceneItem, State, VolumeItem

_OPENING = 60
"""Characters of a scene's first paragraph that stand for its title."""


def volumes_of(book: Book, shown: Shown | None, running: int | None) -> list[VolumeItem]:
    """Every volume with its chapters; the chapter shown has its scenes."""
    chapters: dict[int, list[ChapterItem]] = {number: [] for number in book.contents.volumes}
    badges = _badges(book)
    for entry in book.contents.entries:
        scenes = _scenes(book, shown) if shown and shown.chapter == entry.chapter else ()
        item = _chapter(book, entry, badges, scenes, running)
        chapters.setdefault(entry.volume, []).append(item)
    titles = book.contents.volumes
    return [
        VolumeItem(number, _volume_title(titles.get(number, ""), number), tuple(items))
        for number, items in sorted(chapters.items())
    ]


def _volume_title(heading: str, number: int) -> str:
    """The outline's heading without the number that stands before it anyway."""
    for sign in (":", "：", ".", "-", "–", "—"):
        before, found, after = heading.partition(sign)
        if found and str(number) in before and after.strip():
            return after.strip()
    return heading or "Volume"


def _chapter(
    book: Book,
    entry: Entry,
    badges: Mapping[int, str],
    scenes: Sequence[SceneItem],
    running: int | None,
) -> ChapterItem:
    return ChapterItem(
        number=entry.chapter,
        title=entry.title,
        state=_state(book, entry, running),
        count=entry.length or 0,
        score=entry.score,
        badge=badges.get(entry.chapter, ""),
        stale=entry.chapter in book.edited,
        scenes=scenes,
    )


def _state(book: Book, entry: Entry, running: int | None) -> State:
    checkpoint = book.checkpoint
    if entry.chapter == running:
        return "drafting"
    if entry.chapter == checkpoint.inflight_chapter:
        return "waiting" if checkpoint.pending_decision else "drafting"
    if entry.chapter <= checkpoint.last_completed_chapter:
        return "committed" if entry.written else "failed"
    if entry.written:
        return "waiting"
    return "planned" if entry.contract else "empty"


def _badges(book: Book) -> dict[int, str]:
    checkpoint = book.checkpoint
    told = (
        ("not judged", checkpoint.unjudged),
        ("forced", checkpoint.force_passed),
        ("state gap", checkpoint.state_gap),
    )
    return {chapter: badge for badge, chapters in told for chapter in chapters}


def _scenes(book: Book, shown: Shown | None) -> Sequence[SceneItem]:
    if shown is None or shown.text is None:
        return ()
    state: State = "drafting" if shown.source == "staged" else "committed"
    return tuple(
        SceneItem(scene.number, _opening(scene), state, _length(scene, book.language))
        for scene in shown.text.scenes
    )


def _opening(scene: Scene) -> str:
    return " ".join(scene.paragraphs[0].text.split())[:_OPENING]


def _length(scene: Scene, language: str) -> int:
    pieces = [piece for p in scene.paragraphs for piece in p.text.split()]
    return len(pieces) if language == "en" else sum(map(len, pieces))
