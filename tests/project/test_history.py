"""History: every version once, found again whole, and damage told."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import Exit, StudioError
from studio.fsio import Root, sha256_hex
from studio.project.history.blobs import History, pack, unpack
from tests.project.novels import CHINESE, KOREAN, tree

PATH = "chapters/chapter-001.md"


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(Root(tmp_path))


def test_a_kept_version_comes_back_byte_for_byte(history: History) -> None:
    sha = history.keep(PATH, KOREAN.encode(), "accepted")
    assert history.blob(sha) == KOREAN.encode()
    (version,) = history.versions(PATH)
    assert (version.sha, version.reason, version.commit_id) == (sha, "accepted", "")
    assert set(history.stored_shas()) == {sha}


@given(st.binary(max_size=2000))
def test_any_bytes_come_back(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    history = History(Root(tmp_path_factory.mktemp("h")))
    assert history.blob(history.keep("any", data, "test")) == data


def test_keeping_the_same_again_changes_nothing(history: History, tmp_path: Path) -> None:
    history.keep(PATH, KOREAN.encode(), "committed", "c001-a")
    history.keep("brief.md", KOREAN.encode(), "accepted")
    before = tree(tmp_path)
    history.keep(PATH, KOREAN.encode(), "committed", "c001-a")
    history.keep("brief.md", KOREAN.encode(), "accepted")
    assert tree(tmp_path) == before


def test_going_back_to_an_older_version_is_a_new_line(history: History) -> None:
    for text in (KOREAN, CHINESE, KOREAN):
        history.keep(PATH, text.encode(), "accepted")
    assert [v.sha for v in history.versions(PATH)] == [
        sha256_hex(t.encode()) for t in (KOREAN, CHINESE, KOREAN)
    ]


def test_a_damaged_version_is_told_and_healed_by_keeping_it_again(
    history: History, tmp_path: Path
) -> None:
    sha = history.keep(PATH, KOREAN.encode(), "accepted")
    blob = tmp_path / "history" / sha[:2] / sha
    blob.write_bytes(bytes(len(blob.read_bytes())))
    assert not history.has(sha)
    with pytest.raises(StudioError) as caught:
        history.blob(sha)
    assert caught.value.problem.exit_code == Exit.DAMAGED
    history.keep(PATH, KOREAN.encode(), "accepted")
    assert history.blob(sha) == KOREAN.encode()


@pytest.mark.parametrize("sha", ["", "../../../etc/passwd", "0" * 63, "Z" * 64])
def test_what_is_no_sha_is_no_version(history: History, sha: str) -> None:
    assert not history.has(sha)


def test_a_torn_line_of_the_log_is_passed_over(history: History, tmp_path: Path) -> None:
    first = history.keep(PATH, KOREAN.encode(), "accepted")
    log = tmp_path / "history/log.jsonl"
    log.write_bytes(log.read_bytes() + b'{"path": "chapters/ch')
    second = history.keep(PATH, CHINESE.encode(), "accepted")
    assert [v.sha for v in history.versions(PATH)] == [first, second]


def test_what_is_put_aside_is_named(history: History, tmp_path: Path) -> None:
    where = history.quarantine("state/current-state.json", b"\0\0\0")
    assert where.startswith("history/quarantine/state--current-state.json.")
    assert (tmp_path / where).read_bytes() == b"\0\0\0"


@pytest.mark.sweep
def test_what_packs_too_well_to_be_believed_is_stored_unpacked_and_comes_back() -> None:
    zeros = bytes(70_000_000)
    assert unpack(zlib.compress(zeros)) is None
    assert unpack(pack(zeros)) == zeros
    assert unpack(pack(b"")) == b""
    assert unpack(pack(b"rain")[:-1]) is None
