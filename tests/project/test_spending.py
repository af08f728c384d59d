"""Sums that nothing in a novel takes back, shared by every process of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.fsio import Root, hold
from studio.project import spending as module
from studio.project.layout import USAGE, Layout
from studio.project.spending import SUMS, TURN, Spending
from studio.story.ledger import MOST_CHAPTERS, Spendings
from studio.story.records import Counted, UsageEntry
from tests.project.novels import make_novel

DAY = "2026-11-21"


def reserve(name: str, usd: float = 0.5, chapter: int = 1, day: str = DAY) -> UsageEntry:
    return UsageEntry(
        event="reserve", id=name, ts=f"{day}T12:00:00Z", chapter=chapter, reserved_usd=usd
    )


def end(entry: UsageEntry, usd: float) -> UsageEntry:
    return entry.model_copy(update={"event": "settle", "usd": usd})


class Seen:
    """Hears what counts before a call."""

    counted = Counted(0, 0, 0, 0, 0)

    def __call__(self, counted: Counted) -> None:
        self.counted = counted


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def novel(tmp_path: Path, state: Path | None, name: str = "one") -> Spending:
    make_novel(tmp_path / name)
    return Spending(Layout(tmp_path / name), state)


def looked(spending: Spending, name: str = "look", chapter: int = 1) -> Counted:
    """What counts now; the look itself reserves nothing to speak of."""
    seen = Seen()
    spending.reserve(reserve(name, 0.0, chapter), seen)
    return seen.counted


def test_what_is_reserved_and_settled_counts_by_chapter_day_novel_and_over_all_novels(
    tmp_path: Path, state: Path
) -> None:
    one, other = novel(tmp_path, state), novel(tmp_path, state, "other")
    first = reserve("a")
    assert one.reserve(first, Seen()) == ""
    assert looked(one) == Counted(0.5, 0.5, 0.5, 0.5, 0.5)
    one.settle(end(first, 0.125))
    assert looked(one, "b", chapter=2) == Counted(0.0, 0.125, 0.125, 0.125, 0.0)
    assert looked(other) == Counted(0.0, 0.0, 0.0, 0.125, 0.0)


def test_a_refused_call_leaves_no_line(tmp_path: Path, state: Path) -> None:
    def refuse(counted: Counted) -> None:
        raise StudioError(module._blocked_error().problem)

    one = novel(tmp_path, state)
    with pytest.raises(StudioError):
        one.reserve(reserve("a"), refuse)
    assert one.entries() == []


@pytest.mark.parametrize("lost", [USAGE, SUMS])
def test_of_the_log_and_the_machines_sums_the_higher_counts(
    lost: str, tmp_path: Path, state: Path
) -> None:  # req: O3
    one = novel(tmp_path, state)
    first = reserve("a")
    one.reserve(first, Seen())
    one.settle(end(first, 0.25))
    (tmp_path / "one" / lost if lost == USAGE else state / lost).unlink()
    assert looked(novel(tmp_path, state)).novel == 0.25
    assert looked(novel(tmp_path, state), "again").all_novels == 0.25


def test_a_settle_of_somebody_elses_reserve_lowers_no_sum_of_this_machine(
    tmp_path: Path, state: Path
) -> None:  # req: O7
    one = novel(tmp_path, state)
    one.reserve(reserve("mine"), Seen())
    one.append(reserve("brought along", 100.0))
    assert looked(one).novel == 100.5
    foreign = next(e for e in one.interrupted_calls() if e.id == "brought along")
    one.settle(end(foreign, 0.0))
    assert looked(one, "b") == Counted(0.5, 0.5, 0.5, 0.5, 0.5)


def test_the_log_is_read_whole_only_where_something_else_changed_it(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: R13
    one, reads = novel(tmp_path, state), []
    find = Root.find

    def noted(self: Root, rel: str) -> bytes | None:
        reads.append(rel)
        return find(self, rel)

    monkeypatch.setattr(Root, "find", noted)
    for chapter in range(1, MOST_CHAPTERS + 20):
        entry = reserve(f"a{chapter}", 0.01, chapter)
        one.reserve(entry, Seen())
        one.settle(end(entry, 0.001))
    assert reads.count(USAGE) == 1
    one.append(end(reserve("b"), 0.5))
    assert looked(one, chapter=99).chapter == 0.0
    assert reads.count(USAGE) == 2
    assert looked(one, "old", chapter=2).chapter == 0.001  # no longer among the newest
    assert reads.count(USAGE) == 3


def test_without_a_state_folder_the_log_counts_alone_and_it_is_said_where_it_is_in_the_way(
    tmp_path: Path,
) -> None:
    alone = novel(tmp_path, None)
    alone.reserve(reserve("a"), Seen())
    assert looked(alone).novel == 0.5
    assert [entry.id for entry in alone.interrupted_calls()] == ["a", "look"]
    (tmp_path / "file").write_bytes(b"")
    blocked = novel(tmp_path, tmp_path / "file")
    assert "only the calls of this novel count" in blocked.reserve(reserve("b"), Seen())
    blocked.settle(end(reserve("b"), 0.1))
    assert looked(blocked, "c").novel == pytest.approx(0.6)


@pytest.mark.parametrize("bad", [b"", b"{", b'{"days": {"2026-11-21": -5}}', b"\xff", b"[" * 9999])
def test_damaged_sums_are_made_anew_from_the_log(bad: bytes, tmp_path: Path, state: Path) -> None:
    one = novel(tmp_path, state)
    one.reserve(reserve("a"), Seen())
    (state / SUMS).write_bytes(bad)
    assert looked(one).novel == 0.5


def test_the_sums_are_the_writers_alone(tmp_path: Path, state: Path) -> None:
    novel(tmp_path, state).reserve(reserve("a"), Seen())
    assert (state / SUMS).stat().st_mode & 0o077 == 0


def test_a_new_novel_at_an_old_place_begins_with_nothing_but_the_day(
    tmp_path: Path, state: Path
) -> None:
    one = novel(tmp_path, state)
    one.reserve(reserve("a"), Seen())
    (tmp_path / "one" / USAGE).unlink()
    module.begin_anew(tmp_path / "one", state)
    assert looked(one) == Counted(0.0, 0.0, 0.0, 0.5, 0.0)


@pytest.mark.repairs("T19")
def test_what_a_novel_cost_follows_its_renamed_folder_and_no_other_novel_there_inherits_it(
    tmp_path: Path, state: Path
) -> None:
    one = novel(tmp_path, state, "소금길")
    one.reserve(reserve("a"), Seen())
    (tmp_path / "소금길").rename(tmp_path / "盐路")
    (tmp_path / "盐路" / USAGE).unlink()
    assert looked(novel(tmp_path, state, "盐路")) == Counted(0.5, 0.5, 0.5, 0.5, 0.5)
    assert looked(novel(tmp_path, state, "소금길"), "b") == Counted(0.0, 0.0, 0.0, 0.5, 0.0)


def test_what_was_counted_by_folder_before_novels_had_ids_counts_on(
    tmp_path: Path, state: Path
) -> None:
    one = novel(tmp_path, state)
    one.reserve(reserve("a"), Seen())
    sums = Spendings.model_validate_json((state / SUMS).read_bytes())
    (by_id,) = sums.novels.values()
    by_folder = sums.model_copy(update={"novels": {str(tmp_path / "one"): by_id}})
    (state / SUMS).write_text(by_folder.model_dump_json())
    shutil.rmtree(state / "novels")
    shutil.rmtree(tmp_path / "one" / ".studio")
    (tmp_path / "one" / USAGE).unlink()
    assert [call.entry.id for call in one.novel().open] == ["a"]
    assert looked(one).novel == 0.5
    (tmp_path / "one").rename(tmp_path / "other")
    (tmp_path / "other" / USAGE).unlink()
    assert looked(novel(tmp_path, state, "other"), "b").novel == 0.5


def test_what_a_running_call_brought_is_known_until_it_is_settled(
    tmp_path: Path, state: Path
) -> None:
    one, first = novel(tmp_path, state), reserve("a")
    one.reserve(first, Seen())
    assert one.tokens_received("a") is None
    one.record_received("a", 12)
    one.record_received("a", 34)
    assert novel(tmp_path, state).tokens_received("a") == 34
    one.settle(end(first, 0.1))
    assert one.tokens_received("a") is None


def test_a_stopped_process_keeps_nobody_waiting_for_ever(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: O4
    one, first = novel(tmp_path, state), reserve("a")
    one.reserve(first, Seen())
    monkeypatch.setattr(module, "LONGEST_WAIT", 0.05)
    fd, whose = hold(Root(state), TURN)
    assert whose == "ours"
    with pytest.raises(StudioError) as blocked:
        one.reserve(reserve("b"), Seen())
    assert blocked.value.problem.exit_code is Exit.LOCKED
    one.settle(end(first, 0.1))  # what was paid is noted all the same
    os.close(fd)
    assert looked(one).novel == 0.5  # this machine's sum is the safer one until it is settled
    assert [e.usd for e in one.entries() if e.event == "settle"] == [0.1]


SPENDER = """
import sys
from pathlib import Path
from studio.llm.budget import Caps
from studio.llm.errors import BudgetError
from studio.project.layout import Layout
from studio.project.spending import Spending
from studio.story.records import UsageEntry

folder, state, name = sys.argv[1:]
spending, caps = Spending(Layout(folder), Path(state)), Caps(all_novels_usd=1.0)
sys.stdin.readline()
for number in range(5):
    entry = UsageEntry(event="reserve", id=f"{name}{number}", ts="2026-11-21T12:00:00Z",
                       chapter=1, reserved_usd=0.1)
    try:
        spending.reserve(entry, lambda counted: caps.check(counted, 0.1))
        print("spent")
    except BudgetError:
        print("refused")
"""


@pytest.mark.sweep
def test_processes_at_once_share_one_cap_to_the_cent(tmp_path: Path, state: Path) -> None:
    # req: M12 O10
    started = []
    for name in ("a", "b", "c", "d"):
        (tmp_path / name).mkdir()
        arguments = [sys.executable, "-c", SPENDER, str(tmp_path / name), str(state), name]
        pipe = subprocess.PIPE
        started.append(subprocess.Popen(arguments, stdin=pipe, stdout=pipe, text=True))
    for process in started:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    said = "".join(process.communicate()[0] for process in started).split()
    assert (said.count("spent"), said.count("refused")) == (10, 10)
