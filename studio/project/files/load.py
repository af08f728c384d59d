"""Loads a file of the novel as a typed value, or raises a Problem that names the file (exit 5)."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from studio.errors import damaged, usage
from studio.fsio import Root
from studio.messages import said
from studio.project import layout as places
from studio.story.chapter import Chapter
from studio.story.form.slugs import chapter_number

if TYPE_CHECKING:
    from studio.story.form.document import Document

D = TypeVar("D", bound="Document")

_FROM_HISTORY = said("Bring back an earlier version: history/ holds every one that was committed.")
_OURS = r"(?m)^<{7} "
_THEIRS = r"(?m)^>{7} "
"""The markers of an open merge, uncompiled because hardly any chapter holds one."""
LARGEST_CHAPTER = 10_000_000
"""The maximum size of a chapter in bytes. A million words are half of it; every access reads it
whole."""
_OF_CHAPTERS = (places.CHAPTERS, f"{places.STAGING}/chapters", places.IMPORTS)
_CUT_IT = said("Cut it into several chapters; nothing of the novel was changed.")


def document(root: Root, model: type[D], path: str) -> D | None:
    """Reads a JSON file as `model`; returns None if it is missing."""
    from studio.story.form.validation import (
        read_document,  # slow to load, and not needed to read texts (P5)
    )

    data = root.find(path)
    return None if data is None else read_document(model, data, path)


def text(root: Root, path: str) -> str | None:
    """Reads a text file without its byte order mark; returns None if it is missing."""
    exact = exact_text(root, path)
    return None if exact is None else exact.removeprefix("\ufeff")


def texts(root: Root, folder: str, names: Iterable[str]) -> dict[str, str]:
    """Reads text files of one folder by name, each like `text`."""
    files = root.read_each(folder, names).items()
    return {name: decode(d, f"{folder}/{name}").removeprefix("\ufeff") for name, d in files}


def exact_text(root: Root, path: str) -> str | None:
    """Reads a text file so that its `encode()` gives its bytes again; returns None if it is
    missing."""
    data = root.find(path)
    return None if data is None else decode(data, path)


def decode(data: bytes, path: str) -> str:
    """Decodes UTF-8 bytes; raises StudioError (exit 5) that names the first invalid byte."""
    if (codec := _utf_16(data)) is not None:
        raise damaged(
            said("{path} is {encoding}, not UTF-8.", path=path, encoding=codec),
            said("Save it as UTF-8 in your editor. The file was left as it is."),
        )
    if b"\0" in data:
        raise damaged(
            said(
                "{path} holds zero bytes from byte {index} on where text should be.",
                path=path,
                index=data.index(0),
            ),
            _FROM_HISTORY,
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise damaged(
            said("{path} is not UTF-8: byte {start} cannot be read.", path=path, start=error.start),
            said("Save it as UTF-8 in your editor. The file was left as it is."),
        ) from error


_MANY_ZEROS = 10
"""In a text in UTF-16, at least one letter in so many has a zero byte: a blank, or a line end."""


def _utf_16(data: bytes) -> str | None:
    """Returns the name of the encoding of a text in UTF-16; None for any other."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "UTF-16"
    if b"\0" not in data.rstrip(b"\0") or len(data) % 2:  # zeros at the end alone are a torn write
        return None
    even, odd = data[::2], data[1::2]
    for codec, zeros, signs in (("UTF-16 LE", odd, even), ("UTF-16 BE", even, odd)):
        if zeros.count(0) * _MANY_ZEROS > max(len(zeros), 3 * _MANY_ZEROS * signs.count(0)):
            return codec
    return None


def chapter(root: Root, path: str) -> Chapter | None:
    """Reads a chapter byte for byte; returns None if it is missing.

    Raises StudioError (exit 5) if it is not UTF-8, holds the markers of an open merge, or is
    oversized.
    """
    data = root.find(path)
    return None if data is None else chapter_of(data, path)


def chapter_of(data: bytes, path: str) -> Chapter:
    """Returns the chapter in these bytes of a file; raises StudioError like `chapter`."""
    if len(data) > LARGEST_CHAPTER:
        raise damaged(
            _too_large(len(data), path),
            said("Cut it into several chapters in your editor. The file was left as it is."),
        )
    prose = decode(data, path)
    # checking every line takes 0.1 ms a chapter, noticeable when searching a large book
    ours = re.search(_OURS, prose) if "<" in prose else None
    if ours and re.compile(_THEIRS).search(prose, ours.end()):
        line = prose.count("\n", 0, ours.start()) + 1
        raise damaged(
            said(
                "{path} holds conflict markers of a merge, from line {line} on.",
                path=path,
                line=line,
            ),
            said("Choose one of the two texts there and remove the markers."),
        )
    return Chapter(prose)


def refuse_large_chapter(path: str, data: bytes) -> None:
    """Raises StudioError (exit 2) if the file is a chapter, in the book, in progress or waiting to
    be imported, and these bytes exceed the size that could be read again.

    Everything that writes a chapter's text to disk calls this before it changes anything.
    """
    folder, _, name = path.rpartition("/")
    number = chapter_number(name.removesuffix(".md")) if folder in _OF_CHAPTERS else None
    if number is not None and len(data) > LARGEST_CHAPTER:
        raise usage(_too_large(len(data), f"Chapter {number}"), _CUT_IT)


def refuse_large(text: str, name: str) -> None:
    """Raises StudioError (exit 2) for a text that exceeds the size of a chapter."""
    if sentence := too_large(text, name):
        raise usage(sentence, _CUT_IT)


def too_large(text: str, name: str) -> str:
    """Returns the message for a text that exceeds the size of a chapter; empty for any other."""
    size = len(text.encode("utf-8", "surrogatepass"))
    return _too_large(size, name) if size > LARGEST_CHAPTER else ""


def _too_large(size: int, name: str) -> str:
    megabytes = f"{size / 1_000_000:.1f}"
    return said(
        "{name} is {megabytes} MB; a chapter has at most {largest_chapter} MB.",
        name=name,
        megabytes=megabytes,
        largest_chapter=LARGEST_CHAPTER // 1_000_000,
    )
