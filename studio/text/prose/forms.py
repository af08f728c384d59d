"""The form of a paragraph: prose, or something embedded in prose.

Verse, letters, lists, scripts and documents are read like the rest, but nothing is proposed for
them: their sentences are not built like a narrator's. Headings, block quotes, tables and footnotes
are not part of the chapter's prose and of no metric.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Form = Literal["prose", "verse", "letter", "list", "script", "document", "apart"]

_APART = re.compile(r"#{1,6}\s|>|\||\[\^[^\]\s]{1,20}\]:")
_ITEM = re.compile(
    r"[-*+•·‣▪○●]\s+\S|\(?\d{1,2}[.)]\s+\S|[①-⑳㉠-㉻]|[가나다라마바사][.)]\s+\S|[一二三四五六七八九十]{1,2}[、.．]"
)
_TURN = re.compile(
    r"(?P<who>[^\s:：.!?。！？,，“”\"'「」][^:：.!?。！？,，“”\"「」\n]{0,15}?)\s*[:：]\s*\S"
)
"""Matches a turn of a script: `MARA: Come in.`, `은희: 왔어?`"""
_NOTICE = re.compile(
    r"(?:\[[^\]]{2,}\]|【[^】]{2,}】|<[^<>]{2,}>|〈[^〉]{2,}〉|=+\s.*\s=+)$", re.DOTALL
)
"""Matches a game window, a sign, or a message on a screen: all of it in brackets."""
_GREETING = re.compile(
    r"(?:Dear|My dear(?:est)?|To whom)\b[^.!?\n]{0,60}[,:—]?$"
    r"|[^.!?\n]{1,24}(?:에게|께|귀하|보아라|보거라)[.,:]?$"
    r"|(?:亲爱的|親愛的|敬爱的|敬愛的|尊敬的)[^。！？\n]{1,20}[：:]"
    r"|[^。！？，\n]{1,12}(?:先生|女士|吾兄|大人|足下|如晤|台鉴|台鑒)[：:]$",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:Yours|Your (?:loving|affectionate|obedient)|Sincerely|Respectfully|Affectionately|Love)\b"
    r"[^!?\n]{0,60}$"
    r"|[^.!?\n]{1,30}(?:드림|올림|보냄|씀|배상|상서)[.]?$"
    r"|(?:此致|敬礼|敬禮|顺颂|順頌|即颂|即頌|谨上|謹上)|[^。！？\n]{1,12}(?:敬上|谨启|謹啟|手书|手書|顿首|頓首|草)$",
    re.IGNORECASE,
)
_LONGEST_LETTER = 20
"""The maximum number of paragraphs between a greeting and a closing."""
_FEWEST = 3
"""The minimum number of lines, items or turns in a verse, a list or a script."""
_VERSE_LINES = 4
"""The minimum number of short unclosed one-line paragraphs in a row that make a verse."""
_SHORT_LINE = {"en": 48, "ko": 26, "zh": 20}
_CLOSED = tuple(".!?…。！？”’」』\"'")


def forms(paragraphs: Sequence[str], language: str) -> list[Form]:
    """Returns the form of each paragraph of a chapter, in order."""
    kinds: list[Form] = [_alone(text, language) for text in paragraphs]
    _mark_runs(kinds, [_is_item(text) for text in paragraphs], "list", _FEWEST)
    _mark_runs(kinds, _turns(paragraphs), "script", _FEWEST)
    _mark_runs(kinds, [_is_line(text, language) for text in paragraphs], "verse", _VERSE_LINES)
    _mark_letters(kinds, paragraphs)
    return kinds


def _alone(text: str, language: str) -> Form:
    """Returns the form of a paragraph by itself."""
    if _APART.match(text):
        return "apart"
    if text[0] in "[【<〈=" and _NOTICE.match(text):
        return "document"
    if "\n" not in text:
        return "prose"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) < _FEWEST:
        return "prose"
    if all(map(_is_item, lines)):
        return "list"
    if all(_turns(lines)):
        return "script"
    return "verse" if max(map(len, lines)) <= _SHORT_LINE[language] else "prose"


def _is_item(text: str) -> bool:
    """Whether a line is a list item; a hyphen may also open speech, which ends like speech."""
    if _ITEM.match(text) is None:
        return False
    return text[0] not in "-*" or not text.endswith(_CLOSED)


def _turns(lines: Sequence[str]) -> list[bool]:
    """Returns which lines are turns of a script (name, colon, words), given two names or more."""
    names = [match["who"] if (match := _TURN.match(line)) else "" for line in lines]
    return [bool(name) for name in names]


def _is_line(text: str, language: str) -> bool:
    """Whether a paragraph reads like a line of verse: short, and without a sentence's end."""
    return (
        len(text) <= _SHORT_LINE[language]
        and "\n" not in text
        and not text.endswith(_CLOSED)
        and any(map(str.isalpha, text))
    )


def _mark_runs(kinds: list[Form], alike: Sequence[bool], form: Form, fewest: int) -> None:
    """Marks as `form` the runs with at least `fewest` paragraphs."""
    start = 0
    for place in range(len(alike) + 1):
        if place < len(alike) and alike[place] and kinds[place] == "prose":
            continue
        if place - start >= fewest:
            kinds[start:place] = [form] * (place - start)
        start = place + 1


def _mark_letters(kinds: list[Form], paragraphs: Sequence[str]) -> None:
    """Marks everything between a greeting and a closing, both included."""
    begin = -1
    for place, text in enumerate(paragraphs):
        if kinds[place] == "apart":
            continue
        if _greets(text):
            begin = place
        last = text.rsplit("\n", 1)[-1].strip()
        if begin >= 0 and len(last) <= 60 and _CLOSING.match(last):
            if place - begin <= _LONGEST_LETTER:
                kinds[begin : place + 1] = [
                    "letter" if kind == "prose" else kind for kind in kinds[begin : place + 1]
                ]
            begin = -1


def is_within_letter(before: Sequence[str], text: str) -> bool:
    """Whether a text that follows these paragraphs greets somebody in a letter, or stands in one
    that is begun and not closed."""
    if _greets(text):
        return True
    for place in range(len(before) - 1, max(-1, len(before) - 1 - _LONGEST_LETTER), -1):
        lines = before[place].splitlines() or [""]
        if len(lines[-1]) <= 60 and _CLOSING.match(lines[-1].strip()):
            return False
        if _greets(before[place]):
            return True
    return False


def _greets(text: str) -> bool:
    first, _, rest = text.partition("\n")
    return bool(len(first) <= 80 and _GREETING.match(first) and (rest or len(first) < 60))
