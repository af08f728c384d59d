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
    """What it is there for."""
    pov: Slug | None = None
    location: Slug | None = None
    characters: tuple[Slug, ...] = ()
    entry_emotion: str = ""
    """The feeling in which it begins."""
    exit_emotion: str = ""
    """The feeling in which it ends."""
    peak_moment: str = ""
    """Its strongest moment."""
    sensory_anchors: tuple[str, ...] = ()
    """What is seen, heard, smelled and so on in it."""
    dialogue_goals: tuple[str, ...] = ()
    """What each conversation is for."""
    transition_from: str = ""
    """What lies between it and the scene before."""
    transition_to: str = ""
    """What leads on to the next."""
    exemplar_tags: tuple[str, ...] = ()
    """The kinds of scene whose exemplars it should resemble."""
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
    """Must agree with the file's name."""
    volume: int = Field(ge=1)
    """Must agree with the folder."""
    title: str = Field(min_length=1)
    """Becomes the title line of a draft."""
    storyline_id: Slug
    """The storyline this chapter belongs to."""
    pov: Slug | None = None
    """Whose eyes it is seen through."""
    location: Slug | None = None
    """Where its scenes are that name no other place."""
    characters: tuple[Slug, ...] = ()
    """Who is in it."""
    objectives: tuple[str, ...] = Field(min_length=1)
    """What the chapter must do."""
    must_not: tuple[str, ...] = ()
    """What must not happen in it."""
    foreshadowing: tuple[ForeshadowTask, ...] = ()
    """The promises that it plants, advances or resolves."""
    target_length: int | None = Field(default=None, ge=1)
    """The length in characters (ko, zh) or words (en)."""
    beats: tuple[str, ...] = ()
    """What happens, in order; grouped into scenes."""
    scenes: tuple[SceneSpec, ...] = ()
    """Its scenes, numbered from 1 without gaps; used as they are."""

    @model_validator(mode="after")
    def _scenes_are_numbered_in_order(self) -> ChapterContract:
        numbers = [scene.number for scene in self.scenes]
        if numbers != list(range(1, len(numbers) + 1)):
            raise ValueError(f"scenes must be numbered 1, 2, 3, ...; these are {numbers}")
        return self
