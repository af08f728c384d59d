"""The same text is as long as each platform's counter says: passages anybody can look up, counted
apart from the program by splitting them at their blanks."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.config.load import load_settings
from studio.exchange.platform import doubt_of, for_platform, platform_named, platforms
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from tests.cli.conftest import Typed

PASSAGES: dict[str, tuple[str, str, int, int, int]] = {
    "이상, 날개": (
        "ko",
        "‘박제가 되어 버린 천재’를 아시오? 나는 유쾌하오. 이런 때 연애까지가 유쾌하오.",
        *(46, 36, 11),
    ),
    "김유정, 동백꽃": (
        "ko",
        "오늘도 또 우리 수탉이 막 쫓기었다. 내가 점심을 먹고 나무를 하러 갈 양으로 나올 때이었다.",
        *(52, 38, 15),
    ),
    "현진건, 운수 좋은 날": (
        "ko",
        "새침하게 흐린 품이 눈이 올 듯하더니 눈은 아니 오고 얼다가 만 비가 추적추적 내리었다.",
        *(49, 36, 14),
    ),
    "이효석, 메밀꽃 필 무렵": (
        "ko",
        "여름 장이란 애시당초에 글러서, 해는 아직 중천에 있건만 장판은 벌써 쓸쓸하고 더운 햇발이 "
        "벌여놓은 전 휘장 밑으로 등줄기를 훅훅 볶는다.",
        *(77, 58, 20),
    ),
    "김동인, 감자": (
        "ko",
        "싸움, 간통, 살인, 도적, 구걸, 징역, 이 세상의 모든 비극과 활극의 근원지인, 칠성문 밖 "
        "빈민굴로 오기 전까지는, 복녀의 부처는 (사농공상의 제2위에 드는) 농민이었다.",
        *(97, 75, 23),
    ),
    "鲁迅，狂人日记": (
        "zh",
        "今天晚上，很好的月光。\n\n我不见他，已是三十多年；今天见了，精神分外爽快。",
        *(35, 35, 2),
    ),
    "鲁迅，孔乙己": (
        "zh",
        "鲁镇的酒店的格局，是和别处不同的：都是当街一个曲尺形的大柜台，柜里面预备着热水，可以随时温酒。",
        *(47, 47, 1),
    ),
    "曹雪芹，红楼梦": (
        "zh",
        "满纸荒唐言，一把辛酸泪！都云作者痴，谁解其中味？",
        *(24, 24, 1),
    ),
    "罗贯中，三国演义": (
        "zh",
        "话说天下大势，分久必合，合久必分。",
        *(17, 17, 1),
    ),
    "鲁迅，秋夜": (
        "zh",
        "在我的后园，可以看见墙外有两株树，一株是枣树，还有一株也是枣树。",
        *(32, 32, 1),
    ),
    "Dickens, A Tale of Two Cities": (
        "en",
        "It was the best of times, it was the worst of times, it was the age of wisdom, it was the "
        "age of foolishness.",
        *(109, 86, 24),
    ),
    "Austen, Pride and Prejudice": (
        "en",
        "It is a truth universally acknowledged, that a single man in possession of a good "
        "fortune, must be in want of a wife.",
        *(117, 95, 23),
    ),
    "Melville, Moby-Dick": (
        "en",
        "Call me Ishmael.\n\nSome years ago—never mind how long precisely—having little or no "
        "money in my purse, I thought I would sail about a little and see the watery part of "
        "the world.",
        *(175, 144, 33),
    ),
}
"""A passage in the public domain, by its work: its language, its words, and how many characters
with spaces, characters without, and stretches between blanks it has. Line ends are no spaces."""
COLUMN = {"characters with spaces": 2, "characters without spaces": 3, "words": 4}


# req: K2 K7
@pytest.mark.parametrize("work", PASSAGES)
def test_every_platform_counts_a_passage_by_its_own_rule(work: str, tmp_path: Path) -> None:
    """In each layout: blank lines, indents, the heading and her note to readers count nowhere."""
    passage = PASSAGES[work]
    folder = tmp_path / "serial"
    create_novel(folder, "Serial", passage[0], form="serial")
    (folder / "chapters/chapter-001.md").write_text(f"# 0123456789\n\n{passage[1]}\n", "utf-8")
    (folder / "notes/author").mkdir(parents=True)
    (folder / "notes/author/c001.md").write_text("금요일에 만나요! 周五见！\n", "utf-8")
    store, settings = ProjectStore(folder), load_settings(folder, {})
    counted = {
        platform.name: chapter.length
        for name in (platform.name for platform in platforms())
        for platform, (chapter,) in (for_platform(store, settings, name, "1"),)
    }
    assert counted == {platform.name: passage[COLUMN[platform.unit]] for platform in platforms()}


SOURCED = ["문피아", "카카오페이지", "네이버 시리즈", "Royal Road"]
"""The platforms whose way of counting stands on a public page that was read."""


# req: K7
@pytest.mark.parametrize("name", [platform.name for platform in platforms()])
def test_a_count_that_no_page_bears_out_says_that_it_is_not_verified(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    create_novel(tmp_path / "serial", "등대", "ko", form="serial")
    (tmp_path / "serial/chapters/chapter-001.md").write_text("# 불\n\n비가 왔다.\n", "utf-8")
    monkeypatch.chdir(tmp_path / "serial")
    ended = typed("export", "--form", "platform", "--platform", name, "--chapters", "1")
    assert ("is not verified" in ended.err) == (name not in SOURCED)
    assert bool(doubt_of(platform_named(name))) == (name not in SOURCED)
