"""Where every line is a paragraph, a heading above and an end below change nothing."""

from __future__ import annotations

import pytest

from studio.story.chapter import Chapter

LINES = {
    "zh": [f"第{number}只船靠了岸。" for number in range(1, 25)],
    "ko": [f"배 {number}척이 닿았다." for number in range(1, 25)],
    "en": [f"Boat {number} came in." for number in range(1, 25)],
}
HEADING = {"zh": "第三章 渡口", "ko": "제3화 나루", "en": "Chapter 3: The Ferry"}
END = {"zh": "（第三章完）", "ko": "(3화 끝)", "en": "(End of chapter 3)"}
LANGUAGES = sorted(LINES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_heading_and_an_end_stand_apart_from_a_run_of_lines(language: str) -> None:
    run = LINES[language]
    chapter = Chapter("\n\n".join([HEADING[language], "\n".join(run), END[language]]) + "\n")
    assert [p.text for p in chapter.paragraphs] == [HEADING[language], *run, END[language]]


def test_lines_of_a_heading_stay_one_paragraph() -> None:
    heading = "第三章 渡口\n钩子：船没有来。"
    chapter = Chapter(f"{heading}\n\n" + "\n".join(LINES["zh"]))
    assert [p.text for p in chapter.paragraphs] == [heading, *LINES["zh"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_short_run_below_a_heading_is_one_paragraph(language: str) -> None:
    run = "\n".join(LINES[language][:6])
    chapter = Chapter(f"{HEADING[language]}\n\n{run}\n\n{END[language]}\n")
    assert [p.text for p in chapter.paragraphs] == [HEADING[language], run, END[language]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_stanzas_and_beats_that_blank_lines_part_are_paragraphs(language: str) -> None:
    run = LINES[language]
    beats = ["\n".join(run[at : at + 6]) for at in range(0, 24, 6)]
    assert [p.text for p in Chapter("\n\n".join(beats)).paragraphs] == beats


def test_a_hard_wrapped_text_below_a_heading_is_not_cut() -> None:
    wrapped = "\n".join(["the boats lay in the mud and nobody came to see to them, because"] * 24)
    chapter = Chapter(f"Chapter 3\n\n{wrapped} it rained.\n")
    assert len(chapter.paragraphs) == 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_it_is_spread_out_with_one_blank_line_everywhere(language: str, newline: str) -> None:
    pieces = [HEADING[language], *LINES[language], END[language]]
    text = f"{pieces[0]}\n\n" + "\n".join(pieces[1:-1]) + f"\n\n{pieces[-1]}\n"
    spread = Chapter(text.replace("\n", newline)).spread_out()
    assert spread.text == (newline * 2).join(pieces) + newline
    assert spread.spread_out() is spread


def test_each_scene_may_have_its_run() -> None:
    run = "\n".join(LINES["en"])
    chapter = Chapter(f"Chapter 3\n\n{run}\n\n* * *\n\n{run}\n")
    assert [len(scene.paragraphs) for scene in chapter.scenes] == [25, 24]


def test_a_heading_and_an_end_may_be_scenes_of_their_own() -> None:
    run = "\n".join(LINES["zh"] * 2)
    text = f"# 第三章\n\n第一卷\n\n---\n\n{run}\n\n---\n\n第三章 完\n\n字数：约 2500 字\n"
    assert [len(scene.paragraphs) for scene in Chapter(text).scenes] == [1, 48, 2]


def test_short_scenes_of_paragraphs_apart_are_left_as_they_are() -> None:
    scene = "The boats lay in mud.\n\nA dog crossed the yard.\n\nThe gate hung open."
    talk = "\n".join(LINES["en"][:6])
    chapter = Chapter(f"{scene}\n\n* * *\n\n{talk}\n\n* * *\n\n{scene}\n")
    assert [len(s.paragraphs) for s in chapter.scenes] == [3, 1, 3]


MANY = {
    "zh": [f"第{number}只船靠了岸。" for number in range(1, 169)],
    "ko": [f"“배 {number}척이 닿았다.”" for number in range(1, 169)],
    "en": [f"Boat {number} came in." for number in range(1, 169)],
}


@pytest.mark.repairs("T6")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("gaps", [(80,), (60, 130), (3, 166), (20, 40, 41, 100, 140)])
def test_a_blank_line_in_a_text_of_lines_glues_none_of_them(
    language: str, gaps: tuple[int, ...]
) -> None:
    lines = MANY[language]
    text = "".join(
        f"{line}\n" + "\n" * (number in gaps) for number, line in enumerate(lines, start=1)
    )
    chapter = Chapter(f"# T\n\n{text}")
    assert [p.text for p in chapter.paragraphs] == lines
    spread = chapter.spread_out()
    assert [p.text for p in spread.paragraphs] == lines
    assert spread.spread_out().text == spread.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hard_wrapped_text_in_parts_is_not_cut(language: str) -> None:
    wrapped = {
        "en": "the boats lay in the mud and nobody came to see to them because it rained and",
        "ko": "배는 진흙에 누워 있고 아무도 보러 오지 않았으니 비가 내리고 있었기 때문이며",
        "zh": "船躺在泥里谁也没有来看因为雨一直在下街上没有人走动而且",
    }[language]
    parts = "\n\n".join("\n".join([wrapped] * 30) + "." for _ in range(3))
    assert len(Chapter(f"# T\n\n{parts}\n").paragraphs) == 3


def test_prose_beside_a_long_run_keeps_its_paragraphs() -> None:
    prose = ["The boats lay in mud.\nNobody came.", "A dog crossed the yard."] * 20
    text = "\n\n".join([*prose, "\n".join(MANY["en"][:25])])
    assert len(Chapter(f"# T\n\n{text}\n").paragraphs) == 41


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_is_put_into_a_scene_is_parted_as_that_scene_is(newline: str) -> None:
    lines = [f"He said line number {n} here." for n in range(30)]
    apart = [f"Paragraph {n} of the second scene stands here." for n in range(7)]
    text = "# T\n\n" + "\n".join(lines) + "\n\n* * *\n\n" + "\n\n".join(apart) + "\n"
    chapter = Chapter(text.replace("\n", newline))
    new = ["One more stands here.", "And a second one."]
    for scene, rows, gap in ((1, lines, newline), (2, apart, newline * 2)):
        for number in (1, 3, len(rows)):
            after = chapter.replace_passage(chapter.passage(scene, number, number), new)
            assert [p.text for p in after.scenes[scene - 1].paragraphs] == [
                *rows[: number - 1],
                *new,
                *rows[number:],
            ]
            assert gap.join(new) in after.text


def test_new_words_have_the_line_ends_of_their_file_whichever_they_came_with() -> None:
    for newline in ("\n", "\r\n"):
        chapter = Chapter(newline.join(["# T", "", "One", "line.", ""]))
        words = chapter.with_newlines(["a\r\nb\nc\rd"])
        assert words == (newline.join("abcd"),)
