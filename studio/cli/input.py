"""Texts that a command is given by name, or through its standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from studio.project.files.user_files import given_text, text_of


def read_text(file: Path) -> str:
    """A UTF-8 file as it is, `-` for stdin; StudioError (exit 2) if it is none."""
    if file != Path("-"):
        return given_text(file)
    return text_of(sys.stdin.buffer.read() if sys.stdin is not None else b"", "stdin")
