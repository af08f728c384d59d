"""Engine overhead (P13): one chapter with a model that answers at once, against the disk alone.

The reference writes and fsyncs the files that the chapter left, byte for byte and one after the
other: the minimum work of any engine.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.rounds import Row, compare
from studio.config.load import load_settings
from studio.config.schema import Role
from studio.llm.gateway import Gateway
from studio.llm.provider import AnswerDelta, Listen, ModelProfile, Reply, Request
from studio.pipeline.chapter.order import WriteOrder
from studio.pipeline.orchestrator import Orchestrator
from studio.pipeline.outcome import Committed
from studio.project.create import copy_sample
from studio.project.store import ProjectStore
from studio.story.records import Usage
from studio.text.language.packs import load_pack
from tests.fake_answers import from_schema, prose

ROUNDS = 5


class Instant:
    """A provider that answers immediately."""

    profile = ModelProfile(provider="instant", window=200_000)

    def model_for(self, role: Role) -> str:
        """Returns the same model for every role."""
        return "instant"

    async def stream(self, request: Request, listen: Listen) -> Reply:
        """Answers with seeded prose, or with a value that fits the schema."""
        import json

        if request.schema is None:
            text = prose("en", len(request.call), 6)
        else:
            text = json.dumps(from_schema(request.schema, number=4.2, items=0))
        listen(AnswerDelta("text", text))
        return Reply(text, "end", "instant", Usage(input_tokens=1, output_tokens=1))

    def estimate_tokens(self, text: str) -> int:
        """Estimates one token per four characters."""
        return len(text) // 4

    async def close(self) -> None:
        """Does nothing, because there is nothing to release."""


def rows() -> list[Row]:
    """Returns one row: contract to commit."""
    with tempfile.TemporaryDirectory() as folder:
        places = Path(folder)
        numbers = itertools.count()
        sizes = _sizes_of_a_chapter(_novel(places / "sizes"))

        def chapter() -> None:
            _write(novels.pop())

        def disk() -> None:
            _store(places / f"disk-{next(numbers)}", sizes)

        novels = [_novel(places / f"novel-{i}") for i in range(ROUNDS + 1)]
        return [
            compare(
                "one chapter, instant model",
                chapter,
                "writing and fsyncing the same files",
                disk,
                goal=4.0,
                rounds=ROUNDS,
            )
        ]


def _novel(place: Path) -> Path:
    return copy_sample(place)


def _write(novel: Path) -> None:
    settings = load_settings(novel, {})
    store = ProjectStore(novel)
    orchestrator = Orchestrator(
        store, settings, load_pack("en"), lambda emit: Gateway(Instant(), store.journal)
    )
    outcome = asyncio.run(orchestrator.run(WriteOrder(review="reject"), lambda event: None))
    assert isinstance(outcome, Committed), outcome


def _sizes_of_a_chapter(novel: Path) -> list[int]:
    before = {path: path.stat().st_mtime_ns for path in _files(novel)}
    _write(novel)
    return [
        path.stat().st_size for path in _files(novel) if before.get(path) != path.stat().st_mtime_ns
    ]


def _files(novel: Path) -> Iterator[Path]:
    return (path for path in sorted(novel.rglob("*")) if path.is_file())


def _store(place: Path, sizes: list[int]) -> None:
    place.mkdir()
    for number, size in enumerate(sizes):
        with _fsynced(place / str(number)) as fd:
            os.write(fd, b"x" * size)


@contextmanager
def _fsynced(path: Path) -> Iterator[int]:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        yield fd
        os.fsync(fd)
    finally:
        os.close(fd)
