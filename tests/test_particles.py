"""A Korean particle follows the last sound of the words before it, whatever they are written in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from string import Formatter

import pytest

from studio import i18n
from studio.chapter_names import with_noun, with_word
from studio.messages import said
from studio.particles import fill, form_that_fits
from tests.catalogues import catalogue

OPEN = """서아 水 李 Mike note chapter-001.md Ctrl+E GPT José か 등대(燈臺) “서아” 《등대》
45% $3.10 2 4 5 9 12 4.5 1,000,000,000,000"""
CLOSED = """민준 江 朴 Tom Jack commit JSON M studio.json ン 서안(西安) “민준” 『밤』 (끝)
0 3 6 10 100 1,000 20000 3.0"""
RIEUL = """한별 月 雪 HTML studio.toml title 서울(首都) “마동철” 『밤길』 1 7 8 2.8"""
KINDS = {word: kind for kind, words in enumerate((OPEN, CLOSED, RIEUL)) for word in words.split()}
"""Words by how they end when they are read aloud: with a vowel, a consonant, or ㄹ."""
FORMS = (
    *(("는", "은", "은"), ("가", "이", "이"), ("를", "을", "을"), ("와", "과", "과")),
    *(("로", "으로", "로"), ("나", "이나", "이나"), ("라", "이라", "이라"), ("면", "이면", "이면")),
    *(("며", "이며", "이며"), ("였", "이었", "이었"), ("여야", "이어야", "이어야")),
    *(("야", "아", "아"), ("란", "이란", "이란"), ("랑", "이랑", "이랑"), ("든", "이든", "이든")),
)
"""Each particle behind a vowel, a consonant, and ㄹ."""
BY_FORM = {form: forms for forms in FORMS for form in forms}
_ANY = "|".join(sorted(BY_FORM, key=len, reverse=True))
SLOT = re.compile(
    rf"(?<!\{{)(\{{(\w+)[^{{}}]*\}})([”’」』》]*)({_ANY})"
    r"(?=도|서|고|만|는|다|면|의|부터|[^가-힣]|$)"
)
BRACKETED = re.compile(r"[은는이가을를과와]\([은는이가을를과와]\)|\((?:이|으|은|는|을|를)\)")


# req: K5
@pytest.mark.parametrize("word", KINDS)
def test_a_particle_follows_the_last_sound_of_any_word(word: str) -> None:
    for forms in FORMS:
        for form in forms:
            assert form_that_fits(form, word) == forms[KINDS[word]]


def korean() -> Iterator[tuple[str | None, str, str]]:
    """The context, the English and the Korean of every entry."""
    for message in catalogue("ko"):
        if message.id:
            ids = [message.id] if isinstance(message.id, str) else message.id
            forms = [message.string] if isinstance(message.string, str) else message.string
            for number, form in enumerate(forms):
                yield message.context, ids[min(number, len(ids) - 1)], form


def wanted(sentence: str, values: Mapping[str, str], kind: int) -> str:
    """The sentence as it should be said: each particle behind a field in the form of `kind`."""
    right = SLOT.sub(lambda place: f"{place[1]}{place[3]}{BY_FORM[place[4]][kind]}", sentence)
    return right.format_map(values)


class Named(str):
    """A value that is shown as it is in every form a sentence may ask for."""

    def __format__(self, spec: str) -> str:
        return str(self)

    def __repr__(self) -> str:
        return str(self)


# req: K5
@pytest.mark.sweep
def test_no_korean_message_has_a_wrong_double_or_bracketed_particle() -> None:
    """Every entry with fields, filled with every kind of word, in the app and from the engine."""
    i18n.use("ko")
    places = 0
    for context, english, catalogued in korean():
        korean_words = catalogued.replace(":cents}", "}")  # an amount, divided before it is filled
        names = {name for _, name, _, _ in Formatter().parse(korean_words) if name}
        if not names or not all(map(str.isidentifier, names)):  # the shape of JSON in a help
            assert not BRACKETED.search(korean_words)
            continue
        places += len(SLOT.findall(korean_words))
        for word, kind in KINDS.items():
            values = {name: Named(word) for name in names}
            said_so = fill(korean_words, values)
            assert said_so == wanted(korean_words, values, kind)
            assert not BRACKETED.search(said_so)
        if context:
            message = said(english, **dict.fromkeys(names, "민준"))
            assert i18n.translate(message) == fill(korean_words, dict.fromkeys(names, "민준"))
    assert places > 200


# req: K5
def test_what_is_said_has_the_particle_of_what_was_filled_in() -> None:
    i18n.use("ko")
    for path, words in (("계획.md", "계획.md를"), ("studio.toml", "studio.toml을")):
        assert words in i18n.translate(said("{path} cannot be read.", path=path))
        nested = said(
            "{entry}: {reason}.", entry="3", reason=said("{path} cannot be read.", path=path)
        )
        assert words in i18n.translate(nested)


# req: K5
def test_an_aside_in_brackets_is_not_what_a_particle_follows() -> None:
    assert fill("그 판({sha})이 없습니다.", {"sha": "cafe"}) == "그 판(cafe)이 없습니다."
    assert fill("{name}가 왔다.", {"name": "한설 (韓雪)"}) == "한설 (韓雪)이 왔다."
    assert fill("장면 {name}가 왔다.", {"name": "(끝)"}) == "장면 (끝)이 왔다."
    assert fill("{a}{b}를", {"a": "서울", "b": ""}) == "서울을"


LOOK_ALIKES = ("따로", "서로", "새로", "바로", "대로", "경로", "스스로", "나을", "마을", "가을")
"""Words that only look as if a particle stood behind them."""
BEHIND = re.compile(r"([가-힣]*[가-힣])(를|을|와|로|으로)(?=[^가-힣]|$)")


# req: K5
def test_no_word_of_the_korean_catalogue_itself_takes_a_wrong_particle() -> None:
    """내장 프롬프트을, 집필실를: what is no field follows its last sound too."""
    every = [words for _context, _english, words in korean()]
    places = [place for words in every for place in BEHIND.finditer(words)]
    wrong = [
        place.string
        for place in places
        if form_that_fits(place[2], place[1]) != place[2] and not place[0].endswith(LOOK_ALIKES)
    ]
    assert wrong == []


# req: K5
@pytest.mark.sampled
@pytest.mark.parametrize("word", ["화", "편", "에피소드"])
def test_the_novels_own_word_for_chapters_has_its_particles(word: str) -> None:
    """장을 and {n}장이 become 회차를 and {n}화가, wherever a sentence has them."""
    wrong = []
    for _context, _english, sentence in korean():
        named = with_noun(with_word(sentence, {"n": 1}, "ko", word), "ko", word)
        wrong += [
            named
            for place in re.finditer(rf"((?:회차|{word}))(을|를|과|와|으로)(?![가-힣])", named)
            if named != sentence and form_that_fits(place[2], place[1]) != place[2]
        ]
    assert wrong == []


# req: K5
def test_no_field_of_the_korean_catalogue_lacks_the_particle_its_verb_needs() -> None:
    """`{language} 아닙니다`: who is denied, and what is done to what, have a particle."""
    bare = re.compile(r"\}(?:[”’])? (?:아닙니다|아니라|아니고|냅니다|됩니다)")
    assert [words for _context, _english, words in korean() if bare.search(words)] == []


# req: K5
def test_no_noun_of_the_korean_catalogue_takes_the_other_form_of_a_topic() -> None:
    """집필실는: 는 behind a consonant is right only behind a verb, which never has 을 behind it."""
    every = [words for _context, _english, words in korean()]
    nouns = {place[1] for words in every for place in BEHIND.finditer(words) if place[2] in "을를"}
    topics = re.compile(r"([가-힣]*[가-힣])(은|는)(?=[^가-힣]|$)")
    wrong = [
        place.string
        for words in every
        for place in topics.finditer(words)
        if place[1] in nouns
        and len(place[1]) > 1
        and form_that_fits(place[2], place[1]) != place[2]
    ]
    assert wrong == []
