"""Novels whose screens never change: fixed texts, fixed paths, no clock, no model."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.tui.views.run.moment import ChapterSpending, RunState
from tests.project.novels import put

TITLES = {"en": "The Lamp Room", "ko": "등대지기의 밤", "zh": "灯塔之夜"}
CHAPTERS = {
    "en": ("Slack Water", "A Man About the Shaft", "The Lamp Room", "The Late Show"),
    "ko": ("썰물", "갱도를 찾아온 남자", "램프실", "늦은 공연"),
    "zh": ("平潮", "来看竖井的人", "灯房", "夜场"),
}
TEXTS = {
    "en": (
        "Mara lifted the oil cans one after another and set them on the sill.",
        "She felt that the room was colder than it had been, and she saw that one lamp of the"
        " eighteen was warm under her hand.",
        "“You are up early,” Joss said from the stairs, and did not look at her.",
    ),
    "ko": (
        "마라는 기름통을 하나씩 들어 창턱에 올려놓았다.",
        "방이 아까보다 춥다고 느껴졌다. 열여덟 개의 램프 가운데 하나가 손바닥 아래에서 따뜻한 것이"
        " 보였다.",
        "“일찍 일어났구나.” 조스는 계단에서 말하고 그녀를 보지 않았다.",
    ),
    "zh": (
        "玛拉把油罐一个个搬起来，放到窗台上。",
        "她感到屋里比刚才更冷了，她看见十八盏灯里有一盏在她手心下是温的。",
        "“你起得真早。”乔斯在楼梯上说，没有看她。",
    ),
}
RUN_STATE = RunState(
    running=True,
    stage="refine",
    stages=MappingProxyType(
        {"lock": "finished", "draft": "finished", "summarize": "skipped", "refine": "started"}
    ),
    spending=ChapterSpending(calls=3, input=12_345, output=850, cost=0.0421),
)


def chapter_text(language: str) -> str:
    """Returns a chapter of one scene."""
    return f"# {CHAPTERS[language][2]}\n\n" + "\n\n".join(TEXTS[language]) + "\n"


def novel(folder: Path, language: str) -> ProjectStore:
    """Creates a novel with two committed chapters and two planned ones."""
    titles = CHAPTERS[language]
    put(folder, "studio.toml", f'[novel]\ntitle = "{TITLES[language]}"\nlanguage = "{language}"\n')
    outline = "".join(f"## Chapter {n}: {t}\n\n{t}.\n\n" for n, t in enumerate(titles, 1))
    put(folder, "volumes/vol-01/outline.md", f"# {TITLES[language]}\n\n{outline}")
    for number in (1, 2):
        text = chapter_text(language).replace(titles[2], titles[number - 1], 1)
        put(folder, f"chapters/chapter-{number:03d}.md", text)
    store = ProjectStore(folder)
    store.save_checkpoint(Checkpoint(last_completed_chapter=2))
    return store
