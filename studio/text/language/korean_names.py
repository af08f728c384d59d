"""Names in Hangul: particles as a grammar of chains, given names, and surnames with titles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from studio.text.language.name_grammar import NameForm, NameParts, characters_of, pairs_of, words_of
from studio.text.language.story_words import story_words

_HANGUL = "가-힣"
_FINALS = 28
_RIEUL = 8
_FIRST = 0xAC00
_COMPOUND = 2
_FULL = 3


def is_hangul(sign: str) -> bool:
    """Whether a character is a Hangul syllable."""
    return "\uac00" <= sign <= "\ud7a3"


def forms_of(name: str, *, is_person: bool) -> Iterator[NameForm]:
    """Yields every form of a name: with and without its blanks, and of a person the given name, the
    surname with a title, and a one-syllable given name lengthened by 이."""
    for words in {name, name.replace(" ", ""), name.replace(" ", "  ")}:
        yield NameForm(words, "whole", is_person)
    surname, given_name = split_name(name) if is_person else ("", "")
    if not surname:
        if is_person and " " in name and not _is_titled(name):
            for part in {*name.split()[:1], *name.split()[-1:]}:
                if len(part) >= _COMPOUND:
                    yield NameForm(part, "given", True)
        return
    if len(given_name) > 1:
        yield NameForm(f"{surname} {given_name}", "whole", True)
    yield from _forms_of_given_name(given_name)
    if len(surname + given_name) == _COMPOUND:
        return  # 민수 is a given name alone more often than a surname with one of one syllable
    for title in words_of("ko", "titles"):
        yield NameForm(f"{surname} {title}", "titled", True)
        yield NameForm(surname + title, "titled", True)


def _forms_of_given_name(given_name: str) -> Iterator[NameForm]:
    if len(given_name) > 1:
        yield NameForm(given_name, "given", True)
    else:
        if _final(given_name):
            yield NameForm(f"{given_name}이", "nick", True)
        yield NameForm(given_name + ("아" if _final(given_name) else "야"), "nick", True)


def split_name(name: str) -> tuple[str, str]:
    """Returns surname and given name; two empty strings where a name does not have both."""
    plain = name.replace(" ", "")
    if not plain or not all(map(is_hangul, plain)) or _is_titled(name):
        return "", ""
    first, _, last = name.partition(" ")
    if plain[:2] in words_of("ko", "compound_surnames") and len(plain) > _COMPOUND:
        return plain[:2], plain[2:]
    is_apart = bool(last) and len(first) == 1
    is_usual = plain[0] in surnames() and (_COMPOUND <= len(plain) <= _FULL or is_apart)
    if is_usual and (not last or is_apart):
        return plain[0], plain[1:]
    return "", ""


def parts_of(name: str, *, is_person: bool) -> NameParts:
    """Takes a name apart. A name of two syllables is a given name more often than a surname with
    one of one syllable."""
    surname, given_name = split_name(name) if is_person else ("", "")
    if len(surname + given_name) > _COMPOUND:
        return NameParts(name, given_name if len(given_name) > 1 else "", surname)
    if is_person and " " in name and not surname and not _is_titled(name):
        return NameParts(name, name.split()[0], name.split()[-1])
    return NameParts(name)


def examples(parts: NameParts) -> Iterator[str]:
    """Yields a few forms by which a person of this name is found, to show."""
    if parts.given:
        yield parts.given
    if parts.surname:
        yield from (f"{parts.surname} {title}" for title in ("씨", "선생님"))
        if parts.given and parts.whole.replace(" ", "") == parts.surname + parts.given:
            yield parts.given + ("아" if _final(parts.given) else "야")


def rename_form(form: NameForm, old: NameParts, new: NameParts) -> str:
    """Returns what becomes of a form of `old` when its bearer gets the name `new`."""
    words = form.words
    if form.kind == "titled":
        title = words.removeprefix(old.surname)
        return new.name_beside_title + (title if new.surname or title[:1] == " " else f" {title}")
    if form.kind == "nick":
        return _renamed_nick(words, new)
    if form.kind == "given":
        return new.name_beside_title if words == old.surname else new.short_name
    if " " not in words:
        return new.whole.replace(" ", "") if " " in old.whole else new.whole
    is_split = " " not in old.whole and new.surname and new.surname + new.given == new.whole
    return f"{new.surname} {new.given}" if is_split else new.whole


def _renamed_nick(words: str, new: NameParts) -> str:
    closed = is_hangul(new.short_name[-1]) and _final(new.short_name) > 0
    if words[-1] == "이":
        return f"{new.short_name}이" if closed else new.short_name
    return new.short_name + ("아" if closed else "야")


@cache
def surnames() -> frozenset[str]:
    """Returns the surnames of one syllable."""
    return story_words("ko").surnames | characters_of("ko", "more_surnames")


def _is_titled(name: str) -> bool:
    titles = words_of("ko", "titles")
    last = name.split()[-1]
    return last in titles or name[1:] in titles - words_of("ko", "words")


def _final(word: str) -> int:
    """Returns the index of the final consonant of a word's last syllable; 0 where it has none."""
    return (ord(word[-1]) - _FIRST) % _FINALS


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


@cache
def _chain(final: str, is_person: bool, lengthened: bool) -> re.Pattern[str]:
    """Compiles what may follow a name that ends in `consonant`, `rieul` or `vowel`: particles and a
    copula, whose form is that of the final sound; behind a title or 이 they have the title's."""
    closed = final != "vowel"
    pairs = pairs_of("ko", "pairs")
    plain, fused = words_of("ko", "particles"), words_of("ko", "copula_fused")
    first = {pair[0] if closed else pair[1] for pair in pairs} | plain
    if final == "rieul":
        first |= {"로", "로서", "로써", "로부터"}
    ends = words_of("ko", "copula")
    opened = ends | words_of("ko", "copula_open") | fused
    linked = {f"이{end}" for end in ends | words_of("ko", "copula_closed")} | fused
    behind = plain | words_of("ko", "later_particles")
    every = behind | {form for pair in pairs for form in pair}
    past = rf"(?:(?<=[었였])[{_HANGUL}]*)?"
    last = rf"(?:(?:{_any_of(opened | linked)}){past})?"
    checked = (
        rf"(?:{_any_of(first)})(?:{_any_of(behind)}){{0,3}}{last}"
        rf"|(?:{_any_of(linked if closed else opened)}){past}"
    )
    free = rf"(?:들|네)?(?:{_any_of(every)}){{0,4}}{last}"
    choices = ["", checked]
    if is_person:
        choices.append(rf"이?(?:{_any_of(words_of('ko', 'titles'))}){free}")
    if lengthened and closed:
        choices.append(f"이{free}")
    return re.compile(rf"(?:{'|'.join(reversed(choices))})(?![{_HANGUL}])")


_ANYWHERE = 40
"""The number of characters before and behind a name that are looked at."""


def stands(text: str, start: int, end: int, form: NameForm) -> bool:
    """Whether `text[start:end]` is that name, and neither another word nor somebody else's name."""
    if not is_hangul(text[end - 1]):
        return _begins(text, start, form)
    if not _begins(text, start, form):
        return False
    if form.kind == "nick":
        is_called = form.words[-1] != "이"
        return _CALLED.match(text, end) is not None if is_called else _person_behind(text, end)
    final = _final(form.words)
    sound = "vowel" if not final else "rieul" if final == _RIEUL else "consonant"
    takes_title = form.is_person and form.kind != "titled"
    if _chain(sound, takes_title, takes_title).match(text, end) is None:
        return False
    if form.is_person and " " not in form.words and _royal().match(text, end):
        return bool(split_name(form.words)[0])
    if form.kind == "given" and form.words in words_of("ko", "words"):
        return not _is_a_thing(text, start, end)
    if form.kind == "titled" and " " in form.words:
        return not _is_anybody(text, end, form)
    return True


def _begins(text: str, start: int, form: NameForm) -> bool:
    """Whether no syllable precedes; a surname may precede the whole name of a person who is known
    by the given name alone."""
    if not is_hangul(text[start]) or not start or not is_hangul(text[start - 1]):
        return True
    if form.kind != "whole" or not form.is_person or len(form.words) != _COMPOUND:
        return False
    alone = start == 1 or not is_hangul(text[start - 2])
    return alone and text[start - 1] in surnames()


_CALLED = re.compile(r"\s*[,!?…~]")
_PERSON = re.compile(
    "(?:는|가|를|의|도|만|야|랑|와|네|께|에게|한테|하고|처럼|보다|까지|부터|마저|조차)"
    "(?:서|는|도|만|은|의|게|로|요|라)*(?![가-힣])"
)


def _person_behind(text: str, end: int) -> bool:
    """Whether a particle follows that a lengthened name takes, as in 봄이가."""
    return _PERSON.match(text, end) is not None


@cache
def _royal() -> re.Pattern[str]:
    """Compiles what makes a foreign given name a king's: 알렉산드르 2세, 엘리자베스 여왕."""
    titles = _any_of(words_of("ko", "royal"))
    return re.compile(rf" ?(?:\d+ ?)?(?:{titles})(?:[은는이가을를의도과와]|(?!\w))")


_OF_THINGS = re.compile("(?:에(?!게|겐)|에서|으?로(?!서|선|써|부터))")


def _is_a_thing(text: str, start: int, end: int) -> bool:
    """Whether a given name that is a word is used as the word: by a particle of places, or by the
    words beside it."""
    if _OF_THINGS.match(text, end):
        return True
    before = re.search(rf"([{_HANGUL}]+) $", text[max(0, start - _ANYWHERE) : start])
    if before and before[1] in words_of("ko", "before_things"):
        return True
    behind = re.match(rf" ([{_HANGUL}]+)", text[end : end + _ANYWHERE])
    heads = {behind[1][:length] for length in range(1, _FULL + 2)} if behind else set()
    return not heads.isdisjoint(words_of("ko", "after_things"))


_DETERMINERS = ("한", "이", "양")


def _is_anybody(text: str, end: int, form: NameForm) -> bool:
    """Whether a surname is a determiner here: 한 노인 is an old man, unless he is addressed."""
    surname, _, title = form.words.partition(" ")
    if surname not in _DETERMINERS or title not in words_of("ko", "anybody"):
        return False
    return text[end : end + 1] not in (",", "!", "?", "”", "」", "』", '"')
