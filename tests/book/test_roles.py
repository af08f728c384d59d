"""Whom a plan calls by what they are alone (BOOK 2)."""

from __future__ import annotations

from typing import Any

import pytest

from studio.book.bible import Bible, BibleEntry, NameFinder
from studio.i18n import Language
from studio.story.bible_entry import EntryMeta, entry_text
from studio.story.novel import CharacterContract

PEOPLE: dict[Language, dict[str, tuple[str, str]]] = {
    "en": {
        "hale": ("Joss Hale", "The innkeeper at the Crown, fifty."),
        "quill": ("Mara Quill", "Toll keeper, twenty-six. Point of view."),
        "one": ("Ned Marsh", "A sailor"),
        "other": ("Tom Reed", "Sailor from Leith"),
        "uncle": ("Bram Quill", "Her uncle, sixty."),
        "wife": ("The innkeeper's wife", "Cook, forty."),
    },
    "ko": {
        "ku": ("구본순", "하숙집 여사, 예순."),
        "bae": ("배종구", "우체국장, 예순."),
        "one": ("김만석", "선장"),
        "other": ("노일도", "어선 선장이었던 선장"),
        "uncle": ("한서윤", "배종구의 조카, 조카"),
    },
    "zh": {
        "zhou": ("周伯安", "茶馆掌柜，五十岁。"),
        "qiu": ("老邱", "修表师傅，六十岁。"),
        "one": ("焦三", "船长"),
        "other": ("顾怀璋", "货船船长"),
        "uncle": ("沈禾", "老邱的妹妹"),
        "wife": ("掌柜嫂", "做饭的，四十岁。"),
    },
}


def bible(language: Language) -> tuple[Bible, NameFinder]:
    """The people of one language."""
    entries = []
    for slug, (name, role) in PEOPLE[language].items():
        fields: dict[str, Any] = {"slug": slug, "kind": "character", "path": f"{slug}.md"}
        sheet = CharacterContract(id=slug, name=name, role=role)
        entries.append(
            BibleEntry(
                **fields, name=name, aliases=(), meta=EntryMeta(), text=entry_text(""),
                contract=sheet,
            )
        )  # fmt: skip
    return Bible(iter(entries)), NameFinder(entries)


# req: C13
@pytest.mark.parametrize(
    ("language", "plan", "slugs"),
    [
        ("en", "The innkeeper comes up. The toll keeper counts.", ["hale", "quill"]),
        ("en", "An innkeeper is a saint. She sees the innkeeper Briggs.", []),
        ("en", "The sailor laughs, and the uncle too.", []),
        ("en", "The innkeeper's wife comes up.", []),
        ("ko", "여사가 문을 연다. 국장은 앉아 있다.", ["ku", "bae"]),
        ("ko", "하숙집 여사와 우체국장에게 묻는다.", ["ku", "bae"]),
        ("ko", "박 여사가 문을 연다. 선장이 웃는다. 조카도 있다.", []),
        ("zh", "掌柜把账本推过来，师傅不看。", ["zhou", "qiu"]),
        ("zh", "茶馆掌柜和师傅来了。", ["zhou", "qiu"]),
        ("zh", "李掌柜来了，船长笑，妹妹也笑。", []),
        ("zh", "掌柜嫂来了。", []),
    ],
)
def test_a_role_that_one_person_has_means_that_person(
    language: Language, plan: str, slugs: list[str]
) -> None:
    from studio.book.unnamed_people import in_roles

    people, finder = bible(language)
    assert list(in_roles(plan, people, finder, language)) == slugs


def test_a_title_behind_a_name_is_that_ones() -> None:
    from studio.book.unnamed_people import in_roles

    people, finder = bible("zh")
    assert not in_roles("周掌柜来了。", people, finder, "zh"), "the name says it"
    assert finder.slugs_in("周掌柜来了。") == {"zhou": 0}
