"""How the people of a Korean text speak: the level of speech that each spoken sentence closes in.

A pair of people keeps to its levels, so a stray one is worth a look. The pack
lists each level's endings; a language that lists none has no levels.
"""

from __future__ import annotations

import re
from collections import Counter

from studio.text.language import LanguagePack
from studio.text.reading import Reading
from studio.text.spans import inside

_FINAL_BIEUP = 17
"""The place of ㅂ among the final consonants of a syllable."""
_LONGEST = 6
"""Characters at the close of a sentence that are looked at."""
_ASKS_POLITELY = re.compile(
    f"[{''.join(chr(code) for code in range(ord('가') + _FINAL_BIEUP, ord('힣') + 1, 28))}]니까$"
)
"""갑니까, 뭡니까; not the connective of 그러니까."""
_OPENERS = "“‘\"'「『《(—–―-"


def speech_levels(reading: Reading) -> dict[str, int]:
    """Level to the number of spoken sentences that close in it, the most frequent first.

    A sentence that closes on a noun, or breaks off, has no level.
    """
    counted: Counter[str] = Counter()
    if reading.pack.levels.of_ending:
        for _, part in reading.parts:
            if part.speech:
                counted.update(
                    level_of(part.text[s.start : s.end], reading.pack)
                    for s in part.sentences
                    if not s.narrated and inside(s.start, part.speech)
                )
    counted.pop("", None)
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))


def level_of(sentence: str, pack: LanguagePack) -> str:
    """The level of the longest listed ending that the sentence closes on, or nothing."""
    words = sentence
    while words and not words[-1].isalnum():
        words = words[:-1]
    noun = pack.endings.nouns and pack.endings.nouns.search(words)
    if noun:
        return ""
    last = f" {words.split(None)[-1].lstrip(_OPENERS)}"[-_LONGEST:] if words else ""
    known = pack.levels.of_ending
    if _ASKS_POLITELY.search(last):
        return known.get("습니까", "")
    ends = (last[begin:] for begin in range(len(last)))
    return next((known[end] for end in ends if end in known), "")
