"""The labelled forms of tests/data/labelled/forms: texts, each paragraph with its form.

A text belongs to the half that rules were learned from, or to the half kept back; which one was
drawn by lot before any rule was learned. Of the first set both halves have been learned from since.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from studio.story.notes import mask
from studio.text.language.packs import load_pack
from studio.text.prose.parse import read
from tests.text.labelled import FOLDER

Half = Literal["learned", "held back"]
Labels = Literal["first", "second"]
_FILES: Mapping[Labels, tuple[str, str]] = {
    "first": ("forms/{}.json", "forms/held-back.json"),
    "second": ("forms/second-{}.json", "forms/second-held-back.json"),
}
"""Where the texts of a set are, and the numbers of those that were kept back."""
FORMS = ("system", "letter", "chat", "leak")
"""What a label can be, besides `prose`."""
_NAMED = {
    "document": "system",
    "letter": "letter",
    "chat": "chat",
    "note": "leak",
    "leftover": "leak",
    "apart": "leak",
}
"""Maps the program's forms to the labels; all others are prose to a reader."""


@dataclass
class FormTally:
    """How often the program and a reader see a form in a paragraph."""

    reader: Counter[str] = field(default_factory=Counter)
    program: Counter[str] = field(default_factory=Counter)
    both: Counter[str] = field(default_factory=Counter)
    misses: list[tuple[str, str, str]] = field(default_factory=list)
    """The reader's form, the program's and the paragraph, where they differ."""

    def f1(self, form: str) -> float:
        """Returns the F1 of a form, from 0 to 1."""
        return 2 * self.both[form] / max(1, self.reader[form] + self.program[form])


def texts_of(language: str, half: Half, labels: Labels) -> list[tuple[list[str], list[str]]]:
    """Returns the paragraphs of each text of a half of a set, and their labels."""
    texts, held_back = _FILES[labels]
    entries = json.loads((FOLDER / texts.format(language)).read_text("utf-8"))
    numbers = set(json.loads((FOLDER / held_back).read_text("utf-8"))[language])
    return [
        (entry["text"].split("\n\n"), entry["forms"])
        for number, entry in enumerate(entries)
        if (number in numbers) == (half == "held back")
    ]


def tally_forms(language: str, half: Half, labels: Labels) -> FormTally:
    """Reads each text as a chapter of its own. What the program blanks out as a note to people is a
    leak to it; a paragraph it does not see as one (a rule, a heading) is prose, and one that it
    divides at its lines is what all of them are."""
    tally = FormTally()
    pack = load_pack(language)
    for paragraphs, forms in texts_of(language, half, labels):
        reading = read("# T\n\n" + "\n\n".join(paragraphs) + "\n", pack)
        seen = {p.text: reading.forms[p.scene, p.number] for p in reading.chapter.paragraphs}
        for text, label in zip(paragraphs, forms, strict=True):
            lines = {seen.get(line.strip(), "prose") for line in text.splitlines()}
            alike = lines.pop() if len(lines) == 1 else "prose"
            form = _NAMED.get(seen.get(text.strip(), alike), "prose")
            if not mask(text).strip():
                form = "leak"
            tally.reader[label] += 1
            tally.program[form] += 1
            tally.both[label] += form == label
            if form != label:
                tally.misses.append((label, form, text))
    return tally
