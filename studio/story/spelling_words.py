"""The words that a novel adds to the spelling check."""

from __future__ import annotations

from typing import ClassVar

from studio.story.form.document import Document


class SpellingWords(Document):
    """spelling.json: words of this book that are spelt as they are meant."""

    SCHEMA: ClassVar[str] = "spelling"

    words: tuple[str, ...] = ()
    """The words in alphabetical order, without duplicates."""

    def with_word(self, word: str) -> SpellingWords:
        """Returns a copy with this word added."""
        return self.model_copy(update={"words": tuple(sorted({*self.words, word}))})
