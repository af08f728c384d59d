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
_JAPANESE = re.compile(f"{_HAN.pattern}|{_KANA.pattern}")
_RUN = re.compile(r"[^\W\d_]+")
_LATIN_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ɏ]*")
_SPEECH = re.compile('“[^”]*”|「[^」]*」|『[^』]*』|"[^"]*"')
_LETTERS_A_WORD = 5
_KANA_SHARE = 5
"""The number of characters that contain more than one kana in Japanese prose; Chinese prose that
names a Japanese book or shop contains fewer."""
_SCRIPTS = {"ko": _HANGUL, "zh": _HAN, "en": _LATIN}
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]+")
"""A word, or a Han character."""
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
_FUNCTION_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the of and to a is was he she it that his her with for as at had but not they were"
        " you from by out into then there when what i my me we this have be or if so on in",
        "fr": "le les des du et une dans il elle que qui pas ne était avec ses au aux mais cette"
        " je nous vous leur sans plus",
        "de": "der das und ein eine einen er sie ist nicht mit den dem auf zu von sich im ich hatte"
        " aber wie noch als wenn",
        "es": "el los las y una en que se su con por para lo al del más pero como había ella",
        "it": "il lo gli di e una che non si con del della dei delle suo sua ma più era nel",
        "pt": "os e um uma em que não se com por para do da dos das seu sua mas ele ela",
        "nl": "de het een en van niet met op hij zij ze dat te zijn voor aan er maar ook zich",
    }.items()
}
"""The commonest words that hold sentences together, for languages in Latin letters. Words that
stand in English as well are left out of the other lists."""
_FEWEST_WORDS = 4
_FEWEST_FUNCTION_WORDS = 2
_SHARE_OF_FUNCTION_WORDS = 0.15


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


def is_of_another_script(text: str, replaced: str, language: Language) -> bool:
    """Whether most letters of a text, however short, are of another script than those it is put in
    place of, else than the language's. Names are in any script, and so are words that stand there
    already, and speech where some of it is in other letters."""
    old = unicodedata.normalize("NFC", replaced)
    script = _script_of(_LATIN_NAME.sub(" ", old)) or _SCRIPTS[language]
    foreign = {word for word in _RUN.findall(old) if not script.search(word)}
    new = unicodedata.normalize("NFC", text)
    new = _SPEECH.sub(" ", new) if foreign else new
    new = new if script is _LATIN else _LATIN_NAME.sub(" ", new)
    for word in foreign:
        new = new.replace(word, " ")
    letters = [letter for letter in new if letter.isalpha()]
    own = sum(bool(script.match(letter)) for letter in letters)
    latin = 0 if script is _LATIN else len(_LATIN.findall(new))
    return len(letters) - own - latin + latin / _LETTERS_A_WORD > own


def _script_of(text: str) -> re.Pattern[str] | None:
    """Returns the script of most of a text; None where it has no letters that are known."""
    counts = {
        _HANGUL: len(_HANGUL.findall(text)),
        _JAPANESE if is_japanese(text) else _HAN: len(_HAN.findall(text)),
        _LATIN: len(_LATIN.findall(text)) / _LETTERS_A_WORD,
    }
    most = max(counts, key=counts.__getitem__)
    return most if counts[most] else None


def is_foreign(text: str, language: Language) -> bool:
    """Whether a text is certainly not in this language: fewer than half of its letters are in the
    language's script, or its function words are another language's (PROSE 0.10)."""
    text = unicodedata.normalize("NFC", text)
    letters = sum(map(str.isalpha, text))
    own = len(_SCRIPTS[language].findall(text))
    return own * 2 < letters or _is_held_together_otherwise(text, language)


def is_foreign_sentence(text: str, language: Language) -> bool:
    """The same of a sentence, in which a long name in other letters weighs as one word. A single
    word is in any language."""
    words = _WORD.findall(unicodedata.normalize("NFC", text))
    own = sum(bool(_SCRIPTS[language].search(word)) for word in words)
    return len(words) > 1 and (own * 2 < len(words) or _is_held_together_otherwise(text, language))


def _is_held_together_otherwise(text: str, language: Language) -> bool:
    if language == "en":
        return _is_in_other_words(_LATIN_WORD.findall(text.lower()))
    return language == "zh" and is_japanese(text)


def _is_in_other_words(words: list[str]) -> bool:
    """Whether words in Latin letters are held together by another language's than English."""
    if len(words) < _FEWEST_WORDS:
        return False
    counts = {name: sum(w in own for w in words) for name, own in _FUNCTION_WORDS.items()}
    english = counts.pop("en")
    most = max(counts.values())
    enough = max(_FEWEST_FUNCTION_WORDS, _SHARE_OF_FUNCTION_WORDS * len(words))
    return most > english and most >= enough


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
