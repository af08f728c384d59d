"""B3: searching a book of three million characters, compared with reading its files."""

from __future__ import annotations

import tempfile
import time
from itertools import chain
from pathlib import Path

from bench.long_book import make, opening_of
from bench.rounds import Row, compare
from studio.project.search.book_texts import AREAS, book_texts
from studio.project.search.hits import find, words_pattern
from studio.project.search.replacement import ReplaceOrder, preview
from studio.project.store import ProjectStore

_CHAPTERS = 500
"""The number of chapters, of 6,000 characters each."""
_ROUNDS = 5
_FIRST = 0.030
"""The number of seconds within which the first place must be available."""
_WORD = "begins"
"""A word that occurs once in each chapter."""


def rows() -> list[Row]:
    """Times the first place in prose, all places in prose, and the preview of a replacement."""
    with tempfile.TemporaryDirectory() as place:
        store = ProjectStore(make(Path(place) / "novel", _CHAPTERS))
        files = [
            Path(place) / "novel" / store.layout.chapter(number)
            for number in range(1, _CHAPTERS + 1)
        ]

        def read() -> int:
            return sum(len(path.read_bytes().decode()) for path in files)

        pattern, what = words_pattern(_WORD), f"B3: of {_CHAPTERS} chapters, a word:"
        first = min(_first_place(store) for _ in range(_ROUNDS))
        return [
            Row(f"{what} its first place", first, _FIRST, "30 ms", 1),
            compare(
                f"{what} all places in prose",
                lambda: find(store, pattern, ("prose",)),
                "reading the files",
                read,
                goal=3,
                rounds=_ROUNDS,
                clock=time.process_time,
            ),
            compare(
                "a replacement over the book, previewed",
                lambda: preview(store, ReplaceOrder(_WORD, "comes")),
                "reading the files",
                read,
                rounds=_ROUNDS,
                clock=time.process_time,
            ),
        ]


def _first_place(store: ProjectStore) -> float:
    """Returns the seconds until the first place is available for words near the beginning."""
    pattern = words_pattern(opening_of(1))
    begun = time.perf_counter()
    texts = book_texts(store, AREAS, [])
    next(chain.from_iterable(pattern.finditer(text.text) for text in texts))
    return time.perf_counter() - begun
