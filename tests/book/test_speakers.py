"""Who speaks, where the narrator says it: in three languages, and who does not."""

from __future__ import annotations

import pytest

from studio.book.bible import BibleEntry, NameFinder
from studio.book.continuity.book_view import speeches_in
from studio.i18n import Language
from studio.story.bible_entry import EntryMeta, entry_text
from studio.story.chapter import Chapter
from studio.text.language.packs import load_pack

NAMES = {"en": ("Joss", "Mara"), "ko": ("조스", "마라"), "zh": ("乔斯", "玛拉")}


def speakers(language: Language, prose: str) -> list[str]:
    entries = [
        BibleEntry(name, "character", name, name, (), EntryMeta(), entry_text(""))
        for name in NAMES[language]
    ]
    chapter = Chapter(f"# 1\n\n{prose}\n")
    return [s.slug for s in speeches_in(chapter, load_pack(language), NameFinder(entries))]


SPOKEN: list[tuple[Language, str, str]] = [
    ("en", "“The tide is out,” remarked Joss.", "Joss"),
    ("en", "“The tide!” put in old Joss, and coughed.", "Joss"),
    ("en", "Joss shook his head. “The tide is out.”", "Joss"),
    ("en", "Joss looked at Mara. “The tide is out,” he said.", "Joss"),
    ("en", "Then Mara said slowly, “The tide is out.”", "Mara"),
    ("ko", "“물이 빠졌어.” 조스의 말이었다.", "조스"),
    ("ko", "“물이 빠졌어!” 하고 마라가 소리쳤다.", "마라"),
    ("ko", "조스는 고개를 저었다. “물이 빠졌어.”", "조스"),
    ("ko", "이때 마라가 속삭였다. “물이 빠졌어.”", "마라"),
    ("zh", "“退潮了。”乔斯叹了口气。", "乔斯"),
    ("zh", "玛拉想了想，慢慢地说：“退潮了。”", "玛拉"),
    ("zh", "只听乔斯道：“退潮了。”", "乔斯"),
]


@pytest.mark.parametrize(("language", "prose", "who"), SPOKEN)
def test_a_tag_or_what_somebody_does_names_the_speaker(
    language: Language, prose: str, who: str
) -> None:  # req: G7
    assert speakers(language, prose) == [who]


NOT_SPOKEN: list[tuple[Language, str]] = [
    ("en", "“The tide is out,” she said to Joss."),
    ("en", "“The tide is out,” Joss had said."),
    ("en", "They spoke of Joss. “He rowed well,” said the keeper."),
    ("en", "Joss was dead. “He rowed well,” the keeper said."),
    ("ko", "조스를 두고 하는 말이었다. “노를 잘 저었지.”"),
    ("ko", "“물이 빠졌어.” 조스는 늘 그렇게 말했었다."),
    ("zh", "大家说起乔斯。“他划得好。”"),
    ("zh", "“退潮了。”她对乔斯说。"),
    ("zh", "乔斯的船空着。“他划得好。”"),
]


@pytest.mark.parametrize(("language", "prose"), NOT_SPOKEN)
def test_who_is_spoken_to_or_of_is_no_speaker(language: Language, prose: str) -> None:
    assert speakers(language, prose) == []
