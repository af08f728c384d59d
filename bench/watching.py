"""Noticing other editors' saves: how soon, how completely, and without false alarms (performance
P14).

The reference reads a file whenever watchfiles, with default settings, reports it.
"""

from __future__ import annotations

import queue
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from watchfiles import watch as watch_as_it_comes

from bench.conversation import talking
from bench.long_book import make, opening_of
from bench.opening import home_in
from bench.rounds import Row
from bench.saving import SAVES
from studio.fsio import sha256_hex
from studio.project.store import ProjectStore
from studio.project.watch.watch import FileChange, Watch

CHAPTERS = 1000
SAVED = 1000
"""The number of saves that the studio must notice, over all ways of saving."""
COMPARED = 100
"""The number of saves that the reference must notice."""
SHOWN = 40
"""The number of saves that are looked for on the app's screen."""
FRAMES = 0.033
"""The duration of two frames of a screen, in seconds."""
_PATIENCE = 10.0
_LONG = "The lamp room was cold, and the glass had not been wiped since March.\n\n" * 80


def rows() -> list[Row]:
    """Returns P14, and the time from an outside save to the app's screen."""
    with tempfile.TemporaryDirectory() as place:
        novel = make(Path(place, "novel"), CHAPTERS)
        figures = [*_noticed(novel), *_unsaid(novel), *_in_a_burst(novel)]
        return [*figures, *_in_the_app(novel, home_in(Path(place)))]


def _noticed(novel: Path) -> Iterator[Row]:
    theirs: dict[str, list[float]] = {}
    ours: dict[str, list[float]] = {}
    torn = 0
    with _watched_as_it_comes(novel) as heard:
        for name, save in SAVES.items():
            theirs[name], _ = _timed(novel, heard, save, COMPARED // len(SAVES))
    with _watched(novel) as (_, texts):
        for name, save in SAVES.items():
            ours[name], bad = _timed(novel, texts, save, SAVED // len(SAVES))
            torn += bad
    for name in SAVES:
        what = f"P14: save to reload, {name}, p95"
        yield Row(what, _p95(ours[name]), _p95(theirs[name]), "watchfiles as it comes", 1 / 3)
    together = _p95([took for each in ours.values() for took in each])
    yield Row("P14: save to reload, all ways, p95", together, FRAMES, "two frames", 1)
    yield _count(f"P14: torn texts loaded in {SAVED} saves", torn, 0)


def _timed(
    novel: Path, texts: queue.Queue[bytes], save: Callable[[Path, str], None], times: int
) -> tuple[list[float], int]:
    """Returns the seconds from the end of each save to its text, and the
    number of torn texts loaded."""
    path, took, torn = novel / "chapters/chapter-500.md", [], 0
    for turn in range(times):
        text = f"# Night {turn} {time.perf_counter_ns()}\n\n{_LONG}"
        save(path, text)
        begun = time.perf_counter()
        while texts.get(timeout=_PATIENCE) != text.encode():
            torn += 1
        took.append(time.perf_counter() - begun)
        time.sleep(0.02)
    return took, torn


def _unsaid(novel: Path) -> Iterator[Row]:
    """Checks that the studio's own writes are not reported as changes."""
    store = ProjectStore(novel)
    with _watched(novel) as (_, texts):
        for turn in range(100):
            store.root.write("chapters/chapter-400.md", f"# Night {turn}\n\n{_LONG}".encode())
            time.sleep(0.01)
        time.sleep(0.5)
        yield _count("P14: own writes told of, of 100", texts.qsize(), 0)


def _in_a_burst(novel: Path) -> Iterator[Row]:
    """Times a thousand files saved at once, as by a checkout."""
    reloads: list[int] = []
    with _watched(novel, lambda changes: reloads.append(len(changes))):
        for number in range(1, CHAPTERS + 1):
            (novel / f"chapters/chapter-{number:03d}.md").write_text(
                f"# Burst {number}\n\n{opening_of(number)}\n"
            )
        end = time.perf_counter() + _PATIENCE
        while sum(reloads) < CHAPTERS and time.perf_counter() < end:
            time.sleep(0.02)
    missed = CHAPTERS - sum(reloads)
    yield _count(f"P14: reloads after a burst of {CHAPTERS} files", len(reloads), 3)
    yield _count("P14: files of the burst that were missed", max(0, missed), 0)


def _in_the_app(novel: Path, home: Mapping[str, str]) -> Iterator[Row]:
    """Times an outside save of the displayed chapter until its new words are on the screen."""
    path = novel / f"chapters/chapter-{CHAPTERS}.md"
    took = []
    with talking([sys.executable, "-m", "studio", str(novel)], home) as app:
        app.until(opening_of(CHAPTERS).split()[-1].rstrip("."))
        app.rest(12)
        for turn in range(SHOWN):
            word = f"Zz{turn:03d}zZ"
            path.write_text(f"# Lamp Room {CHAPTERS}\n\n{word} began the night.\n\n{_LONG}")
            begun = time.perf_counter()
            took.append(app.until(word) - begun)
            app.rest(0.4)
    spread = sorted(took)
    at = {
        f"{share:.0%}": spread[int((len(spread) - 1) * share)] for share in (0, 0.5, 0.9, 0.95, 1)
    }
    figures = ", ".join(f"{share} {seconds * 1000:.0f}" for share, seconds in at.items())
    print(f"  outside save to the app's screen, ms: {figures}", file=sys.stderr)
    what = f"an outside save on the screen of the app, {CHAPTERS} chapters"
    yield Row(f"{what}, median", statistics.median(took), 1.0, "a second", 1)
    yield Row(f"{what}, longest", max(took), 1.0, "a second", 1)


def _count(what: str, number: int, most: int) -> Row:
    """Reports a count in the column of milliseconds; the goal is its maximum."""
    return Row(what, number / 1000, 1 / 1000, "how many there may be", most)


def _p95(took: Sequence[float]) -> float:
    return sorted(took)[int(len(took) * 0.95)]


@contextmanager
def _watched(
    novel: Path, hear: Callable[[Sequence[FileChange]], object] | None = None
) -> Iterator[tuple[Watch, queue.Queue[bytes]]]:
    """Yields the studio's watch, which puts every text it loads into a queue."""
    store, texts = ProjectStore(novel), queue.Queue[bytes]()

    def loaded(changes: Sequence[FileChange]) -> None:
        for change in changes:
            data = store.root.find(change.path)
            if data is not None and sha256_hex(data) == change.after:
                texts.put(data)

    watch, ready = Watch(store.root), threading.Event()
    thread = threading.Thread(target=watch.run, args=(hear or loaded, ready.set))
    thread.start()
    ready.wait()
    try:
        yield watch, texts
    finally:
        watch.stop()
        thread.join()


@contextmanager
def _watched_as_it_comes(novel: Path) -> Iterator[queue.Queue[bytes]]:
    """Yields a queue fed by watchfiles with default settings, each changed file read at once."""
    texts, stop = queue.Queue[bytes](), threading.Event()

    def run() -> None:
        for changes in watch_as_it_comes(novel, stop_event=stop, raise_interrupt=False):
            for path in sorted({Path(path) for _, path in changes}):
                if path.suffix == ".md" and path.exists():
                    texts.put(path.read_bytes())

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.5)
    try:
        yield texts
    finally:
        stop.set()
        thread.join()
