"""`studio try` without a key and without a model, in the three languages of the interface and in a
small and a large window: five decided, a passage of hers, a cut, the chapter in the book."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from studio.i18n import Language
from studio.llm.providers.embedded import find_bundled_model
from tests.sweeps import swept
from tests.tui.environs import NO_MODEL
from tests.tui.terminals import Terminal

HERS: dict[Language, str] = {
    "en": "It had been greased. She put it to one side.",
    "ko": "열쇠에는 기름이 발려 있었다. 그녀는 그것을 옆에 두었다.",
    "zh": "钥匙上过油。她把它放到一边。",
}
WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "none": "no model",
        "take": "a Take",
        "review": "Your review",
        "reject": "Esc leaves everything",
        "takes": "Ctrl+S takes it",
        "answer": "Enter Answer",
        "ways": "It is meant",
        "reason": "A reason, if you like. It is not",
        "decided": "All decided",
        "fix": "1 fix to keep or undo",
        "keep": "a Keep",
        "card": "The chapter is ready for you",
        "choose": "Enter Choose",
        "summary": "summarizes it first",
        "leaving": "leave?",
    },
    "ko": {
        "none": "모델 없음",
        "take": "a 받기",
        "review": "작가 검토",
        "reject": "Esc 취소",
        "takes": "Ctrl+S 확정",
        "answer": "Enter 답하기",
        "ways": "일부러 그랬습니다",
        "reason": "까닭이 있으면 적으세요",
        "decided": "모두 결정했습니다",
        "fix": "유지하거나 되돌릴 수정 1건",
        "keep": "a 유지",
        "card": "장이 준비되었습니다",
        "choose": "Enter 고르기",
        "summary": "먼저 모델이 요약",
        "leaving": "나갈까요",
    },
    "zh": {
        "none": "无模型",
        "take": "a 采纳",
        "review": "您的审阅",
        "reject": "Esc 取消",
        "takes": "Ctrl+S 确定",
        "answer": "Enter 回答",
        "ways": "有意为之",
        "reason": "想写就写理由",
        "decided": "都已决定",
        "fix": "有 1 处修改待保留或撤销",
        "keep": "a 保留",
        "card": "这一章等您过目",
        "choose": "Enter 选择",
        "summary": "先由模型做摘要",
        "leaving": "离开吗",
    },
}
LOCALES: dict[Language, str] = {"en": "en_US.UTF-8", "ko": "ko_KR.UTF-8", "zh": "zh_CN.UTF-8"}


def decides_four(desk: Terminal, says: dict[str, str], hers: str) -> None:
    """A cut taken, two left as they are, and a passage in her own words."""
    desk.sees(says["none"])
    desk.types("3")
    desk.sees(f"{says['review']}  0/4")
    desk.sees(says["take"])
    desk.types("a")  # the cut
    desk.sees(f"{says['review']}  1/4")
    desk.types("r")  # the filter words stay
    desk.sees(says["reject"])
    desk.types("\r")
    desk.sees(f"{says['review']}  2/4")
    desk.types("E")  # a passage in her words
    desk.sees(says["takes"])
    desk.types("\x01" + hers)
    desk.sees(hers[-6:])
    desk.types("\x13")
    desk.sees(f"{says['review']}  3/4")
    desk.types("r")
    desk.sees(says["reject"])
    desk.types("\r")
    desk.sees(f"{says['review']}  4/4")


def answers_and_keeps(desk: Terminal, says: dict[str, str]) -> None:
    """What only she decides, and the cut as the studio made it."""
    desk.sees(says["answer"])
    desk.types("\r")  # what only she decides
    desk.sees(says["ways"])
    for _ in range(7):
        desk.types("\x1b[B")
    desk.types("\r")
    desk.sees(says["reason"])
    desk.types("\x13")
    desk.sees(says["decided"])
    desk.types("w")
    desk.sees(says["fix"])
    desk.sees(says["keep"])
    desk.types("a")
    desk.until(lambda: says["fix"] not in desk.shown, "the fix kept")


def takes_it_into_the_book(
    tmp_path: Path, language: Language, size: tuple[int, int]
) -> dict[str, str]:
    """Opens the sample without a model, and takes chapter 3 into the book; returns the environment
    of a machine that has one."""
    (tmp_path / "without").mkdir()
    (tmp_path / "without/sitecustomize.py").write_text(NO_MODEL)
    environ = {
        "HOME": str(tmp_path),
        "ANTHROPIC_BASE_URL": "",
        "LANG": LOCALES[language],
        "LC_ALL": LOCALES[language],
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    without = {**environ, "PYTHONPATH": str(tmp_path / "without")}
    says = WORDS[language]
    desk = Terminal(["-m", "studio", "try", "novel"], without, cwd=tmp_path, size=size)
    try:
        decides_four(desk, says, HERS[language])
        answers_and_keeps(desk, says)
        desk.types("C")
        desk.sees("✓ 3 The Lamp Room")
        assert says["card"] not in desk.bytes, "she has answered all that is open"
        assert says["summary"] not in desk.bytes, "no model summarizes it"
        desk.child.sendcontrol("q")
        assert desk.ends() == 0
    finally:
        desk.child.close(force=True)
    text = (tmp_path / "novel/chapters/chapter-003.md").read_text("utf-8")
    assert HERS[language] in text
    assert "that is the trouble with it" not in text
    assert "she noticed that he had cut" in text
    return environ


# req: J8
@pytest.mark.pty
@pytest.mark.parametrize(
    ("language", "size"),
    [
        pytest.param("en", (80, 24), id="en-80x24"),
        swept("ko", (80, 24), id="ko-80x24"),
        swept("zh", (80, 24), id="zh-80x24"),
        swept("en", (120, 36), id="en-120x36"),
        swept("ko", (120, 36), id="ko-120x36"),
        swept("zh", (120, 36), id="zh-120x36"),
    ],
)
def test_a_newcomer_decides_five_writes_one_cuts_one_and_takes_the_chapter(
    tmp_path: Path, language: Language, size: tuple[int, int]
) -> None:
    takes_it_into_the_book(tmp_path, language, size)


def staged_words(folder: Path) -> list[str]:
    """The words of the chapter in progress, as far as they are on the disk."""
    words: list[str] = []
    for path in sorted((folder / "novel/staging").rglob("*.md")):
        with suppress(FileNotFoundError):  # a part became the scene
            words += path.read_text("utf-8").split()
    return words


# req: J8
@pytest.mark.long
@pytest.mark.sweep
@pytest.mark.pty
@pytest.mark.embedded
@pytest.mark.timeout(1500)  # a small model begins a chapter, beside other tests
@pytest.mark.skipif(not find_bundled_model(), reason="no model is installed")
@pytest.mark.parametrize("language", LOCALES)
def test_then_the_small_model_writes_the_chapter_behind_it(
    tmp_path: Path, language: Language
) -> None:
    environ = takes_it_into_the_book(tmp_path, language, (80, 24))
    desk = Terminal(["-m", "studio", "novel"], environ, cwd=tmp_path, size=(80, 24))
    try:
        desk.sees("4 The Late Show")
        desk.sees("SmolLM2")
        desk.types("w")
        desk.until(lambda: len(staged_words(tmp_path)) > 2, "its first words", patience=700)
        desk.sees("1.1 " + " ".join(staged_words(tmp_path)[:2]), " 1.2 ", " 1.3 ")
        assert "SmolLM2" in desk.shown, "the bar says who writes"
        desk.child.sendcontrol("q")
        desk.sees(WORDS[language]["leaving"])
        desk.types("y")
        assert desk.ends() == 0
    finally:
        desk.child.close(force=True)
    assert staged_words(tmp_path), "what it had written stays"
