"""How many scenes a chapter has, and how long it is, as its author says it: what the planners are
asked in her words, by the sentence she plans with and by her brief, at the installed program."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from studio.story.told_length import scenes_told
from tests.cli.command import studio
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import Model, kind_of

SAID = {
    "en": ("Ness weighs the salt twice. Two scenes.", "Two scenes"),
    "ko": ("순이가 소금을 두 번 단다. 장면 둘.", "장면 둘"),
    "zh": ("阿盐把盐称了两遍，写成两场。", "写成两场"),
}
FIRST_OF_TWO = {"en": "Scene 1 of 2.", "ko": "장면 1/2.", "zh": "全章2场，这是第1场。"}
BOTH = {
    "en": ("Ness weighs the salt twice, in about 900 words. Two scenes.", 900),
    "ko": ("순이가 소금을 두 번 단다, 천이백 자로. 장면 둘.", 1200),
    "zh": ("阿盐把盐称了两遍，两千五百字，写成两场。", 2500),
}
HAPPENS = {
    "en": "Ness weighs the salt twice.",
    "ko": "순이가 소금을 두 번 단다.",
    "zh": "阿盐把盐称了两遍。",
}


def made(folder: Path, language: str, brief: str) -> Path:
    ended = studio("new", folder, "--title", "Salt", "--language", language)
    assert ended.code == 0, ended
    (folder / "brief.md").write_text(f"{brief}\n", "utf-8")
    return folder


def written(folder: Path, happens: str) -> tuple[list[str], str]:
    """Plans a chapter with a sentence and writes it; the planner's requests, and that of the first
    scene."""
    ended = studio("plan", "add", "Salt", "--happens", happens, "--project", folder)
    assert ended.code == 0, ended
    with FakeMessages(answering=Model()) as server:
        environ = {**os.environ, "ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k"}
        studio("write", "--project", folder, environ=environ)
        plans = [asked.prompt for asked in server.asked if kind_of(asked) == "scenes"]
        first = next(asked.prompt for asked in server.asked if kind_of(asked) == "draft")
    return plans, first


# req: E2 H1
@pytest.mark.sampled
@pytest.mark.parametrize("language", SAID)
def test_two_scenes_in_her_sentence_are_asked_for_and_come(language: str, tmp_path: Path) -> None:
    sentence, words = SAID[language]
    folder = made(tmp_path / "salt", language, HAPPENS[language])
    plans, first = written(folder, sentence)
    assert scenes_told([sentence]) == 2
    assert len(plans) == 1
    assert words in plans[0]
    assert "Exactly 2 scenes, as the author wants" in plans[0]
    assert FIRST_OF_TWO[language] in first


# req: E2 H1
@pytest.mark.sampled
@pytest.mark.parametrize("language", SAID)
def test_two_scenes_in_her_brief_are_before_the_planner_and_come(
    language: str, tmp_path: Path
) -> None:
    brief, words = SAID[language]
    folder = made(tmp_path / "salt", language, brief)
    plans, first = written(folder, HAPPENS[language])
    assert len(plans) == 1
    assert words in plans[0]
    assert "Exactly 2 scenes, as the author wants" in plans[0]
    assert FIRST_OF_TWO[language] in first


# req: E2 H1
@pytest.mark.sweep
@pytest.mark.parametrize("language", BOTH)
def test_her_length_and_her_scenes_are_told_to_whoever_plans(language: str, tmp_path: Path) -> None:
    """Who divides the chapter, and who proposes a plan of it."""
    sentence, length = BOTH[language]
    folder = made(tmp_path / "salt", language, HAPPENS[language])
    plans, first = written(folder, sentence)
    (asked,) = plans
    assert "Exactly 2 scenes, as the author wants" in asked
    task = asked.partition("Exactly 2 scenes")[2]
    assert f"{length}" in task or sentence in task
    assert FIRST_OF_TWO[language] in first
    other = made(tmp_path / "other", language, HAPPENS[language])
    assert studio("plan", "add", "Salt", "--happens", sentence, "--project", other).code == 0
    with FakeMessages(answering=Model()) as server:
        environ = {**os.environ, "ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k"}
        studio("plan", "propose", "1", "--project", other, environ=environ)
        prompt = server.asked[0].prompt
    assert sentence in prompt
    lengths = re.findall(r"(\d[\d,]{2,})(?:-\d+)? (?:words|characters)", prompt)
    assert {int(length_told.replace(",", "")) for length_told in lengths} <= {length}, (
        "nothing else is told"
    )
