"""What a model's server sends can fill no memory, end no program and waste no money (O8)."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.raw_server import STREAM, Answer, RawServer

MEGABYTE = 1_000_000
REFUSED = b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\n"


@dataclass(frozen=True)
class Run:
    """A run of the program, with the most memory it ever held."""

    code: int
    out: str
    err: str
    peak: int
    """Bytes."""

    @property
    def warnings(self) -> str:
        """What the run warned about, a line each."""
        rows = [json.loads(line) for line in self.out.splitlines()]
        return "\n".join(row["message"] for row in rows if row["type"] == "warning")


def write(book: Path, url: str, *more: str) -> Run:
    """`studio write --events`, watched."""
    process = subprocess.Popen(
        [PROGRAM, "write", "--events", "--project", book, *more],
        env={**os.environ, "ANTHROPIC_BASE_URL": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = process.stdout, process.stderr
    assert out is not None
    assert err is not None
    with out, err:
        said = out.read().decode(), err.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(process.returncode, *said, used.ru_maxrss * 1024)


def without_end(head: bytes, piece: bytes, most: int) -> Answer:
    """An answer that goes on until `most` bytes have gone, which is meant to be never."""

    def answer() -> Iterator[bytes]:
        yield head
        for _ in range(most // len(piece)):
            yield piece

    return answer


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("head", "piece", "words"),
    [
        (REFUSED + b"\r\n", b"x" * 65_536, "refused the form of the request"),
        (STREAM + b"data: ", b"x" * 65_536, "does not answer like a Messages server"),
    ],
    ids=["the body of an error", "a line"],
)
def test_what_never_ends_is_left_after_a_few_megabytes(
    head: bytes, piece: bytes, words: str, book: Path
) -> None:
    with RawServer(without_end(head, piece, 60 * MEGABYTE)) as server:
        ran = write(book, server.url)
    assert server.sent < 16 * MEGABYTE
    assert ran.code == 6
    assert words in ran.out
    assert "Traceback" not in ran.err


@pytest.mark.sweep
def test_a_small_packed_error_does_not_become_a_large_one(book: Path) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    zeros = bytes(MEGABYTE)
    once = b"".join([packer.compress(zeros) for _ in range(300)]) + packer.flush()
    head = REFUSED + b"content-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(once)
    with RawServer(lambda: [head, once]) as server:
        ran = write(book, server.url)
    # What this process holds counts for its children too.
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert ran.peak < own + 300 * MEGABYTE
    assert ran.code == 6
    assert "status 400" in ran.out


@pytest.mark.sweep
@pytest.mark.parametrize("bracket", [b"[", b'{"delta":'])
def test_brackets_without_end_are_an_error_in_words(bracket: bytes, book: Path) -> None:
    with RawServer(lambda: [STREAM, b"data: ", bracket * 200_000, b"\n\n"]) as server:
        ran = write(book, server.url)
    assert ran.code == 6, ran.err
    assert len(server.requests) == 1
    assert "brackets" in ran.out
    assert "Traceback" not in ran.err


def halves(asked: Asked) -> Rule | None:
    """Prose with an emoji whose halves come in two deltas, and one half alone."""
    if asked.schema is not None or "Write scene 1 " not in asked.prompt:
        return None
    prose = "The rain had stopped an hour before the ferry came in. " * 12
    return Rule(text=f"{prose[:23]}\ud83d\ude00{prose[23:]}A lamp \ud83d went out.")


@pytest.mark.sweep
def test_half_a_character_costs_no_scene(book: Path) -> None:
    with FakeMessages(answering=halves) as server:
        ran = write(book, server.url, "--review", "reject")
        drafts = [asked for asked in server.asked if "Write scene 1 " in asked.prompt]
    assert "crash" not in ran.err
    assert ran.code == 0, ran.err
    assert len(drafts) == 1
    chapter = (book / "chapters/chapter-001.md").read_text("utf-8")
    assert "\U0001f600" in chapter
    assert "A lamp \ufffd went out." in chapter
    assert ran.warnings.count("came only in half") == 1
