"""What `studio context` shows is what is sent, byte for byte, wherever its inputs are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Ended, studio
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import line_edits

SCENE = "\n\n".join(f"Paragraph {n} of the scene smells of coal and salt." for n in range(30))
REFUSED = Rule(mode="status", status=400)
SCORES = (
    *("plot_logic", "character", "immersion", "style_naturalness"),
    *("foreshadowing", "pacing", "emotional_impact", "storyline_coherence"),
)


class Desk:
    """The installed program, before a model that refuses what `refused` is found in."""

    def __init__(self, project: Path) -> None:
        self.refused = "\0"
        self.refined = ("\0", "")
        self.scores: dict[str, Any] = {}
        self.fake = FakeMessages(answering=self._answer)
        self._project = project

    def _answer(self, asked: Asked) -> Rule:
        if asked.schema is not None:
            if "edits" in asked.schema["properties"]:
                return line_edits(asked, *self.refined)
            return Rule(value=self.scores if "scores" in asked.schema["properties"] else None)
        if self.refused in asked.prompt:
            return REFUSED
        return Rule(text=f"## Prose\n\n{SCENE}" if is_draft(asked) else SCENE)

    def studio(self, *typed: object) -> Ended:
        environ = {"ANTHROPIC_BASE_URL": self.fake.url, "ANTHROPIC_API_KEY": "k"}
        return studio(*typed, cwd=self._project, environ=environ)

    def shown(self, *typed: object) -> dict[str, Any]:
        ended = self.studio("context", *typed, "--json")
        assert ended.code == 0, ended.err
        return dict(ended.json)

    def draft_of(self, scene: int) -> Asked:
        task = f"Write scene {scene} of"
        return next(a for a in reversed(self.fake.asked) if is_draft(a) and task in a.prompt)


@pytest.fixture
def desk(project: Path) -> Iterator[Desk]:
    desk = Desk(project)
    with desk.fake:
        yield desk


def is_draft(asked: Asked) -> bool:
    return "You are a novelist" in asked.prompt


def words(preview: dict[str, Any], block_id: str) -> str:
    return next(str(block["text"]) for block in preview["blocks"] if block["id"] == block_id)


def same(preview: dict[str, Any], asked: Asked) -> None:
    """Block for block the words of the request, in its order, and nothing else in it."""
    tail = re.search(r'name="previous-tail">\n(.*?)\n</m', asked.prompt, re.DOTALL)
    assert tail
    assert words(preview, "previous-tail") == tail[1]
    sent = asked.prompt
    for block in preview["blocks"]:
        before, there, sent = sent.partition(block["text"])
        assert there, f"{block['id']} is not sent as it is shown: {block['text'][:200]}"
        fences = re.sub(r'\s*</?m\w+( name="[\w-]+")?>\s*', "", before).strip()
        assert not fences, f"sent before {block['id']}, and not shown: {fences[:200]}"
    assert not re.sub(r"\s*</m\w+>\s*", "", sent)
    assert preview["model"] == asked.body["model"]


@pytest.mark.sweep
def test_every_scene_is_shown_as_it_is_sent(desk: Desk) -> None:
    """The model fails at each scene in turn, so that the inputs of the next are on disk."""
    preview = desk.shown()
    for scene, verb in ((1, "write"), (2, "resume"), (3, "resume")):
        desk.refused = f"Write scene {scene} of"
        assert desk.studio(verb, "--review", "reject").code == 6
        preview = preview if scene == 1 else desk.shown()
        same(preview, desk.draft_of(scene))
    assert words(preview, "chapter-so-far").count("[Scene ") == 2


def test_a_scene_that_is_drafted_again_is_shown_as_it_is_sent(desk: Desk) -> None:
    """The scene before it was refined since it was drafted: that is the text it goes on from."""
    desk.refined = ("smells of", "smelled of")
    desk.scores = {"scores": {name: {"score": 3.2, "scene": 2} for name in SCORES}}
    desk.refused = 'name="notes"'
    assert desk.studio("write", "--review", "reject").code == 6
    assert "smelled of" in desk.draft_of(2).prompt
    same(desk.shown(), desk.draft_of(2))
