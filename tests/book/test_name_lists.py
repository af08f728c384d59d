"""Names are found in every form, and words that look like them are not (REQUIREMENTS G2, K4)."""

from __future__ import annotations

import unicodedata

import pytest

from studio.book.bible import NameFinder, mentions_in_book, read_bible
from studio.project.store import ProjectStore
from tests.architecture import ROOT
from tests.book.name_lists import LANGUAGES, LISTS, person, read_list, score_of

_GOAL = 0.98


@pytest.mark.sweep
@pytest.mark.parametrize("which", LISTS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.repairs("S1")
def test_names_are_found_in_nearly_every_construction(language: str, which: str) -> None:
    # req: K4
    score = score_of(read_list(which, language))
    assert score.recall >= _GOAL, score.misses[:20]


@pytest.mark.parametrize("which", LISTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_words_that_look_like_names_are_hardly_taken_for_them(language: str, which: str) -> None:
    # req: G2
    score = score_of(read_list(which, language))
    assert score.precision >= _GOAL, score.slips[:20]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lists_are_as_long_as_they_were_to_be(language: str) -> None:
    own, unseen = read_list("own", language), read_list("unseen", language)
    assert len(own.entries) >= 38
    assert len(own.look_alikes) + len(unseen.look_alikes) >= 380


@pytest.mark.parametrize(
    ("language", "full", "stranger"),
    [
        ("en", "They sent for Stobbs.", "Wilfred Stobbs"),
        ("ko", "미라가 웃었다.", "박미라"),
        ("zh", "望川把伞收起来。", "李望川"),
    ],
)
def test_a_part_of_a_name_counts_only_where_one_person_has_it(
    language: str, full: str, stranger: str
) -> None:
    name = {"en": "Mara Stobbs", "ko": "김미라", "zh": "陈望川"}[language]
    alone = NameFinder([person("one", name)])
    both = NameFinder([person("one", name), person("two", stranger)])
    assert [m.slug for m in alone.find(full)] == ["one"]
    assert both.find(full) == []


def test_a_look_alike_that_an_entry_excludes_hides_a_part_of_its_name_too() -> None:
    finder = NameFinder([person("mira", "김미라", exclude=("이집트의 미라",))])
    assert finder.find("이집트의 미라가 누워 있었다.") == []
    assert [m.slug for m in finder.find("미라가 누워 있었다.")] == ["mira"]


def test_a_text_in_decomposed_letters_keeps_its_offsets() -> None:
    text = unicodedata.normalize("NFD", "그날 밤 김미라에게서만은 말이 없었다. José 도 없었다.")
    finder = NameFinder([person("mira", "김미라"), person("jose", "José Arroyo")])
    spans = {m.slug: unicodedata.normalize("NFC", text[m.start : m.end]) for m in finder.find(text)}
    assert spans == {"mira": "김미라", "jose": "José"}


APPEAR = {
    "sample-project": {"mara": [1, 2], "joss": [1, 2], "edwin": [2]},
    "tests/data/novels/ko": {
        "jeongsun": [1, 2],
        "gitae": [1, 2],
        "manseok": [1, 2],
        "dalsu": [2],
    },
    "tests/data/novels/zh": {
        "wen-sui": [1, 2],
        "zhu-bonian": [1, 2],
        "liang-shen": [1, 2],
        "he-chuan": [1, 2],
    },
}
"""Maps each person of the three novels to the chapters whose text names them."""


@pytest.mark.parametrize("novel", sorted(APPEAR))
def test_the_page_of_every_person_names_every_chapter_they_are_in(novel: str) -> None:
    # req: G2 H5 D7
    store = ProjectStore(ROOT / novel)
    bible = read_bible(store)
    chapters = {
        slug: [row.chapter for row in mentions_in_book(store, bible, entry)]
        for slug, entry in bible.people.items()
    }
    assert chapters == APPEAR[novel]
