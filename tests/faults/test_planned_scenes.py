"""A kill, a full disk or a broken one while one scene of a joined chapter is drafted again and the
chapter committed: the other scenes stand, and the file names the text that is there (C16)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.pipeline.outcome import Committed
from studio.project.scenes_of_chapter import scenes_of
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.story.chapter import Chapter
from tests.fake_messages import FakeMessages
from tests.faults import tally
from tests.faults.invariants import recover
from tests.faults.moments import moments
from tests.faults.tracing import unavailable
from tests.pipeline.flows import Desk, Model, kind_of, make_novel, scene_number, unrefined
from tests.pipeline.joined_scenes import AGAIN, TEXTS, drafting, serial

pytestmark = [
    pytest.mark.crash,
    pytest.mark.sweep,
    pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "strace works here"),
]
FILE = "evaluations/chapter-001-scenes.json"


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    with FakeMessages() as server:
        yield server


@pytest.mark.parametrize("share", tally.SHARES)
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_only_the_scene_that_was_asked_for_is_another_whatever_happens(
    language: str, share: int, server: FakeMessages, tmp_path: Path
) -> None:
    start, novel = make_novel(tmp_path / "start", **serial(language)), tmp_path / "novel"
    server.answering = Model(draft=drafting(language), refine=unrefined)
    assert Desk(start, server).write(review="ask").decision.kind == "review"
    there = Desk(novel, server)

    def anew() -> None:
        shutil.rmtree(novel, ignore_errors=True)
        shutil.copytree(start, novel)
        server.asked.clear()

    def step() -> None:
        there.write(chapter=1, scene=2, review="accept", direction="Slower.")

    anew()
    step()  # what it imports is in memory from here on: no fault hits an import
    anew()
    for moment in moments(step, share, variants=3):
        moment.hit(step, anew)
        recover(novel)
        assert not verify(novel).is_damaged, moment
        if not (novel / "chapters/chapter-001.md").exists():
            assert isinstance(there.resume(review="accept").outcome, Committed), moment
        asked = {scene_number(a) for a in server.asked if kind_of(a) == "draft"}
        assert asked <= {2}, moment
        text = Chapter((novel / "chapters/chapter-001.md").read_text("utf-8"))
        scenes, (first, second, third) = scenes_of(ProjectStore(novel), 1, text), TEXTS[language]
        assert (scenes.text_of(1), scenes.text_of(3)) == (first, third), moment
        assert scenes.text_of(2) in (second, AGAIN[language]), moment
        assert all(finding.path != FILE for finding in verify(novel).findings), moment
        assert text.sha256 in (novel / FILE).read_text("utf-8"), moment
