"""The end of a volume: the question after the last chapter it plans (seed D2, D5), and its closing:
first the review page, then the left-overs, then the planning of the next one.

A writer who plans one chapter at a time, or not at all, is not asked: the question comes only if
the plan once reached beyond the chapter that was next.
"""

from __future__ import annotations

from dataclasses import dataclass

from studio.book.plans import last_planned
from studio.config.schema import Settings
from studio.errors import usage
from studio.messages import said
from studio.pipeline.volume.clean_up import Leftover, leftovers, question_of
from studio.pipeline.volume.figures import VolumeFigures
from studio.pipeline.volume.left_out import other_put_by
from studio.pipeline.volume.outline_proposal import enter_planned_volume
from studio.pipeline.volume.review import ReviewPage
from studio.project.author.replace import replace
from studio.project.commit.writing import hold_for_writing
from studio.project.history.reasons import Reason
from studio.project.planning.her_length import targets_of_book
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint, Decision, Trigger, move
from studio.story.form.document import Value
from studio.story.lengths import unit_in
from studio.story.review.answers import VolumeJudgement
from studio.story.status import ReviewMode
from studio.text.language.packs import load_pack

PLAN_MORE, END_VOLUME = "plan-more", "end-volume"
_CONSEQUENCES = {
    PLAN_MORE: said(
        "The volume goes on: `studio plan add` or its outline plans the next chapters."
    ),
    END_VOLUME: said(
        "The volume is over: `studio volume review` looks back on it, then the next one is planned."
    ),
}


def plan_reach(store: ProjectStore, checkpoint: Checkpoint, beyond: int) -> int:
    """Returns the last chapter the volume in work plans, if it lies beyond a chapter; else what
    the checkpoint remembers. StudioError (exit 5) if the outline cannot be read."""
    last = last_planned(store, checkpoint.current_volume)
    return last if last > beyond else checkpoint.planned_to


def end_question(store: ProjectStore, checkpoint: Checkpoint) -> Decision | None:
    """Returns the question to the writer when everything that was planned ahead is in the book."""
    last, volume = checkpoint.last_completed_chapter, checkpoint.current_volume
    if not checkpoint.planned_to or last_planned(store, volume) > last:
        return None
    return Decision(
        id=f"outline-{volume:02d}-{last:03d}",
        kind="outline",
        recommendation=PLAN_MORE,
        options=(PLAN_MORE, END_VOLUME),
        rationale=said(
            "Chapter {last} was the last one planned in volume {volume}.", last=last, volume=volume
        ),
        data={"volume": volume, "chapter": last, "options": dict(_CONSEQUENCES)},
    )


class VolumeReview(Value):
    """What `studio volume review` did."""

    schema_version: int = 1
    volume: int
    path: str
    chapters: tuple[int, ...]
    mean: float | None
    leftovers: tuple[Leftover, ...]
    decision: Decision | None = None
    """The question about the left-overs, if somebody is asked."""
    explained: bool = False
    """Whether the judge explained what code had counted."""


@dataclass(frozen=True, slots=True)
class VolumeClose:
    """Closes the volume in work, or looks back on the one before while no chapter of it is in the
    book.

    StudioError: 2 while chapters of it are planned or in work, 3 while another process writes the
    novel, 5 for a file that cannot be read.
    """

    store: ProjectStore
    settings: Settings

    def review(
        self, review: ReviewMode = "ask", judged: VolumeJudgement | None = None
    ) -> VolumeReview:
        """Writes the page, with what the judge said of the volume, and asks about left-overs.
        Repeating it has the same result; an earlier page stays in history."""
        with hold_for_writing(self.store):
            figures = self.figures()
            language = self.settings.novel.language
            word = self.settings.novel.word_for_chapters
            page = ReviewPage(figures, language, judged, word).markdown().encode()
            path = self.store.layout.review(figures.volume)
            if self.store.root.find(path) != page:
                replace(self.store, path, page, Reason.VOLUME_REVIEW)
            items = leftovers(figures)
            asks = bool(items) and review == "ask"
            question = question_of(figures.volume, items) if asks else None
            checkpoint = other_put_by(self.store.checkpoint(), f"clean-up-{figures.volume}")
            if figures.volume == checkpoint.current_volume:
                checkpoint = move(checkpoint, Trigger.END_VOLUME)
                if question is None:
                    checkpoint = move(checkpoint, Trigger.REVIEWED)
                    checkpoint = enter_planned_volume(self.store, checkpoint)
            self.store.save_checkpoint(
                checkpoint.copy_with(pending_decision=question, planned_to=0)
            )
        return VolumeReview(
            volume=figures.volume,
            path=path,
            chapters=figures.chapters,
            mean=figures.mean,
            leftovers=items,
            decision=question,
            explained=judged is not None,
        )

    def figures(self) -> VolumeFigures:
        """Returns the figures of the volume that is looked back on; refuses as `review` does."""
        checkpoint = self.store.checkpoint()
        if checkpoint.inflight_chapter is not None:
            raise usage(
                said("Chapter {last} is in progress.", last=checkpoint.inflight_chapter),
                said("`studio resume` finishes it."),
            )
        figures = self._figures_of(checkpoint.current_volume)
        while not figures.chapters and figures.volume > 1:
            figures = self._figures_of(figures.volume - 1)
        if not figures.chapters:
            raise usage(said("No chapter of the volume is in the book yet."))
        if figures.missing_chapters:
            raise usage(
                said(
                    "Chapter {missing} of volume {volume} is planned but not in the book.",
                    missing=figures.missing_chapters[0],
                    volume=figures.volume,
                ),
                said(
                    "`studio write --until-volume-end` writes them; `studio plan remove` "
                    "takes one out."
                ),
            )
        return figures

    def _figures_of(self, volume: int) -> VolumeFigures:
        return VolumeFigures(
            self.store,
            load_pack(self.settings.novel.language),
            volume,
            targets_of_book(self.store, self.settings).chapter_length,
            unit_in(self.settings),
        )
