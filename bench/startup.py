"""Start-up time: `studio status` on the sample against an interpreter that does nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.rounds import Row, compare
from studio.resources import sample_project_dir


def rows() -> list[Row]:
    """Returns one row: a read-only command, from the shell to its exit."""
    with tempfile.TemporaryDirectory() as folder:
        novel = shutil.copytree(sample_project_dir(), Path(folder, "novel"))
        status = [sys.executable, "-m", "studio", "status", "--project", str(novel)]
        return [
            compare(
                "studio status",
                lambda: _run(status),
                "python -c pass",
                lambda: _run([sys.executable, "-c", "pass"]),
            )
        ]


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
