"""The changelog: whatever bytes it holds, whole entries count and nothing else does."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import Exit, StudioError
from studio.fsio import Root
from studio.project import changelog
from studio.project.changelog import Changelog, ChangelogEntry, ChangelogFile, advance, read, replay
from studio.story.state import StoryState

SHA = "a" * 64


def entry(seq: int, chapter: int, steps: int = 1) -> ChangelogEntry:
    ops = ({"op": "inc", "path": "characters.mara.steps", "value": steps},)
    return ChangelogEntry(
        seq, f"c{seq}", chapter, "main", "2026-01-01T00:00:00.000Z", seq, SHA, ops
    )


ENTRIES = [entry(1, 1), entry(2, 2, 10), entry(3, 3, 100)]
DATA = b"".join(e.line() for e in ENTRIES)


CHANGES = [
    (b'"chapter":1', b'"chapter":0'),
    (b'"seq":1', b'"seq":true'),
    (b'"state_gap":false', b'"state_gap":0'),
    (b'"ops":[', b'"ops":[1,'),
    (b'"ops":', b'"opt":'),
    (b'"ts":"', b'"at":"","ts":"'),
    (b'"storyline_id":"main"', b'"storyline_id":"\xff"'),
]
"""What makes a line no entry, whatever its crc says."""


def steps(state: StoryState) -> int:
    return int(state.characters["mara"]["steps"])


def test_what_was_written_is_read_back() -> None:
    assert read(DATA) == Changelog(tuple(ENTRIES))
    assert read(b"") == Changelog()


# req: F9
@given(st.integers(0, len(DATA)))
def test_cut_anywhere_the_whole_lines_count_and_the_rest_is_torn(size: int) -> None:
    log = read(DATA[:size])
    assert log.faults == ()
    assert b"".join(e.line() for e in log.entries) + log.torn == DATA[:size]


# req: F9
@given(st.integers(0, len(DATA) - 2), st.binary(min_size=1, max_size=4))
def test_a_changed_byte_never_gives_another_entry(at: int, junk: bytes) -> None:
    log = read(DATA[:at] + junk + DATA[at + len(junk) :])
    assert all(e in ENTRIES for e in log.entries)
    assert log.faults or log.torn or log.entries == tuple(ENTRIES)


def sealed(line: bytes) -> bytes:
    """Whatever it is, with the crc that an entry would have."""
    before, _, rest = line.partition(b'"crc":"')
    return b'%b"crc":"%08x%b' % (before, zlib.crc32(rest[10:], zlib.crc32(before)), rest[8:])


LINES = [
    *(e.line() for e in ENTRIES),
    *(sealed(ENTRIES[0].line().replace(*change)) for change in CHANGES),
    *(b"\n", b"{}\n", b"[1\n", b"2]\n"),
    sealed(ENTRIES[0].line().rstrip() + b"," + ENTRIES[1].line()),
    sealed(b"[" + ENTRIES[0].line().rstrip() + b"]\n"),
    ENTRIES[1].line().replace(b'"crc":"', b'"crc" : "'),
]


# req: F9
@given(
    st.lists(st.sampled_from(LINES), max_size=7),
    st.integers(1, 900),
    st.integers(0, 3000),
    st.binary(max_size=2),
)
def test_many_lines_at_once_are_read_as_each_by_itself(
    lines: list[bytes], block: int, at: int, junk: bytes
) -> None:
    data = b"".join(lines)
    data = data[:at] + junk + data[at + len(junk) :]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changelog, "_BLOCK", block)
        log = read(data)
        patch.setattr(changelog, "_as_written", lambda lines: None)
        assert read(data) == log
    whole = data.rpartition(b"\n")[0]
    assert len(log.entries) + len(log.faults) >= (whole.count(b"\n") + 1 if whole else 0)


@given(st.binary(max_size=400))
def test_no_bytes_at_all_make_reading_fail(data: bytes) -> None:
    assert read(data).entries == ()


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ([0, 2], "line 2: entry 3 follows entry 1"),
        ([1, 0, 2], "line 1: entry 2 follows entry 0"),
        ([0, 1, 1, 2], "line 3: commit c2 is there twice"),
    ],
)
def test_a_gap_a_swap_and_a_double_are_faults(lines: list[int], fault: str) -> None:
    log = read(b"".join(ENTRIES[n].line() for n in lines))
    assert log.faults[0] == fault
    ids = [e.commit_id for e in log.entries]
    assert sorted(set(ids)) == sorted(ids)


def test_the_newest_entry_of_a_chapter_counts_in_chapter_order() -> None:
    entries = [*ENTRIES, entry(4, 1, 5)]
    state = replay(entries)
    assert (steps(state), state.state_version, state.last_chapter) == (115, 3, 3)


@given(st.sets(st.integers(1, 160), min_size=1), st.integers(1, 165))
def test_the_state_before_any_chapter_is_the_replay_of_those_before(
    numbers: set[int], chapter: int
) -> None:
    # req: G1
    entries = [entry(seq, number, seq) for seq, number in enumerate(sorted(numbers), start=1)]
    whole = Changelog(tuple(entries))
    assert whole.state_before(chapter) == replay(e for e in entries if e.chapter < chapter)
    assert whole.state_before(166) == replay(entries), "what is remembered was not changed"


def test_the_state_before_a_chapter_is_folded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # req: P15
    whole, folds = Changelog(tuple(entry(n, n, n) for n in range(1, 40))), list[int]()
    fold_all = changelog.fold_all

    def noted(*args: Any) -> StoryState:
        folds.append(1)
        return fold_all(*args)

    monkeypatch.setattr(changelog, "fold_all", noted)
    for chapter in (39, 39, 39, 12, 12):
        assert whole.state_before(chapter).last_chapter == chapter - 1
    assert len(folds) == 2


def test_an_op_that_the_state_refuses_is_nothing_done_for_a_promise() -> None:
    ops = [
        {"op": "foreshadow", "path": "bell", "value": "resolve"},
        {"op": "foreshadow", "path": "bell", "value": "plant"},
    ]
    first = entry(1, 1, 1)._replace(ops=tuple(ops))
    (delta,) = Changelog((first,)).promise_deltas
    assert [op.value for op in delta.ops] == ["plant"]


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(-9, 9)), max_size=12))
def test_advancing_one_by_one_is_the_replay(chapters: list[tuple[int, int]]) -> None:  # N3
    state, entries = StoryState(), []
    for seq, (chapter, step) in enumerate(chapters, start=1):
        new = entry(seq, chapter, step)
        state = advance(state, entries, new)
        entries.append(new)
        assert state == replay(entries)


@pytest.mark.parametrize(
    "op",
    [
        {"op": "explode"},
        {"op": "explode", "path": "items.key", "value": 1},
        {"op": ["set"], "path": "items.key", "value": 1},
        {"op": "set", "path": 5, "value": 1},
        {"op": "set", "path": "items.key", "value": [1]},
        {"op": "set", "path": "items.key", "wert": 1},
    ],
)
def test_an_entry_with_an_op_that_is_none_is_damage(op: dict[str, object]) -> None:
    bad = ChangelogEntry(1, "c1", 1, "main", "", 1, SHA, (op,))
    (copy,) = read(bad.line()).entries
    with pytest.raises(StudioError) as caught:
        replay([copy])
    assert caught.value.problem.exit_code == Exit.DAMAGED


def test_an_op_written_in_another_order_counts_the_same() -> None:
    (op,) = ENTRIES[0].ops
    turned = ENTRIES[0]._replace(ops=(dict(reversed(op.items())),))
    assert replay([turned]) == replay([ENTRIES[0]])


def test_a_commit_is_appended_once_and_a_torn_tail_is_put_aside(tmp_path: Path) -> None:
    file = ChangelogFile(Root(tmp_path))
    assert file.append_all([ENTRIES[0]])
    log = tmp_path / "state/changelog.jsonl"
    log.write_bytes(log.read_bytes() + b'{"chap')
    assert not file.append_all([ENTRIES[0]])
    assert file.append_all([ENTRIES[1]])
    assert log.read_bytes() == b"".join(e.line() for e in ENTRIES[:2])
    (torn,) = (tmp_path / "history/quarantine").iterdir()
    assert torn.read_bytes() == b'{"chap'


def test_a_damaged_log_is_not_trusted(tmp_path: Path) -> None:
    file = ChangelogFile(Root(tmp_path))
    Root(tmp_path).write("state/changelog.jsonl", ENTRIES[1].line())
    with pytest.raises(StudioError, match="entry 2 follows entry 0"):
        file.read_trusted()
    assert changelog.ChangelogFile(Root(tmp_path / "none")).read().entries == ()
