"""Ten chapters summarized by a model once the tenth is in the book, for the prompts of later
chapters (BOOK 6).

The extractive rows exist already, and stay if no model reads or its answer is unusable; the caps
hold, and any failure is a warning.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from pydantic import Field

from studio.book.plans import volume_of
from studio.errors import StudioError
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.beginning.book_questions import BookQuestion, BookQuestions
from studio.pipeline.events import Emitter
from studio.pipeline.novel import OnNovel
from studio.project.author.replace import replace
from studio.project.history.reasons import Reason
from studio.project.memories import told_era, untold_era
from studio.story.review.answers import Wire

_TASK = (
    "This is no single chapter: `passage` has the summaries of chapters {0} to {1}. Tell these ten"
    " chapters in one piece for somebody who writes a chapter long after them: what lasts, in the"
    " order it happened, with its chapter's number; who is changed, what is owed, hidden, broken"
    " or found out. Nothing that the summaries do not say. At most {2} characters, and `text`"
    " alone."
)
_LENGTH = {"en": 1800, "ko": 900, "zh": 700}
"""Characters that are asked for."""


class EraAnswer(Wire):
    """What the summarizer makes of ten summaries."""

    text: str = Field(description="the ten chapters, told in one piece")


@dataclass(frozen=True, slots=True)
class EraTeller(OnNovel):
    """Has an era summarized once its last chapter has come into the book."""

    async def tell(self, last: int, emit: Emitter) -> None:
        """Writes the era that ends with this chapter, if it has no summary by a model yet and a
        model reads. Raises only CancelledError: a stop applies to the whole run."""
        try:
            summaries = untold_era(self.store, last)
            gateway = self.novel.gateway_for(emit) if summaries else None
            if summaries is None or gateway is None:
                return
            try:
                words = await self._tell(gateway, summaries, emit)
            finally:
                await gateway.provider.close()
            made = told_era(self.store, summaries, words)
            if made is not None:
                replace(self.store, *made, Reason.CHAPTERS_TOLD)
        except asyncio.CancelledError:
            emit.warn(
                said(
                    "The ten chapters up to {chapter} were not summed up: you stopped it.",
                    chapter=last,
                )
            )
            raise
        except StudioError as error:
            emit.warn(
                said(
                    "The ten chapters up to {chapter} were not summed up: {why}",
                    chapter=last,
                    why=error.problem.message,
                )
            )

    async def _tell(self, gateway: Gateway, summaries: dict[int, str], emit: Emitter) -> str:
        questions = BookQuestions(self.novel, gateway, emit)
        first, last, pack = min(summaries), max(summaries), self.pack
        question = BookQuestion(
            "summarizer",
            f"era-{first:03d}",
            _TASK.format(first, last, _LENGTH[self.pack.language]),
            {
                "passage": "\n\n".join(
                    pack.labelled(pack.chapter(n), s) for n, s in summaries.items() if s
                )
            },
            last,
            volume_of(self.store, last),
            order=("brief", "passage", "task"),
        )
        otherwise = said(
            "Of chapters {first} to {last} the beginnings of summaries stay.",
            first=first,
            last=last,
        )
        answer = await questions.ask(question, EraAnswer, otherwise)
        return "" if answer is None else answer.text
