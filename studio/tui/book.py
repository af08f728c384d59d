"""The state of a novel, and one chapter of it, as immutable values.

The first frame is drawn from them, so this module imports nothing slow (performance P5).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from studio.story.lengths import Unit

if TYPE_CHECKING:
    from studio.pipeline.chapter_marks import ChapterMark
    from studio.pipeline.external_changes import Differences
    from studio.pipeline.review.to_remember import Remembered
    from studio.project.contents import Contents
    from studio.story.chapter import Chapter
    from studio.story.checkpoint import Checkpoint, Decision
    from studio.story.contract import ChapterContract, SceneSpec
    from studio.story.review.directive import DirectiveSheet
    from studio.story.review.evaluation import Counsel
    from studio.story.review.scenes_in_text import TextScenes
    from studio.story.review.stale_directives import PlacedProposal
    from studio.tui.views.review.counsel_text import Rejected

TextSource = Literal["staged", "scenes", "book", "none"]
"""The source of a text: the staged chapter, its scenes so far, the book, or none."""


class Glanced(NamedTuple):
    """The part of a checkpoint that the first frame shows; questions come with the full
    checkpoint."""

    last_completed_chapter: int = 0
    inflight_chapter: int | None = None
    unjudged: tuple[int, ...] = ()
    force_passed: tuple[int, ...] = ()
    state_gap: tuple[int, ...] = ()
    low_quality: tuple[int, ...] = ()
    violations_open: tuple[int, ...] = ()
    left_open: tuple[int, ...] = ()
    changed_since: tuple[int, ...] = ()
    pending_decision: None = None
    pipeline_stage: None = None
    stage_records: tuple[()] = ()
    failure: None = None
    current_volume: int = 1
    volume_ahead: int = 1
    own_text: bool = False
    is_beginning: bool = False
    is_in_steps: bool = False
    is_trial_next: bool = False


class Book(NamedTuple):
    """The state of a novel."""

    folder: Path
    title: str
    language: str
    contents: Contents
    checkpoint: Checkpoint | Glanced
    unit: Unit | None = None
    """The unit of its lengths; None until the settings were read, for that of the language."""
    staged: bool = False
    """Whether a text of the chapter in progress is staged."""
    changed: bool = False
    """Whether the chapter in progress was changed since it was judged."""
    unsaved: tuple[int, ...] = ()
    """The chapters of which words were typed that are not saved in the novel."""
    reading: str = ""
    """What another reading of it costs, in words; empty where that is not known."""
    summary: str = ""
    """What its summary costs, which is made once more before it goes into the book; empty where
    none is made, or where that is not known."""
    trouble: str = ""
    """A sentence about what cannot be read."""
    elsewhere: str = ""
    """A sentence about who else is writing this novel now; empty if nobody is."""
    notes: Mapping[str, int] = MappingProxyType({})
    """The number of people, rules and other notes, by their names in the outline."""
    marks: Mapping[int, ChapterMark] = MappingProxyType({})
    """What needs a look in a chapter, in a word or two: a contradiction, a promise, ..."""
    publication: Mapping[int, bool] = MappingProxyType({})
    """Whether each published chapter was changed since, by its number."""
    in_progress: Decision | None = None
    """What waits for a decision, with its prices, or else what may be decided about the scene in
    progress, which holds nothing up."""
    differences: Differences | None = None
    """The changes other programs made; None until they have been looked for."""

    @property
    def next_chapter(self) -> int:
        """The chapter in progress, or else the one after the last."""
        return self.checkpoint.inflight_chapter or self.checkpoint.last_completed_chapter + 1


class ShownScene(NamedTuple):
    """A scene as it is drafted, and what of it a model added to the author's plan."""

    spec: SceneSpec
    added: frozenset[str] = frozenset()
    """The fields whose words are the model's."""
    purpose: str = ""
    """The part of the purpose that is the model's."""


class CurrentChapter(NamedTuple):
    """One chapter as the text pane and the directives pane show it."""

    chapter: int
    source: TextSource = "none"
    text: Chapter | None = None
    planned: TextScenes | None = None
    """The planned scenes of a text; None where they are those between its breaks."""
    base: str | None = None
    """The text from which the present one was made, for the diff."""
    contract: ChapterContract | None = None
    scenes: tuple[ShownScene, ...] = ()
    """Its scenes as a model divided them; empty where the plan's own scenes or units count."""
    names: Mapping[str, str] = MappingProxyType({})
    """The names of the book's people, storylines and promises, by id."""
    plan: str = ""
    """Its section of the outline, where it has no contract."""
    direction: str = ""
    """What the writer wants of it: of the one in progress, or kept until it begins."""
    waiting: Chapter | None = None
    """Her own draft that was brought in and waits until the chapter begins."""
    is_plan_waiting: bool = False
    """Whether a plan was proposed for it, and neither taken nor put aside."""
    since_judged: str = ""
    """Which passages of the chapter in progress nobody has judged as they are, in a sentence."""
    sheet: DirectiveSheet | None = None
    proposals: tuple[PlacedProposal, ...] = ()
    """The changes of its passages whose words are given."""
    counsel: tuple[Counsel, ...] = ()
    """Notes without a fix: choices that are the writer's, followed by advice."""
    earlier: tuple[Rejected, ...] = ()
    """The directives the writer rejected in earlier rounds."""
    remembered: tuple[Remembered, ...] = ()
    """What the book will remember of it, before it goes into the book."""
    locked: frozenset[tuple[int, int]] = frozenset()
    """Scene and number of the paragraphs the writer has locked."""
    trouble: str = ""

    @property
    def to_edit(self) -> Chapter | None:
        """The text that an editor opens: the chapter's, or else the waiting draft."""
        return self.text or self.waiting
