"""fsio: durable changes under one root, refusals in words, and faults at every step."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import Exit, StudioError
from studio.fsio import (
    ChangedOnDisk,
    Root,
    fault_points,
    make_root,
    remove_tree,
    sha256_hex,
    sweep,
)

OLD = "비가 그치자 등대의 불이 켜졌다.\n".encode()
NEW = "雨停了，灯塔亮了起来。\n".encode()


def run_with_fault(fault: str, folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run a few lines on `root` in a process that fails at the named point."""
    program = (
        f"from studio.fsio import Root, make_root, point\nroot = Root({str(folder)!r})\n{code}"
    )
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "STUDIO_FAULT": fault},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def root(tmp_path: Path) -> Root:
    return Root(tmp_path)


def test_what_was_written_is_read_back_and_named_by_its_sha(root: Root) -> None:
    assert root.write("chapters/chapter-001.md", OLD) == sha256_hex(OLD)
    assert root.read("chapters/chapter-001.md") == OLD
    assert root.sha("chapters/chapter-001.md") == sha256_hex(OLD)


def test_a_missing_file_is_none_to_find_and_a_sentence_to_read(root: Root) -> None:
    assert root.find("no/such.md") is None
    assert root.sha("no/such.md") is None
    assert root.names("no") == []
    with pytest.raises(StudioError, match=r"Could not read no/such\.md: it is not there\.$"):
        root.read("no/such.md")


def test_files_of_one_folder_are_read_together_and_no_link_is_followed(root: Root) -> None:
    for name in ("a.md", "b.md"):
        root.write(f"world/{name}", name.encode())
    assert root.read_each("world", ["a.md", "gone.md", "b.md"]) == {
        "a.md": b"a.md",
        "b.md": b"b.md",
    }
    assert root.read_each("nowhere", ["a.md"]) == {}
    (root.path / "world/link.md").symlink_to(root.path / "world/a.md")
    for name in ("link.md", "../world/a.md", ".."):
        with pytest.raises(StudioError):
            root.read_each("world", [name])


def opened_in(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are opened from now on."""
    names, really = list[str](), os.open

    def noted(path: Any, *args: Any, **options: Any) -> int:
        if str(path).endswith(".md"):
            names.append(str(path))
        return really(path, *args, **options)

    monkeypatch.setattr(os, "open", noted)
    return names


def test_a_file_that_nobody_changed_is_not_opened_again(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: P15
    monkeypatch.setattr("studio.fsio.read._SETTLED", -(10**18))
    names = [f"{number}.md" for number in range(20)]
    for name in names:
        root.write(f"world/{name}", OLD)
    first, opened = root.read_each("world", names), opened_in(monkeypatch)
    assert root.read_each("world", names) == first
    assert not opened
    (root.path / "world/3.md").write_bytes(NEW[: len(OLD)].ljust(len(OLD)))
    os.replace(root.path / "world/4.md", root.path / "world/5.md")
    (root.path / "world/6.md").unlink()
    again = root.read_each("world", names)
    assert again["3.md"] == NEW[: len(OLD)].ljust(len(OLD))
    assert sorted(set(first) - set(again)) == ["4.md", "6.md"]
    (root.path / "world/6.md").symlink_to(root.path / "world/7.md")
    with pytest.raises(StudioError):
        root.read_each("world", names)


def test_a_file_that_was_changed_just_now_is_opened_again(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.fsio.read._SETTLED", 10**18)
    root.write("world/a.md", OLD)
    opened = opened_in(monkeypatch)
    assert root.read_each("world", ["a.md"]) == root.read_each("world", ["a.md"])
    assert len(opened) == 2


@pytest.mark.parametrize("size", [0, 1, 4096, (1 << 22) + 5])
def test_a_file_of_any_size_is_read_whole(root: Root, size: int) -> None:
    (root.path / "long.md").write_bytes(b"x" * size)
    assert root.find("long.md") == b"x" * size


def test_several_files_are_written_together(root: Root) -> None:
    root.write("chapters/1.md", OLD)
    (root.path / "chapters/1.md").chmod(0o600)
    files = {f"chapters/{n}.md": NEW + str(n).encode() for n in range(1, 71)}
    root.write_several({**files, "history/ab/blob": OLD})
    assert {path: root.read(path) for path in files} == files
    assert stat.S_IMODE((root.path / "chapters/1.md").stat().st_mode) == 0o600
    assert len(os.listdir(root.path / "chapters")) == 70


@pytest.mark.parametrize("fault", ["fsio.fsync:EIO:2", "fsio.rename:EIO:1", "fsio.write:ENOSPC:2"])
def test_several_files_that_cannot_be_written_leave_nothing_behind(root: Root, fault: str) -> None:
    root.write("a.md", OLD)
    fault_points.arm(fault)
    try:
        with pytest.raises(StudioError):
            root.write_several({"a.md": NEW, "b.md": NEW})
    finally:
        fault_points.arm("")
    assert root.read("a.md") == OLD
    assert os.listdir(root.path) == ["a.md"]


def test_replacing_keeps_the_mode_and_leaves_no_temporary_file(root: Root) -> None:
    root.write("brief.md", OLD)
    (root.path / "brief.md").chmod(0o600)
    root.write("brief.md", NEW)
    assert stat.S_IMODE((root.path / "brief.md").stat().st_mode) == 0o600
    assert os.listdir(root.path) == ["brief.md"]


def test_a_file_that_is_not_the_expected_one_is_not_replaced(root: Root) -> None:
    root.write("chapters/chapter-001.md", OLD)
    with pytest.raises(ChangedOnDisk) as caught:
        root.write("chapters/chapter-001.md", NEW, expected=sha256_hex(NEW))
    assert (caught.value.expected, caught.value.actual) == (sha256_hex(NEW), sha256_hex(OLD))
    assert root.read("chapters/chapter-001.md") == OLD
    with pytest.raises(ChangedOnDisk):
        root.write("chapters/chapter-001.md", NEW, expected=None)
    assert root.names("chapters") == ["chapter-001.md"]


def test_appending_closes_a_torn_line_first(root: Root) -> None:
    root.append("logs/usage.jsonl", b'{"n": 1}\n')
    with (root.path / "logs/usage.jsonl").open("ab") as file:
        file.write(b'{"n": 2')
    root.append("logs/usage.jsonl", b'{"n": 3}\n')
    assert root.read("logs/usage.jsonl") == b'{"n": 1}\n{"n": 2\n{"n": 3}\n'


def test_cutting_leaves_the_first_bytes(root: Root) -> None:
    root.write("log", b"one\ntw")
    root.cut("log", 4)
    assert root.read("log") == b"one\n"


@pytest.mark.parametrize(
    "path",
    ["", "/etc/passwd", "..", "../x", "a/../../b", "a//b", "./a", "a/", "a\0b", "a/./b"],
)
def test_a_path_that_leaves_the_root_is_refused(root: Root, path: str) -> None:
    for change in (lambda: root.write(path, NEW), lambda: root.read(path), lambda: root.sha(path)):
        with pytest.raises(StudioError) as caught:
            change()
        assert caught.value.problem.exit_code == Exit.DAMAGED


@given(st.text(max_size=30))
def test_no_text_at_all_writes_outside_the_root(tmp_path_factory: object, path: str) -> None:
    folder = Path(tmp_path_factory.mktemp("any"))  # type: ignore[attr-defined]
    inside = folder / "novel"
    inside.mkdir()
    with suppress(StudioError):
        Root(inside).write(path, NEW)
    assert os.listdir(folder) == ["novel"]


def test_a_linked_folder_is_refused_for_reading_and_writing(root: Root, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "chapter-001.md").write_bytes(OLD)
    (tmp_path / "chapters").symlink_to(outside)
    for change in (
        lambda: root.read("chapters/chapter-001.md"),
        lambda: root.write("chapters/chapter-001.md", NEW),
        lambda: root.remove("chapters/chapter-001.md"),
        lambda: root.names("chapters"),
    ):
        with pytest.raises(StudioError, match="chapters should be a plain folder"):
            change()
    assert (outside / "chapter-001.md").read_bytes() == OLD


def test_a_linked_file_is_refused_and_its_target_stays(root: Root, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(OLD)
    (tmp_path / "brief.md").symlink_to(tmp_path / "secret")
    for change in (
        lambda: root.read("brief.md"),
        lambda: root.write("brief.md", NEW),
        lambda: root.append("brief.md", NEW),
        lambda: root.move("brief.md", "elsewhere.md", None),
    ):
        with pytest.raises(StudioError, match=r"brief\.md should be a plain file"):
            change()
    assert (tmp_path / "secret").read_bytes() == OLD


def test_a_hard_link_to_an_outside_file_is_cut_not_written_through(
    root: Root, tmp_path: Path
) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-file"
    outside.write_bytes(OLD)
    (tmp_path / "brief.md").hardlink_to(outside)
    root.write("brief.md", NEW)
    assert outside.read_bytes() == OLD


def test_a_pipe_and_a_folder_are_refused_without_waiting(root: Root) -> None:
    os.mkfifo(root.path / "pipe.md")
    (root.path / "folder.md").mkdir()
    for name in ("pipe.md", "folder.md"):
        with pytest.raises(StudioError, match="should be a plain file"):
            root.read(name)
        with pytest.raises(StudioError, match="should be a plain file"):
            root.write(name, NEW)
        with pytest.raises(StudioError, match="should be a plain file"):
            root.append(name, NEW)


def test_removing_a_tree_takes_links_away_but_not_what_they_point_to(
    root: Root, tmp_path: Path
) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-kept"
    outside.mkdir()
    (outside / "kept.md").write_bytes(OLD)
    root.write("staging/scenes/scene-01.md", OLD)
    (tmp_path / "staging" / "link").symlink_to(outside)
    remove_tree(root, "staging")
    assert not (tmp_path / "staging").exists()
    assert (outside / "kept.md").read_bytes() == OLD


def test_a_claimed_name_is_not_claimed_twice(root: Root) -> None:
    root.make_folder("one")
    root.make_folder("two")
    assert root.claim("one", "taken")
    assert not root.claim("two", "taken")
    assert root.names() == ["taken", "two"]


def test_moving_replaces_a_file_and_keeps_its_mode(root: Root) -> None:
    root.write("staging/chapter-001.md", NEW)
    root.write("chapters/chapter-001.md", OLD)
    (root.path / "chapters/chapter-001.md").chmod(0o640)
    root.move("staging/chapter-001.md", "chapters/chapter-001.md", sha256_hex(OLD))
    assert root.read("chapters/chapter-001.md") == NEW
    assert root.find("staging/chapter-001.md") is None
    assert stat.S_IMODE((root.path / "chapters/chapter-001.md").stat().st_mode) == 0o640


def test_sweeping_takes_only_temporary_files_of_dead_processes(root: Root) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    root.write("chapters/chapter-001.md", OLD)
    folder = root.path / "chapters"
    ours = f".chapter-001.md.{dead.pid}.0123abcd~"
    living = f".chapter-001.md.{os.getpid()}.0123abcd~"
    for name in (ours, living, "her-backup.md~"):
        (folder / name).write_bytes(NEW)
    assert sweep(root) == [f"chapters/{ours}"]
    assert sorted(os.listdir(folder)) == sorted([living, "chapter-001.md", "her-backup.md~"])


@pytest.mark.crash
def test_where_nobody_takes_a_lock_each_writer_clears_away_after_a_killed_one(root: Root) -> None:
    """As an export, settings and sums do."""
    folder, write = root.path / "home", "make_root(root.path / 'home').write('export.md', b'Old')"
    assert run_with_fault("fsio.rename:kill", root.path, write).returncode == -9
    (half_written,) = os.listdir(folder)
    (folder / ".export.md.by-somebody~").write_bytes(OLD)
    make_root(folder).write("another.md", NEW)
    assert half_written in os.listdir(folder)
    make_root(folder).write("export.md", NEW)
    assert sorted(os.listdir(folder)) == [".export.md.by-somebody~", "another.md", "export.md"]


# req: N2
@pytest.mark.sweep
@pytest.mark.crash
def test_killed_anywhere_a_write_leaves_the_old_file_or_the_new_one(root: Root) -> None:
    seen = set()
    for n in range(1, 20):
        root.write("chapters/chapter-001.md", OLD)
        done = run_with_fault(
            f"fsio.any:kill:{n}", root.path, f"root.write('chapters/chapter-001.md', {NEW!r})"
        )
        seen.add(root.read("chapters/chapter-001.md"))
        sweep(root)
        assert root.names("chapters") == os.listdir(root.path / "chapters")
        if done.returncode == 0:
            break
        assert done.returncode == -9
    assert n > 4
    assert seen == {OLD, NEW}


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("fsio.write:ENOSPC", "the disk is full"),
        ("fsio.write:EDQUOT", "quota"),
        ("fsio.fsync:EIO", "the disk reports an error"),
        ("fsio.rename:EROFS", "the disk is read-only"),
        ("fsio.rename:EACCES", "you do not have the right to"),
    ],
)
def test_a_failing_disk_is_a_sentence_and_nothing_changes(
    root: Root, fault: str, words: str
) -> None:
    root.write("brief.md", OLD)
    done = run_with_fault(
        fault,
        root.path,
        "from studio.errors import StudioError\n"
        f"try:\n    root.write('brief.md', {NEW!r})\n"
        "except StudioError as e:\n    print(e.problem.kind, int(e.problem.exit_code), e.problem)",
    )
    assert done.stdout.startswith("disk 1 Could not write brief.md: ")
    assert words in done.stdout
    assert "Nothing was changed." in done.stdout
    assert root.read("brief.md") == OLD
    assert os.listdir(root.path) == ["brief.md"]


def test_a_failed_sync_is_not_tried_again(root: Root) -> None:
    done = run_with_fault(
        "fsio.fsync:EIO:1",
        root.path,
        f"try:\n    root.write('a.md', {NEW!r})\nexcept Exception: pass\n"
        "import sys; sys.exit(root.find('a.md') is not None)",
    )
    assert done.returncode == 0


def test_an_append_that_fails_half_way_is_taken_back(root: Root) -> None:
    root.append("log", b"one\n")
    run_with_fault("fsio.fsync:ENOSPC", root.path, "root.append('log', b'two\\n')")
    assert root.read("log") == b"one\n"


def test_folders_are_synced_once_for_changes_made_together(root: Root) -> None:
    code = "with root.together():\n    for n in range(5): root.write(f'a/{n}.md', b'x')"
    done = run_with_fault("fsio.dirsync:count", root.path, code)
    assert done.stderr.split() == ["fsio.dirsync"] * 2
    assert len(root.names("a")) == 5


@pytest.mark.sweep
def test_points_count_fail_once_or_from_there_on(root: Root) -> None:
    code = "\n".join(["for n in range(4):", " try: point('x')", " except OSError: print(n)"])
    assert run_with_fault("x:ENOSPC:2", root.path, code).stdout.split() == ["1"]
    assert run_with_fault("x:ENOSPC:2+", root.path, code).stdout.split() == ["1", "2", "3"]
    assert run_with_fault("y:ENOSPC:2+", root.path, code).stdout == ""
    assert run_with_fault("x:count", root.path, code).stderr.split() == ["x"] * 4
