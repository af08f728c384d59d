"""Names in Hangul: particles as a grammar of chains, given names, and surnames with titles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from studio.text.language.name_grammar import Form, characters_of, words_of
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


def forms_of(name: str, *, is_person: bool) -> Iterator[Form]:
    """Yields every form of a name: with and without its blanks, and of a person the given name, the
    surname with a title, and a one-syllable given name lengthened by 이."""
    for words in {name, name.replace(" ", ""), name.replace(" ", "  ")}:
        yield Form(words, "whole", is_person)
    surname, given = split(name) if is_person else ("", "")
    if not surname:
        if is_person and " " in name and not _is_titled(name):
            for part in {*name.split()[:1], *name.split()[-1:]}:
                if len(part) >= _COMPOUND:
                    yield Form(part, "given", True)
        return
    if len(given) > 1:
        yield Form(f"{surname} {given}", "whole", True)
    yield from _given(given)
    for title in words_of("ko", "titles"):
        yield Form(f"{surname} {title}", "titled", True)
        yield Form(surname + title, "titled", True)


def _given(given: str) -> Iterator[Form]:
    if len(given) > 1:
        yield Form(given, "given", True)
    else:
        if _final(given):
            yield Form(f"{given}이", "nick", True)
        yield Form(given + ("아" if _final(given) else "야"), "nick", True)


def split(name: str) -> tuple[str, str]:
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


# What may follow a name. A pair is the form behind a consonant and the form behind a vowel.

_PAIRS = (
    "은 는",
    "이 가",
    "을 를",
    "과 와",
    "이랑 랑",
    "으로 로",
    "으로서 로서",
    "으로써 로써",
    "으로부터 로부터",
    "이나 나",
    "이나마 나마",
    "이든 든",
    "이든지 든지",
    "이라도 라도",
    "이야말로 야말로",
    "이여 여",
    "이시여 시여",
    "이며 며",
    "아 야",
    "은커녕 는커녕",
    "이란 란",
)
_PLAIN = (
    "의 에 에서 에게 에게서 한테 한테서 께 께서 더러 보고 하고 처럼 보다 같이 같은 만큼 대로 마냥 도 만"
    " 까지 부터 마저 조차 밖에 뿐 커녕 치고 말고 들 네 씩 인들 이라 따위 깨나 마다 요 답게 다운 에다"
    " 에다가 다웠다 답다 스러운 빼고 때문에"
).split()
_ANY = ("은 는 이 가 을 를 와 과 랑 이랑 로 으로 나 이나 라도 이라도 든 이든 야 이야 서 써 란 이란").split()
_COPULA = (
    "다 라고 라고는 라고도 라는 라며 라면 라면서 라서 라도 라니 라니까 라던 라든지 란 랍니다 랬다 라네 잖아 잖아요 잖니 잖습니까"
    " 네 네요 지 지요 죠 지만 니 니까 며 면 면서 자 든 든지 거나 나 구나 군 군요 로군 로다 로구나 더니"
    " 던 던가 더라 요 야 라 래 래요 랴 시다 십니다 신 시여 셨다"
).split()
_ONLY_CLOSED = ("고", "고는", "었", "에요", "어서", "어야", "어")
_OPEN = ("였", "예요", "여서", "여야", "이라고", "이었", "이다")
_FUSED = (
    "인 인데 인데도 인데요 인지 인지도 인지는 인가 인가요 인들 인즉 인양 인줄 일 일까 일지 일지도 임 임을"
    " 임이 입니다 입니까 입니다만 입니다요"
).split()


def _any_of(words: list[str] | tuple[str, ...]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


@cache
def _chain(final: str, is_person: bool, lengthened: bool) -> re.Pattern[str]:
    """Compiles what may follow a name that ends in `consonant`, `rieul` or `vowel`: particles and a
    copula, whose form is that of the final sound; behind a title or 이 they have the title's."""
    closed = final != "vowel"
    pairs = [pair.split() for pair in _PAIRS]
    first = [pair[0] if closed else pair[1] for pair in pairs]
    if final == "rieul":
        first += ["로", "로서", "로써", "로부터"]
    copula = [f"이{end}" for end in (*_COPULA, *_ONLY_CLOSED)]
    ends = [*copula, *_FUSED] if closed else [*_COPULA, *_OPEN, *_FUSED]
    later = [*_COPULA, *_OPEN, *copula, *_FUSED]
    every = [*_PLAIN, *_ANY, *(form for pair in pairs for form in pair)]
    past = rf"(?:(?<=[었였])[{_HANGUL}]*)?"
    last = rf"(?:(?:{_any_of(later)}){past})?"
    checked = (
        rf"(?:{_any_of([*first, *_PLAIN])})(?:{_any_of([*_PLAIN, *_ANY])}){{0,3}}{last}"
        rf"|(?:{_any_of(ends)}){past}"
    )
    free = rf"(?:들|네)?(?:{_any_of(every)}){{0,4}}{last}"
    choices = ["", checked]
    if is_person:
        choices.append(rf"이?(?:{_any_of(sorted(words_of('ko', 'titles')))}){free}")
    if lengthened and closed:
        choices.append(f"이{free}")
    return re.compile(rf"(?:{'|'.join(reversed(choices))})(?![{_HANGUL}])")


_ANYWHERE = 40
"""The number of characters before and behind a name that are looked at."""


def stands(text: str, start: int, end: int, form: Form) -> bool:
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
    named = form.is_person and form.kind != "titled"
    if _chain(sound, named, named).match(text, end) is None:
        return False
    if form.is_person and " " not in form.words and _royal().match(text, end):
        return bool(split(form.words)[0])
    if form.kind == "given" and form.words in words_of("ko", "words"):
        return not _is_a_thing(text, start, end)
    if form.kind == "titled" and " " in form.words:
        return not _is_anybody(text, end, form)
    return True


def _begins(text: str, start: int, form: Form) -> bool:
    """Whether no syllable precedes; a surname may precede the whole name of a person who is known
    by the given name alone."""
    if not is_hangul(text[start]) or not start or not is_hangul(text[start - 1]):
        return True
    if form.kind != "whole" or not form.is_person or len(form.words) != _COMPOUND:
        return False
    alone = start == 1 or not is_hangul(text[start - 2])
    return alone and text[start - 1] in surnames() and not split(form.words)[0]


_CALLED = re.compile(r"\s*[,!?…~]")
_PERSON = re.compile(
    "(?:는|가|를|의|도|만|야|랑|와|네|께|에게|한테|하고|처럼|보다|까지|부터|마저|조차)"
    "(?:서|는|도|만|은|의|게|로|요|라)*(?![가-힣])"
)


def _person_behind(text: str, end: int) -> bool:
    """Whether a particle follows that a lengthened name takes: 봄이가 is a person, 봄이 may not be."""
    return _PERSON.match(text, end) is not None


@cache
def _royal() -> re.Pattern[str]:
    """Compiles what makes a foreign given name a king's: 알렉산드르 2세, 엘리자베스 여왕."""
    return re.compile(rf" ?(?:\d+ ?)?(?:{_any_of(sorted(words_of('ko', 'royal')))})(?:[은는이가을를의도과와]|(?!\w))")


_OF_THINGS = re.compile("(?:에(?!게)|에서|으?로(?!서|써|부터))")


def _is_a_thing(text: str, start: int, end: int) -> bool:
    """Whether a given name that is a word is used as the word: by a particle of places, or by the
    words beside it."""
    if _OF_THINGS.match(text, end):
        return True
    before = re.search(rf"([{_HANGUL}]+) $", text[max(0, start - _ANYWHERE) : start])
    if before and before[1] in words_of("ko", "before_things"):
        return True
    behind = re.match(rf" ([{_HANGUL}]+)", text[end : end + _ANYWHERE])
    after = words_of("ko", "after_things")
    return bool(behind) and any(behind[1].startswith(w) and w in after for w in _heads(behind[1]))


def _heads(word: str) -> list[str]:
    return [word[:length] for length in (1, 2, 3, 4)]


_DETERMINERS = ("한", "이", "양")


def _is_anybody(text: str, end: int, form: Form) -> bool:
    """Whether a surname is a determiner here: 한 노인 is an old man, unless he is addressed."""
    surname, _, title = form.words.partition(" ")
    if surname not in _DETERMINERS or title not in words_of("ko", "anybody"):
        return False
    return text[end : end + 1] not in (",", "!", "?", "”", "」", "』", '"')
