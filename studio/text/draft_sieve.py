"""The conditions that a draft must meet: any model's its language, a small model's each sentence
(PROSE 0.10, PROSE 5).

A small model writes readable sentences but loses the story between them: it introduces unplanned
people, addresses the user, and repeats itself. Each sentence is therefore checked before the next
is requested. The checks cannot recognise good prose; they only reject what is certainly wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from studio.messages import said
from studio.story.chapter import Chapter
from studio.text.language.name_runs import name_runs
from studio.text.language.packs import LanguagePack
from studio.text.language.script import is_foreign, is_foreign_sentence
from studio.text.prose.answer import without_asides
from studio.text.prose.dialogue import dialogue_spans
from studio.text.prose.letters import is_within_letter
from studio.text.prose.parse import read
from studio.text.prose.segmentation import sentences
from studio.text.spans import inside

FORM = said("it is no prose")
FOREIGN = said("it is not in the language of the novel")
ASIDE = said("it speaks to the reader of the draft")
REPEATED = said("it says what was said")
OPENING = said("three sentences in a row begin alike")
STRANGER = said("nobody planned {name}")

_LABEL = re.compile(
    r"\s*(?:[#>*_`|=~\-]{1,6}\s|\*\*|\d+[.)]\s|\[|<|(?:scene|chapter|paragraph|part|note|title)\b[^.!?]{0,24}:)",
    re.I,
)
_ABOUT = re.compile(
    r"\b(?:this|the|our) (?:story|tale|article|narrative|novel|scene) "
    r"(?:begins|starts|takes place|follows|goes|unfolds|revolves|continues|is (?:about|set))\b"
    r"|\bin this (?:story|tale|scene|passage|chapter|article)\b|\bmain characters?\b"
    r"|\b(?:share|sharing) (?:a|this|the|my) (?:scene|story|tale|passage)\b"
    r"|\bas we (?:continue|begin|explore|follow)\b|\bthe reader\b|\bmany readers\b",
    re.I,
)
"""Phrases with which a small model describes a story instead of telling it."""
_SPEECH = re.compile(r"[“\"][^”\"]*[”\"]?")
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:['’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_LEAST = 5
"""The minimum words of a sentence that is too long to be a stock phrase people repeat."""
_ALIKE = 0.8
_CHAIN = {"en": 6, "ko": 4, "zh": 10}
"""The number of consecutive words (characters in Chinese) that must not repeat in a text."""
_LOOP = {"en": 4, "ko": 3, "zh": 6}
"""The number of consecutive words that must not repeat within one sentence."""
_IN_A_ROW = 3


_FEWEST_TOLD = 10
"""The minimum letters of narration that show which language a draft is told in."""


def is_told_in_another_language(text: str, pack: LanguagePack) -> bool:
    """Whether a draft is not in the language of its novel. A letter, a sign or a song in another
    language is prose, and so is speech: they count only where hardly anything is told."""
    reading = read(f"\n\n{text}", pack)
    narration = "\n".join(
        span.of(part.text)
        for place, part in reading.prose
        if reading.forms[place.scene, place.number] in ("prose", "list", "script")
        for span in part.narration
    )
    if sum(map(str.isalpha, narration)) < _FEWEST_TOLD:
        narration = text
    return is_foreign(narration, pack.language)


class DraftSieve:
    """Judges a scene's sentences in the order in which they arrive.

    `names` are the people and places of the plan; `plan` is every word the model was given, which
    it may also use as names; `earlier` is the preceding prose, whose sentences must not be
    repeated.
    """

    def __init__(
        self, pack: LanguagePack, names: Iterable[str], plan: str, earlier: str = ""
    ) -> None:
        self._pack = pack
        self._allowed = {
            _POSSESSIVE.sub("", word).casefold()
            for text in (*names, plan)
            for word in _WORD.findall(text)
        }
        self._whole = "\n".join([*names, plan])
        self._earlier = earlier

    def sentence_end(self, text: str) -> int:
        """Returns where the first whole sentence of `text` ends; 0 while none is whole."""
        start = len(text) - len(text.lstrip())
        paragraph, newline, _ = text[start:].partition("\n")
        spans = sentences(paragraph, self._pack)
        if len(spans) > 1 or (spans and newline):
            return start + spans[0].end
        return 0

    def objection(self, before: str, sentence: str) -> str:
        """Returns why `sentence` may not follow `before`; empty when it may."""
        if _LABEL.match(sentence) or not _WORD.search(sentence):
            return FORM
        if self._is_foreign(before, sentence):
            return FOREIGN
        aside = without_asides(sentence, self._pack, everywhere=True)[1]
        if aside or _ABOUT.search(_SPEECH.sub("", sentence)):
            return ASIDE
        stranger = self._stranger(before, sentence)
        if stranger:
            return STRANGER.with_values(name=stranger)
        if self._is_repeated(before, sentence):
            return REPEATED
        return OPENING if self._opens_alike(before, sentence) else ""

    def _is_foreign(self, before: str, sentence: str) -> bool:
        """Whether what a sentence tells is in another language; what somebody says or writes in it
        may be."""
        *earlier, last = before.split("\n\n")
        if is_within_letter([*earlier, last], sentence):
            return False
        paragraph = f"{last} {sentence}"
        spoken = dialogue_spans(paragraph, self._pack)
        narration = "".join(
            character if character != "\n" and not inside(place, spoken) else " "
            for place, character in enumerate(paragraph[len(last) :], len(last))
        )
        return is_foreign_sentence(narration, self._pack.language)

    def _stranger(self, before: str, sentence: str) -> str:
        """Returns the first name in a sentence that the plan does not contain."""
        # the preceding text distinguishes a sentence's initial capital from a name
        for name in name_runs(f"{before}\n\n{sentence}", self._pack):
            if name in sentence and not self._is_planned(name):
                return name
        return ""

    def _is_planned(self, name: str) -> bool:
        if self._pack.language != "en":
            return name in self._whole or any(word in name for word in self._allowed if word[1:])
        parts = [_POSSESSIVE.sub("", part).casefold() for part in re.split(r"[-\s]+", name)]
        return all(part in self._allowed for part in parts)

    def _is_repeated(self, before: str, sentence: str) -> bool:
        words = _words(sentence)
        if _most_often(words, _LOOP[self._pack.language]) > 1:
            return True
        if len(words) < _LEAST:
            return False
        text = f"{self._earlier}\n\n{before}"
        long_run = _CHAIN[self._pack.language]
        chains = set(_runs(_words(text), long_run))
        if any(run in chains for run in _runs(words, long_run)):
            return True
        return any(_is_like(words, _words(other)) for other in _sentences(text, self._pack))

    def _opens_alike(self, before: str, sentence: str) -> bool:
        last = _sentences(before, self._pack)[1 - _IN_A_ROW :]
        reading = read("\n\n" + "\n\n".join([*last, sentence]), self._pack)
        openings = [s.opening for _, part in reading.prose for s in part.sentences]
        tail = openings[-_IN_A_ROW:]
        return len(tail) == _IN_A_ROW and bool(tail[0]) and len(set(tail)) == 1


def _sentences(text: str, pack: LanguagePack) -> list[str]:
    return [
        span.of(paragraph.text)
        for paragraph in Chapter("\n\n" + text).paragraphs
        for span in sentences(paragraph.text, pack)
    ]


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _runs(words: Sequence[str], length: int) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + length]) for at in range(len(words) - length + 1)]


def _most_often(words: Sequence[str], length: int) -> int:
    return max(Counter(_runs(words, length)).values(), default=0)


def _is_like(words: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two sentences say the same in nearly the same words."""
    if len(other) < _LEAST:
        return False
    shared = (Counter(words) & Counter(other)).total()
    return shared >= _ALIKE * max(len(words), len(other))
