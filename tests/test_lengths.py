"""A novel says which characters its lengths count, and every count of prose is made so and says so.

The sentences here were counted by hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from studio import i18n
from studio.book.figures import BookFigures
from studio.cli.program import catch, command_line
from studio.config.load import load_settings
from studio.config.schema import CharacterCount
from studio.project.author.book_length import BookLength
from studio.project.create import create_novel
from studio.project.index import brought_up_to_date, written_chapters
from studio.project.store import ProjectStore
from studio.story.lengths import (
    Unit,
    is_only_a_length,
    length_of,
    length_of_hers,
    sentences_naming_a_length,
    unit_of,
)
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import Yardstick, in_force
from studio.tui.board import head_lines
from studio.tui.views.lengths import length_words
from studio.tui.views.typed_numbers import LengthGoal, numbers_line, numbers_of
from tests.tui.environs import MACHINE
from tests.tui.pilot import opened

KO = "비가 그친 골목에 등대 불빛이 걸렸다."
"""15 syllables and a full stop, five spaces between them."""
ZH = "雨停了，灯塔亮了。 他没有回头。"
"""12 characters and three marks, one space."""
TEXT = {"ko": f"# 제1장\n\n{KO}\n\n　　{KO}\n", "zh": f"# 第1章\n\n　　{ZH}\n\n　　{ZH}\n"}


@pytest.mark.parametrize(
    ("words", "unit", "length"),
    [
        (KO, "characters", 16),
        (KO, "characters without spaces", 16),
        (KO, "characters with spaces", 21),
        (ZH, "characters without spaces", 15),
        (ZH, "characters with spaces", 16),
        (f"　　{ZH}\n　　{ZH}", "characters with spaces", 32),
        ("The lamp was out.", "words", 4),
    ],
)
def test_sentences_counted_by_hand(words: str, unit: Unit, length: int) -> None:
    assert length_of(words, unit) == length


def test_a_novel_without_the_key_counts_as_before_and_english_counts_words() -> None:
    assert unit_of("ko") == unit_of("zh") == "characters"
    assert unit_of("en", "with-spaces") == "words"


def novel(folder: Path, language: str, count: CharacterCount | None) -> ProjectStore:
    create_novel(folder, "등대", language, count=count)
    if count is None:
        settings = folder / "studio.toml"
        lines = settings.read_text("utf-8").splitlines(keepends=True)
        settings.write_text("".join(x for x in lines if not x.startswith("count")), "utf-8")
    (folder / "chapters/chapter-001.md").write_text(TEXT[language], "utf-8")
    return ProjectStore(folder)


@pytest.mark.parametrize(
    ("language", "count"), [("ko", "with-spaces"), ("zh", "without-spaces"), ("en", None)]
)
def test_a_new_novel_counts_as_is_usual_in_its_language(
    language: str, count: str | None, tmp_path: Path
) -> None:
    create_novel(tmp_path / "novel", "등대", language)
    settings = load_settings(tmp_path / "novel", {})
    assert settings.targets.count == count
    written = (tmp_path / "novel/studio.toml").read_text("utf-8")
    assert 'form = "literary"' in written
    assert 'chapter_word = ""' in written


COUNTS: list[tuple[str, CharacterCount | None, int, str]] = [
    ("ko", "with-spaces", 42, "42자(공백 포함)"),
    ("ko", "without-spaces", 32, "32자(공백 제외)"),
    ("ko", None, 32, "32자"),
    ("zh", "with-spaces", 32, "32 字（含空格）"),
    ("zh", "without-spaces", 30, "30 字（不含空格）"),
    ("zh", None, 30, "30 字"),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("language", "count", "length", "said"), COUNTS)
def test_every_count_of_a_chapter_is_made_so_and_says_which(
    language: str,
    count: CharacterCount | None,
    length: int,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "novel"
    novel(folder, language, count)

    def printed(*arguments: str) -> str:
        catch(command_line, [*arguments, "--project", str(folder)])
        return capsys.readouterr().out

    i18n.use(language)
    status = json.loads(printed("status", "--json"))
    assert status["book"]["length"] == status["chapters"][0]["length"] == length
    assert status["book"]["unit"] == unit_of(language, count)
    assert said in printed("status")
    assert said in printed("authorship") or count is None
    check = printed("check", "1")
    assert str(length) in check
    assert (count is None) == ("공백" not in check and "空格" not in check)
    assert json.loads(printed("check", "1", "--json"))["characters"] == length
    out = tmp_path / "book.docx"
    printed("export", "-o", str(out))
    front = ZipFile(out).read("word/document.xml").decode()
    assert f" {unit_of(language, count)}<" in front


def test_another_count_counts_the_chapters_anew(tmp_path: Path) -> None:
    store = novel(tmp_path / "novel", "ko", "with-spaces")
    assert brought_up_to_date(store, "characters with spaces").entries[0].length == 42
    assert written_chapters(store, "characters with spaces")[1].length == 42
    assert written_chapters(store, "characters")[1].length == 32
    assert brought_up_to_date(store, "characters").entries[0].length == 32


@pytest.mark.parametrize(
    ("language", "unit", "words"),
    [
        ("ko", "characters with spaces", "42자(공백 포함), 공백 제외 32자"),
        ("ko", "characters without spaces", "32자(공백 제외), 공백 포함 42자"),
        ("ko", "characters", "32자"),
        ("zh", "characters without spaces", "30 字（不含空格），含空格 32 字"),
    ],
)
def test_the_editor_shows_both_counts(language: str, unit: Unit, words: str) -> None:
    i18n.use(language)
    pack = load_pack(language)
    numbers = numbers_of(TEXT[language], Yardstick(pack, in_force(pack)), unit)
    line = "".join(part.text for part in numbers_line(numbers, 200))
    assert line == words
    goal = "".join(part.text for part in numbers_line(numbers, 200, LengthGoal(chapter=5000)))
    assert "5,000" in goal
    assert ("공백" in goal or "空格" in goal) == (unit != "characters")


@pytest.mark.parametrize(
    ("form", "count", "target"),
    [
        ("literary", "with-spaces", "900-1500 characters with spaces"),
        ("serial", "without-spaces", "1875-3125 characters without spaces"),
    ],
)
def test_the_drafter_is_told_the_length_in_the_novels_count(
    form: str, count: CharacterCount, target: str, tmp_path: Path
) -> None:
    from studio.pipeline.drafting.drafter_prompt import length_in_words

    create_novel(tmp_path / "n", "등대", "ko", form=form, count=count)  # type: ignore[arg-type]
    settings = load_settings(tmp_path / "n", {})
    assert length_in_words(settings.targets.scene_length, settings) == target


def test_lengths_have_words_in_three_languages() -> None:
    units: tuple[Unit, ...] = ("characters with spaces", "characters without spaces")
    for language in ("en", "ko", "zh"):
        i18n.use(language)
        assert len({length_words(1200, unit) for unit in units}) == 2
    i18n.use("ko")
    book = BookLength(unit=units[0], length=42, goal=90)
    head = [part.text for row in head_lines(BookFigures((), (), {}, 1), book, 80) for part in row]
    assert "42/90자(공백 포함)" in "".join(head)


# req: K5
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("language", "count", "words"),
    [
        ("ko", "with-spaces", "42자(공백 포함), 공백 제외 32자"),
        ("zh", "without-spaces", "30 字（不含空格），含空格 32 字"),
        ("ko", None, ""),
    ],
)
async def test_the_page_of_a_chapter_shows_both_counts(
    language: str, count: CharacterCount | None, words: str, tmp_path: Path
) -> None:
    novel(tmp_path / "novel", language, count)
    i18n.use(language)
    for columns in (120, 80):
        async with opened(tmp_path / "novel", dict(MACHINE), (columns, 24)) as studio:
            title = studio.app.screen.query_one("#title-line")
            line = str(title.render())
            assert words in line
            assert ("공백" in line or "空格" in line) == bool(words)


@pytest.mark.parametrize(("language", "goal"), [("ko", 5000), ("zh", 2400)])
def test_a_narrow_editor_drops_measures_before_a_count(language: str, goal: int) -> None:
    i18n.use(language)
    pack = load_pack(language)
    unit: Unit = "characters with spaces"
    numbers = numbers_of(TEXT[language], Yardstick(pack, in_force(pack)), unit)
    line = "".join(part.text for part in numbers_line(numbers, 60, LengthGoal(chapter=goal)))
    assert "공백 제외 32" in line or "不含空格 30" in line


@pytest.mark.parametrize(
    ("words", "named", "only"),
    [
        ("Two short scenes only, 250 words each.", True, True),
        ("One short scene, 300 words.", True, True),
        ("A fight in the lock, 1,200 to 1,500 words.", True, False),
        ("Keep it to two sentences.", True, True),
        ("She counts thirty-one windows.", False, False),
        ("In 1846 the keeper said a word.", False, False),
        ("짧은 장면 하나, 약 2,500자.", True, True),
        ("한 장면, 500자 안팎.", True, True),
        ("공백 포함 3000자 이내로 쓴다.", True, True),
        ("도둑보다 더 어이없는 오해로, 두 문장까지.", True, False),
        ("3자가 끼어들어 모두 웃는다.", False, False),
        ("도윤은 41도에서 목소리를 듣는다.", False, False),
        ("一个短场景，三百字。", True, True),
        ("Two scenes, nine hundred words in all.", True, True),
        ("장면은 둘, 모두 천육백 자", True, True),
        ("分两场写，加起来3千字", True, True),
        ("A hundred and twenty people said no words.", False, False),
        ("全章约2000字。", True, True),
        ("她在信里读到二十个名字。", False, False),
    ],
)
def test_a_length_in_her_words_is_known_and_told_from_what_happens(
    words: str, named: bool, only: bool
) -> None:
    assert bool(sentences_naming_a_length([words])) is named
    assert is_only_a_length(words) is only


OURS = "90-150 words"
WHOLE = ", of the whole chapter, which has 2 scenes"


@pytest.mark.parametrize(
    ("words", "beside"),
    [
        ("Two short scenes, 60 words each.", ""),
        ("3,000 words.", WHOLE),
        ("She reads a letter of 40 words.", f"; where that does not say it, {OURS}"),
        ("5000자 안팎.", WHOLE),
        ("Two scenes, 900 words in all.", WHOLE),
        ("A quarrel at the lock in two scenes, 900 words in all.", WHOLE),
        ("Two scenes, 900 words in all: we go to Mr. Pollard.", WHOLE),
        ("장면은 둘, 모두 1600자.", WHOLE),
        ("两场，一共三千字。", WHOLE),
        ("두 장면 모두 500자씩.", ""),
        ("每场三百字。", ""),
    ],
)
def test_a_length_of_ours_is_left_out_where_hers_is_the_chapter_s(words: str, beside: str) -> None:
    """“600 words each, 3000 together” stood beside a length of hers, and said another."""
    assert length_of_hers([words], OURS, 2) == f"as the author says (“{words}”){beside}"
    assert length_of_hers(["Begin with ink."], OURS, 2) == OURS


@pytest.mark.parametrize(
    ("words", "unit", "length"),
    [
        ("Scenes of about 600 words, chapters of 3,000.", "words", 600),
        ("Each scene has 400 to 600 words.", "words", 500),
        ("한 장면은 800자 안팎.", "characters", 800),
        ("每场八百字。", "characters", 800),
        ("Chapters of 3,000 words.", "words", None),
    ],
)
def test_the_length_of_a_scene_is_known_from_her_words(
    words: str, unit: Unit, length: int | None
) -> None:
    from studio.story.told_length import scene_length_told

    assert scene_length_told([words], unit) == length
