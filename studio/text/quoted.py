"""Which quoted words are spoken, and which are a title, a name or a word for itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from studio.text.language import LanguagePack
from studio.text.spans import Span

SPEECH_ENDS = frozenset('.,!?…—–-;:。，！？；：～~”"')
"""Marks with which speech ends, its quotation mark left out."""
_LOOK_BACK = 8
_CLAUSE_ENDS = frozenset("，。；")
"""Marks that close a clause and no title."""
_QUOTE_ENDS = frozenset('”’」』"＂')
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
"""Who says it and how, straight behind the quote and in the same clause."""
_NESTS = frozenset("「『《")
_NESTED_ENDS = "」』》"
_ENGLISH_ENDS = frozenset("”\"’'＂")
_JOINED = re.compile(r"\s*(?:,|,?\s+(?:and|or|then|but)(?:\s+then)?)\s*")
_NAMED = re.compile(
    r"\b(?:call|calls|called|calling|name|names|named|nicknamed|dubbed|titled|entitled|labelled|labeled|known\s+as|so-called"
    r"|words?|play(?:s|ed)|sing|sang|hum(?:s|med))(?:\s+[\w’'-]+){0,3}$"
)
"""Verbs in front of a name, a title, a word for itself."""
_OF_A_THING = re.compile(
    r"\b(?:an?|the|this|that|these|those|his|her|its|my|our|your|their|as|of|in|so-called)$",
    re.IGNORECASE,
)
"""Words behind which a quoted word is a part of the sentence."""
_STOP = re.compile(r"[.!?]['’”\"]?\s")
_LOOK_FAR = 48
_LONG_NAME = 6
"""Words a quoted name or title may have."""


def spoken_of(text: str, spans: Sequence[Span], pack: LanguagePack) -> tuple[Span, ...]:
    """Of the quoted spans of a paragraph those that are direct speech."""
    if pack.language == "en":
        return _english(text, spans, pack)
    heard = _HEARD[pack.language]
    return tuple(span for span in spans if heard(text, span))


def _english(text: str, spans: Sequence[Span], pack: LanguagePack) -> tuple[Span, ...]:
    """The spans that are spoken; bare words in the run of a sentence are quoted for themselves."""
    kept: list[Span] = []
    for number, span in enumerate(spans):
        before = text[max(0, span.start - _LOOK_FAR) : span.start].rstrip()
        joined = number and _JOINED.fullmatch(text, spans[number - 1].end, span.start)
        if joined and span.of(text)[-2:-1] not in SPEECH_ENDS:
            spoken = spans[number - 1] in kept[-1:]
        else:
            spoken = _is_english_speech(text, span, before, pack)
        if spoken:
            kept.append(span)
    return tuple(kept)


def _is_english_speech(text: str, span: Span, before: str, pack: LanguagePack) -> bool:
    """Speech ends like a sentence or a clause, is told by a verb or has a mark before it."""
    quote = span.of(text)
    if quote[0] in _NESTS:
        return _is_korean_speech(text, span)
    last = quote[-2:-1] if quote[-1] in _ENGLISH_ENDS else quote[-1:]
    if last in SPEECH_ENDS or last in _ENGLISH_ENDS:
        return last not in {".", ","} or not _NAMED.search(before)
    if len(quote.split()) > _LONG_NAME or before.endswith((",", ":", "—", "–")):
        return True
    tags = pack.sentence.tags
    sentence = _STOP.split(before)[-1]
    if tags.search(sentence):
        return not _OF_A_THING.search(before) and not _NAMED.search(before)
    after = text[span.end : span.end + _LOOK_FAR].lstrip()
    if sentence.strip():
        return False
    return not after[:1].islower() or tags.search(_STOP.split(after)[0]) is not None


def _is_korean_speech(text: str, span: Span) -> bool:
    """「」, 『』 and 《》 hold a title unless the words end like a sentence, stand alone, or
    somebody says them."""
    quote = span.of(text)
    if quote[0] not in _NESTS or quote[-1] not in _NESTED_ENDS:
        return True
    if quote.rstrip(_NESTED_ENDS)[-1:] in SPEECH_ENDS or quote == text.strip():
        return True
    return _SAID_AFTER["ko"].match(text, span.end) is not None


def _is_chinese_speech(text: str, span: Span) -> bool:
    """《》 holds a title, and a bare word or name in the run of a sentence is not speech.

    Speech ends like a sentence or a clause, stands behind a colon or a verb of
    speaking or before somebody who says it, or has nothing but marks beside it.
    """
    quote = span.of(text)
    if quote[0] == "《":
        return quote[-2:-1] in _CLAUSE_ENDS
    if _SAID_AFTER["zh"].match(text, span.end):
        return True
    if quote[-1] not in _QUOTE_ENDS or quote[-2:-1] in SPEECH_ENDS:
        return True
    before = text[max(0, span.start - _LOOK_BACK) : span.start].rstrip()
    after = text[span.end : span.end + _LOOK_BACK].lstrip()[:1]
    if before.endswith(("：", ":")) or _SPOKEN.search(before):
        return True
    return not (before[-1:].isalnum() or after.isalnum())


_HEARD: dict[str, Callable[[str, Span], bool]] = {"ko": _is_korean_speech, "zh": _is_chinese_speech}
