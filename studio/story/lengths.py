"""The lengths of prose: in words, or in characters with or without spaces. Light to import, because
the first frame counts, too."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from studio.config.schema import CharacterCount, Settings

Unit = Literal["words", "characters", "characters with spaces", "characters without spaces"]
"""The unit of a length of prose, as prompts and JSON name it; `characters` are counted without
spaces."""
OTHER_COUNT: Mapping[Unit, Unit] = {
    "characters with spaces": "characters without spaces",
    "characters without spaces": "characters with spaces",
}
"""The other way of counting, for a novel that says how it counts."""


def unit_of(language: str, count: CharacterCount | None = None) -> Unit:
    """Returns the unit of the lengths of prose in a language, as `targets.count` has it."""
    if language == "en":
        return "words"
    if count is None:
        return "characters"
    return "characters with spaces" if count == "with-spaces" else "characters without spaces"


def unit_in(settings: Settings) -> Unit:
    """Returns the unit of the lengths of prose in a novel with these settings."""
    return unit_of(settings.novel.language, settings.targets.count)


def length_of(text: str, unit: Unit) -> int:
    """Returns the length of a stretch of prose. What separates its lines and paragraphs, and what
    they are indented with, are no spaces that count; a syllable is one character however it is
    composed."""
    if unit != "words":
        text = unicodedata.normalize("NFC", text)
    if unit == "characters with spaces":
        return sum(len(line.strip()) for line in text.splitlines())
    words = text.split()
    return len(words) if unit == "words" else sum(map(len, words))


_COUNT = r"\d[\d,]*(?:\s?(?:-|–|~|to|or|and|에서|到|至)\s?\d[\d,]*)?"
_NUMBER = r"(?:\d+|one|two|three|four|five|six)"
_SMALL = (
    r"(?:a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)"
)
_IN_HUNDREDS = rf"(?:{_SMALL}[ -])*(?:hundred|thousand)(?:[ -](?:and[ -])?(?:{_SMALL}|hundred))*"
_KO_HUNDREDS = r"(?<![가-힣])[\d일이삼사오육칠팔구십]*\s?[백천만][\d일이삼사오육칠팔구십백천만 ]*"
_NAMED = re.compile(
    rf"\b(?:{_COUNT}|{_IN_HUNDREDS})[ -]?(?:words?|characters?)\b"
    rf"|\b{_NUMBER} (?:sentences?|paragraphs?)\b"
    rf"|(?:{_COUNT}|{_KO_HUNDREDS})\s?"
    r"(?:글자|자(?![가-힣]|\w)|자(?=로|씩|쯤|정도|안팎|내외|이내|이하|까지|를|만|의)|어절|단어)"
    r"|(?:\d+|한|두|세|네|다섯)\s?(?:문장|문단)"
    rf"|{_COUNT}\s?(?:来|多|余)?\s?[个個]?(?:字|词|詞)|[\d.一二两兩三四五六七八九十百千万萬]{{2,}}[来多余]?字"
    r"|(?:\d+|[两兩三四五])(?:句|段)",
    re.IGNORECASE,
)
"""A length of prose, as a sentence names it."""
_AROUND_IT = re.compile(
    r"\b(?:a|an|the|this|it|in|of|to|or|so|one|two|three|four|five|six|seven|eight|\d+"
    r"|short|long|brief|scenes?|and|with|total|whole|altogether|overall|combined|between|them"
    r"|chapter|each|per|only|just|about|around|roughly|some|at|most|least|no|not|more|less|than"
    r"|over|under|up|all|together|length|keep|write|make|be|is|maximum|minimum|max|min)\b"
    r"|한|두|세|네|다섯|\d+|짧은|짧게|긴|길게|장면|이번|회차|화|장|약|정도|쯤|안팎|내외|이내|이하|이상"
    r"|까지|으로|로|씩|각각|각|분량|길이|글자|전체|모두|합쳐서|합쳐|합해서|합해|합계|총|둘|셋|넷|하나|나눠서|나눠|나누고|마다|에|넘지|않게|않는다|쓴다|쓰기|써라"
    r"|만|은|는|를|의|개|짜리|공백|포함|제외"
    r"|[一两兩三四五个個短长長场場景章节節全约約大左右以内內每各共只不超过過字数數篇幅写寫控制在的含分成为為戏戲总總合计計加起来來上下]",
    re.IGNORECASE,
)
"""The words that stand around a length in a sentence that says nothing else."""
_TITLES = r"Mr Mrs Ms Dr St Prof Capt Col Gen Sgt Lt Rev [A-Z]"
NO_END = "".join(rf"(?<!\b{title}\.)" for title in _TITLES.split())
"""Of a pattern for the end of a sentence: that no abbreviation before a name stands there."""
_SENTENCES = re.compile(rf"(?<=[.!?…]){NO_END}\s+|(?<=[。！？])|\n")


def sentences_naming_a_length(texts: Iterable[str]) -> tuple[str, ...]:
    """Returns the sentences of the author's that name a length in numbers (“250 words each”), in
    order and each once."""
    sentences = (s.strip() for text in texts for s in _SENTENCES.split(text))
    return tuple(dict.fromkeys(s for s in sentences if _NAMED.search(s)))


def is_only_a_length(words: str) -> bool:
    """Whether words of a plan say how long it is to be and nothing else: they are nothing that
    happens."""
    rest = _AROUND_IT.sub("", _NAMED.sub("", words))
    return bool(_NAMED.search(words)) and not any(map(str.isalnum, rest))


_OF_EACH = re.compile(r"\b(?:each|every|per|apiece)\b|씩|마다|각각|每|各", re.IGNORECASE)
_OF_SCENES = re.compile(r"\bscenes?\b|장면|[场場]", re.IGNORECASE)
"""Who names a length beside scenes speaks of each of them, or of one, unless the length is `OF_ALL`
of them."""
OF_ALL = re.compile(
    r"\b(?:whole|in all|in total|altogether|together|total|overall|combined"
    r"|between them|all of (?:it|them))\b"
    r"|전체|전부|총|모두|다\s?해서|합쳐|합해|합계|통틀어"
    r"|全[文篇]|[总總]|共|合[计計]|合起[来來]|加起[来來]|[一全]起",
    re.IGNORECASE,
)
"""A length of everything that is spoken of."""
_OF_A_CHAPTER = re.compile(
    r"\b(?:chapters?|episodes?)\b|(?:이번|한|전체) ?(?:장|화|회)(?!면)|회차"
    r"|[全本整这這一][章回]|全文|篇幅",
    re.IGNORECASE,
)


def length_of_hers(texts: Iterable[str], length: str, scenes: int = 1, share: str = "") -> str:
    """Returns what a task says of a length: the author's own words alone where they speak of the
    chapter or its scenes, else before `length`, which was computed for where she says nothing of
    it. `scenes` is in how many the chapter is told, and `share` what of her length for all of it
    falls to the one in hand."""
    sentences = sentences_naming_a_length(texts)
    if not sentences:
        return length
    hers = " ".join(f"“{words}”" for words in sentences)
    if not any(map(_is_of_the_piece, sentences)):
        return f"as the author says ({hers}); where that does not say it, {length}"
    is_shared = scenes > 1 and not any(map(_is_of_a_scene, sentences))
    rest = f", of the whole chapter, which has {scenes} scenes" if is_shared else ""
    rest += f"; this scene has about {share} of it" if is_shared and share else ""
    return f"as the author says ({hers}){rest}"


_SHORTER = re.compile(
    r"\b(?:shorter|shorten|tighter|tighten|half as long|(?:fewer|less) words)\b"
    r"|\btrim (?:it|this|the (?:passage|paragraph|scene))\b"
    r"|(?:더|좀|조금|훨씬) ?짧게|짧게 (?:쓰|써|줄|다듬|해|고)"
    r"|(?<![가-힣])줄(?:여|였|일|인다|이고|이되)"
    r"|[短简簡][一点點些]|更短|缩短|縮短|[压壓][缩縮]|精[简簡]",
    re.IGNORECASE,
)
_LONGER = re.compile(
    r"^\W*longer\b|\b(?:it|this|passage|paragraph|much|bit|little) longer\b(?! (?:at|in|on|than)\b)"
    r"|\b(?:lengthen|expand|twice as long|more (?:words|room))\b"
    r"|(?:더|좀|조금|훨씬) ?길게|길게 (?:쓰|써|풀|해|고)|(?<![가-힣])늘(?:려|렸|리고|린다|일 것)"
    r"|(?<![船村校队隊团團局市家会會班组組社院部])[长長](?:一?[点點](?![头頭])|一些|些)"
    r"|更[长長]|[写寫][长長]|[扩擴][写寫]|展[开開](?:来|來)?(?:[写寫讲講]|描[写寫])",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not?|never)\b|n['’]t\b|지 (?:말|않)|지는 |[不没沒]|(?<![特分区個个級级])[别別]",
    re.IGNORECASE,
)


def is_shorter_wished(wish: str) -> bool:
    """Whether the author's words about a passage ask for fewer of them."""
    return _is_wished(_SHORTER, wish) and not _is_wished(_LONGER, wish)


def is_longer_wished(wish: str) -> bool:
    """Whether the author's words about a passage ask for more of them."""
    return _is_wished(_LONGER, wish) and not _is_wished(_SHORTER, wish)


def _is_wished(pattern: re.Pattern[str], wish: str) -> bool:
    clauses = re.split(r"[,;.!?，；。！？、\n]", wish)
    return any(pattern.search(words) and not _DENIED.search(words) for words in clauses)


def _is_of_the_piece(words: str) -> bool:
    """Whether a sentence that names a length means that of what is to be written, and not of a
    letter in it."""
    said_of = (_OF_A_CHAPTER, _OF_EACH, _OF_SCENES)
    return is_only_a_length(words) or any(pattern.search(words) for pattern in said_of)


def _is_of_a_scene(words: str) -> bool:
    """Whether a sentence that names a length means that of each scene, or of one."""
    in_all = OF_ALL.search(words)
    return bool(_OF_EACH.search(words) or (not in_all and _OF_SCENES.search(words)))
