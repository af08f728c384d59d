"""The log of a run never decides what came of the run."""

from __future__ import annotations

from pathlib import Path

from studio.errors import Exit
from studio.pipeline.events import WarningEvent
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import Desk, Model, make_novel


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
