"""The tics of a chapter and of a book: what stands there far more often than in human fiction."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio.i18n import LANGUAGES
from studio.text.language.packs import load_pack
from studio.text.language.reference import load_background
from studio.text.oracle import patterns as oracle
from studio.text.oracle.patterns import Pattern, book_patterns, hers_of, patterns
from studio.text.prose.parse import Reading, read
from tests.sweeps import swept
from tests.text.tics import TICS, TURNS, chapter, paragraphs, spread


def reading(text: str, language: str) -> Reading:
    return read(text, load_pack(language))


def found(text: str, language: str, **beside: object) -> tuple[Pattern, ...]:
    return patterns(reading(text, language), **beside)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_that_stands_eight_times_in_a_chapter_is_found_with_every_place(
    language: str,
) -> None:
    text = chapter(language, TICS[language])
    (tic,) = found(text, language)
    assert tic.words == TURNS[language]
    assert [text[start:end] for start, end in tic.places] == [TURNS[language]] * 8
    assert tic.usual < 0.1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_prose_without_it_has_no_tic(language: str) -> None:
    assert found(chapter(language), language) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_four_places_are_no_tic(language: str) -> None:
    assert found(chapter(language, TICS[language][:4]), language) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_only_one_stretch_of_a_chapter_has_is_its_subject(language: str) -> None:
    joint = "" if language == "zh" else " "
    at_once = "\n\n".join((*paragraphs(language), joint.join(TICS[language])))
    assert found(at_once, language) == ()


LETTERS = {
    "ko": ("수진에게", "미안하다는 말부터 쓴다.", "오빠 올림"),
    "en": ("Dear Ruth,", "I am writing to say that I am sorry.", "Yours, Tom"),
    "zh": ("亲爱的小雨：", "先说一声对不起。", "此致敬礼"),
}
in_one_and_swept = pytest.mark.parametrize("language", ["ko", swept("en"), swept("zh")])


@in_one_and_swept
@pytest.mark.parametrize("close", [True, False])
def test_letters_in_a_story_and_drafts_of_them_are_no_tic(language: str, close: bool) -> None:
    greeting, begin, closing = LETTERS[language]
    end = [closing] if close else []
    blocks = ["\n\n".join((greeting, f"{begin} {tic}", *end)) for tic in TICS[language]]
    assert found(spread(language, blocks), language) == ()


@in_one_and_swept
def test_a_sentence_that_stands_again_word_for_word_is_meant(language: str) -> None:
    refrain = {**TICS, "zh": ("停顿了一下，海什么也不会还给任何人。",)}[language][0]
    assert found(chapter(language, (refrain,) * 8), language) == ()
    assert found(spread(language, [refrain] * 8), language) == ()


@in_one_and_swept
def test_verse_and_lists_are_no_tic(language: str) -> None:
    tics = TICS[language]
    verse = ["\n".join(tic.rstrip(".。")[: 20 - 2 * n] for n in range(4)) for tic in tics]
    lists = [
        "\n".join(f"{n}. {tic}" for n, tic in enumerate(tics[at : at + 3], 1)) for at in range(6)
    ]
    assert found(spread(language, verse), language) == ()
    assert found(spread(language, lists), language) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_of_fewer_than_ten_authors_proposes_nothing(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = load_background(language)
    poor = replace(table, works=tuple(work for work in table.works if work.author < "0"))
    monkeypatch.setattr(oracle, "load_background", lambda _: poor)
    assert found(chapter(language, TICS[language]), language) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_her_earlier_chapters_do_is_hers_from_the_third_chapter_on(language: str) -> None:
    text = chapter(language, TICS[language])
    one = hers_of([text], load_pack(language))
    two = hers_of([text, text], load_pack(language))
    assert [tic.words for tic in found(text, language, hers=one)] == [TURNS[language]]
    assert found(text, language, hers=two) == ()


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            [f"Old Marrow {w}." for w in ("came", "ran off", "fell over", "went home", "got up")],
        ),
        (
            "ko",
            [f"두칠 영감이 {w}." for w in ("웃었다", "일어섰다", "돌아섰다", "앉았다", "물러났다")],
        ),
        ("zh", [f"老莫不{w}。" for w in ("吭声", "走动", "看人", "吃饭", "睡觉")]),
    ],
)
def test_a_name_that_the_studio_knows_is_no_tic(language: str, sentences: list[str]) -> None:
    names = {"en": "Old Marrow", "ko": "두칠 영감", "zh": "老莫"}[language]
    assert found(chapter(language, (*sentences, *sentences)), language, names=[names]) == ()


@pytest.mark.parametrize(
    ("language", "spoken"),
    [
        ("ko", "“한 박자 늦었어.” “또 한 박자야.”"),
        ("en", "“Let out a breath,” he said. “Everybody, let out a breath.”"),
        ("zh", "“停顿了一下，你听见没有？”“停顿了一下。”"),
    ],
)
def test_what_people_talk_of_is_no_tic(language: str, spoken: str) -> None:
    text = chapter(language, TICS[language])
    assert found(text + "\n\n" + "\n\n".join([spoken] * 4), language) == ()


def test_dashes_beyond_every_published_chapter_are_a_form() -> None:
    dashed = [p.replace(", ", " — ", 1).replace(". ", " — ", 1) for p in paragraphs("ko")]
    assert ("dash", True) in [(t.words, t.is_form) for t in found("\n\n".join(dashed), "ko")]


def test_short_paragraphs_are_a_form_in_korean_where_ten_authors_have_paragraphs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = load_background("ko")
    assert table.forms["short-paragraph"].authors == 10
    beside = "길이 끊겼다. 늙은 개는 마루 밑에서 오래 잤다."
    short = "\n\n".join(f"비가 왔다.\n\n{plain}\n\n{beside}" for plain in paragraphs("ko"))
    assert "short-paragraph" in [tic.words for tic in found(short, "ko")]
    nine = replace(table.forms["short-paragraph"], authors=9)
    poor = replace(table, forms={**table.forms, "short-paragraph": nine})
    monkeypatch.setattr(oracle, "load_background", lambda _: poor)
    assert "short-paragraph" not in [tic.words for tic in found(short, "ko")]


@pytest.mark.parametrize(("dashes", "is_named"), [(7, False), (8, True)])
def test_eight_dashes_are_too_many_for_a_short_english_chapter(dashes: int, is_named: bool) -> None:
    plain = paragraphs("en")[:36]
    places = [n for n, words in enumerate(plain) if ", " in words and "“" not in words]
    for n in places[:: len(places) // dashes][:dashes]:
        plain[n] = plain[n].replace(", ", " — ", 1)
    dashed = "\n\n".join(plain)
    assert dashed.count("—") == dashes
    assert ("dash" in [tic.words for tic in found(dashed, "en")]) is is_named


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_book_shows_the_turn_of_all_its_chapters_though_it_is_hers(language: str) -> None:
    with_it = reading(chapter(language, TICS[language]), language)
    tics = book_patterns(dict.fromkeys((1, 2, 3, 4), with_it))
    tic = next(tic for tic in tics if TURNS[language] in tic.words)
    assert tic.chapters == {1: 8, 2: 8, 3: 8, 4: 8}
    assert tic.count == 32


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_chapters_are_no_book(language: str) -> None:
    with_it = reading(chapter(language, TICS[language]), language)
    assert book_patterns({1: with_it, 2: with_it}) == ()
