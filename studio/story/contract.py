"""The plan of one chapter (the L3 contract) and of its scenes."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from studio.story.form.document import Document, Sparse, Value
from studio.story.form.ids import Slug

ForeshadowAction = Literal["plant", "advance", "resolve"]


class ForeshadowTask(Value):
    """What this chapter does for one promise to the reader."""

    id: Slug
    action: ForeshadowAction


class StyleOverride(Value):
    """How this scene departs from the book's style; any of the five exemplar dimensions."""

    genre: str | None = None
    scene_type: str | None = None
    emotional_tone: str | None = None
    pov: str | None = None
    pacing: str | None = None


class NamedInScene(Sparse):
    """Whom and what a scene has that the book has no page about yet: by name until it has one."""

    pov: str = ""
    location: str = ""
    characters: tuple[str, ...] = ()


class SceneSpec(Sparse):
    """The plan of one scene (seed A1, the SceneV5 fields)."""

    LATER = frozenset({"when", "flashback", "by_name"})

    number: int = Field(ge=1)
    purpose: str = Field(min_length=1)
    pov: Slug | None = None
    location: Slug | None = None
    characters: tuple[Slug, ...] = ()
    entry_emotion: str = ""
    exit_emotion: str = ""
    peak_moment: str = ""
    sensory_anchors: tuple[str, ...] = ()
    dialogue_goals: tuple[str, ...] = ()
    transition_from: str = ""
    transition_to: str = ""
    exemplar_tags: tuple[str, ...] = ()
    emotional_tone: str = ""
    style_override: StyleOverride | None = None
    target_length: int | None = Field(default=None, ge=1)
    """The length in characters (ko, zh) or words (en); a share of the chapter's when absent."""
    when: str = ""
    """Story time: an ISO date with or without a time, or `day 3` with or without `14:30`. Other
    words are displayed and never compared."""
    flashback: bool = False
    """Whether the scene is set at an earlier time than the scenes around it."""
    by_name: NamedInScene | None = None
    """Who sees it, where it is and who is there, as far as the book has no entry of them."""


class ChapterContract(Sparse, Document):
    """What a chapter must do, may not do, and is made of."""

    SCHEMA: ClassVar[str] = "chapter-contract"
    LATER = frozenset({"location"})

    chapter: int = Field(ge=1)
    volume: int = Field(ge=1)
    title: str = Field(min_length=1)
    storyline_id: Slug
    pov: Slug | None = None
    location: Slug | None = None
    """Where its scenes are that name no other place."""
    characters: tuple[Slug, ...] = ()
    objectives: tuple[str, ...] = Field(min_length=1)
    must_not: tuple[str, ...] = ()
    foreshadowing: tuple[ForeshadowTask, ...] = ()
    target_length: int | None = Field(default=None, ge=1)
    """The length in characters (ko, zh) or words (en)."""
    beats: tuple[str, ...] = ()
    scenes: tuple[SceneSpec, ...] = ()

    @model_validator(mode="after")
    def _scenes_are_numbered_in_order(self) -> ChapterContract:
        numbers = [scene.number for scene in self.scenes]
        if numbers != list(range(1, len(numbers) + 1)):
            raise ValueError(f"scenes must be numbered 1, 2, 3, ...; these are {numbers}")
        return self
