"""The scenes of a chapter's text: those between its breaks, or, where these are others, the planned
scenes that it was drafted from (CONTRACTS 5). A planned scene may go on without a break, as in a
serial, and may hold breaks.

A chapter's file says where each planned scene begins; in a text that has changed since, it begins
where its first paragraph is found again. Addresses such as `1.14` count between breaks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal, NamedTuple

from pydantic import Field, model_validator

from studio.story.chapter import Chapter, Paragraph, Scene
from studio.story.form.document import Document, Value
from studio.story.form.ids import Sha256
from studio.story.review.passage import Passage, PassageLocation
from studio.story.review.passages_in_changed_text import SearchableChapter, place
from studio.story.scene_marks import begins_with_break, ends_with_break, without_last_break


class PlannedScene(Value):
    """A planned scene, and where it begins in the text."""

    number: int = Field(ge=1)
    """The scene's number in the plan."""
    passage: Passage
    """Its first paragraph."""
    purpose: str = ""
    """What it is there for, in the words of the plan."""
    by: Literal["model", "hand"] = "hand"
    """Who set it apart from the others: the model that divided the plan, or the author."""


class PlannedScenes(Document):
    """evaluations/chapter-NNN-scenes.json: where the planned scenes of a chapter begin."""

    SCHEMA: ClassVar[str] = "scenes"

    source_sha256: Sha256
    """The text in which the passages were read."""
    scenes: tuple[PlannedScene, ...] = Field(min_length=1)
    """A scene that was taken out keeps its row, for it may come back."""

    @model_validator(mode="after")
    def _in_order(self) -> PlannedScenes:
        if any(one.number >= other.number for one, other in pairwise(self.scenes)):
            raise ValueError("the scenes are not in the order of their numbers")
        return self


class Purpose(NamedTuple):
    """What the plan says of a scene, as its file keeps it."""

    words: str
    by: Literal["model", "hand"]


@dataclass(frozen=True)
class TextScenes:
    """The scenes of a text, by the numbers that people and the gate call them by."""

    chapter: Chapter
    scenes: tuple[Scene, ...]
    """Those of which words stand, in text order."""
    count: int
    """How many there are, with those of which no word stands any more."""
    bounded: frozenset[int]
    """The numbers of the scenes of which both ends are known."""
    are_planned: bool = False
    """Whether they are the planned ones, and these are others than those between breaks."""

    @classmethod
    def between_breaks(cls, chapter: Chapter) -> TextScenes:
        """Returns the scenes of a text as its breaks part them."""
        scenes = chapter.scenes
        return cls(chapter, scenes, len(scenes), frozenset(s.number for s in scenes))

    def scene(self, number: int) -> Scene | None:
        """Returns the scene with that number; None if none of its words stand."""
        return next((scene for scene in self.scenes if scene.number == number), None)

    def text_of(self, number: int) -> str | None:
        """Returns a scene's text unchanged, empty if no word of it stands any more; None if it is
        not known where it begins or ends."""
        if number not in self.bounded:
            return None
        scene = self.scene(number)
        return self.chapter.text[scene.start : scene.end] if scene is not None else ""

    def number_of(self, paragraph: Paragraph) -> int:
        """Returns the number of the scene that a paragraph of the text is in."""
        numbers = (s.number for s in reversed(self.scenes) if s.start <= paragraph.start)
        return next(numbers, paragraph.scene)

    def number_at(self, location: PassageLocation) -> int:
        """Returns the number of the scene in which a passage begins."""
        first = location.paragraph_start
        there = self.chapter.passage(location.scene_number, first, first)
        return self.number_of(there[0]) if there else location.scene_number

    def may_be_replaced(self, texts: Mapping[int, str]) -> bool:
        """Whether these are texts for all the scenes there are, and each has its place in the
        chapter."""
        return len(texts) == self.count and all(
            number in self.bounded and (not text.strip() or self.scene(number) is not None)
            for number, text in texts.items()
        )

    def with_texts(self, texts: Mapping[int, str]) -> Chapter:
        """Returns the chapter with the texts of these scenes replaced, of those that have words;
        all bytes outside stay, and a break that stands beside a scene is not doubled by one at its
        edge."""
        text = self.chapter.text
        for scene in reversed(self.scenes):
            if (words := texts.get(scene.number)) is None:
                continue
            words, before, after = words.strip(), text[: scene.start], text[scene.end :]
            words = words[begins_with_break(words) :] if ends_with_break(before) else words
            words = without_last_break(words) if begins_with_break(after) else words
            text = before + words + after
        return Chapter(text)


def joined_scenes(
    chapter: Chapter,
    texts: Sequence[str],
    plan: Sequence[Purpose],
    earlier: PlannedScenes | None = None,
) -> PlannedScenes | None:
    """Returns where the scenes begin in a chapter that was put together from their `texts`; None
    if it has only one, without a break.

    A scene without words stays as the `earlier` file has it: its words may come back.
    """
    before = {row.number: row for row in earlier.scenes} if earlier is not None else {}
    ground, rows = SearchableChapter(chapter), list[PlannedScene]()
    first, at = -1, 0
    for number, (text, purpose) in enumerate(zip(texts, plan, strict=True), start=1):
        words = text.strip()
        start = chapter.text.find(words, at) if words else -1
        if start < 0:
            rows += [before[number]] if number in before else []
            continue
        at = start + len(words)
        index = next((i for i, p in enumerate(ground.paragraphs) if p.end > start), None)
        if index is None or index <= first:
            continue
        first, paragraph = index, ground.paragraphs[index]
        passage = ground.passage([paragraph])
        rows.append(
            PlannedScene(number=number, passage=passage, purpose=purpose.words, by=purpose.by)
        )
    if len(rows) < 2 and len(chapter.scenes) == len(rows):
        return None
    return PlannedScenes(source_sha256=chapter.sha256, scenes=tuple(rows))


def scenes_in(
    chapter: Chapter, planned: PlannedScenes | None, source: Chapter | None = None
) -> TextScenes:
    """Returns the scenes of a text: the planned ones, where their file stands and they are found,
    at least two of several, else those between its breaks. `source` is the text the file names, if
    it is still known."""
    between = TextScenes.between_breaks(chapter)
    there = _find(chapter, planned, source) if planned is not None else None
    if there is None or replace(there, are_planned=False) == between:
        return between
    return there


def _find(chapter: Chapter, planned: PlannedScenes, source: Chapter | None) -> TextScenes | None:
    """Returns the planned scenes where a text has them; None if it has fewer than two, or not the
    only one."""
    if not chapter.paragraphs:
        return None
    begins = _begins(SearchableChapter(chapter), planned, source)
    ends = [*begins.values(), len(chapter.paragraphs)][1:]
    scenes, bounded = list[Scene](), set[int]()
    for number, end in zip(begins, ends, strict=True):
        begin = begins[number]
        if begin is None:
            continue
        if end is not None:
            bounded.add(number)
        else:
            known = (other for n, other in begins.items() if n > number and other is not None)
            end = next(known, len(chapter.paragraphs))
        if begin < end:
            scenes.append(Scene(number, chapter.paragraphs[begin:end]))
    if len(scenes) < min(2, len(planned.scenes)):
        return None
    return TextScenes(
        chapter, tuple(scenes), len(planned.scenes), frozenset(bounded), are_planned=True
    )


def follow(
    planned: PlannedScenes, chapter: Chapter, source: Chapter | None = None
) -> PlannedScenes | None:
    """Returns the file as that of the text `chapter`: a scene that is found there begins with the
    paragraph that opens it now, one that is not is kept as it was, for it may come back. None if
    fewer than two are found: the text is another."""
    if planned.source_sha256 == chapter.sha256:
        return planned
    there = _find(chapter, planned, source)
    if there is None:
        return None
    ground = SearchableChapter(chapter)
    first = {s.number: ground.passage(s.paragraphs[:1]) for s in there.scenes}
    rows = (r.copy_with(passage=first.get(r.number, r.passage)) for r in planned.scenes)
    return PlannedScenes(source_sha256=chapter.sha256, scenes=tuple(rows))


def _begins(
    ground: SearchableChapter, planned: PlannedScenes, source: Chapter | None
) -> dict[int, int | None]:
    """Maps each scene's number to the index of the paragraph with which it begins; None where it is
    not known. The first begins with the text."""
    old = ground if source == ground.chapter else None
    if old is None and source is not None:
        old = SearchableChapter(source)
    begins: dict[int, int | None] = {}
    last = 0
    for row in planned.scenes:
        index = _begin(row.passage, old, ground) if begins or len(planned.scenes) == 1 else 0
        index = 0 if index is not None and not begins else index
        if begins and old is not None and _is_behind_break(row.passage, old):
            index = _at_break(row.passage, index, old, ground, behind=last)
        if index is not None and index < last:
            index = None  # scenes in another order than the plan's are no planned scenes
        begins[row.number] = index
        last = last if index is None else index
    return begins


def _begin(
    passage: Passage, old: SearchableChapter | None, ground: SearchableChapter
) -> int | None:
    """Returns the index of a scene's first paragraph: where it stands, else behind the paragraph
    that stood before it, else the one that followed it."""
    there = old.places.get(passage.paragraphs[0], ()) if old is not None else ()
    words = old.paragraphs[there[-1]].text if old is not None and there else passage.opens
    placed = place(passage, words, ground)
    if placed.paragraphs:
        return ground.index_of(placed.paragraphs[0])
    for sha256, step in ((passage.before, 1), (passage.after, 0)):
        there = ground.places.get(sha256, ()) if sha256 is not None else ()
        if len(there) == 1:
            return there[0] + step
    return None


def _is_behind_break(passage: Passage, old: SearchableChapter) -> bool:
    """Whether a scene's first paragraph stood behind a break in the text of the file."""
    return any(old.paragraphs[at].number == 1 for at in old.places.get(passage.paragraphs[0], ()))


def _at_break(
    passage: Passage,
    index: int | None,
    old: SearchableChapter,
    ground: SearchableChapter,
    behind: int,
) -> int | None:
    """Returns where a scene begins that began behind a break, if `index` is where its words are:
    with the nearest break from which only new words part them. Where none of its words are found,
    it begins behind the same break in a text with as many. The scene before begins at `behind`."""
    if index is None:
        if len(old.scenes) != len(ground.scenes) or not old.places.keys() & ground.places.keys():
            return None
        at = old.places[passage.paragraphs[0]][0]
        return ground.scenes[old.paragraphs[at].scene - 1].start
    firsts = [scene.start for scene in ground.scenes if scene.start > behind]
    before = max((first for first in firsts if first <= index), default=index)
    after = min((first for first in firsts if first >= index), default=index)
    for first in (before, after):
        between = range(min(first, index), max(first, index))
        if not any(ground.hashes[at] in old.places for at in between):
            return first
    return index
