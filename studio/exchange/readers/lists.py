"""Numbers the entries of ordered HTML lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_LISTS = frozenset(("ol", "ul"))
_LETTERS = {"a": "abcdefghijklmnopqrstuvwxyz", "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_MOST = 9999
"""The highest number at which a list may begin; a higher one is a mistake or an attack."""


@dataclass(slots=True)
class _List:
    """A list whose element is still open."""

    following: int | None
    """The number of its next entry; None for an unordered list."""
    letters: str = ""
    waiting: str = ""
    """The prefix for the first words of the entry just begun."""
    ends_at: int = -1
    """The number of items in the document when the list's last numbered entry was complete."""


@dataclass(slots=True)
class Lists:
    """A stack of the open lists, innermost last."""

    _open: list[_List] = field(default_factory=list)

    def begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Processes the start of an element."""
        if tag in _LISTS:
            first = _number(attributes.get("start", ""), 1) if tag == "ol" else None
            self._open.append(_List(first, _LETTERS.get(attributes.get("type", ""), "")))
        elif tag == "li" and self._open and self._open[-1].following is not None:
            its_list = self._open[-1]
            number = _number(attributes.get("value", ""), self._open[-1].following)
            its_list.following = number + 1
            its_list.waiting = f"{_sign(number, its_list.letters)}. "

    def end(self, tag: str) -> None:
        """Processes the end of an element."""
        if tag in _LISTS and self._open:
            self._open.pop()

    def number_of(self, items: int) -> tuple[str, bool]:
        """Returns the prefix of the next paragraph, given the number of items so far, and whether
        the paragraph continues the list above it, as the line after the previous entry."""
        if not self._open or not self._open[-1].waiting:
            return "", False
        its_list = self._open[-1]
        sign, its_list.waiting = its_list.waiting, ""
        goes_on = its_list.ends_at == items
        its_list.ends_at = items if goes_on else items + 1
        return sign, goes_on


def _number(words: str, otherwise: int) -> int:
    """Returns the number in an attribute, or the default `otherwise`."""
    plain = words.strip()
    is_one = plain.isascii() and plain.isdecimal() and len(plain) <= len(str(_MOST))
    return int(plain) if is_one else otherwise


def _sign(number: int, letters: str) -> str:
    """Returns the number, or the letter in its place."""
    return letters[number - 1] if 0 < number <= len(letters) else str(number)
