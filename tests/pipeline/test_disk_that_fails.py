"""A file of the chapter in work that the disk does not give back for a moment is never taken for
one that is not there: what a writer said or wrote is not made anew over it (N1, J3, J4)."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from studio.errors import Exit
from studio.fsio import read
from studio.pipeline.chapter.own_text import save_own_text, scenes_so_far
from studio.pipeline.events import WarningEvent
from studio.pipeline.outcome import Failed
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from tests.fake_messages import FakeMessages, Rule
from tests.faults.invariants import differences, tree
from tests.pipeline.at_a_decision import SHOW, at_review, statuses
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Desk, Model, make_novel, stop_in_the_scene

HERS = "마라는 기름통을 하나씩 들어 올렸다."


@contextmanager
def unreadable(monkeypatch: pytest.MonkeyPatch, ending: str) -> Iterator[list[str]]:
    """The disk fails (EIO) at every file below staging/ whose name ends so; yields those it was
    asked for."""
    bytes_of, asked = read._bytes_of, []

    def fail(name: str, at: int, rel: str) -> bytes:
        if rel.startswith("staging/") and rel.endswith(ending):
            asked.append(rel)
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return bytes_of(name, at, rel)

    with monkeypatch.context() as patch:
        patch.setattr(read, "_bytes_of", fail)
        yield asked


def refuses(there: Desk, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    """`studio resume` says what could not be read and changes nothing in staging/."""
    staging, calls = there.folder / "staging", len(there.server.asked)
    before = tree(staging)
    with unreadable(monkeypatch, ending) as asked:
        outcome = there.resume().outcome
    assert asked
    assert isinstance(outcome, Failed), outcome
    assert outcome.problem.kind == "disk"
    assert outcome.exit_code is Exit.DAMAGED
    assert ending in outcome.problem.message
    assert differences(before, tree(staging)) == {}
    assert len(there.server.asked) == calls, "nothing was asked of the model"


@pytest.mark.sweep
def test_a_scene_that_was_stopped_is_not_drafted_anew(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = desk(Model(draft=Rule(mode="hold", after=9, text="\n\n".join(SCENES[1]))))
    stop_in_the_scene(there)
    store = ProjectStore(there.folder)
    so_far = scenes_so_far(store, 1, "en")
    assert so_far is not None
    stood = so_far.scene_text(1)
    hers = stood.replace(stood.split()[0], HERS, 1)
    save_own_text(store, 1, so_far.text.replace(stood, hers), so_far.sha256, "en")
    there.server.answering = Model()
    refuses(there, monkeypatch, "scene-01.md")
    there.resume()
    assert Chapter(there.text()).scene_text(1).startswith(hers.strip())


@pytest.mark.sampled
@pytest.mark.parametrize("ending", ["chapter-001.md", "-directives.json", "-eval.json"])
def test_a_decision_is_not_asked_for_anew(
    ending: str, desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = at_review(desk)
    there.session().change_directives("reject", [SHOW], reason="그 말투는 일부러 그랬어요")
    refuses(there, monkeypatch, ending)
    assert statuses(there)[SHOW] == "rejected"


def test_a_scene_that_is_no_text_is_named_and_left_alone(desk: OpenDesk) -> None:
    there = desk(Model(draft=Rule(mode="hold", after=9, text="\n\n".join(SCENES[1]))))
    stop_in_the_scene(there)
    scene = there.folder / "staging/scenes/chapter-001/scene-01.md"
    scene.write_bytes(HERS.encode("euc-kr"))
    there.server.answering = Model()
    outcome = there.resume().outcome
    assert isinstance(outcome, Failed), outcome
    assert outcome.exit_code is Exit.DAMAGED
    assert "scene-01.md" in outcome.problem.message
    assert scene.read_bytes() == HERS.encode("euc-kr")


def test_a_log_that_cannot_be_written_is_told_and_the_chapter_is_in_the_book(
    tmp_path: Path,
) -> None:
    with FakeMessages(answering=Model()) as server:
        desk = Desk(make_novel(tmp_path / "novel"), server)
        (desk.folder / "logs/pipeline.log").mkdir(parents=True)
        run = desk.write(review="accept")
    assert run.exit_code == Exit.DONE
    assert desk.store.committed_sha(1) is not None
    warned = [event for event in run.events if isinstance(event, WarningEvent)]
    assert warned[-1].message.startswith("What happened in this run is not in the log. logs/pip")
    assert [event.seq for event in run.events] == list(range(1, len(run.events) + 1))
