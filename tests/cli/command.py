"""Running commands: inside this process, and as the installed program."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.cli import forked_program

PROGRAM = Path(sys.executable).with_name("studio")
NOBODY = 65534
"""A user and a group without rights."""


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
    without_rights: bool = False,
) -> Ended:
    """Runs the program in a process of its own, with the test's environment, which holds no key.

    It is the installed program where its start matters, else one that was loaded before; only that
    one can give up the rights of root.
    """
    environ = {**os.environ, **(environ or {})}
    words = [str(argument) for argument in arguments]
    with ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        files[0].write(stdin)
        files[0].seek(0)
        if forked_program.can_run(environ):
            streams = [file.fileno() for file in files]
            place = cwd or Path.cwd()
            code = forked_program.run(PROGRAM, words, place, environ, streams, without_rights)
        else:
            assert not without_rights
            code = subprocess.call(
                [PROGRAM, *words],
                cwd=cwd,
                env=environ,
                stdin=files[0],
                stdout=files[1],
                stderr=files[2],
            )
        for file in files:
            file.seek(0)
        ended = Ended(code, files[1].read().decode(), files[2].read().decode(errors="replace"))
    assert "Traceback" not in ended.out + ended.err
    return ended


def tree(folder: Path) -> dict[str, str]:
    """Every file of a folder with the hash of its bytes."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def has_traceback(words: str) -> bool:
    """Whether a command that ran inside this process printed a traceback; what Python says of
    objects that it collects meanwhile ("Exception ignored in") may be another test's."""
    lines = ["", *words.splitlines()]
    return any(
        line.startswith("Traceback") and not before.startswith("Exception ignored in")
        for before, line in pairwise(lines)
    )


class Broken(io.StringIO):
    """An output that cannot be written to, for the reason of this number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def write(self, text: str) -> int:
        raise OSError(self._number, "broken")
