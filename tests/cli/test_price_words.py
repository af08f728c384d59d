"""What one call costs, in words: never less than it is."""

from __future__ import annotations

import pytest

from studio.cli.priced_run import price_words
from studio.pipeline.passage.passage_order import PassagePrice


# req: N7
@pytest.mark.parametrize(
    ("usd", "words"),
    [
        (None, "its price is not known"),
        (0.0, "it costs nothing"),
        (0.0042, "at most $0.0042"),
        (1.5, "at most $1.5000"),
    ],
)
def test_a_small_price_is_not_called_nothing(usd: float | None, words: str) -> None:
    assert price_words(usd) == words
    assert usd != 0.0042 or PassagePrice(1, "m", usd).cost == words
