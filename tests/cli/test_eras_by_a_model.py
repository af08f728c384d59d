"""Ten chapters in a model's words, once the tenth is in the book."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from studio.pipeline.outcome import Committed, Outcome, Stopped
from studio.project.store import ProjectStore
from studio.session import Session, WriteOrder
from tests.cli.conftest import Typed
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.project.novels import put

ERA = "summaries/era-001-010.md"
TOLD = "By chapter 10 Mara owes Joss a boat, and has said so to nobody."


def is_of_an_era(asked: Asked) -> bool:
    return asked.schema is not None and set(asked.schema["properties"]) == {"text"}


def answered(asked: Asked) -> Rule | None:
    schema = asked.schema["properties"] if asked.schema else {}
    if "ops" in schema:
        return Rule(value={"summary": "Mara counts the boats.", "ops": [], "memory": "Boats."})
    return Rule(value={"text": TOLD}) if is_of_an_era(asked) else None


@pytest.fixture
def server(server: FakeMessages) -> FakeMessages:
    server.answering = answered
    return server


@pytest.fixture
def nine(novel: Path, typed: Typed) -> Path:
    source = novel.parent / "nine.md"
    rows = (f"# Night {n}\n\nMara counted {n} boats, and wrote it down.\n\n" for n in range(1, 10))
    source.write_text("".join(rows), "utf-8")
    assert typed("import", source, "--into", novel, "--yes", "--as", "committed").code == 0
    for n in range(1, 10):
        words = f"---\nchapter: {n}\n---\n\nMara counts {n} boats and writes it down.\n"
        put(novel, f"summaries/chapter-{n:03d}-summary.md", words)
    return novel


@pytest.mark.sweep
def test_ten_chapters_are_told_by_the_summarizer_once(
    nine: Path, typed: Typed, server: FakeMessages
) -> None:  # req: G10
    own = nine.parent / "own.md"
    own.write_text("# The last\n\nMara counted ten boats.\n", "utf-8")
    ended = typed("write", "--draft", own, "--review", "reject")
    assert ended.code == 0, ended.err
    of_eras = [asked for asked in server.asked if "chapters 1 to 10" in asked.prompt]
    assert len(of_eras) == 1
    assert "Chapter 3:" in of_eras[0].prompt, "made of the summaries, not of the chapters"
    assert TOLD in (nine / ERA).read_text("utf-8")
    own.write_text("# Behind it\n\nMara counted eleven boats.\n", "utf-8")
    assert typed("write", "--draft", own, "--review", "reject").code == 0
    assert len([a for a in server.asked if "chapters 1 to 10" in a.prompt]) == 1


def test_an_answer_of_no_use_leaves_the_beginnings_of_the_summaries(
    nine: Path, typed: Typed, server: FakeMessages
) -> None:  # req: G10
    server.answering = lambda asked: None if is_of_an_era(asked) else answered(asked)
    server.rules = [Rule(contains="chapters 1 to 10", text="{")]
    own = nine.parent / "own.md"
    own.write_text("# The last\n\nMara counted ten boats.\n", "utf-8")
    ended = typed("write", "--draft", own, "--review", "reject", "--events")
    assert ended.code == 0, ended.err
    assert "- 10. Mara counts the boats." in (nine / ERA).read_text("utf-8")
    warnings = [event["message"] for event in ended.events if event["type"] == "warning"]
    assert any("beginnings of summaries stay" in words for words in warnings)


def stopped(folder: Path, server: FakeMessages, order: WriteOrder, field: str) -> Outcome:
    """A run that is stopped as soon as it asks for an answer with this field."""

    async def run() -> Outcome:
        loop = asyncio.get_running_loop()
        session = Session.open(folder, os.environ, {"generation.analyse": True})
        task = asyncio.create_task(session.write(order, lambda _: None))

        def answering(asked: Asked) -> Rule | None:
            if asked.schema is None or field not in asked.schema["properties"]:
                return answered(asked)
            loop.call_soon_threadsafe(task.cancel)
            return Rule(mode="step")

        server.answering = answering
        return await task

    return asyncio.run(run())


@pytest.mark.sweep
def test_a_stop_while_ten_chapters_are_told_ends_the_run_and_loses_nothing(
    nine: Path, typed: Typed, server: FakeMessages
) -> None:  # req: B4 G10
    own = nine.parent / "own.md"
    own.write_text("# The last\n\nMara counted ten boats.\n", "utf-8")
    order = WriteOrder(review="reject", draft=own)
    outcome = stopped(nine, server, order, "contradictions")
    assert isinstance(outcome, Committed), "the chapter is in the book"
    assert not any(map(is_of_an_era, server.asked)), "and no model is asked any more"
    own.write_text("# Behind it\n\nMara counted eleven boats.\n", "utf-8")
    assert stopped(nine, server, order, "text") == Stopped(11)
    checkpoint = ProjectStore(nine).checkpoint()
    assert (checkpoint.last_completed_chapter, checkpoint.inflight_chapter) == (10, None)
    server.answering = answered
    ended = typed("write", "--draft", own, "--review", "reject")
    assert ended.code == 0, ended.err
    assert TOLD in (nine / ERA).read_text("utf-8")
    assert (nine / "chapters/chapter-011.md").exists()
