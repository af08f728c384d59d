"""The answer to a choice of a chapter that is in the book already.

Nobody was asked while the chapter was made, or its author left the choice open. An answer that
changes no text is kept beside the chapter, which stays as it is. For a fix, a wish or a note it is
opened for review with the answer, as it was judged: nothing is read anew for that.
"""

from __future__ import annotations

from dataclasses import dataclass

from studio.chapter_names import own_title
from studio.errors import usage
from studio.messages import said
from studio.pipeline.chapter.records import Records
from studio.pipeline.novel import OnNovel
from studio.pipeline.opening import refuse_other_work
from studio.pipeline.passage.versions import open_for_review
from studio.pipeline.review import choice_answers
from studio.pipeline.review.choice_answers import ChapterReview, keep_in_book
from studio.project.commit.writing import Writing, hold_for_writing
from studio.story.checkpoint import PipelineStage
from studio.story.review.evaluation import ChoiceAnswer, Counsel

_BESIDE_THE_BOOK = frozenset({"meant", "always", "next"})
"""The answers that change no text."""


@dataclass(frozen=True, slots=True)
class ChoiceDesk(OnNovel):
    """The choices of one novel that are its author's alone."""

    def answer(
        self, issue: str, answer: ChoiceAnswer | None, words: str, chapter: int | None
    ) -> Counsel:
        """Answers the open choice with that `issue`, or with None takes its answer back; by default
        of the chapter in progress, else of the last of the book.

        StudioError 2 as in `answer_choice`; of a chapter of the book also for a fix, a wish or a
        note while another is in progress, and for taking one of these back. 3 if the novel is
        locked.
        """
        with hold_for_writing(self.store) as held:
            number, in_work = self.store.checkpoint().chapter_reviewed(chapter)
            title = self._title(number) if number and answer == "always" else ""
            if in_work or not number:
                if answer is None:
                    return choice_answers.take_back_answer(self.store, issue)
                return choice_answers.answer_choice(self.store, issue, answer, words, title)
            review = choice_answers.review_in_book(self.store, number, title)
            if answer is None:
                return self._take_back(review, issue)
            if answer in _BESIDE_THE_BOOK:
                return choice_answers.answer_in(review, issue, answer, words, keep_in_book)
            refuse_other_work(self.store.checkpoint(), number)
            choice_answers.must_take(review, issue, answer, words)
            self._open(number, review, held)
            return choice_answers.answer_choice(self.store, issue, answer, words)

    def _title(self, number: int) -> str:
        """Returns what the book calls a chapter, with its title if it has one."""
        name, plan = self.pack.chapter(number), self.store.contract(number)
        title = own_title(plan.title, number) if plan is not None else ""
        return self.pack.labelled(name, title) if title else name

    def _take_back(self, review: ChapterReview, issue: str) -> Counsel:
        choice = choice_answers.find_answered(review, issue)
        if choice.answer not in _BESIDE_THE_BOOK:
            raise usage(
                said("What you answered is in the text of the book."),
                said("`studio write N --again` reviews a chapter of the book anew."),
            )
        return choice_answers.take_back_in(review, choice, keep_in_book)

    def _open(self, chapter: int, review: ChapterReview, held: Writing) -> None:
        """Opens a chapter with the review it went into the book with."""
        open_for_review(self.novel, chapter, review.chapter, held)
        sha256 = review.chapter.sha256
        staged = self.store.staging_of(chapter)
        none_yet: dict[str, tuple[()]] = {"left_open": (), "changes": ()}
        staged.put_evaluation(review.evaluation.copy_with(**none_yet))
        staged.put_sheet(review.sheet.copy_with(source_sha256=sha256))
        checkpoint = self.store.checkpoint()
        records = Records(checkpoint.stage_records, checkpoint.laps)
        with_judgement = records.add(records.record_judgement(sha256))
        self.store.save_checkpoint(
            checkpoint.copy_with(stage_records=with_judgement, pipeline_stage=PipelineStage.GATED)
        )
