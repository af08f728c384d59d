"""Screens in the language of the interface, for ways that read them in English."""

from __future__ import annotations

import re

from studio.i18n import PoFile
from tests.catalogues import path_of
from tests.tui.pilot import StudioPilot

_FIELD = re.compile(r"\{[^}]*\}")


class Remembered(PoFile):
    """A catalogue that knows the English of what it said."""

    def __init__(self, language: str) -> None:
        super().__init__(path_of(language))
        self.english: dict[str, str] = {}

    def form(self, context: str, one: str, many: str, number: int) -> str:
        """Remembers the sentence."""
        sentence = super().form(context, one, many, number)
        self.english[sentence] = one if number == 1 else many
        return sentence


SPOKEN: list[Remembered] = []
"""The catalogue of the interface while a screen is read."""


class Reader(StudioPilot):
    """Reads the screen, and below it in English what of it came from the catalogue."""

    @property
    def screen(self) -> str:
        """The screen as the ways to the other screens read it."""
        drawn = self.drawn
        close = "".join(drawn.split())
        below = (
            english
            for spoken in SPOKEN
            for sentence, english in [*spoken.english.items()]
            if all("".join(part.split()) in close for part in _FIELD.split(sentence))
        )
        return "\n".join([drawn, *below])

    @property
    def drawn(self) -> str:
        """What is on the screen."""
        return super().screen
