from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.text.prose.answer import (
    Sections,
    SpokenWords,
    split_sections,
    without_closed_thoughts,
    without_thoughts,
)


# req: A4
@pytest.mark.parametrize(
    "headings",
    [
        ("## Pre-Writing", "## Prose", "## Hints"),
        ("# PRE-WRITING", "### prose:", "#### Hints ####"),
        ("**Pre-Writing**", "**Prose:**", "__Hints__"),
        ("## **Prewriting notes**", "## 2. Prose", "**hints**:"),
    ],
)
def test_an_answer_is_taken_apart_at_its_headings(headings: tuple[str, str, str]) -> None:
    notes, prose, hints = headings
    story = "등대에 불이 켜졌다.\n\n“가자.”"
    text = f"{notes}\n\n두려움에서 결심으로\n\n{prose}\n\n{story}\n\n{hints}\n- 열쇠\n"
    assert split_sections(text) == Sections(
        prose=story, pre_writing="두려움에서 결심으로", hints="- 열쇠"
    )


def test_windows_line_endings_and_fences_do_not_matter() -> None:
    text = "```markdown\n## Prose\n\n灯亮了。\n\n她没有回头。\n\n## Hints\n钥匙\n```\n"
    sections = split_sections(text.replace("\n", "\r\n"))
    assert (sections.prose, sections.hints) == ("灯亮了。\r\n\r\n她没有回头。", "钥匙")


def test_a_label_with_its_text_on_the_same_line_is_a_heading() -> None:
    text = "Mara lit the lamp.\n\n**Hints:** *Joss* has the key."
    assert split_sections(text) == Sections("Mara lit the lamp.", hints="*Joss* has the key.")


def test_words_that_only_look_like_headings_stay_in_the_prose() -> None:
    text = "**Prose** is hard, she wrote.\n\n## Prosecution\n\nHints\n\nProse: the art of it."
    assert split_sections(text).prose == text


def test_prose_announced_and_not_written_is_empty() -> None:
    assert split_sections("## Pre-Writing\nfear\n\n## Prose\n") == Sections("", "fear")
    assert split_sections("") == Sections("")


def test_chatter_before_the_sections_goes_to_the_notes() -> None:
    text = "I will keep it short.\n\n## Prose\nThe bell rang."
    assert split_sections(text) == Sections("The bell rang.", "I will keep it short.")


def test_a_section_that_comes_twice_is_joined() -> None:
    text = "## Prose\nThe bell rang.\n## Hints\nbell\n## Prose\nNobody came."
    assert split_sections(text) == Sections("The bell rang.\n\nNobody came.", hints="bell")


@pytest.mark.parametrize(
    "wrapped",
    [
        "# The Lamp Room\n\n{}",
        "Here is the scene:\n\n{}",
        "Sure! Here's the revised scene, with the notes in mind:\n\n```\n{}\n```",
        "다음은 수정된 장면입니다:\n\n{}",
        "好的，以下是修改后的正文：\n\n# 第三章\n\n{}",
        "```text\n{}\n```",
        "## Prose\n\n# The Lamp Room\n\n{}",
    ],
)
def test_wrapping_is_taken_off_the_prose(wrapped: str) -> None:
    prose = "Mara lifted the glass.\n\n“Here is the letter:” she said, and read:\n\n- no name"
    assert split_sections(wrapped.format(prose)).prose == prose


def test_a_chinese_indent_survives() -> None:
    assert (
        split_sections("\n\n　　她推开门。\n\n　　没有人。\n").prose
        == "　　她推开门。\n\n　　没有人。"
    )


STORY = st.lists(
    st.sampled_from(
        [
            "등불이 꺼졌다.",
            "“Here is the key,” he said:",
            "她没有回头。",
            "* * *",
            "prose, hints, pre-writing",
            "A **bold** word # and #hash",
            "　　雨停了。",
            "다음은 없다:",
        ]
    )
    | st.text(alphabet=st.characters(exclude_characters="`#", exclude_categories=["Cs", "Cc"])),
    min_size=1,
)


# req: A4
@given(STORY, st.sampled_from(["\n", "\n\n", "\r\n\r\n"]))
def test_an_answer_without_headings_comes_back_whole(parts: list[str], gap: str) -> None:
    text = gap.join(parts)
    assert split_sections(text) == Sections(text.lstrip(" \t\r\n").rstrip())


@given(STORY, STORY)
def test_prose_under_its_heading_comes_back_whole(parts: list[str], notes: list[str]) -> None:
    prose, thoughts = "\n\n".join(parts), "\n".join(notes)
    text = f"## Pre-Writing\n{thoughts}\n## Prose\n{prose}\n## Hints\n"
    assert split_sections(text) == Sections(prose.lstrip(" \t\r\n").rstrip(), thoughts.strip())


@pytest.mark.parametrize(
    "text",
    [
        "One <think>two</think> three <THINK>four</think>five",
        "One <think>two <think>three</think> four</think> five",
        "One <reasoning>two </thinking> three",
        "One <thi",
        "One < two <thinking>" + "three " * 50,
        "<th<think>one</think>ink>two</think>",
    ],
)
@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_what_is_said_in_pieces_is_what_is_said_at_once(text: str, size: int) -> None:
    words = SpokenWords()
    pieces = [words.take(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join(pieces) + words.end() == without_thoughts(text)


def test_a_thought_without_an_end_may_be_the_answer() -> None:
    text = "<think>a</think>b<reasoning>c<think>d" + "<think>" * 20_000
    assert without_closed_thoughts(text) == text.removeprefix("<think>a</think>")


@pytest.mark.parametrize("head", ["＃＃ {}", "＃＃{}", "＃＃\u3000{}", "## {}", "**{}**"])
def test_headings_of_any_keyboard_part_the_story_from_its_notes(head: str) -> None:
    prose = "할머니는 들어가지 않았다."
    text = f"{head.format('Prose')}\n\n{prose}\n\n{head.format('Hints')}\n방세는 냈다."
    assert split_sections(text) == Sections(prose, "", "방세는 냈다.")
