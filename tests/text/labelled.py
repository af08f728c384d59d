"""The labelled prose of tests/data/labelled: passages with what a person sees in them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from studio.text.language import LANGUAGES

FOLDER = Path(__file__).parent.parent / "data" / "labelled"


@dataclass(frozen=True)
class Passage:
    """One labelled passage."""

    language: str
    note: str
    text: str
    sentences: tuple[str, ...]
    dialogue: tuple[str, ...]
    filter: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.language}: {self.note}"


def passages() -> list[Passage]:
    """All of them, in the order of the files."""
    found = []
    for language in LANGUAGES:
        data = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))
        for entry in data["passage"]:
            labels = {k: tuple(entry[k]) for k in ("sentences", "dialogue", "filter")}
            found.append(Passage(language, entry["note"], entry["text"], **labels))
    return found


PASSAGES = passages()
