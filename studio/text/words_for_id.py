"""The words of a text that an id stands for, where nobody said its name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from studio.text.language.romanisation import letters, romanisations

_SEVERAL_SYLLABLES = range(4, 1, -1)
"""The lengths of a name in Hangul or Chinese characters, the longest first."""
_WORD = re.compile(r"[가-힣]{2,}|[\u4e00-\u9fff]{2,}")


def words_for_id(id_: str, text: str) -> str:
    """Returns the words of `text` whose letters are those of an id: `the Bell Ringer` of
    bell-ringer, 守夜人 of shou-ye-ren; "" where there are none."""
    plain = r"[\s-]+".join(map(re.escape, re.split(r"[-_]", id_)))
    match = re.search(rf"(?<!\w){plain}(?!\w)", text, re.IGNORECASE)
    if match is not None:
        return " ".join(match[0].split())
    wanted = letters(id_)
    return next((words for words in _parts(text) if wanted in romanisations(words)), "")


def id_is_words(id_: str) -> bool:
    """Whether an id reads as words of English: bell-ringer, and not person-7."""
    return id_.isascii() and not any(letter.isdecimal() for letter in id_)


def _parts(text: str) -> Iterator[str]:
    """Yields what may be a name in Hangul or Chinese characters, each once. A Korean one begins its
    word, which may go on with a particle."""
    words = dict.fromkeys(_WORD.findall(text))
    seen = set[str]()
    for length in _SEVERAL_SYLLABLES:
        for word in words:
            is_korean = word[0] >= "가"
            for start in range(1 if is_korean else max(0, len(word) - length + 1)):
                part = word[start : start + length]
                if len(part) == length and part not in seen:
                    seen.add(part)
                    yield part
