"""A model's prose made fit for a chapter file."""

from __future__ import annotations

import re
import unicodedata

from studio.story.chapter import Chapter
from studio.text.language import LanguagePack
from studio.text.segmentation import sentences

MINIMUM_CHARACTERS = 500
"""Prose below this is asked for once more (seed A4)."""

_HEADING = re.compile(r"^#{1,6}\s+.*$", re.MULTILINE)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def tidy(text: str) -> str:
    """One scene's prose: composed characters, no headings, scene breaks or control characters."""
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = _HEADING.sub("", _CONTROLS.sub("", text))
    return "\n\n".join(p.text for p in Chapter("\n\n" + text.strip()).paragraphs)


def to_last_sentence(text: str, pack: LanguagePack) -> str:
    """The text without a sentence that was begun and not ended (small models stop anywhere)."""
    paragraphs = text.split("\n\n")
    while paragraphs:
        found = sentences(paragraphs[-1], pack)
        while found and not _ended(found[-1].of(paragraphs[-1])):
            found = found[:-1]
        if found:
            paragraphs[-1] = paragraphs[-1][: found[-1].end].rstrip()
            return "\n\n".join(paragraphs)
        paragraphs.pop()
    return text


def _ended(sentence: str) -> bool:
    return sentence.rstrip().endswith(
        (".", "!", "?", "…", "。", "！", "？", '"', "”", "’", "」", "』")
    )
