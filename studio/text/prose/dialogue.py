"""Spans of direct speech, by the quotation marks of the three languages.

A span includes its marks. Quotes may nest, may lack their end (they then reach to the end of the
paragraph) and may continue over several paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from studio.story.chapter import Chapter
from studio.text.language.packs import LanguagePack
from studio.text.spans import Span

_MARKS = re.compile('[“”"＂「」『』《》‘’｢｣«»„〈〉【】]')
_MARKS_OF = {"en": re.compile(r"[“”\"＂「」『』《》‘’'｢｣«»„〈〉]")}
"""The marks that may open English speech, which include the straight apostrophe."""
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
    "｢": "｣",
    "«": "»",
    "„": "“",
    "〈": "〉",
    "【": "】",
    "‘": "’",
    "'": "'",
}
_SINGLE = frozenset("‘'")
_NESTS = frozenset("「『《｢«〈")
_ELIDED = re.compile(
    r"(?:(?:tis|tisn|twas|twere|twill|twould|em|til|till|cause|bout|round|n|neath|gainst|cept|nough|nother)\b"
    r"|(?-i:e|im|er|is|ad|as|ere|at|ow|un|s)\b|\d)",
    re.IGNORECASE,
)
"""Matches what follows an initial apostrophe: ’tis, ’em, ’e, ’62."""
_NEXT_SINGLE = {
    "‘": re.compile('‘|(?<=[.,!?…—–;:。，！？；：～~”"-])’(?![A-Za-zÀ-ɏ])'),
    "'": re.compile("(?<![^\\s(“\"—–])'(?=\\w)|(?<=[.,!?…—–;:”\"-])'(?![A-Za-zÀ-ɏ])"),
}
"""Matches the next single quote of the kind that opens, or closes after a mark."""
_LATIN = re.compile("[A-Za-zÀ-ɏ]")
_LOOK_BACK = 8
_LOOK_AHEAD = 4
_SPEECH = 2000
"""The number of characters within which a speech in single quotes is expected to end."""


def dialogue_spans(text: str, pack: LanguagePack) -> list[Span]:
    """Returns every span of direct speech in a text, in order, marks included."""
    paragraphs = Chapter(text).paragraphs
    spans_by_paragraph = dialogue_by_paragraph([p.text for p in paragraphs], pack)
    return [
        span.shift(paragraph.start)
        for paragraph, spans in zip(paragraphs, spans_by_paragraph, strict=True)
        for span in spans
    ]


def dialogue_by_paragraph(paragraphs: Sequence[str], pack: LanguagePack) -> list[tuple[Span, ...]]:
    """Returns the spans of each paragraph, relative to its own start.

    A quote that a paragraph leaves open continues in the next if the next mark of its kind closes
    it; the search looks at most four paragraphs ahead, so one lost mark does not swallow a chapter.
    """
    spans_by_paragraph: list[tuple[Span, ...]] = []
    left_open = ""
    for number in range(len(paragraphs)):
        spans, left_open = _next_dialogue(paragraphs, number, left_open, pack)
        spans_by_paragraph.append(spans)
    return spans_by_paragraph


def _next_dialogue(
    paragraphs: Sequence[str], number: int, left_open: str, pack: LanguagePack
) -> tuple[tuple[Span, ...], str]:
    """Returns the spans of one of several paragraphs, and the mark it leaves open.

    `left_open` is the mark that the previous paragraph leaves open. Paragraphs more than
    `_LOOK_AHEAD` away have no influence.
    """
    text = paragraphs[number]
    if left_open and left_open in _SINGLE:
        if _closes_in(paragraphs[number : number + _LOOK_AHEAD], left_open):
            return paragraph_dialogue(text, pack, left_open)
        return paragraph_dialogue(text, pack)
    if _in_dash_talk(paragraphs, number, pack):
        return (Span(text.index("—"), len(text)),), left_open
    if text.lstrip().startswith("- ") and not _is_hyphen_talk(paragraphs, number):
        return (), left_open  # it sets off an aside or an item
    if left_open and _goes_on(paragraphs[number : number + _LOOK_AHEAD], left_open):
        return paragraph_dialogue(text, pack, left_open)
    return paragraph_dialogue(text, pack)


def _in_dash_talk(paragraphs: Sequence[str], number: int, pack: LanguagePack) -> bool:
    """Whether a Chinese paragraph and one beside it open with ——; a single such one is an aside."""
    if pack.language != "zh" or not paragraphs[number].lstrip().startswith("——"):
        return False
    return _beside(paragraphs, number, "——")


def _is_hyphen_talk(paragraphs: Sequence[str], number: int) -> bool:
    """Whether a paragraph that opens with a hyphen is speech: it is a question or exclamation, or
    another one nearby opens with a hyphen."""
    if any(mark in paragraphs[number] for mark in "?!？！"):
        return True
    near = (
        *paragraphs[max(0, number - _LOOK_AHEAD) : number],
        *paragraphs[number + 1 : number + _LOOK_AHEAD],
    )
    return any(text.lstrip().startswith("- ") for text in near)


def _beside(paragraphs: Sequence[str], number: int, mark: str) -> bool:
    """Whether a paragraph next to one opens with that mark."""
    near = (*paragraphs[max(0, number - 1) : number], *paragraphs[number + 1 : number + 2])
    return any(text.lstrip().startswith(mark) for text in near)


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
    matches = (_NEXT_SINGLE[mark].search(text) for text in paragraphs)
    return next((_shuts(match) for match in matches if match), False)


def _shuts(match: re.Match[str]) -> bool:
    """Whether the next single quote is a closing one."""
    following = match.string[match.end() : match.end() + 1]
    return match[0] == "’" or (match[0] == "'" and not following.isalnum())


def _looks_closing(text: str, place: int) -> bool:
    """Whether a mark that both opens and closes is after a word rather than before one."""
    return place > 0 and not text[place - 1].isspace()


def paragraph_dialogue(
    text: str, pack: LanguagePack, continues: str = ""
) -> tuple[tuple[Span, ...], str]:
    """Returns the spans of one paragraph, and the opening mark it leaves open, if any.

    `continues` is the mark that an earlier paragraph left open and this one closes.
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
    if mark in "“「『《｢«„〈【":
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
    """Whether speech may open here: at the start, or after a mark."""
    before = text[max(0, place - _LOOK_BACK) : place].rstrip()
    return not before or before[-1] in SPEECH_ENDS


def _closes(text: str, place: int, mark: str, opened: str) -> bool:
    if opened in _SINGLE:
        return mark == _CLOSERS[opened] and _ends_single(text, place, opened)
    if mark == _CLOSERS[opened] or (opened == "„" and mark == "”"):
        return True
    # “ closed by a straight mark, where no curly one follows
    return opened == "“" and mark == '"' and text.rfind("”") < place


def _ends_single(text: str, place: int, opened: str) -> bool:
    """Whether this mark closes speech; an apostrophe inside or after a word does not.

    After a word it closes only if no better one follows: fishin’, the boys’.
    """
    before = text[place - 1 : place]
    if _LATIN.match(text, place + 1) or before.isspace():
        return False
    if before in SPEECH_ENDS or not _LATIN.match(before):
        return True
    following = _NEXT_SINGLE[opened].search(text, place + 1, place + _SPEECH)
    return following is None or not _shuts(following)


def _dash_dialogue(text: str) -> tuple[Span, ...]:
    """Returns the speech of a paragraph that opens with a dash and alternates at later ones."""
    opening = _DASH.match(text)
    if opening is None or (opening.end() and text[opening.end()].islower()):
        return ()
    spans, begin, in_speech = [], text.index(opening[0].strip()), True
    for turn in _DASH_TURN.finditer(text, opening.end()):
        if in_speech:
            spans.append(Span(begin, turn.start()))
        begin, in_speech = _skip_space(text, turn.end()), not in_speech
    if in_speech:
        spans.append(Span(begin, len(text)))
    return tuple(spans)


def _skip_space(text: str, place: int) -> int:
    return place + len(text[place:]) - len(text[place:].lstrip())


SPEECH_ENDS = frozenset('.,!?…—–-;:。，！？；：～~”"')
"""Marks with which speech ends, apart from its quotation mark."""
_LOOK_BACK_of_quoted = 8
_VOICE_ENDS = frozenset(".!?…。！？～")
_CLAUSE_ENDS = frozenset("，。；")
"""Marks that close a clause and no title."""
_QUOTE_ENDS = frozenset('”’」』"＂｣»“')
_SPOKEN = re.compile(
    "(?:[说說喊叫嚷吼骂罵问問答喝唤喚念唸][了着著过過]?[一两兩几幾]?[声聲句]|[喊嚷吼答]道?|[说說问問]道)$"
)
_SAID_AFTER = {
    "zh": re.compile(
        r"\s*[他她它我你您咱谁誰][们們]?(?:[^，。！？；：…\s不没沒别別]{0,4}?)"
        r"(?:[说說道问問喊叫答嚷吼骂罵]|低语|低語|嘟囔|嘀咕)[道着著了]?(?=[，。！？：；…]|$)"
    ),
    "ko": re.compile(
        r"(?:이?라고|라며|라면서|하고|하며|고|냐고|자고)?\s[^.!?,…]{0,12}"
        r"(?:말했|말한|말하|물었|되물|외쳤|소리쳤|대답했|답했|속삭|중얼|덧붙|내뱉)"
    ),
}
"""Matches who speaks and how, directly after the quote and in the same clause."""
_NESTS_of_quoted = frozenset("「『《｢〈")
_NESTED_ENDS = "」』》｣〉"
_ENGLISH_ENDS = frozenset("”\"’'＂»“")
_JOINED = re.compile(r"\s*(?:,|,?\s+(?:and|or|then|but)(?:\s+then)?)\s*")
_NAMING = re.compile(
    r"\b(?:call|calls|called|calling|name|names|named|nicknamed|dubbed|titled|entitled|labelled|labeled|known\s+as|so-called"
    r"|words?|play(?:s|ed)|sing|sang|hum(?:s|med))(?:\s+[\w’'-]+){0,3}$"
)
"""Matches verbs before a name, a title, or a word quoted as a word."""
_OF_A_THING = re.compile(
    r"\b(?:an?|the|this|that|these|those|his|her|its|my|our|your|their|as|of|in|so-called)$",
    re.IGNORECASE,
)
"""Matches words after which a quoted word is part of the sentence."""
_STOP = re.compile(r"[.!?]['’”\"]?\s")
_LOOK_FAR = 48
_LONG_NAME = 6
"""The maximum number of words in a quoted name or title."""


def spoken_of(text: str, spans: Sequence[Span], pack: LanguagePack) -> tuple[Span, ...]:
    """Returns the quoted spans of a paragraph that are direct speech."""
    if pack.language == "en":
        return _english(text, spans, pack)
    is_speech = _IS_SPEECH[pack.language]
    return tuple(
        span
        for span in spans
        if (_is_voice(text, span) if text[span.start] == "【" else is_speech(text, span))
    )


def _is_voice(text: str, span: Span) -> bool:
    """Whether 【】 sets off what a voice says that nobody hears: its words end like a sentence, and
    more than a line of a system stands beside it."""
    quote = span.of(text)
    return quote[-1] == "】" and quote[-2:-1] in _VOICE_ENDS and span.end - span.start < len(text)


def _english(text: str, spans: Sequence[Span], pack: LanguagePack) -> tuple[Span, ...]:
    """Returns the spoken spans; bare words within a sentence are quoted as words."""
    speech: list[Span] = []
    for number, span in enumerate(spans):
        before = text[max(0, span.start - _LOOK_FAR) : span.start].rstrip()
        joined = number and _JOINED.fullmatch(text, spans[number - 1].end, span.start)
        if joined and span.of(text)[-2:-1] not in SPEECH_ENDS:
            spoken = spans[number - 1] in speech[-1:]
        else:
            spoken = _is_english_speech(text, span, before, pack)
        if spoken:
            speech.append(span)
    return tuple(speech)


def _is_english_speech(text: str, span: Span, before: str, pack: LanguagePack) -> bool:
    """Whether a span is speech, by its ending, a verb of speech, or a mark before it."""
    quote = span.of(text)
    if quote[0] in _NESTS_of_quoted:
        return _is_korean_speech(text, span)
    last = quote[-2:-1] if quote[-1] in _ENGLISH_ENDS else quote[-1:]
    if last in SPEECH_ENDS or last in _ENGLISH_ENDS:
        return last not in {".", ","} or not _NAMING.search(before)
    if len(quote.split()) > _LONG_NAME or before.endswith((",", ":", "—", "–")):
        return True
    tags = pack.sentence.tags
    sentence = _STOP.split(before)[-1]
    if tags.search(sentence):
        return not _OF_A_THING.search(before) and not _NAMING.search(before)
    after = text[span.end : span.end + _LOOK_FAR].lstrip()
    if sentence.strip():
        return False
    return not after[:1].islower() or tags.search(_STOP.split(after)[0]) is not None


def _is_korean_speech(text: str, span: Span) -> bool:
    """Whether a span is speech: single quotes mark a thought or emphasis. 「」, 『』 and 《》 mark
    a title unless the words end like a sentence, stand alone, or have a speaker."""
    quote = span.of(text)
    if quote[0] in _SINGLE:
        return False
    if quote[0] not in _NESTS_of_quoted or quote[-1] not in _NESTED_ENDS:
        return True
    if quote.rstrip(_NESTED_ENDS)[-1:] in SPEECH_ENDS or quote == text.strip():
        return True
    return _SAID_AFTER["ko"].match(text, span.end) is not None


def _is_chinese_speech(text: str, span: Span) -> bool:
    """Whether a span is speech: 《》 marks a title, and a bare word or name within a sentence is
    none.

    Speech ends like a sentence or a clause, follows a colon or a verb of speaking, precedes a named
    speaker, or has nothing but marks beside it.
    """
    quote = span.of(text)
    if quote[0] in "《〈":
        return quote[-2:-1] in _CLAUSE_ENDS
    if _SAID_AFTER["zh"].match(text, span.end):
        return True
    if quote[-1] not in _QUOTE_ENDS or quote[-2:-1] in SPEECH_ENDS:
        return True
    before = text[max(0, span.start - _LOOK_BACK_of_quoted) : span.start].rstrip()
    after = text[span.end : span.end + _LOOK_BACK_of_quoted].lstrip()[:1]
    if before.endswith(("：", ":")) or _SPOKEN.search(before):
        return True
    return not (before[-1:].isalnum() or after.isalnum())


_IS_SPEECH: dict[str, Callable[[str, Span], bool]] = {
    "ko": _is_korean_speech,
    "zh": _is_chinese_speech,
}
