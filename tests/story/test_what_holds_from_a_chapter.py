"""What a sheet says of a person may say from which chapter on it holds."""

from __future__ import annotations

import pytest

from studio.i18n import Language
from studio.pipeline.prompting.story_lines import rules_of
from studio.story.bible_entry import in_force
from studio.story.novel import CharacterContract
from studio.text.language.packs import load_pack


@pytest.mark.parametrize(
    ("later", "words"),
    [
        ("from chapter 3: the bicycle lies in the pit", "the bicycle lies in the pit"),
        ("From chapter 3 on, Marit lied", "Marit lied"),
        ("3장부터: 자전거가 구덩이에 있다", "자전거가 구덩이에 있다"),
        ("제3화부터 형이 살아 있다", "형이 살아 있다"),
        ("从第3章起：自行车在坑里", "自行车在坑里"),
        ("从第三章起，表是她的", "表是她的"),
    ],
)
def test_what_is_learnt_in_a_chapter_is_told_from_there_on_without_its_number(
    later: str, words: str
) -> None:
    items = ("the third span is rotten", later)
    assert list(in_force(items, 2)) == [items[0]]
    assert list(in_force(items, 3)) == list(in_force(items, 9)) == [items[0], words]
    assert list(in_force(items, None)) == list(items)


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_a_prompt_s_line_about_a_person_has_what_they_know_by_then(language: Language) -> None:
    knows = ("셋째 칸이 샌다.", "from chapter 4: 편지는 금고에 있었다.")
    sheet = CharacterContract(id="seoyun", name="한서윤", wants="편지를 전하는 것", knows=knows)
    pack = load_pack(language)
    early, late = (rules_of(sheet, pack, chapter) for chapter in (3, 4))
    assert "셋째 칸이 샌다" in early
    assert "금고" not in early
    assert "셋째 칸이 샌다. 편지는 금고에 있었다" in late
    assert "chapter" not in late
