"""The files that are brought in: read whole, never unpacked, known for what they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from studio.errors import usage
from studio.exchange.import_.encodings import Decoded, decode
from studio.project.files.user_files import given_bytes

_HEADS = (
    (b"%PDF", "a PDF"),
    (b"{\\rtf", "an RTF document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Word or HWP document"),
    (b"\x1f\x8b", "a compressed file"),
    (b"7z\xbc\xaf", "a compressed file"),
    (b"Rar!", "a compressed file"),
)
_ZIPS = (
    (b"word/", "a Word document (.docx)"),
    (b"application/epub+zip", "an e-book (.epub)"),
    (b"opendocument", "an OpenDocument text (.odt)"),
    (b"hwp+zip", "an HWP document (.hwpx)"),
)
_PAGE = re.compile(rb"\A\s*(?:<!doctype html|<html|<\?xml)", re.IGNORECASE)
_HEAD = 4096
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Source:
    """One file as it was found."""

    name: str
    """Its file name, without folders."""
    data: bytes
    decoded: Decoded


def read_source(file: Path, encoding: str | None = None) -> Source:
    """A file of the writer's; nothing of it is unpacked or run.

    StudioError (exit 2): it is not there, too large, not text, or its encoding
    cannot be told.
    """
    name = str(file)
    data = given_bytes(file)
    kind = foreign_kind(data)
    if kind:
        raise usage(
            f"{name} is {kind}, not plain text; it was not opened.",
            "Save it as plain text (UTF-8) or Markdown from the program it comes from,"
            " and import that.",
        )
    return Source(file.name, data, decode(data, name, encoding))


def foreign_kind(data: bytes) -> str:
    """What a file is that is not plain text: `a PDF`; empty for anything else."""
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        kinds = (kind for sign, kind in _ZIPS if sign in data[:_HEAD] or sign in data[-_HEAD:])
        return next(kinds, "a zip file")
    if _PAGE.match(data[:_HEAD]):
        return "a web page or XML"
    return next((kind for head, kind in _HEADS if data.startswith(head)), "")


def in_reading_order(files: Sequence[Path]) -> list[Path]:
    """As given; files in the order a shell lists them (1, 10, 2) are put as a reader would."""
    files_in_order = list(files)
    if [f.name for f in files_in_order] != sorted(f.name for f in files_in_order):
        return files_in_order
    return sorted(files_in_order, key=_naturally)


def _naturally(file: Path) -> list[tuple[int, int, str]]:
    parts = _DIGITS.split(file.name)
    return [(1, int(p), "") if p.isdecimal() else (0, 0, p) for p in parts if p]
