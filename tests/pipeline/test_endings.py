"""A chapter of one's own may end in anything that can stand in a text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.pipeline.judging.evaluation import how_it_ends, one_pace, scene_rhythms
from studio.story.chapter import Chapter
from studio.text.language.packs import load_pack
from tests.cli.command import studio
from tests.project.novels import put

KINDS = {
    "a block quote": "> 사랑하는 마라에게\n>\n> 기다리지 마.",
    "a quote of nothing": ">",
    "a table": "| hour | load |\n|---|---|\n| 3 | 9 |",
    "a footnote": "[^1]: 사월 초사흘.",
    "a footnote in English": "[^lead]: Kept since 1904.",
    "a heading": "## 그 뒤",
    "a sign": "[출입 금지]",
    "a system line": "【系统】任务完成。",
    "a break": "* * *",
    "a note": "<!-- 여기서 끝? -->",
    "a list": "- 열쇠\n- 등잔\n- 기름",
    "a script": "마라: 왔어?\n조스: 응.\n마라: 앉아.",
    "verse": "종이 울리고\n물이 오르고\n아무도 없고",
    "a picture": "![](a.png)",
    "code": "```\nx = 1\n```",
    "one mark": "…",
    "a mark in quotes": "“……”",
    "an open quote": "“아직 불이",
    "white space": "\u3000",
    "nothing that is seen": "\u200b",
    "a rule of equals": "=====",
}
PROSE = {
    "ko": "비가 그치자 마라는 계단을 올랐다. “왔어?” 조스가 물었다.",
    "en": "Mara lifted the oil cans one by one. “Nobody sleeps here,” said Joss.",
    "zh": "雨停了，玛拉爬上楼梯。“灯还亮着。”乔斯说。",
}


def take_in(folder: Path, end: str) -> None:
    """Has a chapter with this end committed, byte for byte."""
    put(folder, "novel/studio.toml", '[novel]\ntitle = "등대"\nlanguage = "ko"\n')
    put(folder, "mine.md", f"# 첫 장\n\n{PROSE['ko']}\n\n{end}\n")
    words = ("write", "1", "--draft", folder / "mine.md", "--review", "reject")
    ended = studio(*words, cwd=folder / "novel")
    assert ended.code == 0, ended.err
    committed = (folder / "novel/chapters/chapter-001.md").read_bytes()
    assert committed == (folder / "mine.md").read_bytes()


@pytest.mark.sampled
@pytest.mark.repairs("T5")
@pytest.mark.parametrize("kind", ["a block quote", "a table", "a footnote", "a heading"])
def test_a_chapter_may_end_in_what_is_no_prose(tmp_path: Path, kind: str) -> None:
    take_in(tmp_path, KINDS[kind])


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
def test_a_chapter_that_ends_in_anything_is_taken_in(tmp_path: Path, kind: str) -> None:
    take_in(tmp_path, KINDS[kind])


@pytest.mark.sweep
@given(
    language=st.sampled_from(sorted(PROSE)),
    pieces=st.lists(
        st.one_of(st.sampled_from([*KINDS.values(), *PROSE.values()]), st.text(max_size=40)),
        max_size=6,
    ),
)
def test_every_text_has_an_ending_and_a_rhythm_or_none(language: str, pieces: list[str]) -> None:
    from studio.story.review.scenes_in_text import TextScenes

    chapter, pack = Chapter("# T\n\n" + "\n\n".join(pieces)), load_pack(language)
    last = how_it_ends(chapter, pack)
    assert not last or last["ends_on"] in ("speech", "question", "statement")
    one_pace(scene_rhythms(TextScenes.between_breaks(chapter), pack))


@pytest.mark.parametrize(
    ("last", "ends_on", "words"),
    [
        ("> Wait for me.", "statement", "Wait for me."),
        ("> “Is it you?”", "speech", "“Is it you?”"),
        ("She asked: who?\n\n[^1]: Kept since 1904.", "question", "She asked: who?"),
        ("She went.\n\n| a | b |\n|---|---|", "statement", "She went."),
        ("She went.\n\n## The Yard", "statement", "She went."),
    ],
)
def test_a_letter_ends_a_chapter_and_what_stands_below_the_page_does_not(
    last: str, ends_on: str, words: str
) -> None:
    chapter = Chapter(f"# T\n\n{PROSE['en']}\n\n{last}\n")
    assert how_it_ends(chapter, load_pack("en")) == {"ends_on": ends_on, "words": words}
