"""Names in Latin letters: the Revised Romanization of Korean, and Pinyin without tones; and the
words of a text that an id in such letters stands for.

A reader of folders recognises `gim-mira` and `lin-wan`; nobody recognises `person-3`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from studio.text.language import chinese_names, korean_names
from studio.text.language.name_grammar import letters_of, without_accents

_FIRST, _VOWELS, _FINALS = 0xAC00, 21, 28
_PAIR = 2
"""Syllables of a Korean name that may be a given name alone: 민아 is `mina`."""
_SILENT = 11
"""The index of the initial that is no sound."""
_RIEUL_INITIAL, _RIEUL_FINAL, _NG = 5, 8, 21

_SURNAMES = {
    "单": "shan", "單": "shan", "曾": "zeng", "解": "xie", "仇": "qiu", "查": "zha", "乐": "yue",
    "樂": "yue", "盖": "ge", "任": "ren", "区": "ou", "區": "ou", "朴": "piao", "翟": "zhai",
    "折": "she", "洗": "xian", "冼": "xian", "员": "yun", "秘": "bi", "缪": "miao", "繁": "po",
    "种": "chong", "覃": "qin", "召": "shao", "尉迟": "yuchi", "万俟": "moqi", "长孙": "zhangsun",
    "澹台": "tantai", "呼延": "huyan", "独孤": "dugu", "令狐": "linghu", "尹": "yin",
}  # fmt: skip
"""Readings that characters have as surnames, where they differ from the usual one."""
_USUAL = {
    "김": "kim", "이": "lee yi", "박": "park", "최": "choi", "정": "jung chung", "강": "kang",
    "조": "cho", "윤": "yoon", "임": "lim", "오": "oh", "신": "shin", "유": "yoo", "류": "yoo ryoo",
    "우": "woo", "노": "noh roh", "문": "moon", "권": "kwon", "구": "koo", "전": "chun jun",
    "백": "paik baik", "고": "ko", "주": "joo", "성": "sung", "손": "sohn", "허": "huh hur",
    "선": "sun", "심": "shim", "현": "hyun", "변": "byun", "차": "cha", "여": "yeo yuh",
}  # fmt: skip
"""How the bearers of Korean surnames write them, beside the Revised Romanization."""
_SEVERAL_SYLLABLES = range(4, 1, -1)
"""The lengths of a name in Hangul or Chinese characters, the longest first."""
_EAST_ASIAN_WORD = re.compile(r"[가-힣]{2,}|[\u4e00-\u9fff]{2,}")


def romanise(name: str, *, is_person: bool) -> str:
    """Returns a name in lowercase Latin letters, its parts joined by hyphens: of a person surname
    and given name. Empty where the name has no letters that this knows."""
    surname, given_name = _split_name(name) if is_person else ("", "")
    if surname and not (korean_names.is_hangul(name[0]) and len(surname + given_name) == _PAIR):
        return f"{_surname(surname)}-{_romanise_given_name(given_name)}".strip("-")
    return "-".join(part for word in name.split() for part in _parts(word) if part)


@lru_cache(maxsize=4096)
def romanisations(name: str) -> frozenset[str]:
    """Returns the letters, without hyphens, by which somebody may write a name: surname first or
    last, the given name alone, and Korean surnames as their bearers write them."""
    surname, given_name = _split_name(name)
    if not surname:
        return frozenset({letters(romanise(name, is_person=False))} - {""})
    first = {_surname(surname), *_USUAL.get(surname, "").split()}
    last = letters(_romanise_given_name(given_name))
    both = {a + last for a in first} | {last + a for a in first}
    return frozenset(both | ({last} if len(given_name) > 1 else set()))


def letters(words: str) -> str:
    """Returns the lowercase letters and digits of an id or a name in Latin letters."""
    plain = unicodedata.normalize("NFKD", without_accents(words)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", plain.lower())


def words_for_id(id_: str, text: str) -> str:
    """Returns the words of `text` whose letters are those of an id: `the Bell Ringer` of
    bell-ringer, 守夜人 of shou-ye-ren; "" where there are none."""
    plain = r"[\s-]+".join(map(re.escape, re.split(r"[-_]", id_)))
    match = re.search(rf"(?<!\w){plain}(?!\w)", text, re.IGNORECASE)
    if match is not None:
        return " ".join(match[0].split())
    wanted = letters(id_)
    return next((words for words in _possible_names(text) if wanted in romanisations(words)), "")


def id_is_words(id_: str) -> bool:
    """Whether an id reads as words of English: bell-ringer, and not person-7."""
    return id_.isascii() and not any(letter.isdecimal() for letter in id_)


def _split_name(name: str) -> tuple[str, str]:
    if any(map(korean_names.is_hangul, name)):
        return korean_names.split_name(name)
    return chinese_names.split_name(name) if any(map(chinese_names.is_han, name)) else ("", "")


def _surname(surname: str) -> str:
    if korean_names.is_hangul(surname[0]):
        return _korean(surname)
    return _SURNAMES.get(surname) or "".join(_pinyin(surname))


def _romanise_given_name(given_name: str) -> str:
    return (
        _korean(given_name)
        if korean_names.is_hangul(given_name[0])
        else "".join(_pinyin(given_name))
    )


def _parts(word: str) -> Iterator[str]:
    """Yields the romanised parts of a word: runs of one script, a Chinese one by syllables."""
    for run in re.findall("[가-힣]+|[\u3400-\u9fff]+|[^가-힣\u3400-\u9fff]+", word):
        if korean_names.is_hangul(run[0]):
            yield _korean(run)
        elif chinese_names.is_han(run[0]):
            yield from _pinyin(run)
        else:
            plain = unicodedata.normalize("NFKD", run).encode("ascii", "ignore").decode().lower()
            yield from re.findall("[a-z0-9]+", re.sub("['`]", "", plain))


def _pinyin(characters: str) -> list[str]:
    """Returns the reading of each Chinese character, lü as lyu."""
    from pypinyin import lazy_pinyin  # a third of a second: only when an id is made or compared

    return [
        re.sub("[^a-z]", "", syllable.replace("v", "yu"))
        for syllable in lazy_pinyin(characters, errors="ignore")
    ]


def _korean(word: str) -> str:
    """Returns Hangul syllables in the Revised Romanization; a final is linked to the vowel behind
    it."""
    initials, vowels = letters_of("ko", "initials"), letters_of("ko", "vowels")
    finals, linked = letters_of("ko", "finals"), letters_of("ko", "linked")
    out = ""
    before = 0
    for sign in word:
        code = ord(sign) - _FIRST
        initial, vowel = divmod(code // _FINALS, _VOWELS)
        if before == _RIEUL_FINAL and initial == _RIEUL_INITIAL:
            out += "ll"
        elif before and initial == _SILENT and before != _NG:
            out += linked[before]
        else:
            out += finals[before] + initials[initial]
        out += vowels[vowel]
        before = code % _FINALS
    return out + finals[before]


def _possible_names(text: str) -> Iterator[str]:
    """Yields what may be a name in Hangul or Chinese characters, each once. A Korean one begins its
    word, which may go on with a particle."""
    words = dict.fromkeys(_EAST_ASIAN_WORD.findall(text))
    parts_so_far = set[str]()
    for length in _SEVERAL_SYLLABLES:
        for word in words:
            is_korean = word[0] >= "가"
            for start in range(1 if is_korean else max(0, len(word) - length + 1)):
                part = word[start : start + length]
                if len(part) == length and part not in parts_so_far:
                    parts_so_far.add(part)
                    yield part
