"""Running commands: inside this process, and as the installed program."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = Path(sys.executable).with_name("studio")


@dataclass(frozen=True)
class Ended:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its result, where it is JSON."""
        return json.loads(self.out)

    @property
    def events(self) -> list[dict[str, Any]]:
        """Its result, where it is NDJSON."""
        return [json.loads(line) for line in self.out.splitlines()]


def studio(
    *arguments: object,
    cwd: Path | None = None,
    environ: Mapping[str, str] | None = None,
    stdin: bytes = b"",
) -> Ended:
    """Runs the installed program with the test's own environment, which holds no key."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **(environ or {})},
        input=stdin,
        capture_output=True,
    )
    ended = Ended(done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace"))
    assert "Traceback" not in ended.out + ended.err
    return ended


def tree(folder: Path) -> dict[str, str]:
    """Every file of a folder with the hash of its bytes."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
