"""Where a novel stands, and one chapter of it, as values that do not change.

The first frame is drawn from them, so this module loads nothing that takes
long (performance P5).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from studio.tuples import NamedTuple

if TYPE_CHECKING:
    from studio.pipeline.continuity.chapter_marks import ChapterMark
    from studio.pipeline.external_changes import Differences
    from studio.project.contents import Contents
    from studio.story.chapter import Chapter
    from studio.story.checkpoint import Checkpoint
    from studio.story.contract import ChapterContract
    from studio.story.review.directive import DirectiveSheet
    from studio.story.review.evaluation import Counsel
    from studio.tui.views.review.earlier_rejections import Rejected

Source = Literal["staged", "scenes", "book", "none"]
"""Where a text is from: the staged chapter, its scenes so far, the book, nowhere."""


class Glanced(NamedTuple):
    """As much of a checkpoint as the first frame shows; questions come with the rest of it."""

    last_completed_chapter: int = 0
    inflight_chapter: int | None = None
    unjudged: tuple[int, ...] = ()
    force_passed: tuple[int, ...] = ()
    state_gap: tuple[int, ...] = ()
    low_quality: tuple[int, ...] = ()
    violations_open: tuple[int, ...] = ()
    pending_decision: None = None
    pipeline_stage: None = None
    stage_records: tuple[()] = ()
    current_volume: int = 1
    volume_ahead: int = 1
    own_text: bool = False
    is_beginning: bool = False
    is_in_steps: bool = False


class Book(NamedTuple):
    """Where a novel stands."""

    folder: Path
    title: str
    language: str
    contents: Contents
    checkpoint: Checkpoint | Glanced
    staged: bool = False
    """Whether a text of the chapter in work is staged."""
    trouble: str = ""
    """What cannot be read, in a sentence."""
    elsewhere: str = ""
    """Who else writes this novel now, in a sentence; empty where nobody does."""
    notes: Mapping[str, int] = MappingProxyType({})
    """How many people, rules and so on there are, by the names of the outline."""
    marks: Mapping[int, ChapterMark] = MappingProxyType({})
    """What wants a look at a chapter, in a word or two: a contradiction, a promise, ..."""
    differences: Differences | None = None
    """What was changed elsewhere; None before it was looked for."""

    @property
    def next_chapter(self) -> int:
        """The one in work, else the one after the last."""
        return self.checkpoint.inflight_chapter or self.checkpoint.last_completed_chapter + 1


class CurrentChapter(NamedTuple):
    """One chapter as the text pane and the directives pane show it."""

    chapter: int
    source: Source = "none"
    text: Chapter | None = None
    base: str | None = None
    """The text the present one was made from, for the diff."""
    contract: ChapterContract | None = None
    names: Mapping[str, str] = MappingProxyType({})
    """What the people, lines and promises of the book are called, by their ids."""
    plan: str = ""
    """Its section of the outline, where it has no contract."""
    sheet: DirectiveSheet | None = None
    counsel: tuple[Counsel, ...] = ()
    """Help that is no fix: what only the writer decides, then advice."""
    earlier: tuple[Rejected, ...] = ()
    """What she rejected in earlier rounds."""
    locked: frozenset[tuple[int, int]] = frozenset()
    """Scene and number of the paragraphs she keeps as they are."""
    trouble: str = ""
