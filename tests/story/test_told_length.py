"""The length of a chapter in its author's words, told from that of the book and of a scene; and how
many scenes she wants."""

from __future__ import annotations

import subprocess
import sys

import pytest

from studio.story.lengths import Unit

UNITS: dict[str, Unit] = {
    "en": "words",
    "ko": "characters with spaces",
    "zh": "characters without spaces",
}


@pytest.mark.parametrize(
    ("language", "words", "length", "sure"),
    [
        ("en", "Chapters of about 900 words, and it should feel like low water.", 900, True),
        ("en", "A novel of 60,000 words in chapters of 1,200 words.", 1200, True),
        ("en", "chapters of 1,200 words", 1200, True),
        ("en", "about 900 words", 900, False),
        ("en", "900-word chapters", 900, True),
        ("en", "Each chapter is twelve hundred words long", 1200, True),
        ("en", "two thousand five hundred words per chapter", 2500, True),
        ("en", "a thousand words a chapter", 1000, True),
        ("en", "Twelve chapters, 1.5k words each.", 1500, True),
        ("en", "Ten chapters of 3 to 4k words", 3500, True),
        ("en", "short chapters (800-1000 words)", 900, True),
        ("en", "chapters between 800 and 1,000 words", 900, True),
        ("ko", "한 화 천이백 자 정도로.", 1200, True),
        ("ko", "한 화 5천 자", 5000, True),
        ("ko", "천이백 자", 1200, False),
        ("ko", "한 화에 5,000자씩 총 50화", 5000, True),
        ("ko", "전체 20만 자, 한 장에 3천5백 자", 3500, True),
        ("ko", "화당 3~4천 자", 3500, True),
        ("ko", "200자 원고지 30매 분량으로 한 장", 6000, True),
        ("ko", "회당 공백 포함 5500자 내외", 5500, True),
        ("ko", "각 장은 만 이천 자쯤", 12000, True),
        ("ko", "오천자짜리 한 화", 5000, True),
        ("zh", "每章三千字左右。", 3000, True),
        ("zh", "两千五百字", 2500, False),
        ("zh", "全书二十万字，每章两千五字", 2500, True),
        ("zh", "每章3千字，全书三十章", 3000, True),
        ("zh", "一章两三千字", 2500, True),
        ("zh", "每章字数约三千", 3000, True),
        ("zh", "每回1.2万字", 12000, True),
        ("zh", "单章2k字", 2000, True),
        ("zh", "三十章，每章一千二百字", 1200, True),
        ("zh", "一千零五十字", 1050, False),
    ],
)
def test_a_length_of_a_chapter_is_known(language: str, words: str, length: int, sure: bool) -> None:
    from studio.story.told_length import chapter_length_told

    hers = chapter_length_told([words], UNITS[language])
    assert hers is not None
    assert (hers.length, hers.is_sure) == (length, sure)
    assert hers.words in words
    one = chapter_length_told([words], UNITS[language], of_one=True)
    assert one is not None
    assert one.is_sure, "of one chapter, it is that chapter's"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "A novel of eighty thousand words."),
        ("en", "A book, 90k words in all"),
        ("en", "I want about 120,000 words."),
        ("en", "Two scenes of 400 words each"),
        ("en", "She writes 900 words a day."),
        ("en", "In two words: no hope."),
        ("en", "Chapters of 3,000 characters"),
        ("ko", "총 이십만 자 장편"),
        ("ko", "두 장면, 500자씩"),
        ("ko", "한 화 900단어"),
        ("ko", "잠만 자고 싶다"),
        ("ko", "3자가 끼어들어 모두 웃는다."),
        ("ko", "그 자는 이천 자루의 쌀을 훔쳤다"),
        ("zh", "全书20万字"),
        ("zh", "两个场景，每场五百字"),
        ("zh", "她读到三个字。"),
    ],
)
def test_a_length_of_the_book_of_a_scene_or_in_another_unit_is_none(
    language: str, words: str
) -> None:
    from studio.story.told_length import chapter_length_told

    assert chapter_length_told([words], UNITS[language]) is None


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "At the end she reads a letter of 300 words."),
        ("en", "He gives a speech of two hundred words, and leaves."),
        ("en", "A 250-word letter comes."),
        ("ko", "삼백 자짜리 편지를 읽는다."),
        ("ko", "유서는 오백 자 정도다."),
        ("zh", "他写了一封三百字的信。"),
        ("zh", "他念的演讲有五百字"),
    ],
)
def test_the_length_of_a_letter_in_the_story_is_not_that_of_the_chapter(
    language: str, words: str
) -> None:
    from studio.story.told_length import chapter_length_told

    assert chapter_length_told([words], UNITS[language], of_one=True) is None
    assert chapter_length_told([words], UNITS[language]) is None


@pytest.mark.sweep
@pytest.mark.parametrize("language", UNITS)
@pytest.mark.parametrize(
    "row", ["1" * 60, "1234567,890" * 8, "1.5" * 30, "ISBN 97889329172451234567"]
)
def test_a_long_row_of_digits_is_read_once(language: str, row: str) -> None:
    """Run in a process of its own that can be ended: the defect never came back from a match."""
    code = (
        "import sys; from studio.story.told_length import chapter_length_told as told;"
        " told([sys.argv[1]], sys.argv[2]); print('read')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, f"The account {row} is empty.", UNITS[language]],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip() == "read"


@pytest.mark.parametrize(
    ("words", "scenes"),
    [
        ("Two short scenes only, 250 words each.", 2),
        ("In two scenes.", 2),
        ("Keep Bo outside the door. Two scenes.", 2),
        ("Three scenes: the quay, the house, the barge.", 3),
        ("One short scene, 300 words.", 1),
        ("두 장면으로", 2),
        ("장면 둘, 짧게", 2),
        ("장면은 두 개로", 2),
        ("한 장면, 500자 안팎.", 1),
        ("两个场景，每场五百字", 2),
        ("写成两场", 2),
        ("三场戏。", 3),
        ("She remembers the second scene of the play.", None),
        ("In one scene of the play she cries.", None),
        ("She makes two scenes in the market before noon.", None),
        ("Scene 1: slower.", None),
        ("Scenes: 2", 2),
        ("장면 수: 셋", 3),
        ("두 장면이 겹쳐 보였다", None),
        ("첫 장면은 조용하게", None),
        ("第一场要慢", None),
        ("两场雨之后她走了", None),
    ],
)
def test_how_many_scenes_she_wants(words: str, scenes: int | None) -> None:
    from studio.story.told_length import scenes_told

    assert scenes_told([words]) == scenes


@pytest.mark.parametrize(
    ("language", "words", "scenes", "length"),
    [
        ("en", "two scenes, 900 words in all", 2, 900),
        ("en", "900 words in all, 2 scenes", 2, 900),
        ("en", "in all nine hundred words and two scenes", 2, 900),
        ("en", "two scenes of 450 words each", 2, 900),
        ("en", "two scenes, each about 450 words", 2, 900),
        ("en", "two 450-word scenes", 2, 900),
        ("en", "Two scenes, 450 words per scene, 900 words altogether.", 2, 900),
        ("en", "Three scenes, 1,200 words between them.", 3, 1200),
        ("en", "Make it two scenes; all of it 900 words", 2, 900),
        ("en", "Two scenes, 900 words in all, with a letter of 150 words", 2, 900),
        ("en", "One scene, about 800 words.", 1, 800),
        ("ko", "장면은 둘, 모두 1600자", 2, 1600),
        ("ko", "장면 2개, 총 천육백 자", 2, 1600),
        ("ko", "모두 1600자, 두 장면이면 좋겠다", 2, 1600),
        ("ko", "두 장면, 각각 800자", 2, 1600),
        ("ko", "두 장면에 800자씩", 2, 1600),
        ("ko", "장면은 세 개이고 다 해서 2400자", 3, 2400),
        ("zh", "两场，一共三千字", 2, 3000),
        ("zh", "三千字，分两场写", 2, 3000),
        ("zh", "两场戏，各1500字", 2, 3000),
        ("zh", "场景两个，合计三千字", 2, 3000),
        ("zh", "两场雨之后她走了，三千字", None, 3000),
        ("en", "900 words, or 1200 words if need be", None, None),
        ("en", "first scene 300 words, second scene 600 words", None, None),
        ("en", "two scenes, the first of 300 words", 2, None),
        ("en", "Two scenes, 900 words; each ends on a question.", 2, None),
        ("ko", "첫 장면은 600자", None, None),
        ("ko", "천이백 자나 천육백 자", None, None),
        ("zh", "第二场八百字", None, None),
        ("zh", "三千字或五千字", None, None),
    ],
)
def test_scenes_and_length_of_a_chapter_are_known_from_one_wish(
    language: str, words: str, scenes: int | None, length: int | None
) -> None:
    """Met: “two scenes, 900 words in all” was neither; what is doubtful is nothing."""
    from studio.story.told_length import chapter_length_told, scenes_told

    hers = chapter_length_told([words], UNITS[language], of_one=True)
    assert scenes_told([words]) == scenes
    assert (hers and hers.length) == length
