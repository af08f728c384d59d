"""The interface in the writer's language: English sentences in the code, with translations in
`studio/locale/LANGUAGE/LC_MESSAGES/studio.po`.

The functions have gettext's names, so that its tools can extract the sentences. A catalogue is read
when the first sentence is looked up, and none is read for English. The entry point
(`studio.__main__`) sets the language; before that, and in tests, it is English.

Stored data, and every key and name that a program reads, is English and never passes through here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal, Protocol

from studio.chapter_names import (
    call_chapters as call_chapters,  # of a piece with `use`
)
from studio.chapter_names import (
    chapter_word,
    label_of,
    name_chapters,
    with_labels,
    with_noun,
    with_word,
    without_noun,
)
from studio.messages import Filling, Said
from studio.quotation_marks import quoted_whole

Language = Literal["ko", "en", "zh"]
"""The languages of novels and of the interface."""
LANGUAGES: Mapping[str, str] = {"en": "English", "ko": "한국어", "zh": "中文"}
"""The name of each language in that language."""
ENGINE = "engine"
"""The context of messages (`studio.messages`), which are looked up where they are displayed."""
_LOCALE = Path(__file__).with_name("locale")
_CONTEXT = "\x04"
"""gettext's separator between a context and its sentence."""


class Catalogue(Protocol):
    """Translations by their English sentence."""

    def form(self, context: str, one: str, many: str, number: int) -> str:
        """Returns the sentence for a number of things; in English if it is not translated."""
        ...


class English:
    """The sentences as they stand in the code."""

    def form(self, context: str, one: str, many: str, number: int) -> str:
        """Returns the sentence for a number of things."""
        return one if number == 1 else many


class PoFile:
    """The translations of a .po file in the form Babel writes; fuzzy ones are left out."""

    def __init__(self, path: Path) -> None:
        self._forms = {key: forms for key, forms in _entries(path) if key and all(forms)}

    def form(self, context: str, one: str, many: str, number: int) -> str:
        """Returns the sentence for a number of things; in English if it is not translated.

        A message of the engine that the faces say too has one entry, without a context.
        """
        forms = self._forms.get(f"{context}{_CONTEXT}{one}") if context else None
        forms = forms or self._forms.get(one)
        if forms is None:
            return one if number == 1 else many
        return forms[0 if number == 1 else -1]


_ENGLISH = English()
_language = "en"
_catalogue: Catalogue | None = None
_unread = False


def use(language: str, catalogue: Catalogue | None = None) -> None:
    """Sets the interface language, by default with that language's own catalogue."""
    global _language, _catalogue, _unread
    _language = language if language in LANGUAGES else "en"
    _catalogue = catalogue
    _unread = catalogue is None and _language != "en"


def chapter_called(number: int) -> str:
    """Returns the name of a chapter by the novel's own word; "" where it has none."""
    name = name_chapters(label_of(number), chapter_word()) if chapter_word() else ""
    return name[:1].upper() + name[1:]


def language_in_force() -> str:
    """Returns the interface language: `en`, `ko` or `zh`."""
    return _language


def locale_language(environ: Mapping[str, str]) -> str:
    """Returns the language of the system's locale, chosen as in gettext, but that `LANGUAGE` counts
    beside `C.UTF-8`, which is often set for the encoding alone; `en` if it is unsupported."""
    names = [environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    locale = next(filter(None, names), "")
    if locale in ("", "C", "POSIX"):
        return "en"
    for wish in (*environ.get("LANGUAGE", "").split(":"), locale):
        language = wish[:2].lower()
        if language in LANGUAGES and not wish[2:3].isalpha():
            return language
    return "en"


def N_(sentence: str) -> str:
    """Marks a sentence in a table for extraction; `_` translates it when it is displayed."""
    return sentence


def _(sentence: str, /, **values: object) -> str:
    """Translates a sentence and fills its `{placeholders}` with the given values."""
    return _fill("", sentence, sentence, 1, values)


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """Translates the form that fits a number of things, which the sentence may name as `{n}`."""
    return _fill("", one, many, number, {"n": number, **values})


_BETWEEN = frozenset({N_(", "), N_("; ")})
"""What stands between the parts of a list and has a form of its own in a language."""


def translate(words: str) -> str:
    """Returns a message of ours in the language of the interface; any other words are text of a
    model, a file or the author, and are returned as they are."""
    if not isinstance(words, Said) or (_language == "en" and not chapter_word()):
        return words
    _read()
    return _in_language(words, _catalogue or _ENGLISH, _language)


def words_for_the_book(words: str, language: str) -> str:
    """Returns a message of ours in the language of a novel, whatever the interface speaks: among
    the material of a prompt it is read with the book's own words. Any other words stay."""
    if not isinstance(words, Said) or language not in LANGUAGES:
        return words
    return _in_language(words, _catalogue_of(language), language)


@cache
def _catalogue_of(language: str) -> Catalogue:
    with suppress(OSError):
        return PoFile(_LOCALE / language / "LC_MESSAGES" / "studio.po")
    return _ENGLISH


def _in_language(message: Said, catalogue: Catalogue, language: str) -> str:
    """Looks a message up by its id and fills in its values, the messages among them likewise."""
    if isinstance(message.values, tuple):
        parts = [str(_value_in_language(value, catalogue, language)) for value in message.values]
        return _join(parts, message.id, catalogue)
    sentence = catalogue.form(ENGINE, message.id, message.id, 1)
    sentence = _with_names(sentence, message.values, language)
    if not message.values:
        return sentence
    rows = message.values.items()
    values = {name: _value_in_language(value, catalogue, language) for name, value in rows}
    return _filled_in(sentence, values, language)


def _join(parts: Iterable[str], by: str, catalogue: Catalogue) -> str:
    """Puts parts together with what stands between them in the language; Chinese has no blank after
    a full stop."""
    between = catalogue.form("", by, by, 1) if by in _BETWEEN else by
    whole = ""
    for part in parts:
        whole += ("" if not whole or (between == " " and whole[-1] in "。！？") else between) + part
    return whole


def _value_in_language(value: Filling, catalogue: Catalogue, language: str) -> str | int | float:
    if isinstance(value, Said):
        return _in_language(value, catalogue, language)
    if isinstance(value, tuple):
        parts = (str(_value_in_language(one, catalogue, language)) for one in value)
        return _join(parts, ", ", catalogue)
    return value


def series(words: Iterable[str]) -> str:
    """Joins several names with the comma of the writer's language."""
    return _(", ").join(words)


def one_after_another(*sentences: str) -> str:
    """Puts sentences one behind another; empty ones are left out. Chinese has no blank between."""
    return _join(filter(None, sentences), " ", _ENGLISH)


def further(words: str) -> str:
    """Returns a clause to append to another, preceded by the comma of the writer's language."""
    return _(", {words}", words=words)


def as_label(name: str) -> str:
    """Returns a name as a label, with the colon of the writer's language."""
    return _("{name}: ", name=name)


def aside(words: str) -> str:
    """Returns words in the parentheses of the writer's language."""
    return _(" ({words})", words=words)


def sentence_of(reason: str) -> str:
    """Turns a reason of the engine into a sentence: `the text came back unchanged` is a clause for
    the middle of a sentence, and is capitalized and punctuated here. Words of others stay as they
    are."""
    words = translate(reason)
    if not isinstance(reason, Said) or not words or words[-1] in ".?!…。？！”":
        return words
    return _("{sentence}.", sentence=words[0].upper() + words[1:])


def _read() -> None:
    """Reads the catalogue at the first sentence."""
    global _catalogue, _unread
    if _unread:
        with suppress(OSError):  # a copy without its catalogues speaks English
            _catalogue = PoFile(_LOCALE / _language / "LC_MESSAGES" / "studio.po")
        _unread = False


def _fill(context: str, one: str, many: str, number: int, values: Mapping[str, object]) -> str:
    _read()
    sentence = (_catalogue or _ENGLISH).form(context, one, many, number) if one else ""
    values = with_labels(one, values)
    sentence = _with_names(sentence, values, _language)
    if not values:
        return sentence
    words = {name: translate(v) if isinstance(v, Said) else v for name, v in values.items()}
    return _filled_in(sentence, words, _language)


def _with_names(sentence: str, values: Mapping[str, object], language: str) -> str:
    """Returns a sentence that calls chapters as the open novel does."""
    word = chapter_word()
    named = with_word(without_noun(sentence, values), values, language, word)
    return with_noun(named, language, word) if word else named


_CENTS = re.compile(r"\{(\w+):cents\}")
"""A number of cents that a language says in dollars: Korean and Chinese have no word for the small
unit of another country's money, and one screen would say 4 센트 beside $0.0421."""


def _in_dollars(cents: object) -> str:
    return f"{cents / 100:.2f}" if isinstance(cents, int) else str(cents)


def _filled_in(sentence: str, values: Mapping[str, object], language: str) -> str:
    """Fills a sentence in a language; in Korean, particles follow the words before."""
    sentence = _CENTS.sub(lambda field: _in_dollars(values[field[1]]), sentence)
    sentence, values = quoted_whole(sentence, values)
    if language != "ko":
        return sentence.format_map(values)
    from studio.particles import fill  # only Korean needs it

    return fill(sentence, values)


def _entries(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields each sentence, preceded by its context if it has one, and its translated forms."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        parts: dict[str, str] = {}
        field = ""
        for line in block.splitlines():
            if line.startswith("#"):
                if line.startswith("#~") or (line.startswith("#,") and "fuzzy" in line):
                    break
                continue
            if not line.startswith('"'):
                field, _space, line = line.partition(" ")
            # The escapes of a .po file are those of JSON; most lines have none.
            text = json.loads(line) if "\\" in line else line[1:-1]
            parts[field] = parts.get(field, "") + text
        else:
            key = parts.get("msgid", "")
            if "msgctxt" in parts:
                key = f"{parts['msgctxt']}{_CONTEXT}{key}"
            forms = tuple(text for name, text in parts.items() if name.startswith("msgstr"))
            if forms:
                yield key, forms
