"""Compiles the words a writer searches for into a pattern that matches what she means."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from studio.errors import usage
from studio.messages import said

_LONGEST = 500
"""The maximum length of a search in characters; more is a paragraph pasted by mistake."""
_ALIKE = {
    "'": "['‘’]",
    "‘": "['‘]",
    "’": "['’]",
    '"': '["“”]',
    "“": '["“]',
    "”": '["”]',
    "-": "[-‐‑]",
}
"""Characters that a keyboard has once and a book in several forms."""
_LEFT, _RIGHT = r"(?<!\w)", r"(?!\w)"
_HAN = "\u3400", "\u9fff"
_HANGUL = "\uac00", "\ud7a3"
_REPEATED = ("*", "+", "?", "{")
_MORE_FORMS = {"i": "İı", "k": "\N{KELVIN SIGN}", "s": "ſ"}
"""Additional characters that case-insensitive matching treats as the same letter."""
_PLAIN = re.compile(r"[\w\u0300-\u036f]+")
"""Words, with composed or separate accents."""
_WORD_PARTS = re.compile(r"\s+")


def words_pattern(
    words: str, *, regex: bool = False, case: bool = False, whole: bool = False
) -> re.Pattern[str]:
    """Returns a pattern that finds `words` (a regular expression with `regex`).

    Without `case` it ignores case; with `whole` a match is not part of a longer word (a Korean word
    may have a particle after it; Chinese does not mark the end of a word). White space matches any
    white space except a blank line, a straight quotation mark matches a curly one, and Korean
    syllables match their separate letters, as some systems store them. Raises StudioError (exit 2):
    the search is empty, too long, or no regular expression.
    """
    if not words.strip():
        raise usage(said("There is nothing to look for."), said("Give a word or a few."))
    if len(words) > _LONGEST:
        raise usage(
            said(
                "{count} characters are too many to look for; at most {longest} are allowed.",
                count=f"{len(words):,}",
                longest=_LONGEST,
            ),
            said("A few words of the passage will do."),
        )
    source = words if regex else _literal(words)
    # Words without case (Korean, Chinese, figures) match the same either way, and the case-
    # sensitive pattern is ten times as fast.
    # and the one that minds capitals is ten times as fast.
    case = case or (not regex and words.lower() == words.upper())
    if whole:
        left = "" if _within(_HAN, words.lstrip()[0]) else _LEFT
        source = f"{left}(?:{source}){_right(words)}"
    try:
        return re.compile(source, re.MULTILINE | (re.NOFLAG if case else re.IGNORECASE))
    except re.error as error:
        raise usage(
            said("{rule} is not a regular expression: {error}.", rule=repr(words), error=error),
            said("Leave --regex out to look for these very characters."),
        ) from error


def spans_in(text: str, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    """Returns start and end of every non-empty match of `pattern`, in the order of `finditer`.

    Alternatives with different beginnings, and a case-insensitive first letter, are searched once
    per form: searching for a literal first letter is several times as fast.
    """
    forms = _forms(pattern)
    if len(forms) == 1:
        return [match.span() for match in pattern.finditer(text) if match[0]]
    spans = sorted(match.span() for form in forms for match in form.finditer(text))
    if any(end > start for (_, end), (start, _) in pairwise(spans)):
        return [match.span() for match in pattern.finditer(text)]
    return spans


@lru_cache(maxsize=8)
def _forms(pattern: re.Pattern[str]) -> tuple[re.Pattern[str], ...]:
    """Splits the pattern into patterns that each begin with a literal character; returns only the
    pattern itself if it is no plain words, or they begin with a non-ASCII letter that has case."""
    beginnings = pattern.pattern.split("|")
    if len(beginnings) > 1 and not all(map(_PLAIN.fullmatch, beginnings)):
        return (pattern,)
    if not pattern.flags & re.IGNORECASE:
        return tuple(re.compile(words, re.MULTILINE) for words in beginnings)
    forms = []
    for words in beginnings:
        first, rest = words[:1], words[1:]
        if not (first.isascii() and first.isalpha()) or rest.startswith(_REPEATED):
            return (pattern,)
        letters = f"{first.lower()}{first.upper()}{_MORE_FORMS.get(first.lower(), '')}"
        forms += [re.compile(f"{letter}(?i:{rest})", re.MULTILINE) for letter in letters]
    return tuple(forms)


def _literal(words: str) -> str:
    stripped = words.strip()
    composed = unicodedata.normalize("NFC", stripped)
    forms = dict.fromkeys((_escaped(composed), _escaped(unicodedata.normalize("NFD", composed))))
    return "|".join(forms)


def _right(words: str) -> str:
    """Returns the end of a whole word; after Han and Hangul, particles follow without a space."""
    last = words.rstrip()[-1]
    return "" if _within(_HAN, last) or _within(_HANGUL, last) else _RIGHT


def _within(span: tuple[str, str], char: str) -> bool:
    # A pattern with spans this long takes longer to compile than the app needs to draw its first
    # frame.
    return span[0] <= char <= span[1]


def _escaped(words: str) -> str:
    parts = (
        "".join(_ALIKE.get(char) or re.escape(char) for char in part)
        for part in _WORD_PARTS.split(words)
    )
    return r"(?=\s)[^\S\r\n]*(?:\r?\n[^\S\r\n]*)?".join(filter(None, parts))
