"""The words a novel taught the spelling check."""

from __future__ import annotations

from typing import ClassVar

from studio.story.form.document import Document


class SpellingWords(Document):
    """spelling.json: words of this book that are spelt as they are meant."""

    SCHEMA: ClassVar[str] = "spelling"

    words: tuple[str, ...] = ()
    """In alphabetical order, each once."""

    def with_word(self, word: str) -> SpellingWords:
        """And this one."""
        return self.model_copy(update={"words": tuple(sorted({*self.words, word}))})
