"""What a directive itself demands: the words it says are to go, and the words it gives.

What it names is nothing that a guard could be surprised at: whether it is well done is for a reader
to say (PROSE 0.6, WRITING 5).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

SHORTEST_NAMED = 4
"""The letters of a quoted piece below which it names nothing; half as many where letters are
syllables."""
_QUOTED = re.compile(
    "“([^”]+)”|\"([^\"]+)\"|‘([^’]+)’(?!\\w)|(?<!\\w)'([^']+)'(?!\\w)"
    "|「([^」]+)」|『([^』]+)』|«([^»]+)»|‹([^›]+)›"
)
_CLAUSE = re.compile(r"[,，、;；:：.。!?！？\n]|\b(?:and|but|while)\b|(?<=[고되며])\s|[而但并]")
_STAYS = re.compile(
    r"\b(?:keep|keeps|keeping|kept|stay|stays|survives?|preserve|retain|remains?|untouched|"
    r"unchanged|leave (?!out)|not (?:touch|lose|change))\b"
    r"|남기|남긴|남겨|남는|남아|유지|그대로|살리|살린|살려|보존|건드리지|지키"
    r"|[保只]?留[下着住]?|不[能要]?[动变丢删]|照旧|不变",
    re.IGNORECASE,
)
"""What says of words that they are to stay."""


class Demand(NamedTuple):
    """What a directive says is to be done to its passage."""

    instruction: str = ""
    quotes: tuple[str, ...] = ()
    """The words of the passage that it is about."""
    remove: str = ""
    """The words that a cut takes out."""

    @property
    def wording(self) -> tuple[str, ...]:
        """All of its words: instruction, quotes, what is to go."""
        return tuple(filter(None, (self.instruction, *self.quotes, self.remove)))

    @property
    def named(self) -> tuple[str, ...]:
        """The words that it names: what is to go, and what its instruction quotes, but for what it
        says is to stay."""
        pieces = (*self._quoted(), self.remove)
        return tuple(piece for piece in pieces if _is_telling(letters(piece)))

    def named_in(self, passage: str) -> tuple[str, ...]:
        """Returns all that it names of a passage: what it asks for, what is to go, what it quotes.
        A quote of the whole passage names nothing in it."""
        whole = letters(passage)
        quotes = (quote for quote in self.quotes if letters(quote) != whole)
        return tuple(filter(None, (self.asking, self.remove, *quotes)))

    @property
    def asking(self) -> str:
        """The instruction without the clauses that say what is to stay."""
        return ", ".join(self._clauses())

    def names_speech(self, speech: str, passage: str) -> bool:
        """Whether it is about this speech of a passage: its instruction quotes it or a part of it,
        or what it quotes of the passage is mostly this."""
        own, whole = letters(speech), letters(passage)
        if any(one in own or own in one for one in map(letters, self.named) if own):
            return True
        quotes = [one for one in map(letters, self.quotes) if _is_telling(one) and one != whole]
        return any(one in own or (own in one and 2 * len(own) >= len(one)) for one in quotes)

    def without_named(self, passage: str) -> str:
        """Returns a passage without the words that are named and stand there."""
        for piece in self.named:
            for start, end in reversed(list(places_by_letters(passage, piece))):
                passage = f"{passage[:start]} {passage[end:]}"
        return passage

    def _quoted(self) -> Iterator[str]:
        for clause in self._clauses():
            for piece in _QUOTED.finditer(clause):
                yield next(filter(None, piece.groups()))

    def _clauses(self) -> Iterator[str]:
        pieces = [piece[0] for piece in _QUOTED.finditer(self.instruction)]
        bare = _QUOTED.sub("\0", self.instruction)
        for clause in _CLAUSE.split(bare):
            count = clause.count("\0")
            own, pieces = pieces[:count], pieces[count:]
            if clause.strip() and not _STAYS.search(clause):
                for piece in own:
                    clause = clause.replace("\0", piece, 1)
                yield clause.strip()


NOTHING = Demand()


def letters(words: str) -> str:
    """Returns the letters and digits of some words, in small letters."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", words).casefold()))


def places_by_letters(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Yields the places of some words in a text, whatever stands between the letters of either."""
    own = [(letter, at) for at, sign in enumerate(text) for letter in letters(sign)]
    row, wanted = "".join(letter for letter, _ in own), letters(words)
    at = row.find(wanted) if wanted else -1
    while at >= 0:
        yield own[at][1], own[at + len(wanted) - 1][1] + 1
        at = row.find(wanted, at + len(wanted))


def _is_telling(row: str) -> bool:
    return len(row) >= (SHORTEST_NAMED if row.isascii() else SHORTEST_NAMED // 2)
