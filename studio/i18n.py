"""The interface in the writer's language: English sentences in the code, their translations in
`studio/locale/LANGUAGE/LC_MESSAGES/studio.po`.

The functions are named as gettext names them, so that its tools read the code. A catalogue is
read when the first sentence is looked up, and none is read for English. Whoever starts a face
(`studio.__main__`) says which language it has; before that, and in tests, it is English.

What is stored, and every key and name a program reads, is English and never passes through here.
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
"""What novels are written in, and what the interface can be shown in."""
LANGUAGES: Mapping[str, str] = {"en": "English", "ko": "한국어", "zh": "中文"}
"""Each by its own name."""
ENGINE = "engine"
"""The context of what the engine says: sentences that are looked up as they are read."""
_LOCALE = Path(__file__).with_name("locale")
_CONTEXT = "\x04"
"""Between a context and its sentence, as gettext has it."""


_PLACE = re.compile(r"\{(\w+)\}")
_KINDS = {
    "_figure": r"[-+−]?[\d.,]+(?: ?%)?",
    "_count": r"[^.;:]*?\d[^.;:]*?",
    "_setting": r"[^\s:]+",
    "_or_not": r".*?",
}
"""What stands in a place whose name ends so: a number; an amount, `2 calls`; the name of a setting;
what may be missing. The first three keep a sentence of few words from being taken for another."""
_SERIES = ("people", "lines", "promises", "places_")
"""Places in which several names may stand, as in those whose name begins with `names`."""
_STOPS = {"ko": {";": ";", ".": "."}, "zh": {";": "；", ".": "。"}}
"""What ends a sentence, and a part of one."""
_SENTENCES = r"(?<=[.!?]) (?=[A-Z“`{$\d\[]|--\w)"
_PARTS = r"(?<=;) "
"""Both as text: `re` compiles them when the engine first speaks, and English needs neither."""


class Catalogue(Protocol):
    """Translations, by sentence."""

    def form(self, context: str, one: str, many: str, number: int) -> str:
        """The sentence for a number of things; the English one where it is not translated."""
        ...

    def engine(self, words: str) -> str | None:
        """A sentence of the engine's, what is filled in and all; None where it is not known."""
        ...


class _Shape:
    """A sentence with places, and its translation."""

    def __init__(self, sentence: str, form: str) -> None:
        self.form = form
        self._pieces = _PLACE.split(sentence)

    def values(self, words: str) -> dict[str, str] | None:
        """What stands in the places, where `words` are this sentence.

        There are two thousand of them: most are ruled out by the words they begin and end
        with, and only of the others a pattern is made."""
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
    """The translations of a .po file in the form Babel writes it, fuzzy ones left out."""

    def __init__(self, path: Path) -> None:
        self._forms = {key: forms for key, forms in _entries(path) if key and all(forms)}

    def form(self, context: str, one: str, many: str, number: int) -> str:
        """The sentence for a number of things; the English one where it is not translated."""
        forms = self._forms.get(f"{context}{_CONTEXT}{one}" if context else one)
        if forms is None:
            return one if number == 1 else many
        return forms[0 if number == 1 else -1]

    @cached_property
    def _exact(self) -> Mapping[str, str]:
        """What the engine says with nothing filled in."""
        mark = ENGINE + _CONTEXT
        own = {k.removeprefix(mark): f[0] for k, f in self._forms.items() if k.startswith(mark)}
        return {sentence: form for sentence, form in own.items() if not _PLACE.search(sentence)}

    @cached_property
    def _engine(self) -> list[_Shape]:
        """What the engine says as patterns, those with the most words of their own first."""
        mark = ENGINE + _CONTEXT
        forms = ((k.removeprefix(mark), f[0]) for k, f in self._forms.items() if k.startswith(mark))
        known = [(sentence, form) for sentence, form in forms if _PLACE.search(sentence)]
        known.sort(key=lambda pair: -len(_PLACE.sub("", pair[0])))
        return [_Shape(sentence, form) for sentence, form in known]

    def engine(self, words: str) -> str | None:
        """A sentence of the engine's, what is filled in and all; None where it is not known."""
        if (exact := self._exact.get(words)) is not None:
            return exact
        for shape in self._engine:
            if (filled := shape.values(words)) is not None:
                return shape.form.format(**{n: self._value(n, v) for n, v in filled.items()})
        return None

    def _value(self, name: str, value: str) -> str:
        """What is filled in: the name of a measure by its name on the screens, a title or a quote
        as it is, anything else as far as the engine says it."""
        if name.startswith(("title", "quote", "name")):
            return self._series(value) if name.startswith("names") else value
        if name.startswith("measure") and (forms := self._forms.get(value)):
            return forms[0]
        return self._series(translated(value)) if name in _SERIES else translated(value)

    def _series(self, value: str) -> str:
        """Names with the comma of the language between them."""
        return value.replace(", ", self.form("", ", ", ", ", 1))


_language = "en"
_catalogue: Catalogue | None = None
_unread = False


def use(language: str, catalogue: Catalogue | None = None) -> None:
    """From now on sentences are in this language, by default out of its own catalogue."""
    global _language, _catalogue, _unread
    _language = language if language in LANGUAGES else "en"
    _catalogue = catalogue
    _unread = catalogue is None and _language != "en"
    _looked_up.cache_clear()


def language_in_force() -> str:
    """`en`, `ko` or `zh`."""
    return _language


def locale_language(environ: Mapping[str, str]) -> str:
    """The language of the system's locale, as gettext chooses it; `en` where it is another."""
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
    """Marks a sentence that stands in a table; where it is shown, `_` translates it."""
    return sentence


def _(sentence: str, /, **values: object) -> str:
    """A sentence in the writer's language, with the values its `{names}` stand for."""
    return _filled("", sentence, sentence, 1, values)


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """The sentence that fits a number of things, which it may name as `{n}`."""
    return _filled("", one, many, number, {"n": number, **values})


def translated(words: str) -> str:
    """What the engine said, as far as the catalogue knows its sentences.

    Events, records and files hold the engine's words in English; this is for where they are
    shown. A text of several sentences is translated one by one; what is unknown stays.
    """
    return words if _language == "en" or not words else _looked_up(words)


def series(words: Iterable[str]) -> str:
    """Several names as one text, with the comma of the writer's language between them."""
    return _(", ").join(words)


def further(words: str) -> str:
    """A clause behind another, with the comma of the writer's language before it."""
    return _(", {words}", words=words)


def value_in_words(value: object, word: Callable[[str], str] = str) -> str:
    """A value of the story's state for a reader; `word` says how a text or a key in it reads."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return series(value_in_words(entry, word) for entry in value)
    if isinstance(value, dict):
        pairs = ((word(key), value_in_words(value[key], word)) for key in value)
        return "; ".join(_("{name}: ", name=name) + words for name, words in pairs)
    if value is None:
        return _("nothing")
    return word(value) if isinstance(value, str) else str(value)


def sentence_of(reason: str) -> str:
    """A reason of the engine's, shown by itself: `the text came back unchanged` is a clause for
    the middle of a sentence, and here it gets what a sentence has."""
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
    """A sentence joined of parts that are all known: a place of a pattern would take several of
    them for one. None for any other."""
    assert _catalogue is not None
    parts = re.split(_PARTS, words)
    if len(parts) == 1 or not all(_catalogue.engine(part.rstrip(";.")) for part in parts):
        return None
    return " ".join(map(_part, parts))


def _by_known_sentences(words: str) -> str | None:
    """A text of several sentences that are all known, for the same reason; None for any other."""
    assert _catalogue is not None
    sentences = re.split(_SENTENCES, words)
    if len(sentences) == 1 or not all(map(_catalogue.engine, sentences)):
        return None
    return " ".join(map(_piece, sentences))


def _piece(words: str) -> str:
    """A sentence, whole or by the parts it was joined of."""
    assert _catalogue is not None
    whole = _catalogue.engine(words) or _behind_a_colon(words)
    return " ".join(map(_part, re.split(_PARTS, words))) if whole is None else whole


def _behind_a_colon(words: str) -> str | None:
    """A sentence or a reason that is known, behind the name of a file or a server: `studio.toml,
    line 4: …`; None for any other."""
    assert _catalogue is not None
    for colon in re.finditer(": ", words):
        head, tail = words[: colon.start()], words[colon.end() :]
        if (form := _catalogue.engine(tail)) is not None:
            return f"{_catalogue.engine(head) or head}: {form}"
    return None


def _part(words: str) -> str:
    """A part of a sentence, and the sign behind it."""
    assert _catalogue is not None
    if (whole := _catalogue.engine(words)) is not None:
        return whole
    bare = words[:-1] if words[-1:] in (";", ".") else words
    form = _catalogue.engine(bare)
    return words if form is None else form + _STOPS[_language].get(words[len(bare) :], "")


def _in_place(name: str) -> str:
    """The pattern of what stands in a place with this name."""
    return next((kind for end, kind in _KINDS.items() if name.endswith(end)), ".+?")


def _read() -> None:
    """The catalogue, at the first sentence."""
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
    """Each sentence, behind its context if it has one, and its forms."""
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
