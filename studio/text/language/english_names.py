"""Names in Latin script: titles, surnames, families, articles; what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from studio.text.language.name_grammar import (
    FormKind,
    NameForm,
    NameParts,
    spellings,
    without_accents,
    words_of,
)
from studio.text.language.packs import load_pack
from studio.text.language.story_words import story_words

_ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_SIBILANT = ("s", "x", "z", "ch", "sh")
_LONGEST_STUTTER = 2


def forms_of(name: str, *, is_person: bool) -> Iterator[NameForm]:
    """Yields every form of a name: folded, in capitals, and of a person the parts that name too."""
    yield from _spellings(name, "whole", is_person)
    article = _ARTICLE.match(name)
    if article:
        yield from _without_article(name[article.end() :], is_person)
    if is_person and not article:
        yield from _parts(name)


def parts_of(name: str, *, is_person: bool) -> NameParts:
    """Takes a name apart."""
    article = _ARTICLE.match(name)
    if article:
        return NameParts(name, bare=name[article.end() :])
    words = name.split()
    while is_person and len(words) > 1 and _is_title(words[0]):
        words = words[1:]
    bare = " ".join(words)
    if not is_person or len(words) == 1:
        is_titled = bare != name
        return NameParts(name, "" if is_titled else bare, bare if is_titled else "", bare)
    particle = next((i for i, w in enumerate(words[1:], 1) if _is_particle(w)), len(words) - 1)
    return NameParts(name, words[0], " ".join(words[particle:]), bare)


def examples(parts: NameParts) -> Iterator[str]:
    """Yields a few forms by which somebody or something of this name is found, to show."""
    if parts.given and parts.given != parts.whole:
        yield parts.given
    if parts.surname:
        yield parts.surname
        yield f"Dr. {parts.surname}"
        yield f"the {_plural(parts.surname)}"
    elif parts.bare and parts.bare != parts.whole and " " in parts.bare:
        yield parts.bare


def rename_form(form: NameForm, old: NameParts, new: NameParts) -> str:
    """Returns what becomes of a form of `old` when its bearer gets the name `new`: in capitals what
    is in capitals, and with an article what has one."""
    words = form.words
    if form.kind == "family":
        fresh = _plural(new.surname) if new.surname else words
    elif form.kind == "surname":
        fresh = new.name_beside_title
    elif form.kind == "given":
        fresh = new.short_name
    else:
        fresh = _renamed_whole(words, old, new)
    return fresh.upper() if words.isupper() and not old.whole.isupper() else fresh


def _renamed_whole(words: str, old: NameParts, new: NameParts) -> str:
    had, has = _ARTICLE.match(words), _ARTICLE.match(new.whole)
    if had and has:
        lower = words == words.lower() and not old.whole.islower()
        return words[: had.end()] + (new.bare.lower() if lower else new.bare)
    is_bare = not had and old.bare not in ("", old.whole) and not _opens_with_title(words)
    fresh = new.bare or new.whole if is_bare else new.whole
    opens = words[0].isupper() and old.whole[0].islower()
    return fresh[:1].upper() + fresh[1:] if opens else fresh


def _opens_with_title(words: str) -> bool:
    first = words.split()[0]
    return _is_title(first) or first.lower() in spellings()


def _without_article(base: str, is_person: bool) -> Iterator[NameForm]:
    if not base[:1].isupper():
        return
    yield from _spellings(base, "bare", is_person)
    for article in ("the ", "The "):
        yield from _spellings(article + base, "whole", is_person)
    if " " in base:
        yield from _spellings(f"the {base.lower()}", "whole", is_person)


def _parts(name: str) -> Iterator[NameForm]:
    words = name.split()
    while words and _is_title(words[0]):
        words = words[1:]
    if not words or not all(_opens_with_capital(word) for word in words):
        return
    if len(words) < len(name.split()) and len(words) > 1:
        yield from _spellings(" ".join(words), "whole", True)
    if len(words) == 1:
        if len(name.split()) > 1:
            yield from _surname(words)
        return
    particle = next((i for i, w in enumerate(words[1:], 1) if _is_particle(w)), len(words) - 1)
    surname = words[particle:]
    yield from _spellings(words[0], "given", True)
    yield from _surname(surname)
    if particle > 1:
        yield from _spellings(" ".join((words[0], *surname)), "whole", True)


def _surname(words: list[str]) -> Iterator[NameForm]:
    surname = " ".join(words)
    yield from _spellings(surname, "surname", True)
    if len(words) > 1:
        yield from _spellings(words[-1], "surname", True)
    yield from _spellings(_plural(surname), "family", True)


def _plural(surname: str) -> str:
    return surname + ("es" if surname.endswith(_SIBILANT) else "s")


def _is_title(word: str) -> bool:
    return word.rstrip(".").lower() in words_of("en", "titles")


def _is_particle(word: str) -> bool:
    return word.lower() in words_of("en", "particles")


def _opens_with_capital(word: str) -> bool:
    return word[:1].isupper() or _is_particle(word) or word[:2] in ("d'", "l'")


def _spellings(words: str, kind: FormKind, is_person: bool) -> Iterator[NameForm]:
    """Yields the spellings of a form: accents, apostrophes, dots, hyphens, capitals, blanks."""
    spelt = {words, words[:1].upper() + words[1:], *_other_titles(words)}
    for change in (without_accents, _no_apostrophe, _no_dots, _no_hyphen):
        spelt |= {change(form) for form in spelt}
    if kind != "bare" or " " in words:
        spelt |= {form.upper() for form in spelt if len(form) > 1}
    spelt |= {form.replace(" ", "  ") for form in spelt}
    for form in sorted(spelt):
        yield NameForm(form, kind, is_person)


def _no_apostrophe(words: str) -> str:
    return re.sub(r"(?<=\w)'(?=\w)", "", words)


def _no_dots(words: str) -> str:
    return words.replace(".", "")


def _no_hyphen(words: str) -> str:
    return words.replace("-", " ")


def _other_titles(words: str) -> Iterator[str]:
    first, blank, rest = words.partition(" ")
    other = spellings().get(first.rstrip(".").lower())
    if blank and other and first[:1].isupper():
        yield f"{other.capitalize()} {rest}"


_BEFORE = re.compile(r"(?:([\w'.-]+)( +))$")
_BEHIND = re.compile(r" +([A-Za-z\u00c0-\u024f][\w'-]*)")
_OPENING = re.compile(r"(?:^|[.!?…:;]|[—–]|--)[\s\"“”'‘(\[*_«»—–-]*$|[\"“‘«(\[][*_]*$|(?<!\w)'$")
_LINKED = re.compile(r" +(?:and|or) +(?:[A-Z]|he\b|she\b|they\b|his\b|her\b|their\b|the\b)")
_OF_SOMEWHERE = re.compile(r" +(?:of|the) +[A-Z]|,? +(?:[IVX]{2,}|[A-Z]?V)\b")


def stands(text: str, start: int, end: int, form: NameForm) -> bool:
    """Whether `text[start:end]` is that name, and neither another word nor somebody else's name."""
    if not _is_bordered(text, start, end, form):
        return False
    if form.words.isupper() and len(form.words) > 1:
        return True
    is_one_word = " " not in form.words
    if form.kind in ("given", "surname") or (form.kind == "bare" and is_one_word):
        if _is_of_another(text, start, end, form):
            return False
        if form.kind == "bare" and _opens(text, start):
            return False
    if is_one_word and form.words.lower() in words_of("en", "words"):
        return _means_a_person(text, start, end)
    return True


def is_bordered(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit touches `text[start:end]`."""
    return not (start and text[start - 1].isalnum() and text[start].isalnum()) and not (
        end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
    )


def _is_bordered(text: str, start: int, end: int, form: NameForm) -> bool:
    if not is_bordered(text, start, end):
        return False
    if form.is_whole or form.words.isupper():
        return True
    if text[end : end + 1] == "-" and text[end + 1 : end + 2].isupper():
        return False
    if start and text[start - 1] == "-":
        before = re.search(r"[\w-]*$", text[max(0, start - 24) : start - 1])
        lead = before[0].rpartition("-")[2] if before else ""
        is_stutter = len(lead) <= _LONGEST_STUTTER and form.words.startswith(lead)
        return not lead[:1].isupper() or is_stutter
    return True


def _is_of_another(text: str, start: int, end: int, form: NameForm) -> bool:
    """Whether a given name or surname belongs to a longer name that is not this one."""
    behind = _BEHIND.match(text, end, end + 32)
    if behind and behind[1][0].isupper() and behind[1].lower() not in words_of("en", "times"):
        return not text[start:].split(" ", 1)[0].isupper()
    if form.kind == "given" and _OF_SOMEWHERE.match(text, end):
        return True
    if _has_article(text, start) and form.words.lower() in words_of("en", "words"):
        return True
    before = _BEFORE.search(text, max(0, start - 32), start)
    if before is not None and form.kind == "surname" and _is_particle(before[1]):
        return True
    if before is None or not before[1][:1].isupper():
        return False
    word = before[1].strip("'.").lower()
    if word in words_of("en", "titles") or word in _usual() or word.endswith(("ly", "'s", "s'")):
        return False
    if word in words_of("en", "times") or _ends_a_sentence(before[1]):
        return False
    is_initial = len(word) == 1 and before[1].endswith(".")
    governs = word in words_of("en", "openers") or word.endswith(("ed", "ing"))
    return not (is_initial or (governs and _opens(text, before.start())))


def _ends_a_sentence(word: str) -> bool:
    """Whether a full stop behind a word closes a sentence, as it does not behind an initial."""
    return word.endswith(".") and len(word.strip("'.")) > 1


def _has_article(text: str, start: int) -> bool:
    before = _BEFORE.search(text, max(0, start - 16), start)
    return before is not None and before[1].lower() in words_of("en", "articles")


def _usual() -> frozenset[str]:
    words = story_words("en")
    pack = load_pack("en")
    return frozenset(
        {*words.common, *words.acts, *words.function, *words.not_names}
        | set(pack.function_words)
        | set(pack.sentence.starters)
    ) - words_of("en", "words")


def _opens(text: str, start: int) -> bool:
    """Whether a word is where any word has a capital."""
    before = text[max(0, start - 24) : start]
    is_title = re.search(r"\b(?:Mr|Mrs|Ms|Dr|St|Capt|Sgt|Lt|Col|Rev|Prof)\. +$", before)
    return is_title is None and _OPENING.search(before) is not None


def _means_a_person(text: str, start: int, end: int) -> bool:
    """Whether a name that is a word as well is one here, by its place and the word behind it."""
    if not _opens(text, start):
        return not _has_article(text, start)
    behind = _BEHIND.match(text, end, end + 32)
    if behind is None:
        return True
    word = behind[1]
    if word[0].isupper():
        return word.lower() not in words_of("en", "times")
    if word in ("and", "or"):
        return _LINKED.match(text, end) is not None
    acts = frozenset(story_words("en").acts) - {"is", "are"}
    return word in words_of("en", "adverbs") or word.endswith(("ed", "ly")) or word in acts


def possessive_after(word: str, text: str, end: int) -> tuple[str, str] | None:
    """Returns the lone apostrophe behind a name in s and what it becomes behind a word without one:
    Stobbs' lamp, Harker's lamp. None where it closes a quotation."""
    sign = text[end : end + 1]
    if sign not in ("'", "\u2019") or text[end - 1].lower() not in "sxz":
        return None
    opens = "'" if sign == "'" else "\u2018"
    before = text[text.rfind("\n", 0, end) + 1 : end]
    quoted = re.search(rf"(?<!\w){opens}(?=\w)", before)
    owns = not quoted and re.match(r" [a-z]", text[end + 1 :])
    return (sign, f"{sign}s") if owns and word[-1].lower() not in "sxz" else None


def variants(names: Iterable[str]) -> Iterator[str]:
    """Yields the spellings of names as whole names."""
    for name in names:
        yield from (form.words for form in _spellings(name, "whole", False))
