"""Metrics after one edit in a book against measuring the book anew (P9)."""

from __future__ import annotations

import random
import statistics
import sys
import time
from dataclasses import replace

from bench.prose_texts import prose
from bench.rounds import Row
from studio.text.language.packs import LANGUAGES, LanguagePack, load_pack
from studio.text.live import LiveMetrics
from studio.text.metrics.metrics import measure
from tests.text.edits import edit

BOOK = 3_000_000
CHAPTER = 10_000
EDITS = 10_000
_SAMPLE = 40
"""Chapters that stand for the whole book when it is measured anew, in each of the rounds."""
_ROUNDS = 5


def rows() -> list[Row]:
    """P9 in each language: the time of an edit, and after how many a number differs."""
    return [row for language in LANGUAGES for row in _rows(language)]


def _rows(language: str) -> list[Row]:
    pack = load_pack(language)
    other = prose(language, CHAPTER, -1)
    edited: list[float] = []
    anew: list[float] = []
    chance = random.Random(language)
    live = LiveMetrics(prose(language, CHAPTER, 0), pack)
    for turn in range(_ROUNDS):
        edited += [_edited(live, edit(live.text, other, chance)) for _ in range(100)]
        anew.append(_anew(language, turn, pack))
        live.become(prose(language, CHAPTER, 0))
    book = f"measuring {BOOK // CHAPTER} chapters of {CHAPTER} characters"
    wrong = _differing(language, pack, EDITS // len(LANGUAGES))
    return [
        Row(
            f"P9: metrics after an edit, {language}",
            statistics.median(edited),
            statistics.median(anew),
            book,
            1 / 5000,
        ),
        Row(
            f"P9: edits after which a number differs (thousands), {language}",
            wrong / 1000,
            EDITS // len(LANGUAGES) / 1000,
            "edits (thousands)",
            0.0,
        ),
    ]


def _edited(live: LiveMetrics, change: tuple[int, int, str]) -> float:
    begun = time.process_time()
    live.replace(*change)
    live.values()
    return time.process_time() - begun


def _anew(language: str, turn: int, pack: LanguagePack) -> float:
    """Seconds for the whole book, by a sample of it that no cache has seen."""
    texts = [prose(language, CHAPTER, 1000 + turn * _SAMPLE + n) for n in range(_SAMPLE)]
    begun = time.process_time()
    for text in texts:
        measure(text, pack)
    return (time.process_time() - begun) * (BOOK / CHAPTER / _SAMPLE)


def _differing(language: str, pack: LanguagePack, edits: int) -> int:
    """Random edits after which the live numbers are not those of the whole text."""
    chance = random.Random(f"{language} again")
    source = prose(language, CHAPTER // 4, 7)
    live, wrong = LiveMetrics(source, pack), 0
    for number in range(edits):
        live.replace(*edit(live.text, source, chance))
        if len(live.text) > CHAPTER:
            live.replace(0, len(live.text) - CHAPTER // 4, "")
        whole = measure(live.text, pack)
        wrong += live.values() != {k: replace(m, spans=()) for k, m in whole.items()}
        if number % 1000 == 999:
            print(f"  {language}: {number + 1} edits, {wrong} differ", file=sys.stderr)
    return wrong
