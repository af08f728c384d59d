"""Creates a novel of any number of chapters without the engine, with
files as commits leave them."""

from __future__ import annotations

import json
import random
from pathlib import Path

from bench.invented import paragraphs
from studio.project import changelog
from studio.project.layout import CHANGELOG
from studio.project.store import ProjectStore
from studio.resources import sample_project_dir
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint
from studio.story.state import Delta

_IN_A_VOLUME = 50
_LENGTH = 6000
"""The number of characters in a chapter."""


def title_of(number: int) -> str:
    """Returns a chapter's title in the outline."""
    return f"Lamp Room {number}"


def opening_of(number: int) -> str:
    """Returns the first words of a chapter, which occur nowhere else."""
    return f"Here begins night {number}."


def make(folder: Path, chapters: int) -> Path:
    """Writes outlines, contracts, texts, summaries, evaluations, changelog and checkpoint."""
    sample = sample_project_dir()
    _put(folder / "studio.toml", (sample / "studio.toml").read_bytes())
    contract = json.loads(
        (sample / "volumes/vol-01/chapter-contracts/chapter-001.json").read_bytes()
    )
    evaluation = json.loads((sample / "evaluations/chapter-001-eval.json").read_bytes())
    store, entries = ProjectStore(folder), []
    layout, prose = store.layout, _Prose()
    for number in range(1, chapters + 1):
        volume = _volume(number)
        text = f"# {title_of(number)}\n\n{opening_of(number)}\n\n{prose.taken(_LENGTH)}\n"
        plan = {**contract, "chapter": number, "volume": volume, "title": title_of(number)}
        _put(folder / layout.chapter(number), text.encode())
        _put(folder / layout.contract(volume, number), json.dumps(plan, indent=2).encode())
        _put(folder / layout.summary(number), prose.taken(600).encode())
        judged = {**evaluation, "chapter": number, "source_sha256": Chapter(text).sha256}
        _put(folder / layout.evaluation(number), json.dumps(judged, indent=2).encode())
        entries.append(_entry(number, judged["source_sha256"]))
    for volume in range(1, _volume(chapters) + 1):
        _put(folder / f"volumes/vol-{volume:02d}/outline.md", _outline(volume, chapters).encode())
    _put(folder / CHANGELOG, b"".join(entries))
    store.save_checkpoint(
        Checkpoint(
            last_completed_chapter=chapters,
            state_version=chapters,
            current_volume=_volume(chapters),
        )
    )
    return folder


class _Prose:
    """Slices one long invented text, so that a book is created in seconds."""

    def __init__(self) -> None:
        self._blocks = paragraphs("en", 200_000).split("\n\n")
        self._chance = random.Random(1)

    def taken(self, length: int) -> str:
        at = self._chance.randrange(len(self._blocks) - length // 20)
        taken: list[str] = []
        while sum(map(len, taken)) < length:
            taken.append(self._blocks[at + len(taken)])
        return "\n\n".join(taken)


def _volume(number: int) -> int:
    return (number - 1) // _IN_A_VOLUME + 1


def _outline(volume: int, chapters: int) -> str:
    first = (volume - 1) * _IN_A_VOLUME + 1
    numbers = range(first, min(first + _IN_A_VOLUME, chapters + 1))
    planned = [f"## Chapter {n}: {title_of(n)}\n\n{paragraphs('en', 300)}\n" for n in numbers]
    return "\n".join([f"# Volume {volume}: Winter {volume}\n", *planned])


def _entry(number: int, sha256: str) -> bytes:
    delta = Delta(chapter=number, storyline_id="main", source_sha256=sha256)
    before = changelog.Changelog()
    made = changelog.entry_of(before, delta, f"c{number:04d}", "2026-01-01T00:00:00Z", number)
    return changelog.renumber(made, number).line()


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
