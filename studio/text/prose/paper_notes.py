"""Notes and letters inside a story that no formula opens: known by the paragraph before them, which
speaks of a letter, a card or a note, or by what they say of themselves.

Such a paragraph calls somebody and is signed, or speaks of itself to whoever reads it; nobody tells
a story so.
"""

from __future__ import annotations

import re

from studio.text.language.form_words import form_words
from studio.text.prose.letters import ends_in_a_name

_QUOTED = re.compile(r"[“”\"「」『』]")
_OPENED = "“\"‘「『'"
_NO_ADDRESS = "说道问想写念曰云答喊叫唱读看着了是我你您他她它"
_CALLS = {
    "en": re.compile(
        r"(?!(?:Yes|No|Oh|Ah|Well|But|And|So|Now|Then|Still|Sir|Okay|Of)\b)"
        r"(?:[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)?|[Mm]y \w+(?: \w+)?)(?:,|:|—| [—–-]) ?"
    ),
    "ko": re.compile(
        r"[^\s.,!?:“”\"']{1,8}(?:[ \t][^\s.,!?:“”\"']{1,8}){0,2}"
        r"(?:에게|께|한테|님|씨|야|아|형|오빠|누나|언니)[,.:!][ \t]"
    ),
    "zh": re.compile(rf"[^。！？，：“”\n、（）{_NO_ADDRESS}]{{2,6}}[，：:]"),
}
"""Matches how a note calls somebody in its first words."""
_TO_YOU = {
    "en": re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE),
    "ko": re.compile(
        r"당신|그대|너[는를의도]?\b|네[가게]?\b"
        r"|(?:렴|거라|해라|어라|아라|다오|세요|십시오|시오|해 ?줘|지 ?마)[.!?]"
    ),
    "zh": re.compile(r"[你您]"),
}
_SIGNS_OF_ITSELF = {
    "en": ("this", "Dear", "Effective", "being of"),
    "ko": ("이 편지", "이 글", "이 쪽지", "이 메모", "아뢰", "아룁"),
    "zh": ("这",),
}
"""One of these stands in what speaks of itself: a quick no for nearly all prose."""
_OF_ITSELF = {
    "en": re.compile(
        r"[.!?] If you(?:[’\x27]re| are) reading this\b|^Effective (?:today|immediately)\b"
        r"|^Dear(?:est)? (?!God|Lord|me\b|Heaven|Reader)(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+){0,2}"
        r"[,—] (?=\S[^.!?]*[.!?] \S)"
        r"|^I, (?-i:[A-Z])[\w. ]{1,30}, being of",
        re.IGNORECASE,
    ),
    "ko": re.compile(
        r"이 (?:편지|글|쪽지|메모)(?:를|을|가|이)[^.!?]{0,16}"
        r"(?:읽을 때|읽고 있|읽는다면|받을 때|받았을|닿을|발견하|볼 때|보고 있|본다면)"
        r"(?![^.!?]*[었았]다)"
        r"|^(?:소?신|불초)[ \t][^.!?]{1,24}(?:아뢰|아룁)[^.!?]{0,6}\."
    ),
    "zh": re.compile(r"^如?果?[你您](?:在|正在|能|会)?[读看]到?这(?:个|些字|段话|张纸|里)[，的]"),
}
"""Matches what only something written says of itself."""


def calls_on_paper(before: str, text: str, language: str) -> bool:
    """Whether a paragraph follows one that speaks of something written, calls somebody in its first
    words and speaks to them."""
    call = _CALLS[language].match(text)
    if call is None or _TO_YOU[language].search(text, call.end()) is None:
        return False
    return not _QUOTED.search(text) and form_words("carriers", language).search(before) is not None


def is_signed(text: str, language: str) -> bool:
    """Whether the last words of a paragraph without speech are who wrote it."""
    return not _QUOTED.search(text) and ends_in_a_name(text, language)


def speaks_of_itself(text: str, language: str) -> bool:
    """Whether a paragraph speaks of itself as written, to whoever reads it, or has a formula that
    only orders and wills have."""
    if text[0] in _OPENED or not any(sign in text for sign in _SIGNS_OF_ITSELF[language]):
        return False
    return _OF_ITSELF[language].search(text) is not None and not _QUOTED.search(text)
