"""Start-up time: `studio status` on the sample against an interpreter that does nothing."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from bench.rounds import Row, compare
from studio.project.create import copy_sample


def rows() -> list[Row]:
    """Returns one row: a read-only command, from the shell to its exit."""
    with tempfile.TemporaryDirectory() as folder:
        novel = copy_sample(Path(folder, "novel"))
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
