"""Lists with numbers, as HTML has them: which number an entry of one has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_LISTS = frozenset(("ol", "ul"))
_LETTERS = {"a": "abcdefghijklmnopqrstuvwxyz", "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_MOST = 9999
"""The highest number a list may begin with; one beyond is a mistake or a trap."""


@dataclass(slots=True)
class _List:
    """A list that is open."""

    following: int | None
    """The number of its next entry; None where its entries have none."""
    letters: str = ""
    waiting: str = ""
    """What the words of the entry that has begun are to begin with."""
    ends_at: int = -1
    """How many items there were when its last entry with a number was whole."""


@dataclass(slots=True)
class Lists:
    """The lists that are open, each in the one before."""

    _open: list[_List] = field(default_factory=list)

    def begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        if tag in _LISTS:
            first = _number(attributes.get("start", ""), 1) if tag == "ol" else None
            self._open.append(_List(first, _LETTERS.get(attributes.get("type", ""), "")))
        elif tag == "li" and self._open and self._open[-1].following is not None:
            its_list = self._open[-1]
            number = _number(attributes.get("value", ""), self._open[-1].following)
            its_list.following = number + 1
            its_list.waiting = f"{_sign(number, its_list.letters)}. "

    def end(self, tag: str) -> None:
        """An element ends."""
        if tag in _LISTS and self._open:
            self._open.pop()

    def number_of(self, items: int) -> tuple[str, bool]:
        """What stands before the paragraph that comes next behind so many items, and whether it
        goes on with the list above it, as the line below the entry before."""
        if not self._open or not self._open[-1].waiting:
            return "", False
        its_list = self._open[-1]
        sign, its_list.waiting = its_list.waiting, ""
        goes_on = its_list.ends_at == items
        its_list.ends_at = items if goes_on else items + 1
        return sign, goes_on


def _number(words: str, otherwise: int) -> int:
    """The number that an attribute says, or else this one."""
    plain = words.strip()
    is_one = plain.isascii() and plain.isdecimal() and len(plain) <= len(str(_MOST))
    return int(plain) if is_one else otherwise


def _sign(number: int, letters: str) -> str:
    """The number, or the letter that stands for it."""
    return letters[number - 1] if 0 < number <= len(letters) else str(number)
