"""Who is speaking: spans of direct speech, by the marks of the three languages.

A span holds its marks. Quotes may nest, may lack their end (they then reach to
the end of the paragraph) and may go on over several paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from studio.story.chapter import Chapter
from studio.text.language import LanguagePack
from studio.text.quoted import SPEECH_ENDS, spoken_of
from studio.text.spans import Span

_MARKS = re.compile('[“”"＂「」『』《》‘’]')
_MARKS_OF = {"en": re.compile(r"[“”\"＂「」『』《》‘’']")}
"""In English a straight apostrophe may open speech too."""
_DASH = re.compile(r"\s*(?:([—―–])(?!\1)|-(?=\s))\s*(?=\S)")
_DASH_TURN = re.compile(r"(?<=[,.!?…，。！？])\s*[—―–](?=\s)")
_CLOSERS = {
    "“": "”",
    "”": "”",
    '"': '"',
    "＂": "＂",
    "「": "」",
    "『": "』",
    "《": "》",
    "‘": "’",
    "'": "'",
}
_SINGLE = frozenset("‘'")
_NESTS = frozenset("「『《")
_ELIDED = re.compile(
    r"(?:(?:tis|tisn|twas|twere|twill|twould|em|til|till|cause|bout|round|n|neath|gainst|cept|nough|nother)\b"
    r"|(?-i:e|im|er|is|ad|as|ere|at|ow|un|s)\b|\d)",
    re.IGNORECASE,
)
"""What an apostrophe stands in front of: ’tis, ’em, ’e, ’62."""
_NEXT_SINGLE = {
    "‘": re.compile('‘|(?<=[.,!?…—–;:。，！？；：～~”"-])’(?![A-Za-zÀ-ɏ])'),
    "'": re.compile("(?<![^\\s(“\"—–])'(?=\\w)|(?<=[.,!?…—–;:”\"-])'(?![A-Za-zÀ-ɏ])"),
}
"""The next single quote of the kind that opens, or closes behind a mark."""
_LATIN = re.compile("[A-Za-zÀ-ɏ]")
_LOOK_BACK = 8
LOOK_AHEAD = 4
_SPEECH = 2000
"""Characters within which a speech in single quotes is expected to end."""


def dialogue_spans(text: str, pack: LanguagePack) -> list[Span]:
    """Every span of direct speech in a text, in order, marks included."""
    paragraphs = Chapter(text).paragraphs
    found = dialogue_by_paragraph([p.text for p in paragraphs], pack)
    return [
        span.moved(paragraph.start)
        for paragraph, spans in zip(paragraphs, found, strict=True)
        for span in spans
    ]


def dialogue_by_paragraph(paragraphs: Sequence[str], pack: LanguagePack) -> list[tuple[Span, ...]]:
    """The spans of each paragraph, counted from its own start.

    A quote that a paragraph leaves open goes on in the next if the next mark
    of its kind closes it; at most four paragraphs ahead, so that one lost mark
    does not swallow a chapter.
    """
    found: list[tuple[Span, ...]] = []
    left_open = ""
    for number in range(len(paragraphs)):
        spans, left_open = next_dialogue(paragraphs, number, left_open, pack)
        found.append(spans)
    return found


def next_dialogue(
    paragraphs: Sequence[str], number: int, left_open: str, pack: LanguagePack
) -> tuple[tuple[Span, ...], str]:
    """The spans of one of several paragraphs, and the mark it leaves open.

    `left_open` is the mark the one before it leaves open. Nothing more than
    `LOOK_AHEAD` paragraphs away has a say.
    """
    text = paragraphs[number]
    if left_open and left_open in _SINGLE:
        if _closes_in(paragraphs[number : number + LOOK_AHEAD], left_open):
            return paragraph_dialogue(text, pack, left_open)
        return paragraph_dialogue(text, pack)
    if _in_dash_talk(paragraphs, number, pack):
        return (Span(text.index("—"), len(text)),), left_open
    if left_open and _goes_on(paragraphs[number : number + LOOK_AHEAD], left_open):
        return paragraph_dialogue(text, pack, left_open)
    return paragraph_dialogue(text, pack)


def _in_dash_talk(paragraphs: Sequence[str], number: int, pack: LanguagePack) -> bool:
    """Whether a Chinese paragraph opens with —— and one beside it does; alone it is an aside."""
    if pack.language != "zh" or not _opens_with_dashes(paragraphs[number]):
        return False
    return any(
        map(
            _opens_with_dashes,
            (*paragraphs[max(0, number - 1) : number], *paragraphs[number + 1 : number + 2]),
        )
    )


def _opens_with_dashes(text: str) -> bool:
    return text.lstrip().startswith("——")


def _goes_on(paragraphs: Sequence[str], mark: str) -> bool:
    """Whether the next mark of the kind is one that closes."""
    closer = _CLOSERS[mark]
    for text in paragraphs:
        for match in _MARKS.finditer(text):
            if match[0] == mark and mark != closer:
                return False
            if match[0] == closer:
                return mark != closer or _looks_closing(text, match.start())
    return False


def _closes_in(paragraphs: Sequence[str], mark: str) -> bool:
    """Whether speech left open by a single quote is closed before any other is opened."""
    found = (_NEXT_SINGLE[mark].search(text) for text in paragraphs)
    return next((_shuts(match) for match in found if match), False)


def _shuts(match: re.Match[str]) -> bool:
    """Whether the next single quote is a closing one."""
    following = match.string[match.end() : match.end() + 1]
    return match[0] == "’" or (match[0] == "'" and not following.isalnum())


def _looks_closing(text: str, place: int) -> bool:
    """Whether a mark that both opens and closes stands behind a word rather than before one."""
    return place > 0 and not text[place - 1].isspace()


def paragraph_dialogue(
    text: str, pack: LanguagePack, continues: str = ""
) -> tuple[tuple[Span, ...], str]:
    """The spans of one paragraph, and the opening mark it leaves open, if any.

    `continues` is the mark an earlier paragraph left open and this one closes.
    """
    marks = list(_MARKS_OF.get(pack.language, _MARKS).finditer(text))
    if not marks and not continues:
        return _dash_dialogue(text), ""
    spans: list[Span] = []
    opened, begin, depth = continues, 0, 1
    for match in marks:
        mark, place = match[0], match.start()
        if not opened:
            if _opens(text, place, mark):
                opened, begin, depth = mark, place, 1
        elif mark == opened and mark in _NESTS:
            depth += 1
        elif _closes(text, place, mark, opened):
            depth -= 1
            if not depth:
                spans.append(Span(begin, place + 1))
                opened = ""
    if pack.language == "en" and opened in _SINGLE and not _speech_opens(text, begin):
        opened = ""  # more likely an apostrophe than speech without an end
    elif opened:
        spans.append(Span(begin, len(text)))
    return spoken_of(text, spans, pack), opened


def _opens(text: str, place: int, mark: str) -> bool:
    after = text[place + 1 : place + 8]
    if mark in "“「『《":
        return True
    if mark in _SINGLE:
        return _opens_single(text, place, mark)
    if mark in '"＂':
        return bool(after.strip()) and not (place and text[place - 1].isdigit())
    # a closing mark typed where speech opens: ”Hello”
    return mark == "”" and (not place or text[place - 1].isspace()) and bool(after[:1].strip())


def _opens_single(text: str, place: int, mark: str) -> bool:
    """Whether this single quote opens speech; an apostrophe in or before a word does not."""
    if mark == "'":
        here = _NEXT_SINGLE[mark].match(text, place)
        if here is None or _shuts(here):
            return False
    if not _ELIDED.match(text, place + 1):
        return True
    following = _NEXT_SINGLE[mark].search(text, place + 1, place + _SPEECH)
    return _speech_opens(text, place) and following is not None and _shuts(following)


def _speech_opens(text: str, place: int) -> bool:
    """Whether speech may open here: nothing goes before, or a mark."""
    before = text[max(0, place - _LOOK_BACK) : place].rstrip()
    return not before or before[-1] in SPEECH_ENDS


def _closes(text: str, place: int, mark: str, opened: str) -> bool:
    if opened in _SINGLE:
        return mark == _CLOSERS[opened] and _ends_single(text, place, opened)
    if mark == _CLOSERS[opened]:
        return True
    # “ closed by a straight mark, where no curly one follows
    return opened == "“" and mark == '"' and text.rfind("”") < place


def _ends_single(text: str, place: int, opened: str) -> bool:
    """Whether this mark closes speech; an apostrophe inside or behind a word does not.

    Behind a word it closes only if no better one follows: fishin’, the boys’.
    """
    before = text[place - 1 : place]
    if _LATIN.match(text, place + 1) or before.isspace():
        return False
    if before in SPEECH_ENDS or not _LATIN.match(before):
        return True
    following = _NEXT_SINGLE[opened].search(text, place + 1, place + _SPEECH)
    return following is None or not _shuts(following)


def _dash_dialogue(text: str) -> tuple[Span, ...]:
    """A paragraph that opens with a dash is speech; a dash behind a comma or stop hands over."""
    opening = _DASH.match(text)
    if opening is None or (opening.end() and text[opening.end()].islower()):
        return ()
    spans, begin, speaking = [], text.index(opening[0].strip()), True
    for turn in _DASH_TURN.finditer(text, opening.end()):
        if speaking:
            spans.append(Span(begin, turn.start()))
        begin, speaking = _skip_space(text, turn.end()), not speaking
    if speaking:
        spans.append(Span(begin, len(text)))
    return tuple(spans)


def _skip_space(text: str, place: int) -> int:
    return place + len(text[place:]) - len(text[place:].lstrip())
