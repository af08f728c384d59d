"""Records of chapters long past: packed, found again, and only the old ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.project.journal import CallJournal
from studio.project.layout import Layout
from studio.story.records import CallRecord, PromptMessage, Usage


def record(chapter: int, name: str = "draft") -> CallRecord:
    return CallRecord(
        id=f"gen-{chapter:03d}-{name}",
        created_at="2026-11-22T10:00:00+00:00",
        chapter=chapter,
        stage="draft",
        agent="scene-drafter",
        request_sha256="a" * 64,
        messages=(PromptMessage(role="user", content="비가 그쳤다. " * 200),),
        generated_text="雨停了。",
        reasoning="Begin with the rain.",
        total_usage=Usage(input_tokens=10, output_tokens=2),
        cost_usd=0.01,
        finish_reason="end",
    )


@pytest.fixture
def journal(tmp_path: Path) -> CallJournal:
    journal = CallJournal(Layout(tmp_path))
    for chapter in range(1, 6):
        journal.keep(record(chapter))
        journal.keep(record(chapter, "judge"))
    return journal


# req: C8
def test_older_records_keep_answer_hash_and_cost_and_the_newest_stay_whole(
    journal: CallJournal, tmp_path: Path
) -> None:
    folder = tmp_path / "logs/generations"
    before = sum(path.stat().st_size for path in folder.iterdir())
    journal.pack_older(newest=5, whole=2)
    assert len(journal.generation_ids()) == 10
    assert journal.generation_ids(2) == ["gen-002-draft", "gen-002-judge"]
    old = journal.recall("gen-002-draft")
    assert old is not None
    assert (old.generated_text, old.cost_usd, old.request_sha256) == ("雨停了。", 0.01, "a" * 64)
    assert old.total_usage == Usage(input_tokens=10, output_tokens=2)
    assert (old.messages, old.reasoning) == ((), None)
    assert journal.recall("gen-004-draft") == record(4)
    assert sum(path.stat().st_size for path in folder.iterdir()) < before / 2
    assert not (folder / "gen-003-draft.json").exists()


def test_packing_twice_loses_nothing_and_none_are_packed_where_all_shall_stay(
    journal: CallJournal,
) -> None:
    journal.pack_older(newest=5, whole=0)
    assert len(journal.whole_ids()) == 10
    journal.pack_older(newest=5, whole=4)
    journal.keep(record(1, "again"))
    journal.pack_older(newest=5, whole=4)
    assert journal.generation_ids(1) == ["gen-001-again", "gen-001-draft", "gen-001-judge"]
    assert journal.recall("gen-001-judge") is not None


def test_a_damaged_file_of_packed_records_is_left_as_it_is(
    journal: CallJournal, tmp_path: Path
) -> None:
    packed = tmp_path / "logs/generations/chapter-001.packed"
    packed.write_bytes(b"not packed")
    journal.pack_older(newest=5, whole=4)
    assert packed.read_bytes() == b"not packed"
    assert journal.recall("gen-001-draft") == record(1)
