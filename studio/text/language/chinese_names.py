"""Names in Han characters: surname with a form of address, given names, pet forms; no borders.

Chinese words have no blanks between them, so a name may appear where two words touch: 树林晚上
holds 林晚. Common words that cross a border of a name tell which it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from studio.text.language.name_grammar import NameForm, NameParts, characters_of, words_of
from studio.text.language.story_words import story_words

_FILE = Path(__file__).parent / "chinese_words.txt"
_LONGEST_WORD = 5
_PAIR = 2
_DOTS = "·•・‧"
_DASHES = ("—", "——", "…", "……", "～")


def is_han(sign: str) -> bool:
    """Whether a character is a Chinese one."""
    return "\u3400" <= sign <= "\u9fff"


@cache
def common_words() -> frozenset[str]:
    """Returns the common words that touch the characters of names, read once."""
    lines = _FILE.read_text("utf-8").splitlines()
    return frozenset(word for line in lines if line[:1] != "#" for word in line.split())


@cache
def surnames() -> frozenset[str]:
    """Returns the surnames of one character."""
    return story_words("zh").surnames | characters_of("zh", "more_surnames")


def split_name(name: str) -> tuple[str, str]:
    """Returns surname and given name; two empty strings where a name does not have both."""
    if not all(map(is_han, name)):
        return "", ""
    compound = name[:2] in words_of("zh", "compound_surnames") and len(name) > _PAIR
    surname, given_name = (name[:2], name[2:]) if compound else (name[:1], name[1:])
    titles = words_of("zh", "titles") | words_of("zh", "short_titles")
    is_name = 1 <= len(given_name) <= _PAIR and (compound or surname in surnames())
    return (surname, given_name) if is_name and given_name not in titles else ("", "")


def forms_of(name: str, *, is_person: bool) -> Iterator[NameForm]:
    """Yields every form of a name, and of a person the given name, the surname with a form of
    address, and pet forms; of a place also the name without what kind of place it is."""
    for words in {name, name.replace(" ", ""), *_forms_with_dot(name), *_drawn_out(name)}:
        yield NameForm(words, "whole", is_person)
    if not is_person:
        plain = len(name) > _PAIR and name[-1] in words_of("zh", "place_tails")
        if plain and all(map(is_han, name)):
            yield NameForm(name[:-1], "bare", False)
        return
    parts = [part for dot in _DOTS if dot in name for part in name.split(dot)]
    yield from (
        NameForm(part, "given" if i == 0 else "surname", True)
        for i, part in enumerate(parts)
        if len(part) >= _PAIR
    )
    for part in parts[-1:]:
        yield from _forms_with_title(part)
    surname, given_name = split_name(name)
    if surname:
        yield from _of_a_person(surname, given_name)


def parts_of(name: str, *, is_person: bool) -> NameParts:
    """Takes a name apart."""
    if not is_person:
        has_tail = len(name) > _PAIR and name[-1] in words_of("zh", "place_tails")
        return NameParts(name, bare=name[:-1] if has_tail else "")
    dotted = next((name.split(dot) for dot in _DOTS if dot in name), None)
    if dotted:
        return NameParts(name, dotted[0], dotted[-1])
    surname, given_name = split_name(name)
    return NameParts(name, given_name, surname)


def examples(parts: NameParts) -> Iterator[str]:
    """Yields a few forms by which a person of this name is found, to show; none that says of which
    sex the person is, since nobody has said so."""
    if len(parts.given) > 1:
        yield parts.given
    if len(parts.surname) > 1:
        yield parts.surname
    if parts.surname:
        yield f"{parts.surname}老师"
        if split_name(parts.whole)[0]:
            yield from (f"老{parts.surname}", f"小{parts.surname}", f"阿{parts.given[-1]}")


def rename_form(form: NameForm, old: NameParts, new: NameParts) -> str:
    """Returns what becomes of a form of `old` when its bearer gets the name `new`."""
    words = form.words
    if form.kind == "titled":
        return new.name_beside_title + words.removeprefix(old.surname or old.whole)
    if form.kind == "nick":
        return _renamed_nick(words, old, new)
    if form.kind in ("given", "surname"):
        part = new.given if form.kind == "given" else new.surname
        return part if len(part) > 1 else new.whole
    if form.kind == "bare":
        return new.bare or new.whole
    drawn = next((dash for dash in _DASHES if dash.join(old.whole) == words), "")
    return drawn.join(new.whole) if drawn else new.whole


def _renamed_nick(words: str, old: NameParts, new: NameParts) -> str:
    if words[1:] == old.surname:
        return words[0] + new.name_beside_title
    last, new_last = old.given[-1], new.short_name[-1]
    if words == last * 2:
        return new_last * 2
    if words == f"{last}儿":
        return f"{new_last}儿"
    return words[0] + (new_last if words[1:] == last else new.short_name[0])


def _of_a_person(surname: str, given_name: str) -> Iterator[NameForm]:
    if len(given_name) > 1:
        yield NameForm(given_name, "given", True)
    if len(surname) > 1:
        yield NameForm(surname, "surname", True)
    yield from _forms_with_title(surname)
    last = given_name[-1]
    nicks = {f"老{surname}", f"小{surname}", f"阿{last}", f"小{last}", last * 2, f"{last}儿"}
    if len(given_name) > 1:
        nicks.add(f"阿{given_name[0]}")
    for words in sorted(nicks - {word for word in nicks & common_words() if word[0] not in "老小"}):
        yield NameForm(words, "nick", True)


def _forms_with_title(surname: str) -> Iterator[NameForm]:
    for title in (*words_of("zh", "titles"), *words_of("zh", "short_titles")):
        yield NameForm(surname + title, "titled", True)


def _forms_with_dot(name: str) -> Iterator[str]:
    for dot in _DOTS:
        if dot in name:
            yield from (name.replace(dot, other) for other in (*_DOTS, "", "．", " "))


def _drawn_out(name: str) -> Iterator[str]:
    """Yields a name as it is shouted over a distance: 林——晚."""
    if all(map(is_han, name)):
        yield from (dash.join(name) for dash in _DASHES)


def stands(text: str, start: int, end: int, form: NameForm) -> bool:
    """Whether `text[start:end]` is that name, and not where two other words touch, nor a part of
    somebody else's name."""
    if not is_han(text[start]):
        return True
    words = common_words()
    if _is_inside_a_word(text, start, end, words) or not _ends_there(text, start, end, form):
        return False
    into = _reaches_in(text, start, end, words)
    out = _reaches_out(text, start, end, words)
    if into and out:
        return False
    if into and text[start + into : end] in words:
        return False
    if out and text[start : end - out] in words:
        return not form.is_person and text[end] in characters_of("zh", "places_behind")
    if form.is_whole and end - start > _PAIR:
        return True
    if into and not _may_cross_left(text, start, form):
        return False
    if out and not _does_something(text, end, form):
        return not form.is_person and text[end] in characters_of("zh", "places_behind")
    return not (form.is_person and _is_of_another(text, start, end, form))


_ASPECT = "了着过得"


def _does_something(text: str, end: int, form: NameForm) -> bool:
    """Whether what follows a name is what the person does, though it could end a word that the name
    begins: 林晚上了车, 白雪白了他一眼, 高远远远地站着."""
    if form.kind == "titled" and form.words[-1] in words_of("zh", "short_titles"):
        return False
    behind = text[end + 1 : end + 2]
    return (
        text[end] in characters_of("zh", "does")
        or (bool(behind) and behind in _ASPECT)
        or text[end] == behind
    )


def _ends_there(text: str, start: int, end: int, form: NameForm) -> bool:
    """Whether a surname alone, or one with a title of one character, ends where it ends: 欧阳修 and
    石家庄 go on."""
    if form.kind == "nick" and text[start - 1 : start] == "得":
        return False
    is_foreign = form.is_person and len(form.words) > _PAIR and not split_name(form.words)[0]
    if is_foreign and form.kind in ("whole", "given") and _is_royal(text, end):
        return False
    is_short = form.kind == "titled" and form.words[-1] in words_of("zh", "short_titles")
    is_surname = form.words in words_of("zh", "compound_surnames")
    if not (is_short or is_surname) or end >= len(text) or not is_han(text[end]):
        return True
    after = characters_of("zh", "does") | characters_of("zh", "places_behind")
    return text[end] in after


def _is_royal(text: str, end: int) -> bool:
    """Whether a foreign given name belongs to somebody else: a king, or another surname follows."""
    behind = text[end : end + 2]
    royal = characters_of("zh", "royal") - {" "}
    return behind[:1] in _DOTS if behind[:1] in tuple(_DOTS) else any(c in royal for c in behind)


def _may_cross_left(text: str, start: int, form: NameForm) -> bool:
    is_derived = form.kind in ("titled", "nick")
    return not is_derived and text[start - 1] in characters_of("zh", "governs")


def _is_inside_a_word(text: str, start: int, end: int, words: frozenset[str]) -> bool:
    for size in range(end - start + 1, _LONGEST_WORD + 1):
        for at in range(max(0, end - size), start + 1):
            if text[at : at + size] in words:
                return True
    return False


def _reaches_in(text: str, start: int, end: int, words: frozenset[str]) -> int:
    """Returns how many of a name's first characters end a common word that begins before it."""
    for inside in range(1, end - start):
        for outside in range(1, _LONGEST_WORD - inside):
            if start >= outside and text[start - outside : start + inside] in words:
                return inside
    return 0


def _reaches_out(text: str, start: int, end: int, words: frozenset[str]) -> int:
    """Returns how many of a name's last characters begin a common word that ends behind it."""
    for inside in range(1, end - start):
        for outside in range(1, _LONGEST_WORD - inside):
            if text[end - inside : end + outside] in words and end + outside <= len(text):
                return inside
    return 0


def _is_of_another(text: str, start: int, end: int, form: NameForm) -> bool:
    """Whether a form is a part of another person's name: 曹国梁 is not 陈国梁, 林晚秋 not 林晚."""
    before = text[start - 1 : start]
    if form.kind in ("given", "titled") and before in surnames() - LINKS:
        behind = text[start - 2 : start - 1] if start > 1 else ""
        is_word = text[start - 2 : start] in common_words()
        return (not is_word and (not is_han(behind) if behind else True)) or _is_governed(behind)
    is_pair = form.is_whole and end - start == _PAIR and split_name(form.words)[0] != ""
    if is_pair and text[end : end + 1] in characters_of("zh", "tails"):
        follows = text[end + 1 : end + 2]
        if text[end : end + 2] in _LET_GO:
            return False
        return not follows or not is_han(follows) or follows in characters_of("zh", "does")
    return False


_LET_GO = ("松了", "松开", "松手", "松口")
"""What is done, although its first character may end a name."""
LINKS = frozenset("和于与同向从相对给连时由那都后关空通国公")


def _is_governed(sign: str) -> bool:
    return bool(sign) and sign in characters_of("zh", "governs")
