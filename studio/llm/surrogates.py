"""Characters that came in halves: joined where the other half follows, else replacements (R6)."""

from __future__ import annotations

import re
from typing import Any

REPLACEMENT = "\ufffd"
"""What stands for half a character."""

_HALF = re.compile("[\ud800-\udfff]")


class SurrogateJoiner:
    """Mends the text of one stream, delta by delta.

    A server that cuts its text between two deltas by UTF-16 units sends a
    character outside the basic plane, an emoji for instance, in two halves.
    """

    def __init__(self) -> None:
        self._pending_half = ""
        self.replacements = 0
        """Halves whose other half never came."""

    def take(self, text: str) -> str:
        """`text` as it can be shown and stored; a first half at its end waits for the next."""
        text, self._pending_half = self._pending_half + text, ""
        if not _HALF.search(text):
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._pending_half = text[:-1], text[-1]
        mended = mend(text)
        self.replacements += mended.count(REPLACEMENT) - text.count(REPLACEMENT)
        return mended

    def end(self) -> str:
        """The text of a half that still waits when the stream has ended."""
        pending_half, self._pending_half = self._pending_half, ""
        self.replacements += len(pending_half)
        return REPLACEMENT * len(pending_half)


def mend(text: str) -> str:
    """`text` with halves joined to characters, and U+FFFD for each half that stands alone."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def mended(value: Any) -> Any:
    """A JSON value with every text in it mended; RecursionError where it nests too deeply."""
    if isinstance(value, str):
        return mend(value)
    if isinstance(value, list):
        return [mended(item) for item in value]
    if isinstance(value, dict):
        return {mend(key): mended(item) for key, item in value.items()}
    return value


def half_characters(count: int) -> str:
    """The warning about an answer in which so many halves stand alone."""
    head = "A character" if count == 1 else f"{count} characters"
    return f"{head} of the model's answer came only in half and may read {REPLACEMENT} in the text."
