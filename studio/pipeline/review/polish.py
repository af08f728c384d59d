"""What a line editor is asked for when the gate has the language looked at once more (seed D3):
what the judge would have better in it, each with its place. What it praises is none of that.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from studio.i18n import words_for_the_book
from studio.messages import Said, said
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.judging.placement import places_of
from studio.pipeline.review.mending import asked_before
from studio.story.chapter import Chapter
from studio.story.form.document import Words
from studio.story.review.directive import DirectiveType
from studio.story.review.evaluation import Evaluation
from studio.story.review.stale_directives import sheet_in

MAY_MEND = frozenset(
    {
        DirectiveType.FILTER_WORD_REMOVAL,
        DirectiveType.RHYTHM_VARIATION,
        DirectiveType.CLICHE_REPLACEMENT,
        DirectiveType.WORDING,
        DirectiveType.PROOFREADING,
    }
)
"""What a line editor may do of what the judge proposes: it adds nothing, takes no paragraph away,
and leaves facts and speech alone."""
_QUOTES = re.compile(r"[“「『‘\"]([^“”「」『』‘’\"]+)[”」』’\"]")
_LABEL = re.compile(r"\[(\d{1,4})\.(\d{1,4})\]")


class PolishNote(NamedTuple):
    """What is to be better in the language, and where."""

    words: Words
    scene: int = 0
    """0 where the judge names no words that stand in the chapter."""
    first: int = 0
    last: int = 0
    instruction: Words = ""
    """Of a proposal, what is to be done about it."""

    def for_a_model(self, language: str) -> str:
        """Returns the note behind the label of its place, once."""
        own, between = filter(None, (self.words, self.instruction)), "" if language == "zh" else " "
        words = between.join(words_for_the_book(one, language) for one in own)
        label = f"[{self.scene}.{self.first}]"
        if not self.scene or label in words:
            return words
        to = "" if self.first == self.last else f"-[{self.scene}.{self.last}]"
        return f"{label}{to} {words}"

    def to_read(self) -> Said | str:
        """Returns the note for the writer, behind the numbers of its place."""
        place = f"{self.scene}.{self.first}"
        if not self.scene or re.search(rf"(?<![\d.]){re.escape(place)}(?!\d)", self.words):
            return self.words
        place = place if self.first == self.last else f"{place}-{self.scene}.{self.last}"
        return said("{place}: {sentence}", place=place, sentence=self.words)

    def is_within(self, other: PolishNote) -> bool:
        """Whether another note is about its place as well."""
        return 0 < self.scene == other.scene and other.first <= self.first <= other.last


def polish_notes(view: ChapterView, evaluation: Evaluation | None) -> tuple[PolishNote, ...]:
    """Returns what the judge would have better in the language, as far as a line editor may: the
    fault of its style, and what it proposes of that kind. Of two about one place the proposal
    stands, which says more."""
    if view.text is None or evaluation is None:
        return ()
    sheet = sheet_in(view.staged.sheet(), view.text)
    proposals = [
        PolishNote(d.issue, at.scene_number, at.paragraph_start, at.paragraph_end, d.instruction)
        for d in (sheet.directives if sheet is not None else ())
        if d.origin == "judge" and d.type in MAY_MEND and d.is_pending and d.stands != "gone"
        for at in (d.location,)
    ]
    fault = evaluation.scores.style_naturalness.to_mend if evaluation.scores is not None else ""
    style = _placed(fault, view.text) if fault else None
    if style is None or any(style.is_within(one) for one in proposals):
        return tuple(proposals)
    return (style, *proposals)


def notes_for_the_line_editor(view: ChapterView) -> tuple[str, ...]:
    """Returns why the language is looked at once more: what the writer objected to, and what the
    judge would have better."""
    notes = polish_notes(view, view.staged.evaluation())
    return (
        *view.wishes("gate", asked_before(view)),
        *(note.for_a_model(view.pack.language) for note in notes),
    )


def _placed(fault: str, chapter: Chapter) -> PolishNote:
    """Returns a fault with the paragraph that it labels, or whose words it quotes."""
    here = None
    if label := _LABEL.search(fault):
        place = (int(label[1]), int(label[2]))
        here = next((p for p in chapter.paragraphs if (p.scene, p.number) == place), None)
    for quote in () if here else _QUOTES.findall(fault):
        if places := places_of(chapter.text, quote):
            here = next((p for p in chapter.paragraphs if places[0][0] < p.end), None)
            break
    return PolishNote(fault, here.scene, here.number, here.number) if here else PolishNote(fault)
