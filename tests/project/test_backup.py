"""Dated copies: whole, verified, restored to the byte into a new folder, and never in the way."""

from __future__ import annotations

import os
import shutil
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from studio.config.paths import state_dir
from studio.errors import Exit, StudioError
from studio.fsio import Root, fault_points
from studio.project.commit.writing import hold_for_writing
from studio.project.history import backup
from studio.project.history.backup import Backups, restore, verify
from studio.project.spending import begin_anew
from studio.project.store import ProjectStore
from studio.project.verify import verify as verify_novel
from studio.session import Session
from tests.project.novels import KOREAN, commit_now, make_novel, put, tree


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    made = make_novel(tmp_path / "등대")
    commit_now(made, 1, KOREAN)
    put(made.layout.folder, "notes/바람.txt", "what is not ours comes along\n")
    put(made.layout.folder, ".studio/index.json", "{}")
    return made


@pytest.fixture
def shelf(store: ProjectStore, tmp_path: Path) -> Backups:
    return Backups(store.layout.folder, tmp_path / "shelf")


def refused(path: Path) -> int:
    with pytest.raises(StudioError) as caught:
        verify(path)
    return caught.value.problem.exit_code


def test_a_backup_is_restored_to_the_byte(
    store: ProjectStore, shelf: Backups, tmp_path: Path
) -> None:
    taken = shelf.take(keep=3)
    again = tmp_path / "again"
    assert restore(taken.path, again).files == taken.files
    before = {k: v for k, v in tree(store.layout.folder).items() if v != "folder"}
    before = {k: v for k, v in before.items() if not k.startswith(".studio")}
    assert {k: v for k, v in tree(again).items() if v != "folder"} == before
    assert verify_novel(again).findings == verify_novel(store.layout.folder).findings


def test_nothing_new_is_no_new_backup(store: ProjectStore, shelf: Backups) -> None:
    first = shelf.take(keep=3)
    second = shelf.take(keep=3)
    assert (second.fresh, second.path) == (False, first.path)
    put(store.layout.folder, "brief.md", "등대의 겨울.\n")
    assert shelf.take(keep=3).fresh


def test_the_oldest_make_room_after_the_new_one_is_whole(
    store: ProjectStore, shelf: Backups
) -> None:
    paths = []
    for night in range(4):
        put(store.layout.folder, "brief.md", f"{night}번째 밤.\n")
        paths.append(shelf.take(keep=2).path)
    assert [copy.path for copy in shelf.all()] == paths[2:]


def test_a_backup_that_cannot_be_read_back_counts_for_nothing(
    store: ProjectStore, shelf: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = shelf.take(keep=1)
    put(store.layout.folder, "brief.md", "등대의 겨울.\n")
    zipped = backup._zip

    def torn(*args: object) -> Iterator[bytes]:
        yield b"".join(zipped(*args))[:-400]  # type: ignore[arg-type]

    monkeypatch.setattr(backup, "_zip", torn)
    with pytest.raises(StudioError):
        shelf.take(keep=1)
    assert [copy.path for copy in shelf.all()] == [first.path]


@pytest.mark.sweep
def test_a_large_novel_is_copied_and_restored_a_file_at_a_time(
    store: ProjectStore, shelf: Backups, tmp_path: Path
) -> None:
    scan = os.urandom(1_000_000)
    for number in range(24):
        put(store.layout.folder, f"notes/scan-{number}.bin", bytes([number]) + scan)
    tracemalloc.start()
    try:
        taken = shelf.take(keep=1)
        restore(taken.path, tmp_path / "again")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken.path.stat().st_size > 24_000_000
    assert most < 12_000_000


def test_a_file_that_changes_while_it_is_copied_leaves_no_half_backup(
    store: ProjectStore, shelf: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = shelf.take(keep=1)
    put(store.layout.folder, "brief.md", "등대의 겨울.\n")
    monkeypatch.setattr(backup, "_files", lambda root: ["brief.md", "studio.toml"])
    read = Root.read

    def edited(root: Root, rel: str) -> bytes:
        return read(root, rel) + (b" " if rel == "studio.toml" else b"")

    monkeypatch.setattr(Root, "read", edited)
    with pytest.raises(StudioError, match="was changed while it was copied"):
        shelf.take(keep=1)
    assert [path.name for path in shelf.folder.iterdir()] == [first.path.name]


# req: C4
@pytest.mark.parametrize("step", ["write", "rename", "mkdir"])
def test_a_restore_that_a_full_disk_stops_leaves_an_empty_folder(
    shelf: Backups, tmp_path: Path, step: str
) -> None:
    path, into = shelf.take(keep=1).path, tmp_path / "again"
    into.mkdir()
    fault_points.arm(f"fsio.{step}:ENOSPC:4")
    try:
        with pytest.raises(StudioError, match="the disk is full"):
            restore(path, into)
    finally:
        fault_points.arm("")
    assert list(into.iterdir()) == []
    assert restore(path, into).files > 4


def test_no_backup_lands_in_the_novel_by_way_of_a_link(store: ProjectStore, tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to(store.layout.folder)
    with pytest.raises(StudioError, match="lies in the novel itself"):
        Backups(store.layout.folder, tmp_path / "linked/backups").take(keep=1)
    assert not (store.layout.folder / "backups").exists()


def test_a_changed_byte_is_found(shelf: Backups) -> None:
    path = shelf.take(keep=1).path
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        entry = archive.getinfo("novel/chapters/chapter-001.md")
    data[entry.header_offset + 30 + len(entry.filename.encode()) + 5] ^= 0x55
    path.write_bytes(bytes(data))
    assert refused(path) == Exit.DAMAGED


def test_another_zip_is_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "other.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")
    assert refused(path) == Exit.DAMAGED
    path.write_bytes(b"no zip")
    assert refused(path) == Exit.DAMAGED


# req: S1
def test_a_backup_that_leads_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    path, into = tmp_path / "evil.zip", tmp_path / "into"
    name, data = "../evil.md", b"evil"
    listed = backup.encode({"files": {name: backup.sha256_hex(data)}})
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("backup.json", listed)
        archive.writestr(f"novel/{name}", data)
    with pytest.raises(StudioError):
        restore(path, into)
    assert not (tmp_path / "evil.md").exists()


# req: N1
def test_a_novel_is_never_restored_over(store: ProjectStore, shelf: Backups) -> None:
    path = shelf.take(keep=1).path
    before = tree(store.layout.folder)
    with pytest.raises(StudioError) as refused:
        restore(path, store.layout.folder)
    assert refused.value.problem.exit_code == Exit.USAGE
    assert tree(store.layout.folder) == before


def test_a_shelf_in_the_novel_is_refused(store: ProjectStore) -> None:
    with pytest.raises(StudioError):
        Backups(store.layout.folder, store.layout.folder / "backups").take(keep=1)


def test_two_novels_of_one_name_have_shelves_of_their_own(tmp_path: Path) -> None:
    one, other = Path("/a/novel"), Path("/b/novel")
    assert Backups(one, tmp_path).folder != Backups(other, tmp_path).folder


@pytest.mark.repairs("T14")
@pytest.mark.parametrize("there", [False, True])
def test_of_a_novel_whose_folder_vanished_the_good_backup_stays(
    there: bool, store: ProjectStore, shelf: Backups
) -> None:
    good = shelf.take(keep=1).path
    folder = store.layout.folder
    folder.rename(folder.with_name("등대 (moved)"))
    if there:  # the place where a disk was mounted
        folder.mkdir()
    with suppress(StudioError):
        shelf.take(keep=1)
    assert [copy.path for copy in shelf.all()] == [good]
    assert "chapters/chapter-001.md" in verify(good)


def test_a_backup_with_far_more_files_than_the_novel_has_now_stays(
    store: ProjectStore, shelf: Backups
) -> None:
    good = shelf.take(keep=1).path
    for name in ("chapters", "history", "state", "summaries", "evaluations"):
        shutil.rmtree(store.layout.folder / name)
    for words in ("비가 그쳤다.", "雨停了。"):
        put(store.layout.folder, "brief.md", words)
        assert shelf.take(keep=1).fresh
    assert [copy.path == good for copy in shelf.all()] == [True, False]


def test_a_vanished_novel_is_said_to_be_gone_and_nothing_is_written_in_its_place(
    store: ProjectStore, shelf: Backups
) -> None:
    folder = store.layout.folder
    folder.rename(folder.with_name("등대 (moved)"))
    folder.mkdir()
    for work in (lambda: shelf.take(keep=1), lambda: hold_for_writing(store).__enter__()):
        with pytest.raises(StudioError, match="The folder of this novel is gone"):
            work()
    assert list(folder.iterdir()) == []


def test_backups_follow_a_renamed_novel_and_a_new_one_in_its_place_cannot_push_them_out(
    store: ProjectStore,
) -> None:
    folder = store.layout.folder
    begin_anew(folder, state_dir(os.environ))
    good = backups_of(folder).take(keep=1).path
    moved = folder.rename(folder.with_name("灯塔"))
    assert [copy.path for copy in backups_of(moved).all()] == [good]
    shutil.copytree(moved, folder)
    shutil.rmtree(folder / ".studio")
    begin_anew(folder, state_dir(os.environ))
    assert backups_of(folder).all() == []
    assert backups_of(folder).take(keep=1).fresh
    assert [copy.path for copy in backups_of(moved).all()] == [good]


def test_a_novel_that_was_backed_up_before_it_had_an_id_keeps_its_place(
    store: ProjectStore,
) -> None:
    folder = store.layout.folder
    good = backups_of(folder).take(keep=1).path
    with hold_for_writing(ProjectStore(folder, state_dir(os.environ))):
        pass
    moved = folder.rename(folder.with_name("灯塔"))
    assert [copy.path for copy in backups_of(moved).all()] == [good]


def backups_of(folder: Path) -> Backups:
    """The backups of a novel where the program puts them."""
    return Session.open(folder, os.environ).upkeep().backups(os.environ)
