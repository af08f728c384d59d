"""Random edits of real chapters, each with what it does to a chosen passage: the hand-made truth
against which placing is held."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from studio.story.chapter import Chapter, compose
from studio.story.review.passage import PassageLocation
from studio.story.review.passages_in_changed_text import SearchableChapter, place
from studio.story.status import Stands

DATA = Path(__file__).parents[1] / "data"
_CHAPTERS = {
    "en": DATA / "sample-chapters",
    "ko": DATA / "novels" / "ko" / "chapters",
    "zh": DATA / "novels" / "zh" / "chapters",
}
LANGUAGES = tuple(_CHAPTERS)
_WIDEST = 3
_SENTENCE = r"(?<=[.!?。！？])[”’」』\"']*\s*(?=\S)"


@dataclass(frozen=True)
class Piece:
    """One paragraph on its way through the edits."""

    text: str
    scene: int
    mine: bool = False
    """Whether it holds words of the chosen passage."""


@dataclass(frozen=True)
class Edited:
    """A chapter after an edit, and what became of the passage."""

    pieces: tuple[Piece, ...]
    stands: Stands


@cache
def chapters(language: str) -> tuple[Chapter, ...]:
    """Returns the chapters of a language."""
    files = sorted(_CHAPTERS[language].glob("chapter-*.md"))
    return tuple(Chapter(file.read_text(encoding="utf-8")) for file in files)


def tried(language: str, kind: str, seed: int) -> tuple[Stands, Stands, bool]:
    """Makes one edit of this kind and places the passage again.

    Returns what is true, what was found, and whether every paragraph found is one of the passage
    and none of them was missed.
    """
    chance = random.Random(f"{language} {kind} {seed}")
    here, other = chance.sample(chapters(language), 2)
    paragraphs, first, width = _chosen(here, chance)
    ground = SearchableChapter(here)
    passage = here.paragraphs[first : first + width]
    known = ground.passage(passage)
    words = "\n\n".join(p.text for p in passage)
    near = PassageLocation(
        scene_number=passage[0].scene,
        paragraph_start=passage[0].number,
        paragraph_end=passage[-1].number,
    )
    edited = EDITS[kind](paragraphs, first, width, [p.text for p in other.paragraphs], chance)
    if chance.random() < 0.5:  # whatever else she does, it is somewhere else
        edited = _elsewhere(
            edited.pieces, edited.stands, [p.text for p in other.paragraphs], chance
        )
    after = _chapter(edited.pieces)
    placed = place(known, words, SearchableChapter(after), near)
    here_now = {(p.scene, p.number) for p in placed.paragraphs}
    truth = {
        (p.scene, p.number)
        for p, piece in zip(after.paragraphs, _in_order(edited.pieces), strict=True)
        if piece.mine
    }
    return edited.stands, placed.stands, not here_now or here_now == truth


def _chosen(chapter: Chapter, chance: random.Random) -> tuple[tuple[Piece, ...], int, int]:
    pieces = [Piece(p.text, p.scene) for p in chapter.paragraphs]
    while True:
        first = chance.randrange(len(pieces))
        width = chance.randint(1, _WIDEST)
        chosen = pieces[first : first + width]
        if len(chosen) == width and len({p.scene for p in chosen}) == 1:
            marked = [replace(p, mine=first <= i < first + width) for i, p in enumerate(pieces)]
            return tuple(marked), first, width


def _in_order(pieces: Sequence[Piece]) -> list[Piece]:
    return sorted(pieces, key=lambda piece: piece.scene)


def _chapter(pieces: Sequence[Piece]) -> Chapter:
    scenes: dict[int, list[str]] = {}
    for piece in _in_order(pieces):
        scenes.setdefault(piece.scene, []).append(piece.text)
    return Chapter(compose("A chapter", ["\n\n".join(scenes[n]) for n in sorted(scenes)]))


Made = Callable[[tuple[Piece, ...], int, int, Sequence[str], random.Random], Edited]


def _elsewhere(
    pieces: Sequence[Piece], stands: Stands, others: Sequence[str], chance: random.Random
) -> Edited:
    """One to four paragraphs changed, added or taken away outside the passage."""
    now = list(pieces)
    for _ in range(chance.randint(1, 4)):
        free = [i for i, piece in enumerate(now) if not piece.mine]
        at = chance.choice(free)
        what = chance.choice(("added", "taken", "changed"))
        if what == "taken" and sum(p.scene == now[at].scene for p in now) > 1:
            del now[at]
        elif what == "changed":
            now[at] = replace(now[at], text=chance.choice(others))
        elif what == "added":
            now.insert(at, Piece(chance.choice(others), now[at].scene))
    return Edited(tuple(now), stands)


def elsewhere(
    pieces: tuple[Piece, ...], first: int, width: int, others: Sequence[str], chance: random.Random
) -> Edited:
    return _elsewhere(pieces, "same", others, chance)


def inside(
    pieces: tuple[Piece, ...], first: int, width: int, others: Sequence[str], chance: random.Random
) -> Edited:
    """Up to three of ten words of one paragraph replaced, or a remark added to a short one."""
    now = list(pieces)
    at = max(range(first, first + width), key=lambda i: len(now[i].text))
    now[at] = replace(now[at], text=_retouched(now[at].text, chance))
    return Edited(tuple(now), "changed")


def _retouched(text: str, chance: random.Random) -> str:
    """Puts other words in place of up to three of ten, or adds a remark where there are few."""
    words = text.split(" ")
    if len(words) < 8:
        return text + chance.choice((" ", "")) + chance.choice(("ㅎㅎ.", "哈。", "So."))
    for _ in range(chance.randint(1, max(1, 3 * len(words) // 10))):
        words[chance.randrange(len(words))] = chance.choice(("quite", "문득", "忽然"))
    return " ".join(words)


def rewritten(
    pieces: tuple[Piece, ...], first: int, width: int, others: Sequence[str], chance: random.Random
) -> Edited:
    """Quite other paragraphs in the passage's place."""
    new = [Piece(chance.choice(others), pieces[first].scene) for _ in range(chance.randint(1, 3))]
    return Edited((*pieces[:first], *new, *pieces[first + width :]), "gone")


def split(
    pieces: tuple[Piece, ...], first: int, width: int, others: Sequence[str], chance: random.Random
) -> Edited:
    """A paragraph of the passage parted between two sentences; as it was, where it has but one."""
    at = chance.randrange(first, first + width)
    ends = [m.end() for m in re.finditer(_SENTENCE, pieces[at].text)]
    if not ends:
        return Edited(pieces, "same")
    cut = chance.choice(ends)
    halves = [pieces[at].text[:cut].strip(), pieces[at].text[cut:].strip()]
    new = [replace(pieces[at], text=half) for half in halves]
    return Edited((*pieces[:at], *new, *pieces[at + 1 :]), "same")


def merged(
    pieces: tuple[Piece, ...], first: int, width: int, others: Sequence[str], chance: random.Random
) -> Edited:
    """A paragraph of the passage joined with the one after it, in the passage or behind it."""
    last = first + width - 1
    at = chance.randrange(first, last + 1)
    if at + 1 == len(pieces) or pieces[at + 1].scene != pieces[at].scene:
        return Edited(pieces, "same")
    one = replace(pieces[at], text=f"{pieces[at].text} {pieces[at + 1].text}")
    return Edited((*pieces[:at], one, *pieces[at + 2 :]), "same" if at < last else "changed")


def moved(
    pieces: tuple[Piece, ...], first: int, width: int, others: Sequence[str], chance: random.Random
) -> Edited:
    """The passage carried to another place of the chapter."""
    rest = [*pieces[:first], *pieces[first + width :]]
    at = chance.randrange(len(rest))
    taken = [replace(p, scene=rest[at].scene) for p in pieces[first : first + width]]
    return Edited((*rest[:at], *taken, *rest[at:]), "same")


def doubled(
    pieces: tuple[Piece, ...], first: int, width: int, others: Sequence[str], chance: random.Random
) -> Edited:
    """A copy of the passage put down somewhere else, not beside it."""
    free = [i for i in range(len(pieces)) if abs(i - first) > width + 1]
    at = chance.choice(free)
    copy = [replace(p, scene=pieces[at].scene, mine=False) for p in pieces[first : first + width]]
    return Edited((*pieces[:at], *copy, *pieces[at:]), "same")


def deleted(
    pieces: tuple[Piece, ...], first: int, width: int, others: Sequence[str], chance: random.Random
) -> Edited:
    """The passage taken out."""
    return Edited((*pieces[:first], *pieces[first + width :]), "gone")


EDITS: dict[str, Made] = {
    "elsewhere": elsewhere,
    "inside": inside,
    "rewritten": rewritten,
    "split": split,
    "merged": merged,
    "moved": moved,
    "doubled": doubled,
    "deleted": deleted,
}
