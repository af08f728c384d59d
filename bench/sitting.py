"""Event loop stalls during a sitting of ten minutes (performance P18), on a terminal and inside
tmux."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.opening import home_in
from bench.recording import Writing
from bench.rounds import Row
from bench.terminal import measured
from studio.project.create import copy_sample
from studio.project.store import ProjectStore
from tests.fake_messages import Asked, FakeMessages

SECONDS = 600.0
_USUAL, _LONGEST = 0.040, 0.150
"""The most seconds that 99 of 100 stalls may take, and the longest of them."""
_RATE = 100
"""Pieces of an answer per second."""
_FIXES = 3
_CHAPTERS = 200
"""The number of planned chapters: more than anybody writes in that time."""
_PROGRAM = "bench.sitting_screen"
_PLACES = {"a terminal": (_PROGRAM,), "tmux": ("bench.in_tmux", _PROGRAM)}


class Paced(FakeMessages):
    """A server whose answers arrive at the pace of a fast model."""

    def __init__(self) -> None:
        writing = Writing(_FIXES)
        super().__init__(answering=lambda asked: replace(writing(asked), mode="step"))

    def wait_step(self, asked: Asked) -> None:
        """Waits between two pieces of an answer."""
        time.sleep(1 / _RATE)


def rows() -> list[Row]:
    """Returns two rows for each place; tmux only where it is installed."""
    with TemporaryDirectory() as folder, Paced() as server:
        place = Path(folder)
        environ = {
            **home_in(place),
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "k",
        }
        made = []
        for where, (program, *arguments) in _PLACES.items():
            if where == "tmux" and shutil.which(where) is None:
                continue
            novel = _novel(place / where.rpartition(" ")[2])
            sitting = measured(
                program, *arguments, str(novel), str(SECONDS), seconds=SECONDS + 120,
                environ=environ,
            )  # fmt: skip
            what = f"P18: {SECONDS / 60:.0f} minutes in {where}, {sitting['chapters']} chapters"
            for name, key, most in (("p99 stall", "p99", _USUAL), ("longest", "max", _LONGEST)):
                against = f"{most * 1000:.0f} ms"
                own = sitting[f"own {key}"] / most
                made.append(Row(f"{what}: {name}", sitting[key], most, against, 1, own))
        return made


def _novel(folder: Path) -> Path:
    """Creates the sample with a plan for every chapter that may be written, and without caps."""
    copy_sample(folder)
    settings = folder / "studio.toml"
    uncapped = settings.read_text("utf-8").replace("_usd = ", "_usd = 1000")
    settings.write_text(uncapped, "utf-8")
    layout = ProjectStore(folder).layout
    last = layout.contract_numbers(1)[-1]
    plan = json.loads((folder / layout.contract(1, last)).read_bytes())
    for number in range(last + 1, _CHAPTERS + 1):
        own = {**plan, "chapter": number, "title": f"Night {number}", "foreshadowing": []}
        (folder / layout.contract(1, number)).write_text(json.dumps(own), "utf-8")
    return folder
