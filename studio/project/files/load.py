"""From a file of the novel to a typed value, or to a Problem that names it (exit 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from studio.errors import damaged, usage
from studio.fsio import Root
from studio.project import layout as places
from studio.story.chapter import Chapter
from studio.story.form.slugs import chapter_number

if TYPE_CHECKING:
    from studio.story.form.document import Document

D = TypeVar("D", bound="Document")

_FROM_HISTORY = "Bring back an earlier version: history/ holds every one that was committed."
_OURS = r"(?m)^<{7} "
_THEIRS = r"(?m)^>{7} "
"""As text, for hardly a chapter holds one."""
LARGEST_CHAPTER = 10_000_000
"""Bytes of one chapter. A million words are half of it; every look at a chapter reads it whole."""
_OF_CHAPTERS = (places.CHAPTERS, f"{places.STAGING}/chapters", places.IMPORTS)
_CUT_IT = "Cut it into several chapters; nothing of the novel was changed."


def document(root: Root, model: type[D], path: str) -> D | None:
    """A JSON file as its type; None if it is missing."""
    from studio.story.form.validation import (
        read_document,  # texts are read before it is loaded (P5)
    )

    data = root.find(path)
    return None if data is None else read_document(model, data, path)


def text(root: Root, path: str) -> str | None:
    """A text file, a byte order mark left out; None if it is missing."""
    exact = exact_text(root, path)
    return None if exact is None else exact.removeprefix("\ufeff")


def texts(root: Root, folder: str, names: Iterable[str]) -> dict[str, str]:
    """Text files of one folder by their names, as `text` reads each."""
    files = root.read_each(folder, names).items()
    return {name: decoded(d, f"{folder}/{name}").removeprefix("\ufeff") for name, d in files}


def exact_text(root: Root, path: str) -> str | None:
    """A text file whose `encode()` is its bytes again; None if it is missing."""
    data = root.find(path)
    return None if data is None else decoded(data, path)


def decoded(data: bytes, path: str) -> str:
    """UTF-8 bytes as text; StudioError (exit 5) names the first byte that is not."""
    if b"\0" in data:
        raise damaged(
            f"{path} holds zero bytes from byte {data.index(0)} on where text should be.",
            _FROM_HISTORY,
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise damaged(
            f"{path} is not UTF-8: byte {error.start} cannot be read.",
            "Save it as UTF-8 in your editor. The file was left as it is.",
        ) from error


def chapter(root: Root, path: str) -> Chapter | None:
    """A chapter exactly as its bytes are; None if it is missing.

    StudioError (exit 5) if it is not UTF-8, holds the markers of an open merge, or is larger than
    any chapter.
    """
    data = root.find(path)
    return None if data is None else chapter_of(data, path)


def chapter_of(data: bytes, path: str) -> Chapter:
    """The chapter that these bytes of a file are; StudioError as in `chapter`."""
    if len(data) > LARGEST_CHAPTER:
        raise damaged(
            _too_large(len(data), path),
            "Cut it into several chapters in your editor. The file was left as it is.",
        )
    prose = decoded(data, path)
    # looking at every line takes 0.1 ms a chapter, which a search of a large book would feel
    ours = re.search(_OURS, prose) if "<" in prose else None
    if ours and re.compile(_THEIRS).search(prose, ours.end()):
        line = prose.count("\n", 0, ours.start()) + 1
        raise damaged(
            f"{path} holds conflict markers of a merge, from line {line} on.",
            "Choose one of the two texts there and remove the markers.",
        )
    return Chapter(prose)


def refuse_large_chapter(path: str, data: bytes) -> None:
    """StudioError (exit 2) if the file is a chapter, in the book, in work or waiting for its turn,
    and these bytes are more than it could be read with again.

    Every door by which a chapter's text comes to the disk asks this before it changes anything.
    """
    folder, _, name = path.rpartition("/")
    number = chapter_number(name.removesuffix(".md")) if folder in _OF_CHAPTERS else None
    if number is not None and len(data) > LARGEST_CHAPTER:
        raise usage(_too_large(len(data), f"Chapter {number}"), _CUT_IT)


def refuse_large(text: str, name: str) -> None:
    """StudioError (exit 2) for a text that would be larger than a chapter may be."""
    if sentence := too_large(text, name):
        raise usage(sentence, _CUT_IT)


def too_large(text: str, name: str) -> str:
    """What there is to say of a text that would be no chapter any more; empty for any other."""
    size = len(text.encode("utf-8", "surrogatepass"))
    return _too_large(size, name) if size > LARGEST_CHAPTER else ""


def _too_large(size: int, name: str) -> str:
    megabytes = f"{size / 1_000_000:.1f}"
    return f"{name} is {megabytes} MB; a chapter has at most {LARGEST_CHAPTER // 1_000_000} MB."
