"""SERIAL 7.1: chapters go out as the platforms of serials take and count them."""

from __future__ import annotations

import base64
import os
import pty
import subprocess
from pathlib import Path

import pytest

from studio.exchange.platform import platforms
from studio.project.create import create_novel
from studio.story.lengths import length_of
from tests.cli.command import PROGRAM, tree
from tests.cli.conftest import Typed

KOREAN = """# 낡은 열쇠

문이 열렸다.

“누구야?”

“나야.”

대답은 *짧았다*. <!-- 여기 다시 볼 것 -->

* * *

다음 날 아침이었다.
"""
CHINESE = """# 旧钥匙

门开了。

“谁？”

没有人回答。<!-- 再看 -->

* * *

第二天早上，雨停了。
"""
ENGLISH = """# The Old Key

The door opened.

“Who is there?”

Nobody *said* a word.

* * *

By morning the rain had stopped.
"""
TEXTS = {"ko": KOREAN, "zh": CHINESE, "en": ENGLISH}


@pytest.fixture
def serial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> Path:
    """A serial with one episode and the author's note to it; the current folder."""
    folder = tmp_path / "serial"
    create_novel(folder, "Serial", language, form="serial")
    (folder / "chapters/chapter-001.md").write_text(TEXTS[language], "utf-8")
    (folder / "notes/author").mkdir(parents=True)
    (folder / "notes/author/c001.md").write_text("다음 화는 금요일!\n", "utf-8")
    monkeypatch.chdir(folder)
    return folder


def put_tool(folder: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool of the system, the only one there is."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


# req: K7
@pytest.mark.parametrize(
    ("language", "platform", "text", "count"),
    [
        (
            "ko",
            "문피아",
            "문이 열렸다.\n\n“누구야?”\n\n“나야.”\n\n대답은 짧았다.\n\n***\n\n"
            "다음 날 아침이었다.\n\n작가의 말\n\n다음 화는 금요일!\n",
            "1화, “낡은 열쇠”: 40 characters with spaces, as 문피아 counts.",
        ),
        (
            "ko",
            "KakaoPage",
            "1화 낡은 열쇠\n\n문이 열렸다.\n\n“누구야?”\n“나야.”\n\n대답은 짧았다.\n\n***\n\n"
            "다음 날 아침이었다.\n\n작가의 말\n\n다음 화는 금요일!\n",
            "1화, “낡은 열쇠”: 40 characters with spaces, as 카카오페이지 counts.",
        ),
        (
            "zh",
            "起点",
            "　　门开了。\n　　“谁？”\n　　没有人回答。\n\n***\n\n　　第二天早上，雨停了。\n\n"
            "作者的话\n\n다음 화는 금요일!\n",
            "第1回, “旧钥匙”: 27 characters without spaces, as 起点 counts.",
        ),
        (
            "en",
            "royal road",
            "Author's note\n\n다음 화는 금요일!\n\nThe door opened.\n\n“Who is there?”\n\n"
            "Nobody said a word.\n\n***\n\nBy morning the rain had stopped.\n",
            "Episode 1, “The Old Key”: 17 words, as Royal Road counts.",
        ),
    ],
)
def test_a_chapter_goes_out_as_its_platform_takes_and_counts_it(
    serial: Path, typed: Typed, language: str, platform: str, text: str, count: str
) -> None:
    before = tree(serial)
    ended = typed("export", "--form", "platform", "--platform", platform, "--chapters", "1")
    assert (ended.code, ended.out) == (0, text)
    assert count in ended.err
    assert tree(serial) == before


@pytest.mark.parametrize("language", ["ko"])
def test_the_blank_lines_of_a_platform_can_be_others(serial: Path, typed: Typed) -> None:
    def body(*options: str) -> str:
        text = typed("export", "--platform", "카카오페이지", "--chapters", "1", *options).out
        return text.partition("낡은 열쇠\n\n")[2].partition("\n\n***")[0]

    assert body() == "문이 열렸다.\n\n“누구야?”\n“나야.”\n\n대답은 짧았다."
    assert body("--spacing", "blank") == body().replace("?”\n", "?”\n\n")
    assert "\n\n" not in body("--spacing", "none")
    refused = typed("export", "--format", "txt", "--spacing", "none")
    assert refused.code == 2
    assert "--spacing" in refused.err


@pytest.mark.parametrize("language", ["ko", "zh", "en"])
def test_every_platform_counts_the_text_that_it_gets(
    serial: Path, typed: Typed, language: str
) -> None:
    (serial / "notes/author/c001.md").unlink()
    for platform in platforms():
        named = typed("export", "--platform", platform.name, "--json", "--to", "-").json
        (chapter,) = named["chapters"]
        body = (
            chapter["text"].split("\n\n", 1)[1] if platform.heading == "full" else chapter["text"]
        )
        assert chapter["length"] == length_of(body, platform.unit)
        assert (chapter["chapter"], chapter["label"], chapter["unit"]) == (1, None, platform.unit)
        assert "<!--" not in chapter["text"]


@pytest.mark.parametrize("language", ["ko"])
def test_several_chapters_have_their_headings_and_go_into_a_file(
    serial: Path, typed: Typed, language: str
) -> None:
    (serial / "chapters/chapter-002.md").write_text("비가 왔다.\n", "utf-8")
    out = serial.parent / "two.txt"
    ended = typed("export", "--form", "platform", "--chapters", "1-2", "--to", out)
    assert (ended.code, out.read_text("utf-8").count("화")) == (0, 3)
    assert out.read_text("utf-8").startswith("1화 낡은 열쇠\n\n문이")
    assert "\n\n\n2화\n\n비가 왔다.\n" in out.read_text("utf-8")
    assert typed("export", "--form", "platform", "--to", out).code == 2
    assert typed("export", "--form", "platform", "--to", out, "--force").code == 0
    assert typed("export", "--form", "platform", "--to", "chapters/chapter-001.md").code == 2


@pytest.mark.parametrize("language", ["ko", "zh"])
@pytest.mark.parametrize(
    ("tool", "encoding"),
    [("wl-copy", "utf-8"), ("xclip", "utf-8"), ("pbcopy", "utf-8"), ("clip.exe", "utf-16-le")],
)
def test_the_clipboard_is_filled_by_the_tool_of_the_system(
    serial: Path,
    typed: Typed,
    language: str,
    tool: str,
    encoding: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = serial.parent / "board"
    put_tool(serial.parent / "bin", tool, f"cat > '{board}'", monkeypatch)
    ended = typed("export", "--form", "platform", "--chapters", "1", "--to", "clipboard")
    assert ended.code == 0
    assert "1 chapter copied to the clipboard" in ended.out
    text = typed("export", "--form", "platform", "--chapters", "1").out
    assert board.read_bytes().decode(encoding) == text


@pytest.mark.parametrize("language", ["ko"])
def test_without_a_clipboard_it_names_the_way_to_a_file(
    serial: Path, typed: Typed, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_tool(serial.parent / "bin", "xclip", "cat > /dev/null; exit 1", monkeypatch)
    ended = typed("export", "--form", "platform", "--to", "clipboard")
    assert ended.code == 2
    assert "--to FILE" in ended.err


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["ko"])
def test_a_terminal_is_asked_where_no_tool_is_there_and_that_is_said(
    serial: Path, language: str
) -> None:
    ours, theirs = pty.openpty()
    environ = {**os.environ, "PATH": "/nowhere", "TERM": "xterm-256color"}
    words = [PROGRAM, "export", "--form", "platform", "--chapters", "1", "--to", "clipboard"]
    with subprocess.Popen(
        words, cwd=serial, env=environ, stdin=theirs, stdout=theirs, stderr=theirs
    ) as run:
        os.close(theirs)
        screen = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the program has ended
                break
            if not piece:
                break
            screen += piece
    os.close(ours)
    assert run.returncode == 0
    sent = screen.partition(b"\x1b]52;c;")[2].partition(b"\a")[0]
    assert base64.b64decode(sent).decode().startswith("문이 열렸다.\n")
    assert b"sent to the terminal" in screen


@pytest.mark.parametrize("language", ["ko"])
def test_what_no_platform_takes_is_refused(serial: Path, typed: Typed, language: str) -> None:
    unknown = typed("export", "--form", "platform", "--platform", "네이버")
    assert unknown.code == 2
    assert "카카오페이지" in unknown.err
    assert typed("export", "--form", "platform", "--chapters", "7").code == 2
    assert typed("export", "--form", "platform", "--format", "epub").code == 2
    assert typed("export", "bible", "--form", "platform").code == 2
    assert typed("export", "--chapters", "1").code == 2
