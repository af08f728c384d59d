"""The kind of quotation marks that a text has, put into words that are to stand in it."""

from __future__ import annotations

import itertools
import re

_CURLY = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")


def with_marks_of(text: str, words: str) -> str:
    """Returns words with curly quotation marks where a text has only those, with straight ones
    where it has only those; as they are where it has both or neither, or where one is not
    closed."""
    if "“" in text and '"' not in text and words.count('"') % 2 == 0:
        turn = itertools.cycle("“”")
        words = re.sub('"', lambda _: next(turn), words)
        return _APOSTROPHE.sub("’", words) if "'" not in text else words
    if '"' in text and not re.search("[“”]", text):
        words = words.translate(_CURLY if "'" in text and "’" not in text else _DOUBLE)
    return words


_DOUBLE = str.maketrans({"“": '"', "”": '"'})
