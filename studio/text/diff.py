"""The differences between two versions, counted by word in English and by character in Korean and
Chinese; shown in units that can be read, by word in Korean too."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from studio.messages import join, said
from studio.quotation_marks import put_in_quotes
from studio.text.prose.whole_words import end_of_words, start_of_words

ChangeKind = Literal["same", "removed", "added"]

_WORDS = re.compile(r"\s+|[^\W_]+(?:['’][^\W_]+)*|.", re.DOTALL)
_LINES = re.compile(r"[^\n]*\n*")
_SENTENCES = re.compile(r"[^.!?。！？…\n]*[.!?。！？…\n]*[”’\"'」』]*\s*")
_MOST = 400_000
"""The maximum number of token pairs compared; beyond it the next coarser unit is used."""


@dataclass(frozen=True, slots=True)
class Change:
    """One step of a diff: a stretch of text that stayed, was removed or was added."""

    kind: ChangeKind
    text: str


def diff(before: str, after: str, language: str) -> list[Change]:
    """Returns the steps from `before` to `after`, adjacent ones of a kind joined, removed before
    added.

    Lines are aligned first, then sentences, then words (en) or characters (ko, zh), so the cost
    stays near the length of the text.
    """
    split = _WORDS.findall if language == "en" else list
    return _tidy(_compare(before, after, (_lines, sentences_of, split)))


def diff_to_read(before: str, after: str, language: str) -> list[Change]:
    """Returns the same steps in units that a reader takes in: by word in English and Korean, where
    half a word tells nothing; by character in Chinese, of which no one or two are left standing
    between two changes. How the letters are composed is no difference."""
    before, after = (unicodedata.normalize("NFC", text) for text in (before, after))
    split = list if language == "zh" else _WORDS.findall
    steps = _tidy(_compare(before, after, (_lines, sentences_of, split)))
    return _tidy(_without_islands(steps)) if language == "zh" else steps


_ISLAND = 2
"""The characters of the longest piece that would stand alone between two changes."""


def _without_islands(steps: Sequence[Change]) -> Iterator[Change]:
    for at, step in enumerate(steps):
        is_island = 0 < at < len(steps) - 1 and len(step.text) <= _ISLAND and step.text.isalnum()
        if step.kind == "same" and is_island:
            yield from (Change("removed", step.text), Change("added", step.text))
        else:
            yield step


def _lines(text: str) -> list[str]:
    return [line for line in _LINES.findall(text) if line]


def sentences_of(text: str) -> list[str]:
    """Returns the sentences of a text, with the blanks after each."""
    return [sentence for sentence in _SENTENCES.findall(text) if sentence]


def _compare(before: str, after: str, splits: Sequence[object]) -> Iterator[Change]:
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
            yield from _compare_pairs(old[a:b], new[c:d], finer)
        else:
            yield from (Change("removed", was), Change("added", now))


def _compare_pairs(old: list[str], new: list[str], finer: Sequence[object]) -> Iterator[Change]:
    """Compares equally many old and new units one by one, otherwise all together."""
    if len(old) == len(new):
        for was, now in zip(old, new, strict=True):
            yield from _compare(was, now, finer)
    else:
        yield from _compare("".join(old), "".join(new), finer)


def _tidy(changes: Iterable[Change]) -> list[Change]:
    """Merges the changes between two unchanged stretches into at most one removal and one addition,
    without empty ones."""
    tidy: list[Change] = []
    removed_text, added_text = "", ""
    for change in changes:
        if change.kind == "removed":
            removed_text += change.text
        elif change.kind == "added":
            added_text += change.text
        elif change.text:
            tidy += _pair(removed_text, added_text)
            removed_text, added_text = "", ""
            if tidy and tidy[-1].kind == "same":
                tidy[-1] = Change("same", tidy[-1].text + change.text)
            else:
                tidy.append(change)
    return tidy + _pair(removed_text, added_text)


def _pair(removed_text: str, added_text: str) -> list[Change]:
    steps = (Change("removed", removed_text), Change("added", added_text))
    return [step for step in steps if step.text]


_AROUND = {"en": 24, "ko": 8, "zh": 8}
"""The number of characters displayed around a change."""
_LONGEST = 48
"""The maximum number of characters displayed of a change."""
_PLACES = 2
"""The maximum number of changed places displayed; the others are counted."""


def changed_words(before: str, after: str, language: str) -> str:
    """Formats changes as `“came to rest nine sacks” is now “came to rest eleven sacks”`, the
    largest first; empty if nothing changed.

    The unit is that of `diff_to_read`.
    """
    steps = diff_to_read(before, after, language)
    places = sorted(_places(steps), key=lambda place: -_size(steps[place[0] : place[1]]))
    excerpts = [_excerpt_of(steps, first, end, language) for first, end in places[:_PLACES]]
    more = len(places) - len(excerpts)
    if more:
        excerpts.append(said("{n} more places", n=more) if more > 1 else said("1 more place"))
    return join(excerpts, "; ")


def tells_every_place(before: str, after: str, language: str) -> bool:
    """Whether `changed_words` shows each changed place, and counts none."""
    return sum(1 for _ in _places(diff_to_read(before, after, language))) <= _PLACES


def _size(steps: Sequence[Change]) -> int:
    return sum(len(step.text) for step in steps)


def _places(steps: Sequence[Change]) -> Iterator[tuple[int, int]]:
    """Yields each changed place: the index of its first step, and of the step after its last."""
    at = 0
    while at < len(steps):
        end = at
        while end < len(steps) and steps[end].kind != "same":
            end += 1
        if end > at:
            yield at, end
        at = max(end, at + 1)


def _excerpt_of(steps: Sequence[Change], first: int, end: int, language: str) -> str:
    around = _AROUND.get(language, _AROUND["en"])
    before = steps[first - 1].text if first else ""
    after = steps[end].text if end < len(steps) else ""
    whole = ["".join(s.text for s in steps[first:end] if s.kind == k) for k in ("removed", "added")]
    old, new = (_head(_flat(text.strip("\n")), _LONGEST) for text in whole)
    is_own = all(text.startswith("\n") for text in whole if text)
    head = "" if is_own else _flat(_tail(before.rpartition("\n")[2], around))
    is_own = all(text.endswith("\n") for text in whole if text)
    tail = "" if is_own else _flat(_head(after.partition("\n")[0], around))
    is_a_sentence = all(ends_sentence(t) for t in (head, *whole) if t.strip())
    if (old and new) or ((head or tail) and not is_a_sentence):
        was, now = (f"{head}{words}{tail}".strip() for words in (old, new))
        return said("“{was}” is now “{now}”", was=was, now=now)
    words = (old or new).strip()
    return said("gone: “{words}”", words=words) if old else said("new: “{words}”", words=words)


_ENDS = re.compile(r"[.!?…。！？]['’\"”」』]*\Z")


def ends_sentence(text: str) -> bool:
    """Whether a text ends with the end of a sentence."""
    return _ENDS.search(text.rstrip()) is not None


def _head(text: str, room: int) -> str:
    end = end_of_words(text, room)
    return text if end == len(text) else f"{text[:end].rstrip()}…"


def _tail(text: str, room: int) -> str:
    start = start_of_words(text, len(text) - room)
    return f"…{text[start:]}" if start else text


def _flat(text: str) -> str:
    """Returns the text on one line, with each line break as a pilcrow."""
    return text.replace("\n\n", "¶").replace("\n", "¶")


_BEFORE_IT, _SHOWN = 40, 160
"""Characters of a passage that are shown before the first changed one, and in all."""


def where_they_part(one: str, other: str) -> tuple[str, str]:
    """Returns two versions of a passage from a little before they begin to differ, short enough
    for both to be shown."""
    pairs = enumerate(zip(one, other, strict=False))
    same = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    start = start_of_words(one, same - _BEFORE_IT)
    begun = "…" if start else ""
    first, second = (put_in_quotes(begun + beginning_of(t[start:])) for t in (one, other))
    return first, second


def beginning_of(words: str) -> str:
    """Returns so much of a text as is shown of one."""
    end = end_of_words(words, _SHOWN)
    return words if end == len(words) else f"{words[:end]}…"


_AROUND_IT = 12
"""The characters beside words that were taken out, by which they are known when they are back."""


def are_overwritten(before: str, after: str, later: str, language: str) -> bool:
    """Returns whether a change from `before` to `after` stands no more in a `later` version: words
    that it put there are gone, or those that it only took out are back."""
    steps = diff_to_read(before, after, language)
    new = [step.text.strip() for step in steps if step.kind == "added" and step.text.strip()]
    if new:
        return any(words not in later for words in new)
    old = max((step.text.strip() for step in steps if step.kind == "removed"), key=len, default="")
    at = before.find(old)
    around = before[max(0, at - _AROUND_IT) : at + len(old) + _AROUND_IT].strip()
    return bool(old) and old not in after and around in later
