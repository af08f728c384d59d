"""Opening a long book: the first useful frame, and the work after it (performance P5, P6)."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.conversation import talking
from bench.long_book import make, opening_of, title_of
from bench.rounds import Row
from bench.smallest_app import MARKER
from bench.terminal import measured

ROUNDS = 9
FEW, MANY = 1000, 5000
"""The numbers of chapters compared."""
_WATCHED = 3
"""The number of openings watched for stalls."""


def rows() -> list[Row]:
    """Returns P5 and P6; RuntimeError if a heavy module is imported before the first frame."""
    with tempfile.TemporaryDirectory() as place:
        home = home_in(Path(place))
        novels = {count: make(Path(place, str(count)), count) for count in (FEW, MANY)}
        for count, novel in novels.items():
            _watched(novel, home)  # the first opening creates the index of chapters
            assert (novel / ".studio").is_dir(), count
        return [*_first_frames(novels, home), *_stalls(novels[FEW], home)]


def _first_frames(novels: Mapping[int, Path], home: Mapping[str, str]) -> list[Row]:
    smallest = [sys.executable, "-m", "bench.smallest_app"]
    sides = {0: (smallest, [MARKER])}
    for count, novel in novels.items():
        markers = [title_of(count - 1), opening_of(count)]
        sides[count] = ([sys.executable, "-m", "studio", str(novel)], markers)
    times: dict[int, list[float]] = {count: [] for count in sides}
    cpu: dict[int, list[float]] = {count: [] for count in sides}
    for turn in range(ROUNDS + 1):
        for count in sorted(sides, reverse=bool(turn % 2)):
            took, used = _until_drawn(*sides[count], home)
            if turn:
                times[count].append(took)
                cpu[count].append(used)
    counts = (0, FEW, MANY)
    least, few, many = (statistics.median(times[count]) for count in counts)
    least_cpu, few_cpu, many_cpu = (statistics.median(cpu[count]) for count in counts)
    what = "P5: first useful frame of"
    return [
        Row(
            f"{what} {FEW} chapters",
            few,
            least,
            "the smallest Textual app",
            1.6,
            few_cpu / least_cpu,
        ),
        Row(f"{what} {MANY} chapters", many, few, f"{FEW} chapters", 1.1, many_cpu / few_cpu),
    ]


def _until_drawn(
    command: Sequence[str], markers: Sequence[str], home: Mapping[str, str]
) -> tuple[float, float]:
    """Returns the wall and CPU seconds from starting a program until all markers were drawn."""
    begun = time.perf_counter()
    with talking(command, home) as app:
        return app.until(*markers) - begun, app.cpu()


def _stalls(novel: Path, home: Mapping[str, str]) -> list[Row]:
    runs = [_watched(novel, home) for _ in range(_WATCHED)]
    names = ("p99", "max", "own p99", "own max")
    p99, longest, own, own_longest = (statistics.median(r[name] for r in runs) for name in names)
    what = f"P6: in the 5 s after the first frame of {FEW} chapters"
    return [
        Row(f"{what}, p99 stall", p99, 0.040, "40 ms", 1, own / 0.040),
        Row(f"{what}, longest", longest, 0.060, "60 ms", 1, own_longest / 0.060),
    ]


def _watched(novel: Path, home: Mapping[str, str]) -> dict[str, float]:
    figures = measured("bench.opening_screen", str(novel), environ=home)
    if loaded := figures.pop("loaded"):
        raise RuntimeError(f"loaded before the first frame: {', '.join(loaded)}")
    return dict(figures)


def home_in(place: Path) -> dict[str, str]:
    """Returns an environment isolated from the user's own files; modules are compiled once,
    as in an installed program."""
    names = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "PYTHONPYCACHEPREFIX")
    return {"PYTHONDONTWRITEBYTECODE": "", **{name: str(place / name.lower()) for name in names}}
