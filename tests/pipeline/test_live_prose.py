from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.pipeline.prompting.answer_stream import LiveProse
from studio.text.prose.answer import split_sections
from tests.fake_stream import TOKEN

ANSWERS = [
    "## Pre-Writing\nWary, then resolved.\n\n## Prose\n\nShe lit the lamp.\n\n“Late,” he said.\n\n"
    "## Hints\n- The key changes hands.",
    "# The Lamp Room\n\nShe lit the lamp.\n\nThe wick caught late, and the brass\nwas warm.",
    "Here is the scene:\n\n```markdown\n등대에 불이 켜졌다.\n\n“가자.”\n```\n",
    "**Prose:** 灯亮了。\n\n她没有回头。\n\n**Hints:** 钥匙\n",
    "*Now*, she thought, and the **whole** row of lamps went out before she had counted to ten.\n\n"
    "__Still__ nothing. 　She waited.\n",
    "She lit the lamp.",
    "## Pre-Writing\r\nNotes.\r\n\r\n## Prose\r\n\r\nShe lit it.\r\n\r\nIt burned.\r\n",
    "## Prose\n\nShe lit it.\n\n## Pre-Writing\nLate.\n\n## Prose\n\nIt burned.\n\n## Hints\nOil.",
    "## Pre-Writing\nOnly notes.",
    "<think>She lit it? No.\n\nShe did.</think>\n\nShe lit the lamp.\n\nIt <thin red line> burned.",
    "好的，以下是为您撰写的第一章：\n\n她点了灯。\n\n<think>风？</think>风很大。",
    "\n\n　　她点了灯。\n\n　　风很大。\n",
    "I have strengthened the second scene as requested:\n\nShe lit the lamp.",
    "The revised and polished scene 2.1–2.3:\n\nShe lit the lamp.",
    "Certainly! Here is Chapter 1 of your novel:\n\nShe lit the lamp.",
    "네, 요청하신 대로 2장의 두 번째 장면을 다시 써 보았습니다:\n\n등대에 불이 켜졌다.",
    "수정된 문단:\n\n등대에 불이 켜졌다.",
]


def streamed(answer: str, cuts: list[int]) -> list[str]:
    bounds = sorted({0, len(answer), *(cut % (len(answer) + 1) for cut in cuts)})
    live = LiveProse()
    pieces = [live.take(answer[a:b]) for a, b in pairwise(bounds)]
    return [*pieces, live.end()]


def whole(answer: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", split_sections(answer).prose.replace("\r", ""))


# req: A4
@pytest.mark.sampled
@pytest.mark.parametrize("answer", ANSWERS)
@given(cuts=st.lists(st.integers(0, 400), max_size=60))
def test_what_is_shown_is_the_prose_however_it_comes_in(answer: str, cuts: list[int]) -> None:
    assert "".join(streamed(answer, cuts)) == whole(answer)


@pytest.mark.parametrize("answer", ANSWERS)
def test_letter_by_letter_it_is_the_same(answer: str) -> None:
    assert "".join(streamed(answer, list(range(len(answer))))) == whole(answer)


def test_a_long_line_does_not_wait_for_its_end() -> None:
    live = LiveProse()
    live.take("She lit the lamp.\n\n")
    assert live.take("The wick caught") == "\n\nThe wick caught"
    assert live.take(" at the second try") == " at the second try"


def test_notes_are_never_shown_for_a_moment() -> None:
    pieces = streamed(
        "## Pre-Writing\nwary, then resolved\n\n## Prose\nShe lit it.", list(range(99))
    )
    assert "".join(pieces) == "She lit it."


# req: J3
@pytest.mark.parametrize(
    "line",
    [
        "It was the last of October and nobody had salted the lane.",
        "난로는 밤사이에 꺼져 있었고 아무도 그 말을 하지 않았으며 바깥은 아직 어두웠다.",
        "炉子在夜里熄了，谁也没有说起，窗外的海港还是昨天擦过的石板的颜色，风从北边来。",
    ],
)
def test_the_first_word_is_shown_with_its_first_letters(line: str) -> None:
    """What cannot become a lead-in any more is not waited for (W2)."""
    live = LiveProse()
    first = next(n for n in range(1, len(line)) if live.take(line[n - 1 : n]))
    assert first <= TOKEN


LEAD_INS = [
    one.strip()
    for line in (
        "Sure, here's the scene | Certainly, the passage | Of course, the scene",
        "Okay, the scene | OK, the scene | Understood, the scene | Great, the draft",
        "Absolutely, a new draft | Here’s the passage | Here are the paragraphs",
        "Below is the text | I've edited the scene | I’ve kept the passage",
        "I have cut the scene | The rewritten passage | My new version | Re-written text",
        "Revised prose | Edited passage | Corrected text | Final version | Updated scene",
        "Polished prose | Improved paragraph | the final text 2.3 | New passage | 네, 장면",
        "예! 장면 | 알겠습니다. 장면 | 물론 장면 | 다음은 장면 | 아래는 본문 | 여기 장면",
        "다음과 같은 장면 | 수정된 문단 | 개선한 본문 | 교정본 | 고친 글 | 고친 문장 | 결과",
        "본문 | 好的，场景 | 当然，正文 | 當然，正文 | 没问题，场景 | 沒問題，場景",
        "以下是场景 | 下面是正文 | 这是场景 | 這是場景 | 明白，场景 | 正文 | 结果 | 結果",
        "修改后的段落 | 改写 | 改寫 | 改后的文本 | 润色后的正文 | 潤色 | 修订稿 | 改",
    )
    for one in line.split(" | ")
]


@pytest.mark.parametrize("lead_in", LEAD_INS)
@pytest.mark.parametrize("around", ["{}", "  {}"])
def test_no_letter_of_a_lead_in_is_shown(lead_in: str, around: str) -> None:
    answer = f"{around.format(lead_in)}:\n\n등대에 불이 켜졌다."
    pieces = streamed(answer, list(range(len(answer))))
    assert "".join(pieces) == whole(answer) == "등대에 불이 켜졌다."
