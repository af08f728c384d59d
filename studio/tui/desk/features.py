"""The features of the desk: one object each, created once the novel is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from studio.tui.desk.parts.beginning import BeginningGuide
from studio.tui.desk.parts.book_search import BookSearch
from studio.tui.desk.parts.decisions import Decisions
from studio.tui.desk.parts.direction import Direction
from studio.tui.desk.parts.export import BookExport
from studio.tui.desk.parts.external_changes import ExternalChanges
from studio.tui.desk.parts.material import MaterialTabs
from studio.tui.desk.parts.own_text import OwnText, SavedAnalysis
from studio.tui.desk.parts.pages import BookBoard, ChapterPages, MemoryPages, RememberedPages
from studio.tui.desk.parts.passage_desk import PassageDesk
from studio.tui.desk.parts.planning import Planning
from studio.tui.desk.parts.review import ReviewDesk
from studio.tui.desk.parts.run import InProgress, RunFollower, UnattendedRun
from studio.tui.desk.parts.serial import SerialDesk
from studio.tui.desk.parts.style_library import StyleLibrary
from studio.tui.desk.parts.volume import Volume
from studio.tui.desk.parts.waivers import WaiverDesk
from studio.tui.desk.reader import Reader
from studio.tui.performs import Performer, performer

if TYPE_CHECKING:
    from studio.pipeline.outcome import Outcome
    from studio.tui.desk.panes import Panes
    from studio.tui.desk.protocol import Desk


class Features:
    """The desk's features; each receives the desk and the other features it needs."""

    def __init__(self, desk: Desk, screen: Screen[Any], panes: Panes) -> None:
        self.panes = panes
        self.reader = Reader(desk)
        self.run = RunFollower(desk)
        self.direction = Direction(desk, screen)
        self.analysis = SavedAnalysis(desk)
        self.own_text = OwnText(desk, self.run, self.analysis)
        self.planning = Planning(desk)
        self.beginning = BeginningGuide(desk, self.run)
        self.volume = Volume(desk, self.run)
        self.in_progress = InProgress(desk, self.run)
        self.decisions = Decisions(
            desk, self.run, self.planning, self.beginning, self.volume, self.in_progress
        )
        self.unattended = UnattendedRun(desk, self.run, self.planning)
        self.waivers = WaiverDesk(desk, self.decisions)
        self.review = ReviewDesk(desk, self.run, self.own_text, self.decisions, self.waivers)
        self.remembered = RememberedPages(desk)
        self.style_library = StyleLibrary(desk)
        self.material = MaterialTabs(desk, panes)
        self.pages = ChapterPages(desk, self.analysis)
        self.export = BookExport(desk)
        self.serial = SerialDesk(desk)
        self.book_search = BookSearch(desk, self.planning)
        self.memory = MemoryPages(desk)
        self.board = BookBoard(desk)
        self.passages = PassageDesk(desk, self.run, self.analysis)
        self.external_changes = ExternalChanges(desk, self.reader)

    def performer(self, action_id: str) -> Performer | None:
        """Returns what performs an action of the desk; None if no feature does."""
        performers = (performer(feature, action_id) for feature in vars(self).values())
        return next(filter(None, performers), None)

    async def take_outcome(self, outcome: Outcome) -> None:
        """Passes the outcome of a finished run to the features concerned."""
        await self.own_text.forget_handed_in()
        await self.decisions.take_outcome(outcome, self.unattended.record(outcome))
        self.unattended.go_on()

    def look_again(self) -> None:
        """Polls for outside changes and for a silent run, at intervals."""
        self.external_changes.look_again()
        self.run.heed_silence()
