"""Precision, recall and F1 of sentences, speech and filter words on the labelled prose.

A row's goal is the share of labels that may be missed or spurious: 1 - F1 (or precision and recall,
for filter words). The misses are listed on stderr. `labelled` prose was used to develop the rules;
`unread` is prose that the program had never read, with the figures of that first reading, which
later rules do not change.
"""

from __future__ import annotations

import sys

from bench.rounds import Row
from studio.i18n import LANGUAGES
from tests.text.agreement import Tally, tally
from tests.text.labelled import KINDS, PASSAGES
from tests.text.unread import LOTS, Lot

_MISSED = {"sentences": 0.02, "dialogue": 0.02, "filter": 0.05}


def rows() -> list[Row]:
    """Returns one row per language and kind, and one per lot of unread prose;
    `ratio` is the share missed."""
    known = [_row(language, kind) for language in LANGUAGES for kind in KINDS]
    return known + [_first_reading(lot) for lot in LOTS]


def _row(language: str, kind: str) -> Row:
    score = tally([p for p in PASSAGES if p.language == language], kind)
    for miss in score.misses:
        print(f"  {language} {kind}: {miss}", file=sys.stderr)
    return _missed(f"labelled {kind}, {language}", score, kind, _numbers(score), _MISSED[kind])


def _first_reading(lot: Lot) -> Row:
    now = tally(lot.passages, "filter")
    since = "rules learned from it since" if lot.learned else "no rule learned from it"
    figures = f"{_numbers(lot.first)}, at first sight; {since}, now {_numbers(now)}"
    goal = None if lot.learned else _MISSED["filter"]
    return _missed(f"unread filter, {lot.name}", lot.first, "filter", figures, goal)


def _missed(what: str, score: Tally, kind: str, figures: str, goal: float | None) -> Row:
    good = min(score.precision, score.recall) if kind == "filter" else score.f1
    labels = score.both + score.reader_only
    return Row(
        f"{what}: missed (thousands)",
        (1 - good) * labels / 1000,
        labels / 1000,
        f"labels; {figures}",
        goal,
    )


def _numbers(score: Tally) -> str:
    return f"precision {score.precision:.3f}, recall {score.recall:.3f}, F1 {score.f1:.3f}"
