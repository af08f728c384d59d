"""The one door for TOML that somebody else may have written: Python's reader takes the square of a
key's parts in time and memory (20,000 of them: 25 seconds and 1.8 GB)."""

from __future__ import annotations

from typing import Any

MOST_DOTS = 64
"""The maximum number of dots in a line: no setting lies that deep, no title hesitates so long."""
LARGEST = 1_000_000
"""The maximum number of characters of a file."""


def parse_toml(text: str) -> dict[str, Any]:
    """Returns the tables of a TOML text.

    Raises ValueError, which says what is wrong, or RecursionError. The parser is imported only when
    needed: that takes eight million instructions.
    """
    import tomllib

    if len(text) > LARGEST:
        raise tomllib.TOMLDecodeError(f"it has more than {LARGEST // 1_000_000} million characters")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > MOST_DOTS:
            raise tomllib.TOMLDecodeError(f"line {number} has more than {MOST_DOTS} dots")
    return tomllib.loads(text)
