"""A cut by code takes exactly what it named: the words, the line they leave empty, and a scene that
is left empty with its rule; it is measured by that, and taken back whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import studio
from tests.project.novels import put

PAGES = {
    "ko": (
        "비가 그치자 마라는 계단을 올랐다.",
        "(글자 수: 812자)",
        "아무도 없었다. 등잔은 식어 있었다.",
    ),
    "en": ("Mara lifted the oil cans one by one.", "(Word count: 812)", "Nobody slept here."),
    "zh": ("雨停了，玛拉爬上灯塔的楼梯。", "（字数：812）", "灯已经凉了，屋里没有人。"),
}


def reviewed(folder: Path, language: str, text: str) -> tuple[Path, dict[str, Any]]:
    """A draft of her own at its review, without a model; and the cut that is proposed."""
    novel = folder / "novel"
    put(folder, "novel/studio.toml", f'[novel]\ntitle = "T"\nlanguage = "{language}"\n')
    put(folder, "mine.md", text)
    ended = studio("write", "1", "--draft", folder / "mine.md", "--review", "ask", cwd=novel)
    assert ended.code == 4, ended.err
    listed = studio("directives", "list", "--json", cwd=novel).json["directives"]
    return novel, next(d for d in listed if d["type"] == "cut")


def carried_out(novel: Path, directive: str) -> str:
    """The chapter after the cut was accepted by name."""
    assert studio("directives", "accept", directive, cwd=novel).code == 0
    studio("resume", "--review", "ask", cwd=novel)
    return (novel / "staging/chapters/chapter-001.md").read_text("utf-8")


@pytest.mark.sampled
@pytest.mark.repairs("T7")
@pytest.mark.parametrize("language", PAGES)
def test_a_cut_takes_the_line_it_names_and_no_other(tmp_path: Path, language: str) -> None:
    first, note, last = PAGES[language]
    text = f"# T\n\n{first}\n{note}\n{last}\n\n{last} {first}\n"
    novel, cut = reviewed(tmp_path, language, text)
    assert cut["evidence"] == [note]
    after = carried_out(novel, cut["id"])
    assert after == f"# T\n\n{first}\n{last}\n\n{last} {first}\n"
    history = (novel / "history/log.jsonl").read_text("utf-8")
    assert "cut on your word" in history
    assert "by a model" not in history, "there is no model"
    result = studio("directives", "list", "--json", cwd=novel).json["directives"][0]["result"]
    own = next(m for m in result["metrics"] if m["metric"] == "leaked_meta")
    assert (own["before"], own["after"], own["better"]) == (1.0, 0.0, True)
    assert studio("directives", "undo", cut["id"], cwd=novel).code == 0
    assert (novel / "staging/chapters/chapter-001.md").read_text("utf-8") == text


@pytest.mark.sampled
@pytest.mark.repairs("T7")
@pytest.mark.parametrize("at_the_end", [True, False])
def test_a_scene_that_is_nothing_else_goes_with_its_rule(tmp_path: Path, at_the_end: bool) -> None:
    first, note, last = PAGES["ko"]
    scenes = (f"{first} {last}", note) if at_the_end else (note, f"{first} {last}")
    text = "# T\n\n" + "\n\n* * *\n\n".join(scenes) + "\n"
    novel, cut = reviewed(tmp_path, "ko", text)
    assert carried_out(novel, cut["id"]) == f"# T\n\n{first} {last}\n"
    assert studio("directives", "undo", cut["id"], cwd=novel).code == 0
    assert (novel / "staging/chapters/chapter-001.md").read_text("utf-8") == text


def test_what_goes_is_said_before(tmp_path: Path) -> None:
    first, note, last = PAGES["en"]
    _, cut = reviewed(tmp_path, "en", f"# T\n\n{first}\n{note}\n{last}\n")
    assert cut["instruction"] == f"Take out “{note}”, and nothing else."
    assert json.dumps(cut)
