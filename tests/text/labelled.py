"""The labelled prose of tests/data/labelled: passages with what a person sees in them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from studio.i18n import LANGUAGES

FOLDER = Path(__file__).parent.parent / "data" / "labelled"
KINDS = ("sentences", "dialogue", "filter")


@dataclass(frozen=True)
class Passage:
    """One labelled passage."""

    language: str
    file: str
    """The file's name without its ending: `ko`, `ko-fresh`."""
    note: str
    text: str
    sentences: tuple[str, ...]
    dialogue: tuple[str, ...]
    filter: tuple[str, ...]
    endings: tuple[str, ...] = ()
    """One class for each sentence, where the language has classes; the file says which."""
    hard: tuple[str, ...] = ()
    """Kinds of label in which the program is known to fall short of a reader here."""
    filter_places: tuple[tuple[int, int], ...] = ()
    """Where the filter words stand, if each was marked in its place."""

    def __str__(self) -> str:
        return f"{self.file}: {self.note}"


def passages() -> list[Passage]:
    """All of them: `ko.toml`, `ko-*.toml` and so on, in the order of the names."""
    corpus = []
    for language in LANGUAGES:
        for path in sorted(FOLDER.glob(f"{language}*.toml")):
            for entry in tomllib.loads(path.read_text("utf-8"))["passage"]:
                lists = {k: tuple(entry.get(k, ())) for k in (*KINDS, "endings", "hard")}
                corpus.append(Passage(language, path.stem, entry["note"], entry["text"], **lists))
    return corpus


PASSAGES = passages()
