"""A change as it is read, on every screen and in every terminal: a word or two in brackets within
their sentence, `[red → black]`; what changed more, old over new. No colour is needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple
from unicodedata import east_asian_width

from studio.text.diff import Change, diff_to_read, ends_sentence, sentences_of

Mark = Literal[" ", "-", "+", "~"]
"""The kind of a line: unchanged, removed, added, or changed within."""
SIGNS: Mapping[Mark, str] = {" ": " ", "-": "−", "+": "+", "~": "±"}
"""The marks as they are drawn, outside ASCII mode."""
_MUCH = 0.5
"""The share of a passage that must be unchanged for a diff within it."""
_FEW, _TIMES = 20, 2
"""The most columns that a change within a sentence takes on a side, and the most of them in one."""
_GAPS = re.compile(r"(\n{2,})")


class ChangedLine(NamedTuple):
    """A stretch of text, at most a paragraph; none for the blank between two."""

    mark: Mark
    steps: list[Change]


def changed_lines(changes: Iterable[Change]) -> list[ChangedLine]:
    """Returns a diff as lines."""
    laid: list[ChangedLine] = []
    for number, passage in enumerate(_passages(changes)):
        if number:
            laid.append(ChangedLine(" ", []))
        laid += _of_passage(passage)
    return laid


def changed_list(old: Sequence[str], new: Sequence[str], language: str) -> Iterator[ChangedLine]:
    """Yields the entries of a list as they were and as they are, each of them a line: one that
    stays neither goes nor comes."""
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (ChangedLine(" ", [Change("same", entry)]) for entry in old[i:j])
        elif j - i == m - k:
            for was, now in zip(old[i:j], new[k:m], strict=True):
                yield from changed_lines(diff_to_read(was, now, language))
        else:
            yield from (ChangedLine("-", [Change("removed", entry)]) for entry in old[i:j])
            yield from (ChangedLine("+", [Change("added", entry)]) for entry in new[k:m])


def put_in_brackets(was: str, now: str) -> str:
    """Returns a changed word in its sentence, as every diff shows it."""
    return "".join(step.text for step in _in_brackets(was, now))


def joined_up(changes: Iterable[Change]) -> list[Change]:
    """Returns the steps without short unchanged stretches between two longer changes: alternating
    old and new words are unreadable."""
    tidy: list[Change] = []
    steps = list(changes)
    for number, step in enumerate(steps):
        before = _length_of_change(steps[:number][::-1])
        after = _length_of_change(steps[number + 1 :])
        if step.kind == "same" and len(step.text) <= min(before, after):
            tidy += [Change("removed", step.text), Change("added", step.text)]
        else:
            tidy.append(step)
    return _old_before_new(tidy)


def _length_of_change(steps: Sequence[Change]) -> int:
    """Returns the length of the change at the start of these steps: the longer of removed and added
    text."""
    lengths = {"removed": 0, "added": 0}
    for step in steps:
        if step.kind not in lengths:
            break
        lengths[step.kind] += len(step.text)
    return max(lengths.values())


def _old_before_new(steps: Iterable[Change]) -> list[Change]:
    """Joins neighbouring steps of a kind, and puts removed text before added text in each
    change."""
    tidy: list[Change] = []
    went, came = "", ""
    for step in (*steps, Change("same", "")):
        if step.kind == "removed":
            went += step.text
        elif step.kind == "added":
            came += step.text
        else:
            pair = (Change("removed", went), Change("added", came))
            tidy += [one for one in (*pair, step) if one.text]
            went, came = "", ""
    return tidy


def _passages(changes: Iterable[Change]) -> Iterator[list[Change]]:
    """Splits the steps where a paragraph ends on both sides."""
    passage: list[Change] = []
    for step in changes:
        if step.kind != "same":
            passage.append(step)
            continue
        if passage and all(s.kind != "same" and s.text.endswith("\n\n") for s in passage):
            yield passage
            passage = []
        for number, piece in enumerate(_GAPS.split(step.text)):
            if number % 2:
                yield passage
                passage = []
            elif piece:
                passage.append(Change("same", piece))
    if passage:
        yield passage


def _of_passage(passage: list[Change]) -> list[ChangedLine]:
    if _share(passage) < _MUCH:
        return _old_over_new(passage)
    laid: list[ChangedLine] = []
    stretch: list[Change] = []
    was_little = True
    for sentence in _sentences(joined_up(passage)):
        is_little = _changes_little(sentence)
        if stretch and is_little != was_little:
            laid += _within(stretch) if was_little else _old_over_new(stretch)
            stretch = []
        stretch += sentence
        was_little = is_little
    return laid + (_within(stretch) if was_little else _old_over_new(stretch))


def _share(passage: list[Change]) -> float:
    """Returns the share of letters in the passage that are unchanged, from 0 to 1."""
    lengths = {"same": 0, "removed": 0, "added": 0}
    for step in passage:
        lengths[step.kind] += sum(map(str.isalnum, step.text))
    longest = lengths["same"] + max(lengths["removed"], lengths["added"])
    return lengths["same"] / longest if longest else 1.0


def _sentences(steps: Sequence[Change]) -> Iterator[list[Change]]:
    """Splits the steps where a sentence ends on both sides."""
    sentence: list[Change] = []
    for step in steps:
        if step.kind != "same":
            sentence.append(step)
            continue
        changed = [s.text for s in sentence[-2:] if s.kind != "same"]
        if changed and all(map(ends_sentence, changed)):
            yield sentence
            sentence = []
        for piece in sentences_of(step.text):
            sentence.append(Change("same", piece))
            if ends_sentence(piece):
                yield sentence
                sentence = []
    if sentence:
        yield sentence


def _changes_little(sentence: Sequence[Change]) -> bool:
    changed = [step for step in sentence if step.kind != "same"]
    times = max(sum(s.kind == kind for s in changed) for kind in ("removed", "added"))
    return times <= _TIMES and all(_columns(step.text) <= _FEW for step in changed)


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text.strip())


def _old_over_new(steps: Sequence[Change]) -> list[ChangedLine]:
    sides: tuple[tuple[Mark, Literal["removed", "added"]], ...] = (("-", "removed"), ("+", "added"))
    return [
        ChangedLine(mark, [Change(kind, text)])
        for mark, kind in sides
        if (text := "".join(s.text for s in steps if s.kind in ("same", kind)).strip("\n ")).strip()
    ]


def _within(steps: Sequence[Change]) -> list[ChangedLine]:
    laid: list[Change] = []
    went = ""
    for step in (*steps, Change("same", "")):
        if step.kind == "removed":
            went = step.text
            continue
        came = step.text if step.kind == "added" else ""
        laid += _in_brackets(went, came) if went or came else ()
        laid += [step] if step.kind == "same" and step.text else ()
        went = ""
    is_changed = any(step.kind != "same" for step in laid)
    return [ChangedLine("~" if is_changed else " ", laid)] if laid else []


def _in_brackets(went: str, came: str) -> Iterator[Change]:
    """Yields a change with its signs; the blanks around it stand outside of them."""
    edge = came or went
    old, new = (text.replace("\n\n", "¶").replace("\n", "¶").strip() for text in (went, came))
    opening = "[" if old and new else "[− " if old else "[+ " if new else ""
    yield Change("same", (" " if edge[:1].isspace() else "") + opening)
    yield from [Change("removed", old)] if old else ()
    yield from [Change("same", " → ")] if old and new else ()
    yield from [Change("added", new)] if new else ()
    closing = "]" if opening else ""
    yield Change("same", closing + (" " if edge[-1:].isspace() else ""))
