"""What the judge makes of a finished volume: code counts, and it explains (BOOK 8)."""

from __future__ import annotations

from dataclasses import dataclass

from studio.agent_pages import OF_A_VOLUME
from studio.config.schema import Settings
from studio.errors import StudioError
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.beginning.book_questions import BookQuestion, BookQuestions
from studio.pipeline.events import Emitter
from studio.pipeline.volume.figures import VolumeFigures
from studio.pipeline.volume.review import ReviewPage
from studio.project.store import ProjectStore
from studio.story.ledger import Estimate
from studio.story.novel import LANGUAGE_NAMES
from studio.story.review.answers import VolumeJudgement
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import first_sentences

_SUMMARY = 700
"""The most characters of a chapter's summary that the judge is told."""
_TASK = (
    "This is no single chapter, and nothing is scored: volume {0} is finished, and its author"
    " looks back on it before she plans the next. `measures` is what code has counted of it,"
    " `passage` the summaries of its chapters. Explain the numbers to her, and do not repeat them:"
    " `explanations` has an entry for each section of `measures` that says something, at most one"
    " each and at most three sentences (`about`: pace, scores, style, ends, promises, lines or"
    " continuity): what is behind it, in which chapters, and what it means for the next volume. A"
    " section with nothing to explain has none. `reader_experience`: what reading the whole volume"
    " was like, in three to six sentences: where it leaned in, where it drifted, what is owed at"
    " its end. Propose no change of a passage. All of it in {1}; return these two fields alone."
)


@dataclass(frozen=True, slots=True)
class VolumeReading:
    """Has the judge look back on a volume."""

    store: ProjectStore
    settings: Settings
    pack: LanguagePack
    gateway: Gateway | None
    emit: Emitter

    @property
    def can_judge(self) -> bool:
        """Whether there is a model that judges."""
        profile = self.gateway.provider.profile if self.gateway is not None else None
        return profile is not None and profile.judges and profile.extracts

    def estimate(self, figures: VolumeFigures) -> Estimate | None:
        """Returns what `read` will cost, None where nobody is asked; makes no call."""
        if not self.can_judge:
            return None
        return self._questions().estimate(self._question(figures), VolumeJudgement)

    async def read(self, figures: VolumeFigures) -> VolumeJudgement | None:
        """Returns what the judge says; None where no model judges, or where it gave nothing, which
        a warning says: the page is counted all the same. The same volume is not paid for twice."""
        if not self.can_judge:
            return None
        otherwise = said("The review is counted alone, and explained by nobody.")
        try:
            return await self._questions().ask(self._question(figures), VolumeJudgement, otherwise)
        except StudioError as error:
            self.emit.warn(
                said(
                    "The judge did not look back on volume {volume}: {why}",
                    volume=figures.volume,
                    why=error.problem.message,
                )
            )
        return None

    def _questions(self) -> BookQuestions:
        return BookQuestions(self.store, self.settings, self.pack, self.gateway, self.emit)

    def _question(self, figures: VolumeFigures) -> BookQuestion:
        language, word = self.settings.novel.language, self.settings.novel.word_for_chapters
        summaries = {number: self.store.summary(number) or "" for number in figures.chapters}
        return BookQuestion(
            "quality-oracle",
            f"volume-{figures.volume:02d}",
            _TASK.format(figures.volume, LANGUAGE_NAMES[language]),
            {
                "measures": ReviewPage(figures, language, chapter_word=word).markdown(),
                "passage": "\n\n".join(
                    self.pack.labelled(self.pack.chapter(number), first_sentences(words, _SUMMARY))
                    for number, words in summaries.items()
                    if words
                ),
            },
            figures.chapters[-1] + 1,
            figures.volume,
            kind=OF_A_VOLUME,
            order=("brief", "volume-outline", "measures", "passage", "task"),
        )
