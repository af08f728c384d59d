"""The current state of the desk, shared by all its features."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from studio.tui.views.run.moment import RunState

if TYPE_CHECKING:
    from studio.story.chapter import Chapter
    from studio.story.checkpoint import Decision
    from studio.story.ledger import Estimate
    from studio.story.review.directive import DirectiveSheet
    from studio.story.review.passage import PassagePlace
    from studio.tui.book import Book, CurrentChapter
    from studio.tui.views.outline.rows import VolumeItem

Pane = Literal["outline", "text", "directives"]
PANES: tuple[Pane, ...] = ("outline", "text", "directives")
NEXT_STEP = "next step"
"""The next step of a book's beginning, before a question of it is made."""


class DeskState:
    """The novel, the chapter on the screen, the run, and the writer's place."""

    def __init__(self) -> None:
        self.book: Book | None = None
        self.volumes: tuple[VolumeItem, ...] = ()
        """The book as the outline shows it."""
        self.current: CurrentChapter | None = None
        self.in_view: str | None = None
        """The text of `current` that the text pane shows; a run may have read another since."""
        self.run = RunState()
        self.streamed = ""
        """The part of the run's text that the text pane has received."""
        self.settled = True
        """Whether the outcome of the last run is on the screen."""
        self.goes_on = False
        """Whether the next chapter of a run without questions is about to begin: Esc stops that
        too."""
        self.first_question_comes = False
        """Whether the question with which a book begins is on its way: until it is on the screen,
        keys are typed for it."""
        self.for_later = ""
        """The question of a beginning, or `NEXT_STEP`, of which she has said that it comes later: w
        goes on without its answer."""
        self.half_versions: dict[int, PassagePlace] = {}
        """The passage of each chapter of which a version was being written when the program was
        killed, until she has seen what came of it."""
        self.journal: tuple[str, ...] = ()
        """The events of finished runs, a line each."""
        self.pane: Pane = "outline"
        self.typed_direction: str | None = None
        """The direction she has just kept or taken back, until the novel was read again."""
        self.model = ""
        """The name of the model in use."""
        self.has_model = True
        self.window_known = False
        """Whether it is known how much the model can read at once, or there is no model; False
        until it was looked up."""
        self.model_judges = True
        self.model_summarizes = True
        """A small model writes but neither judges nor summarizes: both are then False."""
        self.writing_price: Estimate | None = None
        """What w will cost until it asks; None until it was looked up, and where it costs
        nothing."""
        self.price_known = False
        """Whether that was looked up for what is on the screen."""
        self.priced = asyncio.Event()
        """Set once what w costs was looked up since the novel was opened: before, no price stands
        beside the key."""
        self.notices_late = False
        """Whether changes are polled for, since the system does not notify."""

    @property
    def is_price_due(self) -> bool:
        """Whether what w costs is still being looked up for the first time."""
        return self.has_model and not self.priced.is_set()

    @property
    def chapter(self) -> int | None:
        """The number of the chapter on the screen."""
        return self.current.chapter if self.current else None

    @property
    def text(self) -> Chapter | None:
        """The text of the chapter on the screen, if it has one."""
        return self.current.text if self.current else None

    @property
    def first_tab(self) -> str:
        """The tab to open first: the text, or the plan until there is a text."""
        written = self.text and self.text.text
        return "draft" if written or self.run.running else "plan"

    @property
    def sheet(self) -> DirectiveSheet | None:
        """The directives of the chapter on the screen, if it has any."""
        return self.current.sheet if self.current else None

    @property
    def question(self) -> Decision | None:
        """The question that is waiting for the writer."""
        return self.book.checkpoint.pending_decision if self.book else None

    @property
    def is_for_later(self) -> bool:
        """Whether the question that waits, or comes next, is one that she answers later."""
        return self.for_later == (NEXT_STEP if self.question is None else self.question.id)

    @property
    def decidable(self) -> Decision | None:
        """The question that is waiting, or else the one about the scene in progress."""
        question, priced = self.question, self.book.in_progress if self.book else None
        if question is None or (priced is not None and priced.id == question.id):
            return priced
        return question

    @property
    def direction(self) -> str:
        """What the writer wants of the chapter in progress, or of the next one."""
        if self.typed_direction is not None:
            return self.typed_direction
        from studio.pipeline.direction import direction_in_force
        from studio.story.checkpoint import Checkpoint

        checkpoint = self.book.checkpoint if self.book else None
        return direction_in_force(checkpoint) if isinstance(checkpoint, Checkpoint) else ""

    @property
    def language(self) -> str:
        """The language the book is written in."""
        return self.book.language if self.book else "en"
