"""The form of a paragraph: prose, or something embedded in prose.

Lists and scripts are read like the rest, but nothing is proposed for them: their sentences are not
built like a narrator's. Verse, letters, windows of a system, chat and leftovers of markup are of no
metric and no speech (PROSE 0.8), nor are headings, block quotes, tables and footnotes.

Lines of a block bear each other out, and so do paragraphs in a row: `windows.py`, `chats.py` and
`letters.py` judge the lines and what is written on something, this module the neighbours.
A rule is here only if a labelled text needs it (tests/data/labelled/README.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from studio.text.language.packs import simplified_forms
from studio.text.prose import chats, letters, windows
from studio.text.prose.windows import CLOSED

ParagraphForm = Literal[
    "prose", "verse", "letter", "list", "script", "document", "chat", "note", "leftover", "apart"
]
MEASURED: frozenset[ParagraphForm] = frozenset({"prose", "list", "script"})
"""The forms that metrics count in."""

_APART = re.compile(r"#{1,6}\s|>(?!>)|\||\[\^[^\]\s]{1,20}\]:")
_ITEM = re.compile(
    r"[-*+•·‣▪○●]\s+\S|\(?\d{1,2}[.)]\s+\S|[①-⑳㉠-㉻]|[가나다라마바사][.)]\s+\S|[一二三四五六七八九十]{1,2}[、.．]"
)
_TURN = re.compile(
    r"(?P<who>[^\s:：.!?。！？,，“”\"'「」](?:[^:：.!?。！？,，“”\"「」\n]|(?<=\b[A-Z])\.){0,15}?)"
    r"\s*[:：▸»›]\s*\S"
)
"""Matches a turn of a script: `MARA: Come in.`, `은희: 왔어?`"""
_SPOKEN_TURN = re.compile(r"[^:：\n]{1,40}[:：]\s*[“「『]")
"""Matches what somebody says in quotation marks, and no message."""
_TAG = (
    r"</?(?:br|p|div|span|hr|center|em|strong|[abius]|su[bp]|font|img|h[1-6]|[uo]l|li|table|t[rdh]"
    r"|tbody|script|style|blockquote|small|section|article|nav|figure|iframe|input|button|link|meta"
    r"|html|body|head|pre|code)\b[^<>\n]*>|&(?:[a-z]{2,6}|#\d{1,5});"
)
_MARKUP = re.compile(_TAG, re.IGNORECASE)
_LEFTOVER = re.compile(
    rf"(?:!?\[[^\]\n]*\]\([^)\s]*\)|{_TAG}|\\[*_#~`\[\]()\\>-]|~~[^~\n]+~~|[*_~`]{{2,}}|\s)+$",
    re.IGNORECASE,
)
"""Matches a paragraph of nothing but Markdown or HTML."""
_FEWEST = 3
"""The minimum number of lines, items or turns in a verse, a list or a script."""
_VERSE_LINES = 4
"""The minimum number of short unclosed one-line paragraphs in a row that make a verse."""
_MOST_VERSE_LINES = 40
"""More lines in one paragraph are a text that somebody wrapped."""
_SHORT_LINE = {"en": 48, "ko": 26, "zh": 20}
_OPENED = "“\"‘「『'"
_SPOKEN = '“"‘「'
_SIGNS = re.compile(r"[:：\[【［|｜/／·（(_─│]")
_HEAD = 32
"""Where a paragraph shows a sign of its form, if it has any."""
_LONGEST_TO_SIMPLIFY = 24
"""The longest paragraph that may greet somebody and shows no other sign of its form."""


def forms(paragraphs: Sequence[str], language: str) -> list[ParagraphForm]:
    """Returns the form of each paragraph of a chapter, in order."""
    signed = list(map(_may_be_apart, paragraphs))
    if language == "zh":
        paragraphs = _simplified(paragraphs, signed)
    is_formal = windows.is_told_formally(paragraphs, language)
    kinds: list[ParagraphForm] = [
        _alone(text, language) if sign else _without_sign(text, language, is_formal=is_formal)
        for text, sign in zip(paragraphs, signed, strict=True)
    ]
    turns = _turns(paragraphs)
    # Paragraphs in a row that bear each other out:
    _mark_chat(kinds, paragraphs, turns, language)
    _mark_runs(kinds, [_is_item(text) for text in paragraphs], "list", _FEWEST)
    _mark_runs(kinds, turns, "script", _FEWEST)
    _mark_runs(kinds, [_is_line(text, language) for text in paragraphs], "verse", _VERSE_LINES)
    # Letters: from a greeting to a closing, of one line, by their dates, by the paper they are on.
    _mark_letters(kinds, paragraphs, language)
    _mark_short_letters(kinds, paragraphs, language)
    _mark_dated_entries(kinds, paragraphs, language)
    _mark_carried_letters(kinds, paragraphs, language)
    # What stands beside a window that is known by now:
    _mark_windows(kinds, paragraphs, language)
    return kinds


def _simplified(paragraphs: Sequence[str], signed: Sequence[bool]) -> list[str]:
    """Returns Chinese paragraphs in simplified characters; those that are of no form as they are,
    since that takes its time."""
    forms_of = simplified_forms()
    return [
        text.translate(forms_of) if sign or len(text) <= _LONGEST_TO_SIMPLIFY else text
        for text, sign in zip(paragraphs, signed, strict=True)
    ]


def _may_be_apart(text: str) -> bool:
    """Whether the first and the last characters of a paragraph allow for a form of its own: a quick
    no for nearly all prose."""
    if "\n" in text:
        return True
    first = text[0]
    if first in _OPENED:
        return False
    if not first.isalnum() or not text.endswith(CLOSED):
        return True
    return _SIGNS.search(text, 0, _HEAD) is not None


def _without_sign(text: str, language: str, *, is_formal: bool) -> ParagraphForm:
    """Returns the form of one line that only its words can tell from prose."""
    if text[0] in _SPOKEN:
        return "prose"
    return "document" if not is_formal and windows.may_announce(text, language) else "prose"


def _alone(text: str, language: str) -> ParagraphForm:
    """Returns the form of a paragraph by itself."""
    if text[0] in "#>|[" and _APART.match(text):
        if text[0] == ">" and chats.has_events(text.splitlines()):
            return "chat"
        return "document" if text[0] == "|" and windows.is_table_of_figures(text) else "apart"
    if _is_leftover(text):
        return "leftover"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    form = _of_lines(text, lines, language)
    if form != "prose" or len(lines) < _FEWEST:
        return form
    if all(map(_is_item, lines)):
        return "list"
    if all(_turns(lines)):
        return "script"
    return "verse" if _is_verse(lines, language) else "prose"


def _of_lines(text: str, lines: Sequence[str], language: str) -> ParagraphForm:
    """Returns whether lines are a letter, a chat or a window; prose if they are none."""
    is_block = len(lines) > 1
    if is_block and letters.has_headers(lines):
        return "letter"
    if letters.is_headed_paper(text, language):
        return "letter"
    if is_block and windows.is_block_of_values(lines):
        return "document"
    if chats.is_chat(lines):
        return "chat"
    if is_block and letters.is_letter(lines, language):
        return "letter"
    if windows.NOTICE.match(text) or windows.is_window(lines, language):
        is_said = all(map(windows.NOTICE.match, lines)) and chats.is_written_as_chat(text)
        return "chat" if is_said else "document"
    return "document" if not is_block and windows.may_announce(text, language) else "prose"


def _is_leftover(text: str) -> bool:
    """Whether a paragraph is markup, with at most a few words inside it."""
    if _LEFTOVER.match(text):
        return True
    if text[0] not in "<&" or _MARKUP.match(text) is None:
        return False
    bare = _MARKUP.sub("", text).strip()
    return len(_MARKUP.findall(text)) > 1 and len(bare) * 2 < len(text)


def _is_verse(lines: Sequence[str], language: str) -> bool:
    """Whether lines are short, and not each a sentence by itself: that is a layout."""
    if len(lines) > _MOST_VERSE_LINES:
        return False
    ends = sum(line.endswith(CLOSED) for line in lines)
    return max(map(len, lines)) <= _SHORT_LINE[language] and ends * 5 < len(lines) * 4


def _is_item(text: str) -> bool:
    """Whether a line is a list item; a hyphen may also open speech, which ends like speech."""
    if _ITEM.match(text) is None:
        return False
    return text[0] not in "-*" or not text.endswith(CLOSED)


def _turns(lines: Sequence[str]) -> list[bool]:
    """Returns which lines are turns of a script: name, colon, words."""
    return [_TURN.match(line) is not None for line in lines]


def _is_line(text: str, language: str) -> bool:
    """Whether a paragraph reads like a line of verse: short, and without a sentence's end."""
    return (
        len(text) <= _SHORT_LINE[language]
        and "\n" not in text
        and not text.endswith(CLOSED)
        and any(map(str.isalpha, text))
    )


def _runs(alike: Sequence[bool]) -> Iterator[range]:
    """Yields the longest runs of places that are alike."""
    start = 0
    for place in range(len(alike) + 1):
        if place < len(alike) and alike[place]:
            continue
        if place > start:
            yield range(start, place)
        start = place + 1


def _mark_runs(
    kinds: list[ParagraphForm], alike: Sequence[bool], form: ParagraphForm, fewest: int
) -> None:
    """Marks as `form` the runs of prose with at least `fewest` paragraphs."""
    for run in _runs([one and kind == "prose" for one, kind in zip(alike, kinds, strict=True)]):
        if len(run) >= fewest:
            _mark(kinds, run, form)


def _mark(
    kinds: list[ParagraphForm],
    places: range,
    form: ParagraphForm,
    over: Sequence[ParagraphForm] = ("prose",),
) -> None:
    for place in places:
        kinds[place] = form if kinds[place] in over else kinds[place]


def _mark_chat(
    kinds: list[ParagraphForm], paragraphs: Sequence[str], turns: Sequence[bool], language: str
) -> None:
    """Marks the runs of messages that are a chat, because nobody closed half of what is said; lines
    with a name behind them; and what a screen shows that the paragraph before speaks of."""
    said = [turn and not _SPOKEN_TURN.match(paragraphs[n]) for n, turn in enumerate(turns)]
    for run in _runs(said):
        if len(run) > 1 and chats.is_run_of_messages([paragraphs[n] for n in run]):
            _mark(kinds, run, "chat")
    cited = [
        kind == "prose" and chats.is_cited(text)
        for kind, text in zip(kinds, paragraphs, strict=True)
    ]
    for run in _runs(cited):
        if chats.are_cited([paragraphs[n] for n in run]):
            _mark(kinds, run, "chat")
    _mark_messages_on_a_screen(kinds, paragraphs, language)


def _mark_messages_on_a_screen(
    kinds: list[ParagraphForm], paragraphs: Sequence[str], language: str
) -> None:
    """Marks short lines in brackets or behind dashes that follow a paragraph that speaks of a
    screen, and that nobody closed."""
    for is_one, form in ((chats.is_bracketed, "document"), (chats.is_dashed, "prose")):
        alike = [
            kind == form and "\n" not in text and is_one(text)
            for kind, text in zip(kinds, paragraphs, strict=True)
        ]
        for run in _runs(alike):
            texts = [paragraphs[n] for n in run]
            if run[0] and chats.are_on_a_screen(paragraphs[run[0] - 1], texts, language):
                _mark(kinds, run, "chat", ("prose", "document"))


def _mark_letters(kinds: list[ParagraphForm], paragraphs: Sequence[str], language: str) -> None:
    """Marks everything between a greeting and a closing, both included."""
    begin, sure = -1, False
    for place, text in enumerate(paragraphs):
        if kinds[place] == "apart":
            continue
        if letters.greets(text):
            begin, sure = place, True
        elif begin < 0:
            begin, sure = place if _begins_unsurely(kinds[place], text) else -1, False
        elif not sure and (text[0] in _OPENED or place - begin > letters.LONGEST_UNSURE_LETTER):
            begin = -1
        if begin < 0 or begin == place:
            continue
        closed = letters.closes(text, language)
        inner = paragraphs[begin : place + 1]
        is_one = closed and _is_one_letter(inner, language, sure + (closed > 1))
        if is_one:
            _mark(kinds, range(begin, place + 1), "letter", ("prose", "verse"))
        begin = -1 if is_one or closed > 1 else begin


def _mark_short_letters(
    kinds: list[ParagraphForm], paragraphs: Sequence[str], language: str
) -> None:
    """Marks letters of one line."""
    for place, text in enumerate(paragraphs):
        if kinds[place] != "prose":
            continue
        if letters.speaks_of_itself(text, language):
            kinds[place] = "letter"
        elif letters.may_be_signed(text):
            kinds[place] = "letter" if letters.is_short_letter(text, language) else "prose"


def _mark_dated_entries(
    kinds: list[ParagraphForm], paragraphs: Sequence[str], language: str
) -> None:
    """Marks entries of a diary or a log, each with its date before it, where there are two or more;
    and a greeting that stands before what is already a letter."""
    entries = [
        kind == "prose" and letters.is_entry(text, language)
        for kind, text in zip(kinds, paragraphs, strict=True)
    ]
    if sum(entries) > 1:
        for place in range(len(kinds)):
            _mark(kinds, range(place, place + entries[place]), "letter")
    for place in range(len(kinds) - 1):
        if kinds[place] == "prose" and kinds[place + 1] == "letter":
            is_one = letters.greets(paragraphs[place])
            _mark(kinds, range(place, place + is_one), "letter")


def _mark_carried_letters(
    kinds: list[ParagraphForm], paragraphs: Sequence[str], language: str
) -> None:
    """Marks what stands behind a paragraph that speaks of a letter, a card or a note and calls
    somebody, up to the name it is signed with."""
    for place in range(1, len(paragraphs)):
        text, before = paragraphs[place], paragraphs[place - 1]
        if kinds[place] != "prose" or kinds[place - 1] != "prose":
            continue
        if letters.calls_on_paper(before, text, language):
            last = _signed_at(paragraphs, place, language)
            _mark(kinds, range(place, last + 1), "letter")


def _signed_at(paragraphs: Sequence[str], first: int, language: str) -> int:
    """Returns which of the paragraphs from `first` on is signed, with no speech before it; -1 if
    none is."""
    for place in range(first, min(len(paragraphs), first + letters.LONGEST_UNSURE_LETTER)):
        if letters.is_signed(paragraphs[place], language):
            return place
        if paragraphs[place][0] in _OPENED:
            break
    return -1


def _begins_unsurely(kind: ParagraphForm, text: str) -> bool:
    """Whether a paragraph only calls somebody, as a letter without a formula begins."""
    if kind != "prose" or text[0] in _OPENED or text.endswith(("。", "!", "?", "！", "？")):
        return False
    return letters.calls_somebody(text)


def _is_one_letter(texts: Sequence[str], language: str, sure_ends: int) -> bool:
    """Whether paragraphs from a greeting to a closing are one letter: not too many, and if an end
    is unsure, few and without speech; if both are, speaking to somebody."""
    if sure_ends > 1:
        return len(texts) <= letters.LONGEST_LETTER + 1
    if len(texts) > letters.LONGEST_UNSURE_LETTER or any(text[0] in _OPENED for text in texts):
        return False
    return bool(sure_ends) or any(letters.speaks_to_one(text, language) for text in texts[1:])


def _mark_windows(kinds: list[ParagraphForm], paragraphs: Sequence[str], language: str) -> None:
    """Marks runs of lines in the brackets of speech that are a window, and what a system goes on to
    say beside one."""
    cornered = [
        kind == "prose" and text[0] in "「『" and windows.is_quoted_window(text)
        for text, kind in zip(paragraphs, kinds, strict=True)
    ]
    for run in _runs(cornered):
        if len(run) > 1 and any(windows.is_labelled(paragraphs[n].strip("「」『』")) for n in run):
            _mark(kinds, run, "document")
    if "document" not in kinds:
        return
    for place, text in enumerate(paragraphs):
        if kinds[place] != "prose" or "\n" in text:
            continue
        is_beside = "document" in kinds[max(0, place - 1) : place + 2]
        if is_beside and windows.announces(text, language, beside_a_window=True):
            kinds[place] = "document"
