"""Scaling: ten thousand chapters, three hundred thousand entries, a chapter of 50 MB.

Each row is compared with the same work at a tenth of the size; a goal of 15 means that the cost may
grow linearly with the size but not quadratically.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench.invented import paragraphs
from bench.long_book import make
from bench.rounds import Row
from studio.project.index import contents
from studio.project.layout import Layout
from studio.project.verify import verify
from studio.session import Session
from studio.text.oracle.report import check_text

_TENFOLD = 15.0
_CHAPTERS = 10_000
_MEGABYTES = 50


def rows() -> list[Row]:
    """Times opening, `status` and `verify` of a long book, and `check` of a huge chapter."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        large = make(place / "large", _CHAPTERS)
        small = make(place / "small", _CHAPTERS // 10)
        figures = [
            _row(f"{name}, {_CHAPTERS:,} chapters", partial(work, large), partial(work, small))
            for name, work in _OF_A_BOOK.items()
        ]
    text = paragraphs("en", 1_000_000)
    huge = (text + "\n\n") * _MEGABYTES
    figures.append(
        _row(
            f"check, a chapter of {_MEGABYTES} MB",
            partial(check_text, huge),
            partial(check_text, huge[: len(huge) // 10]),
            partial(check_text, text),
        )
    )
    return figures


def _row(
    what: str,
    large: Callable[[], object],
    small: Callable[[], object],
    first: Callable[[], object] | None = None,
) -> Row:
    """Times both after something was done once, so that neither pays for what is loaded: the small
    one, unless what is remembered of it would make its second time cheaper (`first` then)."""
    (first or small)()
    return Row(what, _timed(large), _timed(small), "a tenth of it", _TENFOLD)


def _timed(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _contents(novel: Path) -> object:
    return contents(Layout(novel))


def _status(novel: Path) -> object:
    return Session.open(novel, {}).status()


_OF_A_BOOK: dict[str, Callable[[Path], object]] = {
    "contents": _contents,
    "status": _status,
    "verify": verify,
}
