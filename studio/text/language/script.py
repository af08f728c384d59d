"""Detects which of the studio's languages a text is in, by its dominant script."""

from __future__ import annotations

import re
import unicodedata

from studio.errors import usage
from studio.i18n import Language
from studio.messages import said

_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f가-힣]")
_HAN = re.compile("[\u3400-\u9fff]")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_LATIN = re.compile("[A-Za-zÀ-ɏ]")
_LETTERS_A_WORD = 5
_KANA_SHARE = 5
"""The number of characters that contain more than one kana in Japanese prose; Chinese prose that
names a Japanese book or shop contains fewer."""


def guess_language(text: str) -> Language:
    """Returns ko, zh or en by the dominant script; Hangul beside Han is Korean."""
    text = unicodedata.normalize("NFC", text)
    hangul, han = len(_HANGUL.findall(text)), len(_HAN.findall(text))
    words = len(_LATIN.findall(text)) / _LETTERS_A_WORD
    if words > hangul + han or not hangul + han:
        return "en"
    return "ko" if hangul * 2 >= han else "zh"


def is_japanese(text: str) -> bool:
    """Whether a text is Japanese: Han characters among kana."""
    text = unicodedata.normalize("NFC", text)
    kana = len(_KANA.findall(text))
    others = len(_HAN.findall(text)) + len(_HANGUL.findall(text))
    words = len(_LATIN.findall(text)) / _LETTERS_A_WORD
    return kana * _KANA_SHARE > kana + others and kana > words


def recognised_language(text: str, name: str) -> Language:
    """Returns the language of a text; `name` is the name of its file. StudioError (exit 2) for
    Japanese, whose sentences and words this package cannot analyse."""
    if is_japanese(text):
        raise usage(
            said(
                "{name} is written in Japanese. The studio reads Korean, English and Chinese.",
                name=name,
            ),
            said("If that is wrong, say which of them it is with --language ko, en or zh."),
        )
    return guess_language(text)
