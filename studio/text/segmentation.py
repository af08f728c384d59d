"""Where a paragraph's sentences begin and end, in the manner of each language.

A sentence keeps its closing marks and quotes. Speech that ends like a sentence
is one: “가자.” 그가 말했다. has two. In English a tag in lower case goes on with
it: “Go!” she said. has one. In Korean so do 라고, 하고 and any word that
leans on the closing quote.
"""

from __future__ import annotations

import re

from studio.text.language import LanguagePack
from studio.text.spans import Span

_END = re.compile(r"([.!?。！？…‥｡．]+)([”’\"'」』》〉＂）)\]】]*)")
_WORD_BEFORE = re.compile(r"[^\W_](?:[^\W_]|[.](?=[^\W_]))*$")
_WORD_AFTER = re.compile(r"[\s“‘\"'「『(—–-]*([^\W_]+)")
_GOES_ON_MARK = re.compile(r"[,，、;；:：]")
_INITIAL = re.compile(r"(?:^|[\s.“‘\"'(])[A-HJ-Z]$")
_NEAR = 24
"""Characters looked back over; no abbreviation is longer."""
_FINAL_BIEUP = 17
"""Place of ㅂ among the finals of a syllable: 습니까 asks, 하니까 goes on."""
_PAIRS = {"》": "《", "〉": "〈", "）": "（", ")": "(", "】": "【", "]": "["}
_CLOCK = re.compile(r"(?:a\.m|p\.m)$", re.IGNORECASE)


def sentences(paragraph: str, pack: LanguagePack) -> list[Span]:
    """The sentences of one paragraph; together they hold every character but white space."""
    ends_here = _RULES[pack.language]
    found: list[Span] = []
    start = 0
    for match in _END.finditer(paragraph):
        end = match.end()
        if end < len(paragraph) and (
            _GOES_ON_MARK.match(paragraph, end) or not ends_here(paragraph, start, match, pack)
        ):
            continue
        start = _add(found, paragraph, start, end)
    _add(found, paragraph, start, len(paragraph))
    return found


def _add(found: list[Span], text: str, start: int, end: int) -> int:
    """Adds the stretch without the white space around it; one without letters joins the last."""
    words = text[start:end]
    begin = start + len(words) - len(words.lstrip())
    finish = start + len(words.rstrip())
    if begin >= finish:
        return end
    if found and not any(map(str.isalnum, text[begin:finish])):
        found[-1] = Span(found[-1].start, finish)
    else:
        found.append(Span(begin, finish))
    return end


def _english(text: str, start: int, match: re.Match[str], pack: LanguagePack) -> bool:
    end = match.end()
    if not text[end].isspace() and text[end] not in '“‘"—':
        return False
    after = _WORD_AFTER.match(text, end)
    if after is None:
        return True
    if after[1][0].islower():
        return False
    stops = match[1]
    before = _WORD_BEFORE.search(text, max(0, match.start() - _NEAR), match.start())
    word = before[0] if before else ""
    if _is_ellipsis(stops):
        return word.lower() != after[1].lower()  # I… I: a stammer goes on
    return stops != "." or bool(match[2]) or not _is_abbreviation(text, match, word, after[1], pack)


def _is_abbreviation(
    text: str, match: re.Match[str], word: str, following: str, pack: LanguagePack
) -> bool:
    rule, small = pack.sentence, word.lower()
    if small in rule.abbreviations:
        return True
    before = text[max(0, match.start() - _NEAR) : match.start()]
    if small.isdigit():
        return following[0].isdigit() or before.strip() == word
    if small in rule.before_number:
        return following[0].isdigit()
    return bool(_INITIAL.search(before)) and not _CLOCK.search(before)


def _korean(text: str, start: int, match: re.Match[str], pack: LanguagePack) -> bool:
    end, stops, closers = match.end(), match[1], match[2]
    after = _WORD_AFTER.match(text, end)
    if after is not None and after[1] in pack.sentence.carries_on:
        return False
    touching = not text[end].isspace() and text[end] not in '“‘"「『'
    if closers:
        return not touching
    before = text[max(start, match.start() - _NEAR) : match.start()]
    if touching and not (_is_syllable(text[end]) and _is_syllable(before[-1:])):
        return False
    if _is_ellipsis(stops):
        return not touching and _closes_korean(before, pack)
    return stops != "." or _is_syllable(before[-1:]) or not _short_form(text, match, pack)


def _closes_korean(words: str, pack: LanguagePack) -> bool:
    """Whether words before an ellipsis close a sentence; the connective -니까 does not."""
    if words[-2:] == "니까":
        return len(words) > 2 and (ord(words[-3]) - ord("가")) % 28 == _FINAL_BIEUP
    return words[-1:] != "" and words[-1] in pack.sentence.closing_syllables


def _short_form(text: str, match: re.Match[str], pack: LanguagePack) -> bool:
    before = _WORD_BEFORE.search(text, max(0, match.start() - _NEAR), match.start())
    after = _WORD_AFTER.match(text, match.end())
    if before is None or after is None:
        return False
    return _is_abbreviation(text, match, before[0], after[1], pack)


def _is_syllable(character: str) -> bool:
    return "가" <= character <= "힣"


def _chinese(text: str, start: int, match: re.Match[str], pack: LanguagePack) -> bool:
    end, stops, closers = match.end(), match[1], match[2]
    if closers[-1:] in _PAIRS and not text[end].isspace():
        return text[start:end].lstrip()[0] == _PAIRS[closers[-1]]
    if _is_ellipsis(stops):
        return bool(closers) or text[end].isspace()
    if set(stops) <= {".", "．"} and not closers:
        before = text[match.start() - 1 : match.start()]
        return text[end].isspace() and not (
            before.isascii() and before.isalnum() and _short_form(text, match, pack)
        )
    return True


def _is_ellipsis(stops: str) -> bool:
    """Whether the stops only trail off: … or two full stops and more."""
    return not set(stops) - set("….‥") and ("…" in stops or "‥" in stops or len(stops) > 1)


_RULES = {"en": _english, "ko": _korean, "zh": _chinese}
