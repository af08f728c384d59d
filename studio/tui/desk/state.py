"""What the desk knows at a moment, shared by everything that is done there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from studio.tui.views.run.moment import RunState

if TYPE_CHECKING:
    from studio.story.chapter import Chapter
    from studio.story.checkpoint import Decision
    from studio.story.review.directive import DirectiveSheet
    from studio.tui.book import Book, CurrentChapter
    from studio.tui.views.outline.rows import VolumeItem

Pane = Literal["outline", "text", "directives"]
PANES: tuple[Pane, ...] = ("outline", "text", "directives")


class DeskState:
    """The novel, the chapter on the screen, the run, and where the writer is."""

    def __init__(self) -> None:
        self.book: Book | None = None
        self.volumes: tuple[VolumeItem, ...] = ()
        """The book as the outline shows it."""
        self.current: CurrentChapter | None = None
        self.in_view: str | None = None
        """The text of `shown` that the text pane was given; a run may have read another since."""
        self.run = RunState()
        self.streamed = ""
        """How much of the run's text the text pane was given."""
        self.settled = True
        """Whether what came of the last run is on the screen."""
        self.journal: tuple[str, ...] = ()
        """What happened in the runs that are over, a line each."""
        self.pane: Pane = "outline"
        self.direction = ""
        """What the writer wants of the next run."""
        self.model = ""
        """The name of the model in force."""
        self.has_model = True
        self.model_judges = True
        self.model_summarizes = True
        """A small one writes, and can do neither."""
        self.notices_late = False
        """Whether changes made elsewhere are looked for, for want of a system that tells them."""

    @property
    def chapter(self) -> int | None:
        """Number of the chapter on the screen."""
        return self.current.chapter if self.current else None

    @property
    def text(self) -> Chapter | None:
        """Its text, if it has one."""
        return self.current.text if self.current else None

    @property
    def first_tab(self) -> str:
        """Where the chapter is looked at first: in its text, or in its plan until there is one."""
        written = self.text and self.text.text
        return "draft" if written or self.run.running else "plan"

    @property
    def sheet(self) -> DirectiveSheet | None:
        """Its directives, if it has any."""
        return self.current.sheet if self.current else None

    @property
    def question(self) -> Decision | None:
        """The question that waits for the writer."""
        return self.book.checkpoint.pending_decision if self.book else None

    @property
    def language(self) -> str:
        """The language the book is written in."""
        return self.book.language if self.book else "en"
