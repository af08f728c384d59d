"""A change as lines: nothing lost, marks without colour, pending while it streams."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from studio.text.safe import safe_text
from studio.tui.views.prose.diff_rows import DiffStep, lines, steps

BEFORE = "그녀는 두려움을 느꼈다. 바람이 불었다. 불이 꺼졌다."
AFTER = "그녀의 손이 떨렸다. 바람이 불었다. 불이 꺼졌다."
words = st.lists(st.sampled_from(["그녀는 ", "손이 ", "떨렸다. ", "\n\n", "a ", "b", "。", "\x1b"]))


def text_of(diff: list[DiffStep], *without: str) -> str:
    return "".join(text for kind, text in diff if kind not in without)


@given(words, words, st.sampled_from(["ko", "en", "zh"]), st.booleans())
def test_both_texts_are_in_the_steps(
    old: list[str], new: list[str], language: str, finished: bool
) -> None:
    before, after = "".join(old), "".join(new)
    diff = steps(before, after, language, finished)
    assert text_of(diff, "added") == safe_text(before)
    came, arrived = text_of(diff, "removed", "pending"), safe_text(after)
    assert arrived.startswith(came)
    half_a_word = arrived[len(came) :]
    assert not half_a_word or (not finished and language != "zh" and half_a_word.isalpha())
    assert not finished or "pending" not in {step.kind for step in diff}


@given(words, words, st.integers(4, 30))
def test_lines_hold_the_steps_and_fit(old: list[str], new: list[str], width: int) -> None:
    diff = steps("".join(old), "".join(new), "ko")
    rows = lines(diff, width)
    assert all(cell_len(text_of(row)) <= width for row in rows)
    assert "".join("".join(map(text_of, rows)).split()) == "".join(text_of(diff).split())


def test_english_and_korean_change_by_word() -> None:
    english = steps("She felt fear.", "She felt dread.", "en")
    assert english[1:3] == [DiffStep("removed", "fear"), DiffStep("added", "dread")]
    korean = steps("그녀는 웃었다.", "그녀는 울었다.", "ko")
    assert korean[1:3] == [DiffStep("removed", "웃었다"), DiffStep("added", "울었다")]


def test_what_a_stream_has_not_reached_is_not_gone() -> None:
    diff = steps(BEFORE, AFTER[:6], "ko", finished=False)
    assert diff[-1].kind == "pending"
    assert diff[-1].text.endswith("바람이 불었다. 불이 꺼졌다.")
    assert steps(BEFORE, "", "ko", finished=False) == [DiffStep("pending", BEFORE)]
    assert steps(BEFORE, BEFORE, "ko", finished=False) == [DiffStep("same", BEFORE)]


def test_escape_sequences_are_shown() -> None:  # req: S7
    diff = steps("\x1b[2J", "\x9b2J", "en")
    assert "\x1b" not in text_of(diff)
    assert "\x9b" not in text_of(diff)
