"""The journal: a finished call is found again, a cut one keeps its text, no cent is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.project.journal import CallJournal
from studio.project.layout import Layout
from studio.story.records import CallRecord, UsageEntry


def record(text: str = "비가 그쳤다.") -> CallRecord:
    return CallRecord(
        id="gen-1", created_at="", stage="draft", agent="scene-drafter", request_sha256="a" * 64,
        generated_text=text,
    )  # fmt: skip


@pytest.fixture
def journal(tmp_path: Path) -> CallJournal:
    return CallJournal(Layout(tmp_path))


def test_a_finished_call_is_found_again_by_its_id(journal: CallJournal, tmp_path: Path) -> None:
    assert journal.recall("gen-1") is None
    journal.keep(record())
    assert CallJournal(Layout(tmp_path)).recall("gen-1") == record()
    assert journal.generation_ids() == ["gen-1"]


def test_a_damaged_record_is_no_answer_and_is_put_aside_when_replaced(
    journal: CallJournal, tmp_path: Path
) -> None:
    journal.keep(record())
    (tmp_path / "logs/generations/gen-1.json").write_bytes(b'{"id": "gen-1"')
    assert journal.recall("gen-1") is None
    journal.keep(record("雨停了。"))
    assert journal.recall("gen-1") == record("雨停了。")
    (aside,) = (tmp_path / "history/quarantine").iterdir()
    assert aside.read_bytes() == b'{"id": "gen-1"'


# req: N11
def test_the_text_of_a_running_call_is_there_until_it_is_dropped(
    journal: CallJournal, tmp_path: Path
) -> None:
    for text in ("비가", "비가 그치자 ", "비가 그치자 마라는\ud800"):
        journal.partial("gen-1", text)
    file = tmp_path / "staging/partial/gen-1.md"
    assert file.read_text("utf-8") == "비가 그치자 마라는?"
    journal.drop_partial("gen-1")
    journal.drop_partial("gen-1")
    assert not file.exists()


def test_usage_is_read_past_a_torn_line(journal: CallJournal, tmp_path: Path) -> None:
    first = UsageEntry(event="reserve", id="a1", ts="", reserved_usd=0.5)
    second = UsageEntry(event="settle", id="a1", ts="", usd=0.25)
    journal.spending.append(first)
    usage = tmp_path / "logs/usage.jsonl"
    usage.write_bytes(usage.read_bytes() + b'{"event": "res')
    journal.settle(second)
    assert journal.usage_entries() == [first, second]


@pytest.mark.parametrize("gen_id", ["", "../x", "a/b", ".hidden", "x" * 200, "a\0"])
def test_an_id_that_leaves_its_folder_is_refused(journal: CallJournal, gen_id: str) -> None:
    with pytest.raises(StudioError):
        journal.partial(gen_id, "x")
