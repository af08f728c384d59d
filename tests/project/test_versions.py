"""Every kept version of a file can be found, read and brought back, and nothing is lost by it."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.fsio import fault_points, sha256_hex
from studio.project.changelog import replay
from studio.project.commit.versions import Versions
from studio.project.store import ProjectStore
from tests.forking import in_child
from tests.project.novels import CHINESE, ENGLISH, KOREAN, commit_now, make_novel, put, stage

CHAPTER = "chapters/chapter-001.md"


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    """A novel whose one chapter was committed in Korean, then changed by hand to English."""
    store = make_novel(tmp_path / "novel")
    commit_now(store, 1, KOREAN)
    put(store.layout.folder, CHAPTER, ENGLISH)
    return store


def refused(versions: Versions, path: str, sha: str | None = None) -> StudioError:
    with pytest.raises(StudioError) as caught:
        versions.restore(path, sha)
    return caught.value


def test_the_committed_text_comes_back_and_the_present_one_is_kept(  # req: C12
    store: ProjectStore,
) -> None:
    versions = Versions(store)
    done = versions.restore(CHAPTER, sha256_hex(KOREAN.encode())[:8])
    assert versions.present(CHAPTER) == KOREAN
    assert done.replaced_sha256 == sha256_hex(ENGLISH.encode())
    again = versions.restore(CHAPTER, done.replaced_sha256)
    assert (versions.present(CHAPTER), again.replaced_sha256) == (ENGLISH, done.sha256)


def test_without_a_name_the_newest_other_text_comes_back(store: ProjectStore) -> None:
    versions = Versions(store)
    versions.restore(CHAPTER, None)
    assert versions.present(CHAPTER) == KOREAN
    versions.restore(CHAPTER, None)
    assert versions.present(CHAPTER) == ENGLISH


def test_a_chapter_brought_back_is_an_edit_and_the_state_stays(store: ProjectStore) -> None:
    put(store.layout.folder, CHAPTER, KOREAN)
    commit_now(store, 1, CHINESE)
    state = store.state()
    Versions(store).restore(CHAPTER, None)
    (edit,) = store.hand_edits()
    assert edit.found_sha256 == sha256_hex(KOREAN.encode())
    assert store.state() == state == replay(store.changelog().entries)


def test_a_deleted_chapter_comes_back(store: ProjectStore) -> None:  # req: F13
    (store.layout.folder / CHAPTER).unlink()
    done = Versions(store).restore(CHAPTER, None)
    assert done.replaced_sha256 is None
    assert store.hand_edits() == []


def test_restoring_what_is_there_already_writes_nothing(store: ProjectStore) -> None:
    versions = Versions(store)
    versions.restore(CHAPTER, None)
    before = store.history.log()
    sha = sha256_hex(KOREAN.encode())
    assert versions.restore(CHAPTER, sha).replaced_sha256 == sha
    assert store.history.log() == before


@pytest.mark.parametrize(
    "path",
    [
        "state/current-state.json",
        "state/changelog.jsonl",
        "evaluations/chapter-001-eval.json",
        "staging/chapters/chapter-001.md",
        ".checkpoint.json",
        "storylines/main/memory.md",
    ],
)
def test_what_the_studio_keeps_itself_is_not_brought_back_alone(
    store: ProjectStore, path: str
) -> None:
    error = refused(Versions(store), path)
    assert error.problem.exit_code is Exit.USAGE
    assert path in error.problem.message


@pytest.mark.parametrize("name", ["../outside.md", "/etc/passwd", ".", ""])
def test_a_name_that_leads_out_of_the_novel_is_refused(store: ProjectStore, name: str) -> None:
    with pytest.raises(StudioError) as caught:
        Versions(store).path_of(name)
    assert caught.value.problem.exit_code is Exit.USAGE


def test_a_name_may_be_a_number_or_a_path_from_anywhere(store: ProjectStore) -> None:
    versions = Versions(store)
    whole = str(store.layout.folder / "brief.md")
    assert versions.path_of("1") == CHAPTER
    assert versions.path_of(f"./{CHAPTER}") == CHAPTER
    assert versions.path_of(whole) == "brief.md"


@pytest.mark.parametrize(("sha", "why"), [("ab", "too little"), ("0000000", "no version")])
def test_a_sha_that_names_no_single_version_is_refused(
    store: ProjectStore, sha: str, why: str
) -> None:
    assert why in refused(Versions(store), CHAPTER, sha).problem.message


def test_a_chapter_in_work_is_not_changed_behind_its_back(store: ProjectStore) -> None:
    stage(store, 1, CHINESE)
    assert "in progress" in refused(Versions(store), CHAPTER).problem.message
    assert Versions(store).present(CHAPTER) == ENGLISH


def test_a_lost_version_is_said_and_nothing_changes(store: ProjectStore) -> None:
    sha = sha256_hex(KOREAN.encode())
    (store.layout.folder / "history" / sha[:2] / sha).unlink()
    error = refused(Versions(store), CHAPTER, sha)
    assert error.problem.exit_code is Exit.DAMAGED
    assert Versions(store).present(CHAPTER) == ENGLISH


def test_a_summary_that_comes_back_belongs_to_the_committed_text(store: ProjectStore) -> None:
    put(store.layout.folder, CHAPTER, KOREAN)
    path = "summaries/chapter-001-summary.md"
    first = sha256_hex((store.layout.folder / path).read_bytes())
    commit_now(store, 1, CHINESE)
    Versions(store).restore(path, first)
    summary = (store.layout.folder / path).read_text("utf-8")
    assert f"source_sha256: {sha256_hex(CHINESE.encode())}" in summary
    assert f"made_from_sha256: {sha256_hex(KOREAN.encode())}" in summary


def test_staged_texts_of_a_chapter_are_among_its_versions(store: ProjectStore) -> None:
    reasons = {(v.path, v.reason) for v in Versions(store).of(CHAPTER)}
    assert (CHAPTER, "committed") in reasons
    assert any(path == "staging/chapters/chapter-001.md" for path, _ in reasons)


@pytest.mark.sweep
@pytest.mark.crash
def test_killed_at_every_step_both_texts_are_there(  # req: C12 N1 N8
    store: ProjectStore, tmp_path: Path
) -> None:
    killed, number, seen = True, 0, set()
    copy = tmp_path / "copy"
    while killed:
        number += 1
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(store.layout.folder, copy)
        killed = _dies_at_step(copy, number)
        versions = Versions(ProjectStore(copy))
        seen.add(versions.present(CHAPTER))
        assert versions.present(CHAPTER) in (KOREAN, ENGLISH)
        if versions.present(CHAPTER) == KOREAN:
            versions.restore(CHAPTER, None)
            assert versions.present(CHAPTER) == ENGLISH
    assert seen == {KOREAN, ENGLISH}
    assert number > 8


def _dies_at_step(folder: Path, number: int) -> bool:
    """Restores in a process of its own that is killed at the n-th step; False if it ended."""

    def restore() -> None:
        fault_points.arm(f"fsio.any:kill:{number}")
        Versions(ProjectStore(folder)).restore(CHAPTER, sha256_hex(KOREAN.encode()))

    code = in_child(restore)
    assert code in (0, -signal.SIGKILL)
    return code != 0
