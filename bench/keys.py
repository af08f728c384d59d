"""The time from a key press to its effect on the screen while a text streams (performance P4)."""

from __future__ import annotations

import random
import statistics
import sys

from bench.conversation import Conversation, talking
from bench.keys_screen import READY, REST, STREAM
from bench.rounds import Row

LANGUAGES = ("ko", "en")
ROUNDS = 5
KEYS = 40
"""The number of keys per round."""
SHORTEST, LONGEST = 0.03, 0.09
"""The range of seconds between a key's paint and the next key."""
Delays = dict[str, list[float]]


def rows() -> list[Row]:
    """Returns P4, in Korean and in English."""
    return [row for language in LANGUAGES for row in _keys(language)]


def _keys(language: str) -> list[Row]:
    ours = _delays("prose", language, ROUNDS)
    markdown = _delays("markdown", language, 1)
    streamed = _p95s(ours[STREAM])
    what = f"P4 {language}: key to paint, p95, at 300/s into 200k"
    return [
        Row(what, streamed, _p95s(ours[REST]), "the idle app", 1.5),
        Row(what, streamed, _p95s(markdown[STREAM]), "MarkdownStream, once", 1 / 12),
    ]


def _p95s(delays: list[float]) -> float:
    """Returns the median of the rounds' p95."""
    rounds = [sorted(delays[at : at + KEYS]) for at in range(0, len(delays), KEYS)]
    return statistics.median(times[int(len(times) * 0.95)] for times in rounds)


def _delays(widget: str, language: str, rounds: int) -> Delays:
    """Returns the seconds from each key to its paint, alternating between rest and stream."""
    delays: Delays = {REST: [], STREAM: []}
    chance = random.Random(language)
    command = [sys.executable, "-m", "bench.keys_screen", widget, language]
    with talking(command) as app:
        app.until(READY, seconds=40)
        pressed = 0
        for turn in range(rounds):
            for mode in (REST, STREAM) if turn % 2 else (STREAM, REST):
                app.type(mode)
                app.until(f"({mode})")
                app.rest(0.5)
                for _ in range(KEYS):
                    app.rest(chance.uniform(SHORTEST, LONGEST))
                    pressed += 1
                    delays[mode].append(_painted(app, pressed))
    return delays


def _painted(app: Conversation, number: int) -> float:
    begun = app.type("x")
    return app.until(f"<{number}>") - begun
