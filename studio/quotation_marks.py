"""Quotation marks around a text of the novel, which may have its own: “He said ‘go’.”"""

from __future__ import annotations

import re
from collections.abc import Mapping

_WHOLE = re.compile(r'[“"]?([^“”"]*)[”"]?')
"""Matches a text without speech, or one that is a speech from end to end."""
_SPEECH = re.compile(r'“([^“”]*)(?:”|$)|"([^"]*)(?:"|$)')
_WITHIN_SPEECH = re.compile(r"‘((?:[^‘’]|(?<=[A-Za-z])’(?=[a-z]))*)’")
"""Matches a quotation within a speech; between two letters the mark is an apostrophe."""


def put_in_quotes(words: str) -> str:
    """Puts `words` in quotation marks: “He said ‘go’.” A text that is all speech keeps its own."""
    plain = words.strip()
    bare = _WHOLE.fullmatch(plain)
    inner = _SPEECH.sub(_one_level_down, plain) if bare is None else bare[1]
    return f"“{inner}”" if inner else ""


def quoted_whole(sentence: str, values: Mapping[str, object]) -> tuple[str, Mapping[str, object]]:
    """Returns a sentence with `“{fields}”`, and what fills it, so that a text that has marks of its
    own does not get the same ones a second time."""
    fresh = dict(values)
    for field in _QUOTED_FIELD.findall(sentence):
        words = values.get(field)
        if isinstance(words, str) and _MARKS.search(words):
            fresh[f"{field}_in_quotes"] = put_in_quotes(words) or f"“{words}”"
            sentence = sentence.replace(f"“{{{field}}}”", f"{{{field}_in_quotes}}")
    return sentence, fresh


_QUOTED_FIELD = re.compile(r"“\{(\w+)\}”")
_MARKS = re.compile('[“”"]')


def _one_level_down(speech: re.Match[str]) -> str:
    """Returns a speech with its marks nested one level deeper, for use within a quotation."""
    words = _WITHIN_SPEECH.sub(r"“\1”", speech[1] or speech[2] or "")
    return f"‘{words}’"
