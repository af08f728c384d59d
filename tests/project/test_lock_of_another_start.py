"""Locks that were left under another start of the machine, or of one with the same name."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.project.lock.lock import ProjectLock, read_lock
from tests.project.locks import grow_old, info_of, leave_lock


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
