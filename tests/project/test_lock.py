"""The lock: one writer, a dead one taken over, a living one never, damage told."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import Exit, StudioError
from studio.fsio import fault_points
from studio.project.lock import holder
from studio.project.lock import lock as locking
from studio.project.lock.lock import ProjectLock, break_lock, read_lock
from tests.project.locks import grow_old, info_of, leave_lock
from tests.project.novels import tree

HOLD = """
import sys
from studio.project.lock.lock import ProjectLock
with ProjectLock(sys.argv[1], 3):
    print("held", flush=True)
    sys.stdin.readline()
"""
RACE = """
import sys
from pathlib import Path
from studio.errors import StudioError
from studio.project.lock.lock import ProjectLock
folder = Path(sys.argv[1])
sys.stdin.readline()
for n in range(40):
    try:
        with ProjectLock(folder) as lock:
            inside = folder / "inside"
            inside.mkdir()
            assert lock.holds()
            inside.rmdir()
    except StudioError as error:
        assert error.problem.kind == "locked", error.problem
print("ok")
"""


def start_holder(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: subprocess.Popen[str], number: int = signal.SIGKILL) -> None:
    process.send_signal(number)
    process.communicate()


# req: E9
def test_a_lock_names_its_holder_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with ProjectLock(tmp_path, 3) as lock:
        info = json.loads((tmp_path / ".novel.lock/info.json").read_bytes())
        assert (info["pid"], info["chapter"]) == (os.getpid(), 3)
        assert lock.holds()
        view = read_lock(tmp_path)
        assert (view.state, view.breakable) == ("held", False)
    assert not lock.holds()
    assert tree(tmp_path) == {}
    assert read_lock(tmp_path).state == "free"


# req: E9
@pytest.mark.sweep
def test_a_second_writer_is_refused_with_the_holder_shown(tmp_path: Path) -> None:
    process = start_holder(tmp_path)
    before = tree(tmp_path)
    with pytest.raises(StudioError) as caught:
        ProjectLock(tmp_path, 4).acquire()
    problem = caught.value.problem
    assert (problem.exit_code, problem.kind) == (Exit.LOCKED, "locked")
    assert "is being written in another window since " in problem.message
    assert f"process {process.pid} on {holder.host_name()}" in problem.details
    assert tree(tmp_path) == before
    end(process)


# req: L2
def test_a_killed_holder_is_taken_over_at_once(tmp_path: Path) -> None:
    process = start_holder(tmp_path)
    (tmp_path / f".brief.md.{process.pid}.0123abcd~").write_bytes(b"half")
    end(process)
    view = read_lock(tmp_path)
    assert view.state == "dead"
    assert view.sentence().startswith("A run that worked on this book since ")
    assert "takes it over" in view.hint()
    with ProjectLock(tmp_path) as lock:
        assert lock.took_over is not None
        assert lock.took_over.holder == view.holder
        assert lock.holds()
    assert tree(tmp_path) == {}


@pytest.mark.sweep
def test_a_stopped_holder_is_not_evicted(tmp_path: Path) -> None:
    process = start_holder(tmp_path)
    process.send_signal(signal.SIGSTOP)
    with pytest.raises(StudioError, match="is being written"):
        ProjectLock(tmp_path).acquire()
    end(process)


# req: L4
def test_a_reused_pid_is_not_taken_for_the_holder(tmp_path: Path) -> None:
    leave_lock(tmp_path, info_of(tmp_path, process_start="1"))
    assert read_lock(tmp_path).state == "dead"
    with ProjectLock(tmp_path) as lock:
        assert lock.took_over is not None


def test_a_living_holder_without_flock_is_held_and_breakable_after_thirty_minutes(
    tmp_path: Path,
) -> None:
    other = os.getppid()
    leave_lock(tmp_path, info_of(tmp_path, pid=other, process_start=holder.process_start(other)))
    assert (read_lock(tmp_path).state, read_lock(tmp_path).breakable) == ("held", False)
    grow_old(tmp_path, 31 * 60)
    view = read_lock(tmp_path)
    assert (view.state, view.breakable) == ("held", True)
    with pytest.raises(StudioError, match="last sign of life 31 minutes ago"):
        ProjectLock(tmp_path).acquire()
    break_lock(tmp_path, view)
    assert tree(tmp_path) == {}


# fault: C4
def test_a_lock_that_a_full_disk_kept_in_place_is_taken_over_by_its_own_process(
    tmp_path: Path,
) -> None:
    lock = ProjectLock(tmp_path)
    lock.acquire()
    fault_points.arm("fsio.rename:ENOSPC:1+")
    try:
        lock.release()
    finally:
        fault_points.arm("")
    assert read_lock(tmp_path).state == "dead"
    with ProjectLock(tmp_path) as again:
        assert again.holds()
        assert read_lock(tmp_path).state == "held"
    assert tree(tmp_path) == {}


# req: L7
def test_a_lock_of_another_host_is_never_broken_unasked(tmp_path: Path) -> None:
    leave_lock(tmp_path, info_of(tmp_path, host="attic", pid=999_999_999))
    view = read_lock(tmp_path)
    assert (view.state, view.breakable) == ("foreign", True)
    with pytest.raises(StudioError, match="is being written on attic"):
        ProjectLock(tmp_path).acquire()
    break_lock(tmp_path, view)
    with ProjectLock(tmp_path):
        pass


def test_breaking_refuses_another_lock_than_the_one_shown(tmp_path: Path) -> None:
    leave_lock(tmp_path, info_of(tmp_path, host="attic"))
    view = read_lock(tmp_path)
    shutil.rmtree(tmp_path / ".novel.lock")
    leave_lock(tmp_path, info_of(tmp_path, host="attic", token="new"))
    with pytest.raises(StudioError):
        break_lock(tmp_path, view)
    assert (tmp_path / ".novel.lock/info.json").exists()


# req: L8
def test_a_holder_whose_lock_was_broken_knows_and_leaves_the_new_one_alone(
    tmp_path: Path,
) -> None:
    first = ProjectLock(tmp_path)
    first.acquire()
    shutil.rmtree(tmp_path / ".novel.lock")
    with ProjectLock(tmp_path) as second:
        assert not first.holds()
        with pytest.raises(StudioError) as caught:
            first.ensure_held()
        assert caught.value.problem.exit_code == Exit.LOCKED
        first.release()
        assert second.holds()


# req: L5
@pytest.mark.sweep
@given(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(["", "{", "[]", "null", '{"pid": -1}', '{"pid": ' + "9" * 5000 + "}"]),
        st.fixed_dictionaries({"pid": st.integers(), "host": st.text(max_size=5)}).map(json.dumps),
        st.integers().map(lambda pid: json.dumps(info_of(Path(), pid=pid, process_start=""))),
    )
)
def test_no_info_at_all_makes_a_look_fail(
    tmp_path_factory: pytest.TempPathFactory, info: str
) -> None:
    folder = tmp_path_factory.mktemp("novel")
    (folder / ".novel.lock").mkdir()
    (folder / ".novel.lock/info.json").write_text(info, encoding="utf-8", errors="replace")
    grow_old(folder, 60)
    view = read_lock(folder)
    assert view.state in ("damaged", "dead", "held")
    assert view.sentence()
    assert view.hint()


# req: L5
def test_a_damaged_lock_is_refused_named_and_breakable_after_ten_seconds(tmp_path: Path) -> None:
    (tmp_path / ".novel.lock").mkdir()
    assert not read_lock(tmp_path).breakable
    assert "try again in a few seconds" in read_lock(tmp_path).hint()
    grow_old(tmp_path, 60)
    with pytest.raises(StudioError, match=r"is damaged: it has no info\.json") as caught:
        ProjectLock(tmp_path).acquire()
    assert caught.value.problem.exit_code == Exit.LOCKED
    break_lock(tmp_path, read_lock(tmp_path))
    assert tree(tmp_path) == {}


# req: L5
def test_an_empty_lock_is_taken_away_after_thirty_minutes(tmp_path: Path) -> None:
    (tmp_path / ".novel.lock").mkdir()
    grow_old(tmp_path, 29 * 60)
    with pytest.raises(StudioError, match=r"no info\.json \(touched 29 minutes ago\)"):
        ProjectLock(tmp_path).acquire()
    grow_old(tmp_path, 3 * 3600)
    view = read_lock(tmp_path)
    assert view.sentence() == "An empty lock without a holder was left behind 3 hours ago."
    assert "takes it over" in view.hint()
    with ProjectLock(tmp_path) as lock:
        assert lock.took_over is not None
        assert "nobody had touched for 3 hours" in lock.took_over.farewell()
        assert lock.holds()
    assert tree(tmp_path) == {}


def _in_seed_form(folder: Path, pid: int, minutes: float) -> None:
    """A lock as the seed gives it, taken so many minutes ago."""
    started = datetime.now(UTC) - timedelta(minutes=minutes)
    leave_lock(folder, {"pid": pid, "started": started.isoformat(), "chapter": 3})


# req: E9
@pytest.mark.repairs("S12")
def test_a_lock_in_the_seeds_own_form_counts_by_its_pid_and_thirty_minutes(tmp_path: Path) -> None:
    _in_seed_form(tmp_path, os.getppid(), 5)
    view = read_lock(tmp_path)
    assert (view.state, view.breakable) == ("held", False), view.sentence()
    assert "chapter 3" in view.sentence()
    assert "last sign of life 5 minutes ago" in view.sentence()
    with pytest.raises(StudioError, match="is being written in another window") as caught:
        ProjectLock(tmp_path).acquire()
    assert caught.value.problem.details.startswith(f"process {os.getppid()}, begun ")
    shutil.rmtree(tmp_path / ".novel.lock")
    _in_seed_form(tmp_path, os.getppid(), 31)
    old = read_lock(tmp_path)
    assert (old.state, old.breakable) == ("held", True)  # offered, never taken unasked
    with pytest.raises(StudioError):
        ProjectLock(tmp_path).acquire()
    break_lock(tmp_path, old)
    assert tree(tmp_path) == {}


# req: E9
@pytest.mark.repairs("S12")
def test_a_lock_in_the_seeds_own_form_of_a_process_that_is_gone_is_taken_over(
    tmp_path: Path,
) -> None:
    _in_seed_form(tmp_path, 999_999_999, 1)
    view = read_lock(tmp_path)
    assert view.state == "dead", view.sentence()
    with ProjectLock(tmp_path) as lock:
        assert lock.took_over is not None
        assert lock.holds()
    assert tree(tmp_path) == {}


def test_breaking_a_lock_in_the_seeds_own_form_spares_a_newer_one(tmp_path: Path) -> None:
    _in_seed_form(tmp_path, os.getppid(), 40)
    view = read_lock(tmp_path)
    shutil.rmtree(tmp_path / ".novel.lock")
    _in_seed_form(tmp_path, os.getppid(), 35)
    with pytest.raises(StudioError):
        break_lock(tmp_path, view)
    assert (tmp_path / ".novel.lock/info.json").exists()


def test_a_lock_from_the_future_has_no_age(tmp_path: Path) -> None:
    leave_lock(tmp_path, "{")
    grow_old(tmp_path, -86400)
    view = read_lock(tmp_path)
    assert (view.state, view.heartbeat_age, view.breakable) == ("damaged", None, True)


# req: L6
@pytest.mark.parametrize("kind", ["file", "link to a folder", "link to nowhere"])
def test_a_lock_that_is_no_folder_is_refused_and_not_touched(tmp_path: Path, kind: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "info.json").write_text("{}")
    novel = tmp_path / "novel"
    novel.mkdir()
    lock = novel / ".novel.lock"
    if kind == "file":
        lock.write_text("mine")
    else:
        lock.symlink_to(outside if "folder" in kind else tmp_path / "nowhere")
    before = tree(tmp_path)
    view = read_lock(novel)
    assert (view.state, view.breakable) == ("damaged", False)
    for attempt in (ProjectLock(novel).acquire, lambda: break_lock(novel, view)):
        with pytest.raises(StudioError):
            attempt()
    assert tree(tmp_path) == before


def test_a_linked_info_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(json.dumps(info_of(tmp_path)))
    (tmp_path / ".novel.lock").mkdir()
    (tmp_path / ".novel.lock/info.json").symlink_to(tmp_path / "secret")
    assert read_lock(tmp_path).state == "damaged"


# req: L6
def test_foreign_files_in_a_lock_are_kept(tmp_path: Path) -> None:
    with ProjectLock(tmp_path):
        (tmp_path / ".novel.lock/info.sync-conflict.json").write_text("{}")
    assert read_lock(tmp_path).state == "free"
    (left,) = tmp_path.rglob("info.sync-conflict.json")
    assert left.read_text() == "{}"


def test_looking_changes_nothing(tmp_path: Path) -> None:
    leave_lock(tmp_path, info_of(tmp_path, process_start="1"))
    before = (tree(tmp_path), (tmp_path / ".novel.lock/info.json").stat().st_mtime_ns)
    read_lock(tmp_path)
    assert (tree(tmp_path), (tmp_path / ".novel.lock/info.json").stat().st_mtime_ns) == before


def test_a_beat_renews_the_sign_of_life_and_not_the_file(tmp_path: Path) -> None:
    with ProjectLock(tmp_path) as lock:
        data = (tmp_path / ".novel.lock/info.json").read_bytes()
        grow_old(tmp_path, 3600)
        lock.beat()
        age = read_lock(tmp_path).heartbeat_age
        assert age is not None
        assert age < 60
        assert (tmp_path / ".novel.lock/info.json").read_bytes() == data
    assert not [t for t in threading.enumerate() if t.name == "lock-heartbeat"]


# req: L10
def test_a_child_does_not_keep_the_lock(tmp_path: Path) -> None:
    with ProjectLock(tmp_path):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with ProjectLock(tmp_path):
        pass
    child.communicate(b"\n")


def test_left_overs_of_killed_lockers_are_swept(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for name in (f".novel.lock.{gone.pid}.0123abcd", f".novel.lock.gone.{gone.pid}.0123abcd"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "info.json").write_text("{}")
    with ProjectLock(tmp_path):
        pass
    assert tree(tmp_path) == {}


def test_what_a_killed_process_had_half_written_goes_with_the_next_lock(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    half = tmp_path / f"chapters/.chapter-001.md.{gone.pid}.0123abcd~"
    hers = tmp_path / "chapters/chapter-001.md~"
    half.parent.mkdir()
    for file in (half, hers):
        file.write_text("The rain", "utf-8")
    with ProjectLock(tmp_path):
        pass
    assert (half.exists(), hers.exists()) == (False, True)


# req: L9
@pytest.mark.sweep
@pytest.mark.crash
@pytest.mark.parametrize("left", ["of a dead holder", "empty"])
def test_many_writers_and_never_two_at_once(tmp_path: Path, left: str) -> None:
    """Each round also starts from a dead lock, so takeovers race too."""
    if left == "empty":
        (tmp_path / ".novel.lock").mkdir()
        grow_old(tmp_path, 3600)
    else:
        end(start_holder(tmp_path))
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for writer in writers:
        assert writer.stdin is not None
        print(file=writer.stdin, flush=True)
    assert [writer.communicate() for writer in writers] == [("ok\n", "")] * 4
    assert tree(tmp_path) == {}


def test_a_lock_of_before_the_machine_was_started_anew_is_dead(tmp_path: Path) -> None:
    """The number may belong to another process by now; here it does."""
    pid = os.getppid()
    leave_lock(tmp_path, info_of(tmp_path, pid=pid, process_start="", boot="another start"))
    grow_old(tmp_path, time.time() - 1)
    assert read_lock(tmp_path).state == "dead"
    with ProjectLock(tmp_path) as lock:
        assert lock.took_over is not None


def test_a_lock_of_a_machine_with_the_same_name_is_not_ours_to_break(tmp_path: Path) -> None:
    leave_lock(tmp_path, info_of(tmp_path, pid=2**22 + 7, boot="another start"))
    view = read_lock(tmp_path)
    assert (view.state, view.breakable) == ("foreign", True)
    with pytest.raises(StudioError), ProjectLock(tmp_path):
        pass


# req: E9
def test_what_the_program_does_beside_its_writer_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = ProjectLock(tmp_path)
    beside.acquire()
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 20:
            beside.release()

    monkeypatch.setattr(locking.time, "sleep", pause)
    with ProjectLock(tmp_path) as hers:
        assert hers.holds()
    assert len(pauses) == 20


# req: E9
@pytest.mark.parametrize(("chapter", "waits"), [(3, False), (None, True)])
def test_a_chapter_that_is_being_written_is_not_waited_for_and_nothing_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chapter: int | None, waits: bool
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(locking.time, "sleep", pauses.append)
    with ProjectLock(tmp_path, chapter), pytest.raises(StudioError) as refused:
        ProjectLock(tmp_path).acquire()
    assert refused.value.problem.exit_code == Exit.LOCKED
    assert bool(pauses) is waits
