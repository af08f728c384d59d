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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal, Protocol

Language = Literal["ko", "en", "zh"]
"""The languages of novels and of the interface."""
LANGUAGES: Mapping[str, str] = {"en": "English", "ko": "한국어", "zh": "中文"}
"""The name of each language in that language."""
ENGINE = "engine"
"""The context of the engine's messages, which are translated when they are displayed."""
_LOCALE = Path(__file__).with_name("locale")
_CONTEXT = "\x04"
"""gettext's separator between a context and its sentence."""


_PLACE = re.compile(r"\{(\w+)\}")
_KINDS = {
    "_figure": r"[-+−]?[\d.,]+(?: ?%)?",
    "_count": r"[^.;:]*?\d[^.;:]*?",
    "_setting": r"[^\s:]+",
    "_or_not": r".*?",
}
"""The patterns of placeholders by the ending of their names: a number; an amount, `2 calls`; the
name of a setting; an optional part. The first three keep a short sentence from matching another
one."""
_SERIES = ("people", "lines", "promises", "places_")
"""Placeholders that may hold several names, as do those whose name begins with `names`."""
_STOPS = {"ko": {";": ";", ".": "."}, "zh": {";": "；", ".": "。"}}
"""The punctuation that ends a sentence or a part of one."""
_SENTENCES = r"(?<=[.!?]) (?=[A-Z“`{$\d\[]|--\w)"
_PARTS = r"(?<=;) "
"""Uncompiled patterns: `re` compiles them at the engine's first message, and English never needs
them."""


class Catalogue(Protocol):
    """Translations by their English sentence."""

    def form(self, context: str, one: str, many: str, number: int) -> str:
        """Returns the sentence for a number of things; in English if it is not translated."""
        ...

    def engine(self, words: str) -> str | None:
        """Translates a sentence of the engine, including its filled-in values; None if it is
        unknown."""
        ...


class _Shape:
    """A sentence with placeholders, and its translation."""

    def __init__(self, sentence: str, form: str) -> None:
        self.form = form
        self._pieces = _PLACE.split(sentence)

    def values(self, words: str) -> dict[str, str] | None:
        """Returns the values of the placeholders if `words` match this sentence, otherwise None.

        There are two thousand shapes: most are ruled out by the words they begin and end with, and
        a pattern is compiled only for the rest.
        """
        own = self._pieces[::2]
        if not (words.startswith(own[0]) and words.endswith(own[-1])):
            return None
        if any(piece not in words for piece in own[1:-1]):
            return None
        match = self._pattern.fullmatch(words)
        return None if match is None else match.groupdict()

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = (
            f"(?P<{piece}>{_in_place(piece)})" if at % 2 else re.escape(piece)
            for at, piece in enumerate(self._pieces)
        )
        return re.compile("".join(parts), re.DOTALL)


class PoFile:
    """The translations of a .po file in the form Babel writes; fuzzy ones are left out."""

    def __init__(self, path: Path) -> None:
        self._forms = {key: forms for key, forms in _entries(path) if key and all(forms)}

    def form(self, context: str, one: str, many: str, number: int) -> str:
        """Returns the sentence for a number of things; in English if it is not translated."""
        forms = self._forms.get(f"{context}{_CONTEXT}{one}" if context else one)
        if forms is None:
            return one if number == 1 else many
        return forms[0 if number == 1 else -1]

    @cached_property
    def _exact(self) -> Mapping[str, str]:
        """The engine's sentences without placeholders."""
        mark = ENGINE + _CONTEXT
        own = {k.removeprefix(mark): f[0] for k, f in self._forms.items() if k.startswith(mark)}
        return {sentence: form for sentence, form in own.items() if not _PLACE.search(sentence)}

    @cached_property
    def _engine(self) -> list[_Shape]:
        """The engine's sentences with placeholders, those with the most literal words first."""
        mark = ENGINE + _CONTEXT
        forms = ((k.removeprefix(mark), f[0]) for k, f in self._forms.items() if k.startswith(mark))
        known = [(sentence, form) for sentence, form in forms if _PLACE.search(sentence)]
        known.sort(key=lambda pair: -len(_PLACE.sub("", pair[0])))
        return [_Shape(sentence, form) for sentence, form in known]

    def engine(self, words: str) -> str | None:
        """Translates a sentence of the engine, including its filled-in values; None if it is
        unknown."""
        if (exact := self._exact.get(words)) is not None:
            return exact
        for shape in self._engine:
            if (filled := shape.values(words)) is not None:
                return shape.form.format(**{n: self._value(n, v) for n, v in filled.items()})
        return None

    def _value(self, name: str, value: str) -> str:
        """Translates a filled-in value: a metric becomes its name on the screens, a title or
        quotation stays as it is, anything else is translated as far as the engine's sentences cover
        it."""
        if name.startswith(("title", "quote", "name")):
            return self._series(value) if name.startswith("names") else value
        if name.startswith("measure") and (forms := self._forms.get(value)):
            return forms[0]
        return self._series(translated(value)) if name in _SERIES else translated(value)

    def _series(self, value: str) -> str:
        """Joins names with the comma of the language."""
        return value.replace(", ", self.form("", ", ", ", ", 1))


_language = "en"
_catalogue: Catalogue | None = None
_unread = False


def use(language: str, catalogue: Catalogue | None = None) -> None:
    """Sets the interface language, by default with that language's own catalogue."""
    global _language, _catalogue, _unread
    _language = language if language in LANGUAGES else "en"
    _catalogue = catalogue
    _unread = catalogue is None and _language != "en"
    _looked_up.cache_clear()


def language_in_force() -> str:
    """Returns the interface language: `en`, `ko` or `zh`."""
    return _language


def locale_language(environ: Mapping[str, str]) -> str:
    """Returns the language of the system's locale, chosen as in gettext; `en` if it is
    unsupported."""
    names = [environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    locale = next(filter(None, names), "")
    if locale.partition(".")[0] in ("", "C", "POSIX"):
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
    return _filled("", sentence, sentence, 1, values)


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """Translates the form that fits a number of things, which the sentence may name as `{n}`."""
    return _filled("", one, many, number, {"n": number, **values})


def translated(words: str) -> str:
    """Translates the engine's words as far as the catalogue covers them.

    Events, records and files hold the engine's words in English; this function is for displaying
    them. A text of several sentences is translated sentence by sentence; unknown ones stay.
    """
    return words if _language == "en" or not words else _looked_up(words)


def series(words: Iterable[str]) -> str:
    """Joins several names with the comma of the writer's language."""
    return _(", ").join(words)


def further(words: str) -> str:
    """Returns a clause to append to another, preceded by the comma of the writer's language."""
    return _(", {words}", words=words)


def as_label(name: str) -> str:
    """Returns a name as a label, with the colon of the writer's language."""
    return _("{name}: ", name=name)


def aside(words: str) -> str:
    """Returns words in the parentheses of the writer's language."""
    return _(" ({words})", words=words)


def value_in_words(value: object, word: Callable[[str], str] = str) -> str:
    """Formats a value of the story's state for a reader; `word` converts each text or key in it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return series(value_in_words(entry, word) for entry in value)
    if isinstance(value, dict):
        pairs = ((word(key), value_in_words(value[key], word)) for key in value)
        return "; ".join(as_label(name) + words for name, words in pairs)
    if value is None:
        return _("nothing")
    return word(value) if isinstance(value, str) else str(value)


def sentence_of(reason: str) -> str:
    """Turns a reason of the engine into a sentence: `the text came back unchanged` is a clause for
    the middle of a sentence, and is capitalized and punctuated here."""
    words = translated(reason)
    if not words or words[-1] in ".?!…。？！”":
        return words
    return _("{sentence}.", sentence=words[0].upper() + words[1:])


@lru_cache(maxsize=1024)
def _looked_up(words: str) -> str:
    _read()
    if _catalogue is None:
        return words
    whole = _by_known_parts(words) or _by_known_sentences(words) or _catalogue.engine(words)
    if whole is None:
        whole = " ".join(map(_piece, re.split(_SENTENCES, words)))
    return whole.replace("。 ", "。").replace("； ", "；")


def _by_known_parts(words: str) -> str | None:
    """Translates a sentence joined of parts that are all known, since a placeholder's pattern could
    match several of them as one. Returns None for any other sentence."""
    assert _catalogue is not None
    parts = re.split(_PARTS, words)
    if len(parts) == 1 or not all(_catalogue.engine(part.rstrip(";.")) for part in parts):
        return None
    return " ".join(map(_part, parts))


def _by_known_sentences(words: str) -> str | None:
    """Translates a text of several sentences that are all known, for the same reason as
    `_by_known_parts`; None for any other text."""
    assert _catalogue is not None
    sentences = re.split(_SENTENCES, words)
    if len(sentences) == 1 or not all(map(_catalogue.engine, sentences)):
        return None
    return " ".join(map(_piece, sentences))


def _piece(words: str) -> str:
    """Translates a sentence, as a whole or by the parts it was joined of."""
    assert _catalogue is not None
    whole = _catalogue.engine(words) or _behind_a_colon(words)
    return " ".join(map(_part, re.split(_PARTS, words))) if whole is None else whole


def _behind_a_colon(words: str) -> str | None:
    """Translates a known sentence or reason after the name of a file or server: `studio.toml, line
    4: …`; None for any other text."""
    assert _catalogue is not None
    for colon in re.finditer(": ", words):
        head, tail = words[: colon.start()], words[colon.end() :]
        if (form := _catalogue.engine(tail)) is not None:
            return f"{_catalogue.engine(head) or head}: {form}"
    return None


def _part(words: str) -> str:
    """Translates a part of a sentence together with its closing punctuation."""
    assert _catalogue is not None
    if (whole := _catalogue.engine(words)) is not None:
        return whole
    bare = words[:-1] if words[-1:] in (";", ".") else words
    form = _catalogue.engine(bare)
    return words if form is None else form + _STOPS[_language].get(words[len(bare) :], "")


def _in_place(name: str) -> str:
    """Returns the pattern for the values of a placeholder with this name."""
    return next((kind for end, kind in _KINDS.items() if name.endswith(end)), ".+?")


def _read() -> None:
    """Reads the catalogue at the first sentence."""
    global _catalogue, _unread
    if _unread:
        with suppress(OSError):  # a copy without its catalogues speaks English
            _catalogue = PoFile(_LOCALE / _language / "LC_MESSAGES" / "studio.po")
        _unread = False


def _filled(context: str, one: str, many: str, number: int, values: Mapping[str, object]) -> str:
    _read()
    if _catalogue is not None and one:
        sentence = _catalogue.form(context, one, many, number)
    else:
        sentence = one if number == 1 else many
    return sentence.format(**values) if values else sentence


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
