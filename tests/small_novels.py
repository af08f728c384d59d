"""The small novels in tests/data/novels, one per language; each test works on a copy.

Tests of the files of a whole novel use the sample novel too.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from studio.resources import sample_project_dir
from studio.story.contract import ChapterContract
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
from studio.story.state import Facts

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
"""Every JSON file that a writer creates; the program's own files have tests of their own."""
DIMENSIONS = ("genre", "scene_type", "emotional_tone", "pov", "pacing")
"""The dimensions in which the passages of a style library differ."""


def copied_sample(folder: Path) -> Path:
    """Returns a copy of the sample novel, without the review that only `studio try` shows."""
    leave_out = shutil.ignore_patterns("review")
    return Path(shutil.copytree(sample_project_dir(), folder, dirs_exist_ok=True, ignore=leave_out))


def small_novel(language: str, folder: Path) -> Path:
    """Copies the Korean (ko) or Chinese (zh) novel to `folder`, which must not exist yet."""
    return Path(shutil.copytree(NOVELS / language, folder))


def plans(folder: Path) -> list[tuple[Path, type[Document]]]:
    """Returns the JSON files that a writer creates, each with its document type."""
    return [(path, model) for glob, model in FORMATS.items() for path in sorted(folder.glob(glob))]
