"""Guesses the names a text uses from form and context, without a model, in three languages.

English names are capitals inside a sentence; Korean ones precede what only people take (에게,
씨, verbs of speech); Chinese ones begin a clause before a verb of human action. A guess is
only an offer to the writer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from studio.i18n import Language
from studio.text.language import chinese_names
from studio.text.language.name_grammar import words_of
from studio.text.language.names import forms_of
from studio.text.language.packs import load_pack
from studio.text.language.story_words import story_words

Guess = Literal["character", "place"]
_LEAST = 2
"""The minimum number of places that identify a word as a name."""
_KO_FULL = 3
"""The syllables of most Korean full names."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EN_NAME = re.compile(r"(?<![.!?:“\"'‘—*])(?<![.!?]”)\s([A-Z][a-z]+(?:[ ][A-Z][a-z]+){0,2})\b")
_EN_ANY = re.compile(r"\b[A-Z][a-z]+\b")
_EN_SMALL = re.compile(r"\b[a-z]{2,}\b")
_EN_SPEAKS = (
    r"(?:said|asked|answered|replied|told|whispered|shouted|laughed|nodded|thought|knew|looked"
    r"|turned|went|came|took|had|was|did|stood|sat)"
)
_EN_PLACE = re.compile(r"\b(?:in|at|from|to|near|towards|of|into)\s+(?:the\s+)?$")
_EN_ARTICLE = re.compile(r"\b(?:the|an?) $", re.IGNORECASE)
_EN_NEVER = _words(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays "
    "Wednesdays Thursdays Fridays Saturdays Sundays Christmas Easter January February "
    "March April May June July August September October November December God Mr "
    "Mrs Miss Sir Lord Lady Doctor Captain Father Mother English French German "
    "Chapter"
)
_KO_PERSON = re.compile(
    r"(?<![가-힣])([가-힣]{2,4}?)(?:에게서|에게|한테|씨(?:는|가|를|의|도|와)?(?![가-힣])"
    r"|(?:은|는|이|가)\s(?:[가-힣]+\s){0,2}?(?:(?:말|대답|생각)(?:했|하였|한다|하며|을)|물었|묻는다"
    r"|외쳤|외친다|웃었|웃는다|속삭|중얼거|소리(?:쳤|친)|고개를|바라보|바라봤|쳐다보|돌아보))"
)
_KO_NEVER = _words(
    "그 그녀 그들 우리 나 너 저 누구 사람 남자 여자 아이 소년 소녀 노인 아버지 "
    "어머니 형 누나 오빠 언니 동생 할머니 할아버지 모두 자신 자기 서로 아무 당신 "
    "여인 사내 사람들 아이들 선생 "
    "여동생 남동생 여학생 남학생 여자애 남자애 여선생 남선생 여배우 남배우 여주인 안주인 하숙생 "
    "전학생 유학생 이방인 정치인 연예인 지배인 원주민 이주민 안내원 공무원 연구원 변호사 기관사 "
    "마술사 조련사 조종사 정비사 운전사 운전수 이발사 장의사 기술자 소방관 심판관 방문객 문지기 "
    "우체부 공장장 주인장 위원장 어르신 어린애 어린이 이웃집 마누라 며느리 조카딸 손녀딸 여편네 "
    "주모님 김서방 이서방 박서방 최서방"
)
_KO_NO_NAME_ENDS = ("꾼", "님", "들", "집", "네")
"""Syllables with which a word of three that begins like a surname is no full name."""
_ZH_PERSON = re.compile(
    r"(?:^|[。！？”」，；、：\s])([\u4e00-\u9fff]{2,3}?)"
    r"(?=(?:轻声|輕聲|低声|低聲|大声|大聲)?(?:说|說|问|問|答|喊|道|曰|笑|点头|點頭|摇头|搖頭|看着|看著|走|站|坐"
    r"|叹|嘆|歎|想))"
)
_ZH_NEVER = _words(
    "他们 她们 我们 你们 自己 有人 没人 大家 别人 男人 女人 孩子 老人 父亲 母亲 "
    "哥哥 姐姐 弟弟 妹妹 什么 这样 那样 一边 于是 然后 只是 如果 但是 可是 所以 "
    "因为 终于 忽然 突然 没有 不再 也不 他又 她又 他便 她便 他也 她也 他只 她只 "
    "没再 还没 这才 慢慢 随后 两人 众人 渐渐 轻轻 急忙 赶紧 一面 还是 心里 开始 老是 "
    "看着 听着 笑着 想着 接着 跟着 只好 只得 只管 仿佛 好像 似乎 简直 几乎 已经 从来 "
    "他們 她們 我們 你們 沒人 別人 母親 父親 什麼 這樣 那樣 一邊 於是 然後 終於 沒有 沒再 "
    "還沒 這才 隨後 兩人 眾人 衆人 漸漸 輕輕 趕緊 還是 心裡 心裏 開始 看著 聽著 笑著 想著 "
    "接著 跟著 彷彿 簡直 幾乎 已經 從來 正当 正當 细细 細細 床上 常言"
)
_ZH_PRONOUNS = (
    "他她它我你您这這那谁誰不没沒也而并並且或假虽雖若在可从從把被"  # no subject, or no name
    "又还還就都便遂忙仍却卻只"  # adverbs that are no surname
)
"""Characters that no name begins with."""
_ZH_LINKS = "乃因即亦才方再忽急齐齊正连連先"
"""Characters that may begin a name but mostly introduce an action."""
_ZH_SPEAKS = "说說问問答喊道曰笑叹嘆歎想叫骂罵声聲"
_ZH_ADVERBS = "又也便就都还還才却卻再只没沒不已正在刚剛一忽的地了着著遂乃"
"""Characters that may separate a name from an action."""


@dataclass(frozen=True, slots=True)
class NameGuess:
    """A word that is used as a name."""

    name: str
    count: int
    """The number of occurrences in the text."""
    kind: Guess
    aliases: tuple[str, ...] = ()
    """Parts of the name that occur alone."""


def guess_names(texts: Iterable[str], language: Language, least: int = 3) -> list[NameGuess]:
    """Returns the words used as a name at least `least` times, the most frequent first."""
    text = "\n".join(texts)
    guesses = {"en": _english, "ko": _korean, "zh": _chinese}[language](text)
    people = _one_a_person([guess for guess in guesses if not _names_nobody(guess.name, language)])
    often = [guess for guess in people if guess.count >= least]
    return sorted(often, key=lambda guess: (-guess.count, guess.name))


def _names_nobody(name: str, language: Language) -> bool:
    """Whether a word is a title, a profession or the beginning of a sentence."""
    words = {name.casefold(), *name.casefold().split()[:1]}
    nobody = words_of(language, "titles") | story_words(language).not_names
    if language == "en":
        pack = load_pack("en")
        nobody |= story_words("en").common | pack.function_words | set(pack.sentence.starters)
    if language == "zh":
        nobody |= chinese_names.common_words()
    return not words.isdisjoint(nobody)


def _one_a_person(guesses: list[NameGuess]) -> list[NameGuess]:
    """Returns the guesses with each part of a longer name as its alias: 미라 is no second person
    beside 김미라."""
    wholes: dict[str, str] = {}
    for guess in guesses:
        others = [g.name for g in guesses if g.name != guess.name and guess.name in g.name]
        owners = [name for name in others if _is_part(guess.name, name)]
        if len(owners) == 1:
            wholes[guess.name] = owners[0]
    merged = []
    for guess in guesses:
        parts = [g for g in guesses if wholes.get(g.name) == guess.name]
        if guess.name not in wholes:
            aliases = (*guess.aliases, *(g.name for g in parts if g.name not in guess.aliases))
            count = max([guess.count, *(g.count for g in parts)])
            merged.append(replace(guess, count=count, aliases=aliases))
    return merged


def _is_part(part: str, name: str) -> bool:
    forms = forms_of(name, is_person=True)
    return any(form.words == part for form in forms if form.kind in ("given", "surname", "titled"))


def _english(text: str) -> list[NameGuess]:
    small = Counter(word.capitalize() for word in _EN_SMALL.findall(text))
    large = Counter(_EN_ANY.findall(text))
    inside = Counter(match[1] for match in _EN_NAME.finditer(text))
    names = {
        name
        for name, count in inside.items()
        if (count >= _LEAST or " " in name)
        and not _EN_NEVER & set(name.split())
        and all(small[part] * 4 < large[part] >= _LEAST for part in name.split()[:1])
        and not _takes_an_article(text, name)
    }
    longer = {name.split()[0]: name for name in sorted(names) if " " in name}
    guesses = []
    for name in names - set(longer):
        first = name.split()[0]
        is_alone = " " in name and longer[first] == name and large[first] > inside[name]
        aliases = (first,) if is_alone else ()
        count = large[first] if aliases else len(re.findall(rf"\b{re.escape(name)}\b", text))
        guesses.append(NameGuess(name, count, _english_kind(text, name), aliases))
    return guesses


def _takes_an_article(text: str, name: str) -> bool:
    """Whether a word mostly follows an article or is a part of a compound: the County, Co-op."""
    places = [m.start() for m in re.finditer(rf"\b{re.escape(name)}\b", text)]
    common = sum(1 for at in places if _EN_ARTICLE.search(text, max(0, at - 5), at))
    common += sum(1 for at in places if text[at + len(name) : at + len(name) + 1] == "-")
    return common * 2 > len(places)


def _english_kind(text: str, name: str) -> Guess:
    first = re.escape(name.split()[0])
    does = len(re.findall(rf"\b{first}(?:\s[A-Z][a-z]+)*\s{_EN_SPEAKS}\b", text))
    does += len(re.findall(rf"\b(?:said|asked)\s{first}\b", text))
    places = [m.start() for m in re.finditer(rf"\b{first}\b", text)]
    lies = sum(1 for at in places if _EN_PLACE.search(text, max(0, at - 16), at))
    return "place" if lies * 2 > len(places) and lies > does else "character"


def _korean(text: str) -> list[NameGuess]:
    people = Counter(match[1] for match in _KO_PERSON.finditer(text))
    return [
        NameGuess(name, len(re.findall(rf"(?<![가-힣]){name}", text)), "character")
        for name, count in people.items()
        if (count >= _LEAST or _is_full_name(name)) and name not in _KO_NEVER
    ]


def _is_full_name(name: str) -> bool:
    """Whether a Korean word has a surname and two syllables, as most names do: for such a one, one
    place that only people stand in is enough."""
    begins = len(name) == _KO_FULL and name[0] in story_words("ko").surnames
    return begins and not name.endswith(_KO_NO_NAME_ENDS)


def _chinese(text: str) -> list[NameGuess]:
    people = Counter(match[1] for match in _ZH_PERSON.finditer(text))
    return [
        NameGuess(name, text.count(name), "character")
        for name, count in people.items()
        if count >= _LEAST and name not in _ZH_NEVER
        if name[0] not in _ZH_PRONOUNS and name[-1] not in _ZH_ADVERBS
        if name[0] not in _ZH_LINKS or name[-1] not in _ZH_SPEAKS
    ]
