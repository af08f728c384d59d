"""The small novels of tests/data/novels, one a language; a test works in a copy of its own.

What is asked of the files of a whole novel is asked of the sample novel too.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from studio.story.contract import ChapterContract
from studio.story.facts import Facts
from studio.story.form.document import Document
from studio.story.novel import (
    Blacklist,
    CharacterContract,
    Foreshadowing,
    Relationships,
    Storylines,
    StorylineSchedule,
    StorylineSpec,
    StyleProfile,
    WorldRules,
)
from studio.story.secrets import Secrets

NOVELS = Path(__file__).parent / "data" / "novels"
FORMATS: dict[str, type[Document]] = {
    "style-profile.json": StyleProfile,
    "ai-blacklist.json": Blacklist,
    "world/rules.json": WorldRules,
    "world/secrets.json": Secrets,
    "world/facts.json": Facts,
    "characters/relationships.json": Relationships,
    "characters/active/*.json": CharacterContract,
    "storylines/storylines.json": Storylines,
    "storylines/storyline-spec.json": StorylineSpec,
    "foreshadowing/global.json": Foreshadowing,
    "volumes/vol-01/foreshadowing.json": Foreshadowing,
    "volumes/vol-01/storyline-schedule.json": StorylineSchedule,
    "volumes/vol-01/chapter-contracts/*.json": ChapterContract,
}
"""Every JSON file a writer makes; what the program makes has tests of its own."""
DIMENSIONS = ("genre", "scene_type", "emotional_tone", "pov", "pacing")
"""What the passages of a style library differ in."""


def small_novel(language: str, folder: Path) -> Path:
    """A copy of the Korean (ko) or Chinese (zh) novel at `folder`, which must not exist yet."""
    return Path(shutil.copytree(NOVELS / language, folder))


def plans(folder: Path) -> list[tuple[Path, type[Document]]]:
    """The JSON files a writer makes, each with what it holds."""
    return [(path, model) for glob, model in FORMATS.items() for path in sorted(folder.glob(glob))]
