"""Reads texts passed to a command by file name or through standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from studio.errors import usage
from studio.messages import said
from studio.project.files.user_files import LARGEST, given_text, text_of

STDIN = Path("-")


def read_text(file: Path) -> str:
    """Reads a UTF-8 file unchanged, `-` for stdin; StudioError (exit 2) if it is not one."""
    return given_text(file) if file != STDIN else text_of(read_stdin(), "stdin")


def read_stdin() -> bytes:
    """Reads all of standard input, up to the size limit of a file.

    Raises StudioError (exit 2) when there is more.
    """
    data = sys.stdin.buffer.read(LARGEST + 1) if sys.stdin is not None else b""
    if len(data) > LARGEST:
        raise usage(
            said(
                "What comes in on stdin is larger than {largest} MB.", largest=LARGEST // 1_000_000
            ),
            said("Cut it into parts, and hand over the part you need."),
        )
    return data
