"""Words found in every text of a novel, in three languages, with their place."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from pathlib import Path
from string import ascii_letters
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import StudioError
from studio.particles import particle_after
from studio.project.search.book_texts import BookText
from studio.project.search.hits import Hit, find, in_a_text, notes, spans_in, words_pattern
from studio.project.store import ProjectStore
from tests.project.novels import CHINESE, ENGLISH, KOREAN, make_novel, put

CONTRACT = "volumes/vol-01/chapter-contracts/chapter-001.json"


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    """Chapters in three languages, a plan, a person and an entry of the world."""
    made = make_novel(tmp_path / "novel")
    folder = made.layout.folder
    put(folder, "chapters/chapter-001.md", ENGLISH)
    put(folder, "chapters/chapter-002.md", KOREAN)
    put(folder, "staging/chapters/chapter-003.md", CHINESE)
    contract = {"chapter": 1, "title": "The Lamp Room", "pov": "mara", "objectives": ["Mara digs"]}
    put(folder, CONTRACT, contract)
    put(folder, "characters/active/mara.json", {"id": "mara", "name": "Mara Stobbs"})
    entry = "---\nlinks:\n  - mara\nname: The Quay\n---\n\nMara’s boat. <!-- Mara: blue? -->\n"
    put(folder, "world/places/quay.md", entry)
    return made


def places(hits: tuple[Hit, ...]) -> list[tuple[str, int | None, int | None, int | None]]:
    return [(hit.at.area, hit.at.chapter, hit.scene, hit.paragraph) for hit in hits]


# req: H3
def test_words_are_found_with_their_chapter_scene_and_paragraph(store: ProjectStore) -> None:
    findings = find(store, words_pattern("mara"))
    assert places(findings.hits) == [
        ("prose", 1, 1, 1),
        ("plans", 1, None, None),
        ("bible", None, None, None),
        ("bible", None, None, None),
        ("bible", None, None, None),
    ]
    assert findings.chapters == {1: 2}
    first, plan, entry, note, person = findings.hits
    assert (first.words, first.after) == ("Mara", " found the key where the oil had dried.")
    assert (plan.at.field, plan.at.title) == ("objectives 1", "The Lamp Room")
    assert (entry.at.title, entry.line, note.note) == ("The Quay", 7, True)
    assert (person.at.title, person.at.field) == ("Mara Stobbs", "name")


def test_korean_and_chinese_are_found_where_they_stand(store: ProjectStore) -> None:
    korean = find(store, words_pattern("마라", whole=True)).hits
    assert [(h.at.chapter, h.words, h.after) for h in korean] == [(2, "마라", "는 계단을 올랐다.")]
    (chinese,) = find(store, words_pattern("玛拉", whole=True)).hits
    assert (chinese.at.staged, chinese.scene, chinese.before) == (True, 1, "雨停了，")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("don't", "I don’t know"),
        ("the lamp", "the\nlamp"),
        ("등대", "\u1103\u1173\u11bc\u1103\u1162"),
        ("a.b", "a.b"),
    ],
)
def test_what_a_keyboard_has_once_is_found_in_each_form(words: str, text: str) -> None:
    assert words_pattern(words).search(text)


def test_a_search_keeps_inside_a_paragraph_and_a_whole_word() -> None:
    assert not words_pattern("the lamp").search("the\n\nlamp")
    assert not words_pattern("lamp", whole=True).search("lamps")
    assert not words_pattern("Lamp", case=True).search("lamp")


@given(
    st.sampled_from(["aba", "ABA", "a b", "b'a", "K", "is", "a|ab", "a?b", "a*", "(a)(?=b)", "ä"])
    | st.sampled_from(["ab|ba|aa", "ab|a", "a|b", "a||b", "bä", "äb|ba", "ä|a", "b|(a)"]),
    st.text("aAbBkK\u212aiIİısSſ’' \näÄ", max_size=20),
    st.booleans(),
)
def test_places_are_those_of_a_plain_search(words: str, text: str, whole: bool) -> None:
    pattern = words_pattern(words, regex=not words.isalpha(), whole=whole)
    plain = [match.span() for match in pattern.finditer(text) if match[0]]
    assert spans_in(text, pattern) == plain


def test_no_other_letter_is_a_form_of_one_that_words_begin_with() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    alike = "".join(re.findall("[a-z]", every, re.IGNORECASE))
    for letter in ascii_letters:
        pattern = words_pattern(letter)
        assert spans_in(alike, pattern) == [match.span() for match in pattern.finditer(alike)]


@pytest.mark.parametrize(("words", "regex"), [("  ", False), ("(", True), ("x" * 501, False)])
def test_what_cannot_be_looked_for_is_a_usage_error(words: str, regex: bool) -> None:
    with pytest.raises(StudioError) as caught:
        words_pattern(words, regex=regex)
    assert caught.value.problem.exit_code == 2


def test_each_chapter_is_opened_once_and_their_folder_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: B3
    made, opened, chapters = make_novel(tmp_path / "long"), Counter[str](), 64
    for number in range(1, chapters + 1):
        put(made.layout.folder, made.layout.chapter(number), f"# {number}\n\nThe bell rang.\n")
    really = os.open

    def noted(path: Any, *args: Any, **options: Any) -> int:
        opened[str(path).rpartition("/")[2]] += 1
        return really(path, *args, **options)

    monkeypatch.setattr(os, "open", noted)
    assert len(find(made, words_pattern("bell"), ("prose",)).hits) == chapters
    files = {name: times for name, times in opened.items() if name.endswith(".md")}
    assert files == {f"chapter-{number:03d}.md": 1 for number in range(1, chapters + 1)}
    assert opened.total() - chapters <= chapters / 8


def test_chapters_beside_one_that_cannot_be_read_are_found(store: ProjectStore) -> None:
    folder = store.layout.folder
    for number in range(4, 40):
        put(folder, store.layout.chapter(number), f"# {number}\n\nThe bell rang.\n")
    for number in (7, 8, 30):
        (folder / store.layout.chapter(number)).unlink()
        (folder / store.layout.chapter(number)).symlink_to(folder / store.layout.chapter(4))
    findings = find(store, words_pattern("bell"), ("prose",))
    assert [hit.at.chapter for hit in findings.hits] == [
        n for n in range(4, 40) if n not in (7, 8, 30)
    ]
    assert [n for s in findings.unreadable for n in (7, 8, 30) if f"chapter-{n:03d}" in s] == [
        7,
        8,
        30,
    ]


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_found(store: ProjectStore) -> None:
    put(store.layout.folder, "chapters/chapter-004.md", b"\xff\xfe")
    findings = find(store, words_pattern("Joss"))
    assert len(findings.hits) == 1
    (sentence,) = findings.unreadable
    assert "chapter-004.md is UTF-16, not UTF-8" in sentence


def test_every_note_to_people_is_listed(store: ProjectStore) -> None:
    put(store.layout.folder, "brief.md", "A mine.\n\n%% ask Joss about the shaft %%\n")
    assert [hit.words for hit in notes(store).hits] == [
        "%% ask Joss about the shaft %%",
        "<!-- Mara: blue? -->",
    ]
    assert len(notes(store, pattern=words_pattern("joss")).hits) == 1


@pytest.mark.parametrize(
    ("name", "behind", "wants"),
    [
        ("서아", "이 웃었다", ("이", "가")),
        ("서아", "은 웃었다", ("은", "는")),
        ("민준", "를 보았다", ("를", "을")),
        ("한별", "으로 갔다", ("으로", "로")),
        ("민준", "는 웃었다", ("는", "은")),
        ("서아", "이었다", ("이었", "였")),
        ("서아", "가 웃었다", None),
        ("서아", "네 집", None),
        ("Nora", "이 웃었다", None),
    ],
)
def test_a_korean_particle_follows_the_last_sound(
    name: str, behind: str, wants: tuple[str, str] | None
) -> None:
    assert particle_after(name, behind, 0) == wants


@pytest.mark.timeout(60)
def test_a_word_in_every_line_is_found_in_time_near_the_length(tmp_path: Path) -> None:
    """The timeout is the measure: to count every hit's lines from the top took minutes."""
    text = "lamp <!-- x -->\n" * 60_000
    hits = tuple(in_a_text(BookText("bible", "world/lamps.md", text), words_pattern("lamp")))
    assert [hit.line for hit in hits] == list(range(1, 60_001))
    assert not any(hit.note for hit in hits)
