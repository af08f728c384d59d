"""Chats inside a story: messages of people, with names before a colon or without.

A message is one by what stands before its words (a room or a clock in brackets, a handle with
figures, a reply's mark), and where names alone stand there, by words that nobody closed: people who
chat leave the full stop out, people in a script do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from studio.text.language.form_words import alternatives, form_words
from studio.text.prose.windows import CLOSED, NOTICE, announces, is_labelled

_CLOCK = (
    r"(?:(?:오전|오후|上午|下午|晚上|凌晨|AM|PM)[ \t]?)?\d{1,2}:\d{2}(?::\d{2})?"
    r"(?:[ \t]?[AaPp]\.?[Mm]\b\.?)?"
)
_BRACKETED = (
    r"[\[［(（【<〈](?:[^\]］)）】>〉:：\n]{1,14}"
    rf"|[^\]］)）】>〉\n]{{0,6}}{_CLOCK})[\]］)）】>〉]"
)
_SAYING = re.compile(
    rf"(?P<tag>(?:{_BRACKETED}|{_CLOCK})[ \t]*)?"
    r"(?P<who>[^\s:：“”\"「」.!?。！？,，<>\[\]【】（(][^:：“”\"「」!?。！？,，\n]{0,27}?)?"
    rf"(?P<role>[ \t]*{_BRACKETED}|[ \t]+{_CLOCK})?"
    r"(?P<gap>[ \t]*)(?:[:：▸»›]|(?<=[ \t])>(?=[ \t]))(?!\d\d\b)[ \t]*(?P<words>\S.*)$"
)
"""Matches a message of a chat: `[길드] 윤재: ..`, `[10:42] Joss: ..`, `mara_88 (mod): ..`."""
_HANDLE = re.compile(r"[_→]|[^\W\d_]\d|[^\W\d_]\.[^\W\d_]|^@|[\U0001F300-\U0001FAFF☀-➿]")
_HANDLED = re.compile(r"@?(?=[\w.]*[^\W\d_])[^\W_]*[_\d][\w.]{1,15}[ \t]?[:：]")
_LETTER = re.compile(r"[^\W\d_]")
_ONLY_FIGURES = re.compile(r"[\d\s.,:/%+\-]+$")
_CLOCKED = re.compile(rf"(?:\S.{{0,20}}?[ \t　]+)?[\[(（]?{_CLOCK}[\])）]?(?:[ \t　]+\S.*)?$")
_MENTION = re.compile(r"^\S{2,20}[ \t]@[\w.]{2,}|[♥❤👍]\s?\d")
_OF_A_CHAPTER = re.compile(r".?第.{1,6}[章回节卷部]|.?제?\d+[화장회]|.?chapter", re.IGNORECASE)
_WHO_IN_BRACKETS = re.compile(
    r"(?P<tag>[\[［【<〈(（][^\]］】>〉)）:：\n]{1,14}[\]］】>〉)）])[ \t]*[^\s\]］】].*$"
)
_DASHED = re.compile(r"[―—–\-└ㄴ>][ \t]?[^\s―—–\-].*$")
_DASHES = "―—–-└ㄴ>"
_QUOTED = tuple('“"「『')
_CITED = re.compile(r"[“\"「『][^“”\"「」『』\n]+[”\"」』][ \t　]*[-—–―~]+[ \t　]*\S.{0,23}$")
"""Matches what a viewer wrote, in quotation marks, and who it was: `"first!" - user_99`."""
_BEFORE_WHO = "-—–―~"
"""One of which stands before who it was."""
_NAME_OF_FIGURES = re.compile(r"[^\W\d_][+\-−]?\d|\.[ \t]|[+\-−]\d")
"""Matches what stands before the last colon of a window's line, and in no name."""
_VALUE = re.compile(r"[+\-−]?\d[\d,.]*(?:[ \t]?/[ \t]?\d[\d,.]*)?[ \t]?[^\W\d_]{0,4}$")
_ANGLED = re.compile(r"<[^<>:/\n]{1,16}>[ \t]+\S")
_CLOSED_AS_TOLD = (".", "。", "…", ".”", "。”", "」。")
_QUOTES = re.compile(r"[“”「」『』]")
_LONGEST_MESSAGE = 160
_LONGEST_NAME_LINE = 24
_MOST_WORDS_OF_A_NAME = 3
_FEWEST_COMMENTS = 3
_SPEECH = "“\"「『‘'"
_LONGEST_LONE = 60


class _Message(NamedTuple):
    """A line of a chat, and what it says for its being one."""

    who: str
    weight: int
    """0: nothing; 1: words that nobody closed; 2: a sign that only chat has."""


@cache
def _event() -> re.Pattern[str]:
    """Matches what stands between messages: who came, what was read, the room."""
    return re.compile(
        rf"(?:[>*·•-]+[ \t]+)?(?:{_CLOCK}[ \t]*)?{alternatives('events')}$", re.IGNORECASE
    )


@cache
def _lone() -> re.Pattern[str]:
    """Matches a line that is of a chat by itself."""
    senders = alternatives("unknown_senders")
    return re.compile(rf"(?:{alternatives('lone_events')}|{senders}[ \t]?[:：].+)$", re.IGNORECASE)


def _message(line: str) -> _Message | None:
    """Returns how a line is a message; None if it is none."""
    saying = _SAYING.match(line) if len(line) <= _LONGEST_MESSAGE else None
    who = (saying["who"] or "").strip() if saying else ""
    if saying is None or not who or form_words("says").search(who):
        return None
    words = saying["words"]
    has_handle = bool(_HANDLE.search(who) and _LETTER.search(who))
    if _ONLY_FIGURES.match(words) or (not saying["tag"] and _VALUE.match(words)):
        return None
    if saying["tag"] and _NAME_OF_FIGURES.search(who):
        return None
    if len(who.split()) > _MOST_WORDS_OF_A_NAME and not has_handle:
        return None
    if words[0] in "“「『" and not saying["tag"]:
        return _Message(who, 0)
    if saying["tag"] or has_handle:
        return _Message(who, 2)
    if form_words("chat_words").search(line):
        return _Message(who, 2)
    if words.endswith(CLOSED):
        return _Message(who, 0)
    return _Message(who, 2 if saying["role"] else 1)


def is_chat(lines: Sequence[str]) -> bool:
    """Whether the lines of a paragraph are a chat: messages and what stands between them."""
    if max(map(len, lines)) > _LONGEST_MESSAGE or all(map(NOTICE.match, lines)):
        return False
    if len(lines) == 1:
        return _is_one_message(lines[0])
    if _is_stream(lines):
        return True
    messages = [one for one in map(_message, lines) if one]
    events = sum(bool(_event().match(line)) for line in lines)
    signs = events + sum(bool(_CLOCKED.match(line) or _MENTION.search(line)) for line in lines)
    speakers = {one.who for one in messages}
    weight = sum(one.weight for one in messages) + (len(speakers) < len(messages))
    if any(map(is_labelled, lines)) and not signs and weight < 2 * len(lines):
        return False
    if _are_tagged_alike(lines):
        return True
    return _are_messages(lines, messages, weight, events, signs) or _is_laid_out_as_chat(
        lines, signs
    )


def _is_stream(lines: Sequence[str]) -> bool:
    """Whether short lines without names are written as people chat, marked as messages, or stand
    beside a line that only a screen shows."""
    if max(map(len, lines)) > _LONGEST_MESSAGE:
        return False
    tags = form_words("message_tags")
    if sum(bool(tags.search(line)) for line in lines) > 1 and lines[0][0] in "[【<〈(（":
        return True
    if max(map(len, lines)) > _LONGEST_LONE:
        return False
    if any(_lone().match(line.strip('“”"「」')) for line in lines):
        return True
    is_closed = sum(line.endswith((".", "。", "”")) for line in lines)
    return (
        len(lines) >= _FEWEST_COMMENTS
        and is_closed * 3 <= len(lines)
        and sum(map(is_written_as_chat, lines)) * 6 >= len(lines)
        and not any(map(is_labelled, lines))
        and not any(line[0] in _SPEECH for line in lines)
    )


def _are_messages(
    lines: Sequence[str], messages: Sequence[_Message], weight: int, events: int, signs: int
) -> bool:
    """Whether lines with names, of which nobody closed half, make up a paragraph."""
    spoken = len(messages)
    if events and spoken + events >= len(lines) and spoken + events > 1:
        return True
    if spoken < 2:
        return False
    if (spoken + events) * 3 >= len(lines) * 2 and (weight + 2 * signs) * 2 >= len(lines):
        return True
    return spoken * 2 >= len(lines) and weight + _unclosed(lines) >= len(lines)


def _is_laid_out_as_chat(lines: Sequence[str], signs: int) -> bool:
    """Whether names, clocks and messages each have a line of their own."""
    names = [line for line in lines if len(line) <= _LONGEST_NAME_LINE]
    recurs = len(set(names)) < len(names)
    return (signs > 1 or (signs > 0 and recurs)) and _unclosed(lines) * 2 >= len(lines)


def _are_tagged_alike(lines: Sequence[str]) -> bool:
    """Whether each line begins with somebody in brackets, one of them more than once, and half of
    what is said is not closed: `[익명1] ..`."""
    tags = [match["tag"] for line in lines if (match := _WHO_IN_BRACKETS.match(line))]
    if (
        len(lines) > 1
        and all(_ANGLED.match(line) or _event().match(line) for line in lines)
        and _unclosed(lines) * 2 >= len(lines)
    ):
        return True
    if len(tags) < len(lines) or len(set(tags)) == len(tags):
        return False
    return not any(map(form_words("labels").search, tags)) and _unclosed(lines) * 2 >= len(lines)


def _unclosed(lines: Sequence[str]) -> int:
    return sum(not line.endswith(CLOSED) for line in lines)


def _is_one_message(line: str) -> bool:
    """Whether one line alone is a message: a tag or a clock before the name, or a handle."""
    saying, message = _SAYING.match(line), _message(line)
    if saying is None or message is None or message.weight < 2:
        return False
    if saying["tag"]:
        return not _OF_A_CHAPTER.match(saying["tag"])
    return _HANDLED.match(line) is not None


def is_written_as_chat(text: str) -> bool:
    """Whether a line has words or pictures of a chat."""
    return form_words("chat_words").search(text) is not None


def is_run_of_messages(texts: Sequence[str]) -> bool:
    """Whether paragraphs in a row with a name and a colon each are a chat, because nobody closed
    half of what is said."""
    messages = [_message(text) for text in texts]
    if any(one is None for one in messages) or any(map(is_labelled, texts)):
        return False
    weight = sum(one.weight for one in messages if one)
    return weight > 1 and weight * 2 >= len(texts)


def is_dashed(text: str) -> bool:
    """Whether a line begins with a dash or with the mark of a reply."""
    return text[0] in _DASHES and _DASHED.match(text) is not None


def has_events(lines: Sequence[str]) -> bool:
    """Whether lines behind the mark of a quotation are those of a chat: who came, and messages."""
    return len(lines) > 1 and any(map(_event().match, lines)) and is_chat(lines)


def is_cited(text: str) -> bool:
    """Whether a line is what somebody wrote, in quotation marks, with a name behind a dash."""
    if not text.startswith(_QUOTED) or not any(dash in text for dash in _BEFORE_WHO):
        return False
    return _CITED.match(text) is not None


def are_cited(texts: Sequence[str]) -> bool:
    """Whether of lines with a name behind them one is written as people chat."""
    return len(texts) > 1 and any(map(is_written_as_chat, texts))


def is_bracketed(text: str) -> bool:
    """Whether a short line stands in brackets as a message may, and says nothing of a window."""
    return (
        NOTICE.match(text) is not None
        and len(text) <= _LONGEST_LONE
        and not form_words("labels").search(text)
        and not any(map(str.isdigit, text))
    )


def are_on_a_screen(before: str, texts: Sequence[str], language: str) -> bool:
    """Whether lines in a row are what a screen shows that the paragraph before them speaks of."""
    if len(texts) < 2 or _QUOTES.search(before):
        return False
    if not form_words("screens", language).search(before):
        return False
    sentences = sum(text.strip("]】>〉 ").endswith(_CLOSED_AS_TOLD) for text in texts)
    announced = any(announces(text.strip("[]【】<>〈〉"), language) for text in texts)
    return sentences * 2 < len(texts) and not announced and max(map(len, texts)) <= _LONGEST_LONE
