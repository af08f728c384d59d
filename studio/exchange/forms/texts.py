"""Renders the book as text: Markdown with pandoc metadata, and plain text without marks."""

from __future__ import annotations

import json

from studio.exchange.forms.manuscript import Manuscript, SetChapter
from studio.exchange.forms.runs import plain_text

SCENE_BREAK = "* * *"


def metadata(title: str, language: str, author: str = "") -> str:
    """Returns the header of a Markdown file from which pandoc reads title and language."""
    fields = {"title": title, "author": author, "lang": language}
    lines = [f"{name}: {_quote(value)}" for name, value in fields.items() if value]
    return "\n".join(["---", *lines, "---"])


def _quote(value: str) -> str:
    """Returns a double-quoted YAML string, using the fact that JSON strings are valid YAML."""
    return json.dumps(value, ensure_ascii=False)


def plain_book(book: Manuscript) -> str:
    """Renders the whole book as plain text."""
    parts = [book.title] if book.title else []
    parts += [book.author] if book.author else []
    parts += [plain_chapter(chapter).rstrip("\n") for chapter in book.chapters]
    return "\n\n\n".join(parts) + "\n"


def plain_chapter(chapter: SetChapter) -> str:
    """Renders one chapter as plain text, with its footnotes at the end."""
    scenes = ["\n\n".join(plain_text(block.runs) for block in scene) for scene in chapter.scenes]
    parts = [chapter.title, f"\n\n{SCENE_BREAK}\n\n".join(scenes)]
    parts += [f"[{n}] {plain_text(runs)}" for n, runs in enumerate(chapter.notes, start=1)]
    return "\n\n".join(parts).rstrip("\n") + "\n"
