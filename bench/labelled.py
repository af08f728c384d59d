"""Precision, recall and F1 of sentences, speech and filter words on the labelled prose.

A row's goal is the share of labels that may be missed or made up: 1 - F1 (or
precision and recall, for filter words). The misses are named on stderr.
"""

from __future__ import annotations

import sys

from bench.rounds import Row
from studio.text.language import LANGUAGES
from tests.text.agreement import tally
from tests.text.labelled import KINDS, PASSAGES

_MISSED = {"sentences": 0.02, "dialogue": 0.02, "filter": 0.05}


def rows() -> list[Row]:
    """One row a language and kind; `ratio` is what was missed."""
    return [_row(language, kind) for language in LANGUAGES for kind in KINDS]


def _row(language: str, kind: str) -> Row:
    found = tally([p for p in PASSAGES if p.language == language], kind)
    numbers = f"precision {found.precision:.3f}, recall {found.recall:.3f}, F1 {found.f1:.3f}"
    good = min(found.precision, found.recall) if kind == "filter" else found.f1
    for miss in found.misses:
        print(f"  {language} {kind}: {miss}", file=sys.stderr)
    labels = found.both + found.reader_only
    return Row(
        f"labelled {kind}, {language}: missed (thousands)",
        (1 - good) * labels / 1000,
        labels / 1000,
        f"labels; {numbers}",
        _MISSED[kind],
    )
