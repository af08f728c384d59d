"""What code can plan for a scene beyond its beat: feeling, tone, pace, place, dialogue (S17).

It is derived from the words of the beat, the state of the story and the scene before. It is a
proposal: scenes that a contract gives are left as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from studio.book.mentions import NameFinder
from studio.pipeline.chapter.view import ChapterView
from studio.story.contract import ChapterContract, SceneSpec, StyleOverride
from studio.story.form.slugs import slug_fault
from studio.text.language.scene_cues import SceneCues, scene_cues

_ARC = ("uneasy", "tense", "resolved")
"""The feelings of a chapter whose beats name none: at the start, in between, at the end."""


@dataclass(frozen=True, slots=True)
class SceneHints:
    """The cues and places with which the words of a beat are read."""

    cues: SceneCues
    place_in: Callable[[str], str | None] = lambda words: None
    """Returns the place that words name, or None."""
    place_before: str | None = None
    """Where the viewpoint character is when the chapter begins."""

    def planned(
        self, scene: SceneSpec, before: SceneSpec | None, last: bool, people: int
    ) -> SceneSpec:
        """Returns the scene completed from its own words, the state and the scene before."""
        words = scene.purpose
        default = _ARC[0] if before is None else _ARC[2] if last else _ARC[1]
        begins = before.exit_emotion if before else ""
        feeling = self.cues.feeling(words, default, begins)
        talks = people > 1 and bool(self.cues.speech.search(words))
        tags = scene.exemplar_tags
        if talks and "dialogue" not in tags:
            tags = (*tags, "dialogue")
        elif self.cues.action.search(words) and "action" not in tags:
            tags = (*tags, "action")
        place = self.place_in(words) or (before.location if before else self.place_before)
        return scene.model_copy(
            update={
                "exit_emotion": feeling.emotion,
                "emotional_tone": feeling.tone,
                "style_override": StyleOverride(pacing=feeling.pacing),
                "location": place,
                "dialogue_goals": (scene.peak_moment,) if talks else (),
                "exemplar_tags": tags,
            }
        )


def hints_of(view: ChapterView) -> SceneHints:
    """Returns the hints of a chapter: its language, its places, and where its viewpoint
    character is."""
    entries = view.story.bible.entries
    finder = NameFinder(e for e in entries.values() if e.kind == "place" and not slug_fault(e.slug))

    def place_in(words: str) -> str | None:
        return next(iter(finder.slugs_in(words)), None)

    cues = scene_cues(view.settings.novel.language)
    return SceneHints(cues, place_in, _place_of(view, view.contract))


def _place_of(view: ChapterView, contract: ChapterContract) -> str | None:
    """Returns where the viewpoint character was left, if that is a place of the bible."""
    person = view.story.state.characters.get(contract.pov or "")
    place = person.get("location") if isinstance(person, dict) else None
    entries = view.story.bible.entries
    known = isinstance(place, str) and place in entries and entries[place].kind == "place"
    return place if known and isinstance(place, str) and slug_fault(place) is None else None
