"""What changed between two versions: by word in English, by character in Korean and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Kind = Literal["same", "removed", "added"]

_WORDS = re.compile(r"\s+|[^\W_]+(?:['’][^\W_]+)*|.", re.DOTALL)
_LINES = re.compile(r"[^\n]*\n*")
_SENTENCES = re.compile(r"[^.!?。！？…\n]*[.!?。！？…\n]*[”’\"'」』]*\s*")
_MOST = 400_000
"""Pairs of tokens compared one with another; beyond it the next coarser unit is used."""


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch that stayed, went or came."""

    kind: Kind
    text: str


def diff(before: str, after: str, language: str) -> list[Change]:
    """The steps from `before` to `after`, neighbours of a kind joined, removed before added.

    Lines are aligned first, then sentences, then words (en) or characters
    (ko, zh), so that the cost stays near the length of the text.
    """
    split = _words if language == "en" else list
    return _tidied(_compared(before, after, (_lines, _sentences, split)))


def joined(changes: Iterable[Change]) -> tuple[str, str]:
    """The two texts a diff was made of."""
    steps = list(changes)
    return (
        "".join(c.text for c in steps if c.kind != "added"),
        "".join(c.text for c in steps if c.kind != "removed"),
    )


def _words(text: str) -> list[str]:
    return _WORDS.findall(text)


def _lines(text: str) -> list[str]:
    return [line for line in _LINES.findall(text) if line]


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCES.findall(text) if sentence]


def _compared(before: str, after: str, splits: Sequence[object]) -> Iterator[Change]:
    if before == after:
        yield Change("same", before)
        return
    split, finer = splits[0], splits[1:]
    assert callable(split)
    old, new = split(before), split(after)
    if len(old) * len(new) > _MOST:
        yield from (Change("removed", before), Change("added", after))
        return
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        was, now = "".join(old[a:b]), "".join(new[c:d])
        if tag == "equal":
            yield Change("same", was)
        elif finer and was and now:
            yield from _paired(old[a:b], new[c:d], finer)
        else:
            yield from (Change("removed", was), Change("added", now))


def _paired(old: list[str], new: list[str], finer: Sequence[object]) -> Iterator[Change]:
    """As many old units as new ones are compared one by one, else all together."""
    if len(old) == len(new):
        for was, now in zip(old, new, strict=True):
            yield from _compared(was, now, finer)
    else:
        yield from _compared("".join(old), "".join(new), finer)


def _tidied(changes: Iterable[Change]) -> list[Change]:
    """Between two stretches that stayed, one removal and one addition at most; none empty."""
    tidy: list[Change] = []
    gone, come = "", ""
    for change in changes:
        if change.kind == "removed":
            gone += change.text
        elif change.kind == "added":
            come += change.text
        elif change.text:
            tidy += _pair(gone, come)
            gone, come = "", ""
            if tidy and tidy[-1].kind == "same":
                tidy[-1] = Change("same", tidy[-1].text + change.text)
            else:
                tidy.append(change)
    return tidy + _pair(gone, come)


def _pair(gone: str, come: str) -> list[Change]:
    steps = (Change("removed", gone), Change("added", come))
    return [step for step in steps if step.text]
