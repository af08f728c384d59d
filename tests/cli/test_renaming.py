"""A new name in every form that a text has the old one in, in three languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.project.create import create_novel
from tests.cli.conftest import Typed
from tests.project.novels import put

CASES = {
    "en": (
        "Mara Stobbs",
        "Nell Harker",
        "Miss Stobbs took Mara’s oar. “MARA!” The Stobbses waited; Stobbs’ lamp was out. "
        "Mara Quist and the stobbs of a tree stayed, and so did Mara Vale.",
        "Miss Harker took Nell’s oar. “NELL!” The Harkers waited; Harker’s lamp was out. "
        "Mara Quist and the stobbs of a tree stayed, and so did Mara Vale.",
        ("Mara Vale",),
    ),
    "ko": (
        "김미나",
        "박서연",
        "미나는 웃었다. 미나가 미나를, 미나와 미나로. “미나야!” 김 실장은 김미나였다. "
        "미나라는 이름. 김 여사와 박미나는 남고, 미나리도 남고, 미나 상가도 남았다.",
        "서연은 웃었다. 서연이 서연을, 서연과 서연으로. “서연아!” 박 실장은 박서연이었다. "
        "서연이라는 이름. 박 여사와 박미나는 남고, 미나리도 남고, 미나 상가도 남았다.",
        ("미나 상가",),
    ),
    "zh": (
        "陈国梁",
        "周明远",
        "国梁看着陈国梁。陈队长笑了，老陈来了。“陈——国——梁！”曹国梁走了。国梁大厦还在。",
        "明远看着周明远。周队长笑了，老周来了。“周——明——远！”曹国梁走了。国梁大厦还在。",
        ("国梁大厦",),
    ),
}


def book_in(folder: Path, language: str) -> Path:
    """A book of one chapter with one person, known by the whole name alone."""
    old, _new, before, _after, exclude = CASES[language]
    create_novel(folder, "Salt", language)
    contract = {"schema_version": 1, "id": "someone", "name": old, "knows": [f"{old}."]}
    put(folder, "characters/active/someone.json", contract)
    front = json.dumps([*exclude], ensure_ascii=False)
    put(folder, "characters/active/someone.md", f"---\nexclude: {front}\n---\n# {old}\n")
    put(folder, "chapters/chapter-001.md", f"# 1\n\n{before}\n")
    return folder


@pytest.mark.parametrize("language", CASES)
def test_a_renamed_person_has_the_new_name_in_every_form(
    tmp_path: Path, typed: Typed, language: str
) -> None:
    book = book_in(tmp_path / "book", language)
    old, new, _before, after, exclude = CASES[language]
    assert typed("bible", "rename", old, new, "--prose", "--project", book).code == 0
    assert (book / "chapters/chapter-001.md").read_text("utf-8") == f"# 1\n\n{after}\n"
    entry = typed("bible", "show", "someone", "--project", book, "--json").json
    assert (entry["name"], entry["slug"]) == (new, "someone")
    page = (book / "characters/active/someone.md").read_text("utf-8")
    assert f"# {new}" in page
    assert exclude[0] in page


@pytest.mark.parametrize("language", CASES)
def test_words_replaced_as_a_name_change_in_every_form(
    tmp_path: Path, typed: Typed, language: str
) -> None:
    book = book_in(tmp_path / "book", language)
    old, new, _before, after, _exclude = CASES[language]
    done = typed("replace", old, new, "--name", "--in", "prose", "--project", book)
    assert done.code == 0
    assert (book / "chapters/chapter-001.md").read_text("utf-8") == f"# 1\n\n{after}\n"
    assert "→" in done.err, "the forms are said"


@pytest.mark.parametrize(
    ("language", "form", "stays"),
    [("en", "Stobbs", "Miss Stobbs"), ("ko", "김 실장", "김 실장은"), ("zh", "老陈", "老陈来")],
)
def test_each_place_of_each_form_is_a_row_that_can_be_left(
    tmp_path: Path, typed: Typed, language: str, form: str, stays: str
) -> None:
    book = book_in(tmp_path / "book", language)
    old, new, before, _after, _exclude = CASES[language]
    order = ("bible", "rename", old, new, "--prose", "--project", book)
    listed = typed(*order, "--dry-run").out
    assert f"[{form}" in listed
    assert (book / "chapters/chapter-001.md").read_text("utf-8") == f"# 1\n\n{before}\n"
    done = typed(*order, "--leave", form, "--json").json
    assert form in {row["from"] for row in done["forms"]}
    assert done["stay"]
    text = (book / "chapters/chapter-001.md").read_text("utf-8")
    assert stays in text
    assert old not in text
    assert typed(*order, "--leave", "Nobody").code == 2


HIDDEN = {
    "en": (
        "She looked at Wilf. Mara turned. In October Mara left; J. Stobbs stayed "
        "for a book. Stobbs’s slip agreed. That Sunday Mara rang. "
        "“Ask Mara. Hey Mara! Tonight Mara sails.” Quist Mara stayed.",
        "She looked at Wilf. Nell turned. In October Nell left; J. Harker stayed "
        "for a book. Harker’s slip agreed. That Sunday Nell rang. "
        "“Ask Nell. Hey Nell! Tonight Nell sails.” Quist Mara stayed.",
    ),
    "ko": (
        "미나에겐 말했고 미나한텐 숨겼다. 미나에게선 편지가, 미나한테선 답이 왔다. 미나론 "
        "모자라고 미나로선 옳았다. 미나보단 형이, 미나까진 아니다. 미나라곤 없다. "
        "누가 미나냐, 미나거든.",
        "서연에겐 말했고 서연한텐 숨겼다. 서연에게선 편지가, 서연한테선 답이 왔다. 서연으론 "
        "모자라고 서연으로선 옳았다. 서연보단 형이, 서연까진 아니다. 서연이라곤 없다. "
        "누가 서연이냐, 서연이거든.",
    ),
}
"""Where a name stands behind the end of a sentence or a date, or before a short particle."""


@pytest.mark.parametrize("language", HIDDEN)
def test_no_place_keeps_the_old_name_for_the_words_beside_it(
    tmp_path: Path, typed: Typed, language: str
) -> None:
    book = book_in(tmp_path / "book", language)
    old, new, *_ = CASES[language]
    before, after = HIDDEN[language]
    put(book, "chapters/chapter-001.md", f"# 1\n\n{before}\n")
    assert typed("bible", "rename", old, new, "--prose", "--project", book).code == 0
    assert (book / "chapters/chapter-001.md").read_text("utf-8") == f"# 1\n\n{after}\n"


def test_aliases_that_are_parts_of_the_name_change_with_it(tmp_path: Path, typed: Typed) -> None:
    book = book_in(tmp_path / "book", "en")
    aliases = ["Mara", "Miss Stobbs", "the keeper"]
    contract = {"schema_version": 1, "id": "someone", "name": "Mara Stobbs", "aliases": aliases}
    put(book, "characters/active/someone.json", contract)
    typed("bible", "rename", "Mara Stobbs", "Nell Harker", "--project", book)
    entry = typed("bible", "show", "someone", "--project", book, "--json").json
    assert entry["aliases"] == ["Nell", "Miss Harker", "the keeper"]


def test_a_surname_of_two_people_stays_with_the_other(tmp_path: Path, typed: Typed) -> None:
    book = book_in(tmp_path / "book", "en")
    put(book, "characters/active/jon.md", "---\nname: Jon Stobbs\n---\n")
    put(book, "chapters/chapter-001.md", "# 1\n\nMara saw Jon Stobbs. The Stobbses waited.\n")
    typed("bible", "rename", "Mara Stobbs", "Nell Harker", "--prose", "--project", book)
    text = (book / "chapters/chapter-001.md").read_text("utf-8")
    assert text == "# 1\n\nNell saw Jon Stobbs. The Stobbses waited.\n"


def test_a_name_in_the_style_library_is_said_to_stay(tmp_path: Path, typed: Typed) -> None:
    book = book_in(tmp_path / "book", "en")
    path = "style-library/oars.md"
    passage = "---\nkind: good\n---\n\nMara Stobbs took the oar.\n"
    put(book, path, passage)
    for how in (["--dry-run"], []):
        ended = typed("bible", "rename", "Mara Stobbs", "Nell Harker", *how, "--project", book)
        assert "stay as written, and whoever drafts reads Mara Stobbs there" in ended.err
        assert path in ended.err
    assert (book / path).read_text("utf-8") == passage


OTHERS = {
    "en": ("Mara", "2 places stay as written, with “Mara” in them: chapter 1 (2)."),
    "ko": ("미나", "2 places stay as written, with “미나” in them: chapter 1 (2)."),
    "zh": ("国梁", "2 places stay as written, with “国梁” in them: chapter 1 (2)."),
}


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_new_name_leaves_is_counted_and_its_place_is_said(
    tmp_path: Path, typed: Typed, language: str
) -> None:
    book = book_in(tmp_path / "book", language)
    old, new, *_ = CASES[language]
    order = ("bible", "rename", old, new, "--project", book)
    word, said = OTHERS[language]
    planned = typed(*order, "--prose", "--dry-run")
    assert said in planned.err
    without = typed(*order).err
    assert f"“{word}”" in without
    assert "places stay as written" in without, "chapters are left without --prose, and are counted"
