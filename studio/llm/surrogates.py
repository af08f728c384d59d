"""Repairs characters that arrive in halves: pairs are joined, lone halves are replaced (R6)."""

from __future__ import annotations

import re
from typing import Any

from studio.messages import said

REPLACEMENT = "\ufffd"
"""Replaces half a character."""

_HALF = re.compile("[\ud800-\udfff]")


class SurrogateJoiner:
    """Repairs the text of one stream, delta by delta.

    A server that splits its text into deltas by UTF-16 units sends a character outside the basic
    plane, such as an emoji, in two halves.
    """

    def __init__(self) -> None:
        self._pending_half = ""
        self.replacements = 0
        """The number of halves whose other half never arrived."""

    def take(self, text: str) -> str:
        """Returns `text` ready to display and store; a first half at its end is
        held back for the next delta."""
        text, self._pending_half = self._pending_half + text, ""
        if not _HALF.search(text):
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._pending_half = text[:-1], text[-1]
        mended = mend(text)
        self.replacements += mended.count(REPLACEMENT) - text.count(REPLACEMENT)
        return mended

    def end(self) -> str:
        """Returns the text of a half that is still held back when the stream has ended."""
        pending_half, self._pending_half = self._pending_half, ""
        self.replacements += len(pending_half)
        return REPLACEMENT * len(pending_half)


def mend(text: str) -> str:
    """Returns `text` with pairs of halves joined, and U+FFFD in place of each lone half."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def mended(value: Any) -> Any:
    """Returns a JSON value with all of its text repaired;
    RecursionError where it nests too deeply."""
    if isinstance(value, str):
        return mend(value)
    if isinstance(value, list):
        return [mended(item) for item in value]
    if isinstance(value, dict):
        return {mend(key): mended(item) for key, item in value.items()}
    return value


def half_characters(count: int) -> str:
    """Returns the warning about an answer with this many lone halves."""
    head = said("A character") if count == 1 else said("{n} characters", n=count)
    return said(
        "{head} of the model's answer came only in half and may read {replacement} in the text.",
        head=head,
        replacement=REPLACEMENT,
    )
