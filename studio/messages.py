"""What the studio says, as values: an English sentence with `{fields}`, and what fills them.

A `Said` is a string and reads as the English sentence, so it goes into every file, event and log as
that. A face asks whether words are a `Said` and, if so, says them in the writer's language
(`studio.i18n.translate`). Words that are no `Said` come from a model, a file or the author, and are
shown as they are. An f-string or `+` makes a plain string of a `Said`: sentences are put together
with `said`, `join` and `series`, and many of one kind are cut by `readable`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from studio.chapter_names import ChapterNumber, label_of, with_labels, without_noun
from studio.quotation_marks import quoted_whole

Filling: TypeAlias = "str | int | float | tuple[Filling, ...]"
"""What fills a field: words as they are, a number, another message, or several of these, which are
listed with commas."""


_PLAIN = re.compile(r"(?:[^{}]|\{\{|\}\}|\{\w+(?:!r)?\})*")
"""A sentence whose fields name values and nothing else; one read from a file might ask for a
million blanks."""


class Said(str):
    """A message of ours. It is the English sentence, and equal to any string of these words."""

    __slots__ = ("id", "values")

    id: str
    """The English sentence with `{fields}`; for words put together by `join`, what stands between
    them."""
    values: Mapping[str, Filling] | tuple[Filling, ...]
    """What fills each field; for words put together by `join`, the parts."""

    def __new__(cls, id: str, values: Mapping[str, Filling] | tuple[Filling, ...] = {}) -> Said:
        """Fills the sentence; raises KeyError where a field has no value."""
        if isinstance(values, tuple):
            words = id.join(str(_in_english(value)) for value in values)
        elif values:
            filling = {name: _in_english(value) for name, value in values.items()}
            sentence, fields = quoted_whole(without_noun(id, values), filling)
            words = sentence.format_map(fields)
        else:
            words = id
        new = super().__new__(cls, words)
        new.id, new.values = id, values
        return new

    def __str__(self) -> str:
        """Returns the message itself, so that `str(error)` is the message an error was made of."""
        return self

    @property
    def english(self) -> str:
        """The sentence as a plain string."""
        return str.__str__(self)

    def __reduce__(self) -> tuple[type[Said], tuple[Any, ...]]:
        return Said, (self.id, self.values)

    def with_values(self, **values: object) -> Said:
        """Returns the message with these values for its fields, or for some of them."""
        assert isinstance(self.values, Mapping)
        return said(self.id, **{**self.values, **values})

    format = with_values  # type: ignore[assignment]
    """As for any string: what is filled in stays a message."""


def said(sentence: str, /, **values: object) -> Said:
    """Returns a message: an English sentence, and a value for each of its `{fields}`.

    The extractor takes the sentence into the catalogues, so it is written out where it is said.
    """
    filled = {name: _filling_of(value) for name, value in values.items()}
    return Said(sentence, with_labels(sentence, filled))


def quantity(number: int, one: str, many: str) -> Said:
    """Returns a number of things, `quantity(2, "{n} call", "{n} calls")`; the extractor takes both
    forms into the catalogues."""
    return said(one if number == 1 else many, n=number)


def series(names: Iterable[object]) -> str:
    """Lists names with the comma of the reader's language."""
    return join(names, ", ")


def chapters_named(numbers: Sequence[int]) -> Said:
    """Names ascending chapters as the author calls them, where three and more follow one another as
    `4-9`: `chapter 3`, `chapters 3, 4`, `chapters 1, 4-9`."""
    if len(numbers) == 1:
        return said("chapter {number}", number=numbers[0])
    return said("chapters {numbers}", numbers=numbers_in_runs(numbers))


def numbers_in_runs(numbers: Sequence[int]) -> str:
    """Lists ascending chapters as the author calls them: `1, 4-9`."""
    return series(_in_runs(numbers))


def _in_runs(numbers: Sequence[int]) -> Iterator[str]:
    for _, pairs in groupby(enumerate(numbers), _run_of):
        run = [label_of(number) for _, number in pairs]
        if len(run) > _PAIR:
            yield f"{run[0]}-{run[-1]}"
        else:
            yield from run


def _run_of(place: tuple[int, int]) -> int | str:
    """Returns what chapters of one run have in common; `Prologue` is in none."""
    at, number = place
    label = label_of(number)
    return number - at if any(map(str.isdecimal, label)) else label


_PAIR = 2
"""The chapters that are named one by one though they follow one another."""


def join(parts: Iterable[object], by: str = " ") -> str:
    """Puts messages and other words together, in English with `by` between them; empty parts are
    left out. Plain words alone, with a blank between them, are plain words."""
    pieces = tuple(part for part in map(_filling_of, parts) if part != "")
    if len(pieces) == 1 and isinstance(pieces[0], str):
        return pieces[0]
    if not pieces:
        return ""
    if not by.strip() and not any(isinstance(part, Said) for part in pieces):
        return by.join(map(str, pieces))
    return Said(by, pieces)


def to_data(message: Said) -> dict[str, Any]:
    """Returns a message as it stands in JSON: `{id, values}`, the messages in it likewise."""
    values = message.values
    if isinstance(values, tuple):
        return {"id": message.id, "values": [_value_data(value) for value in values]}
    return {"id": message.id, "values": {name: _value_data(v) for name, v in values.items()}}


def from_data(data: Mapping[str, Any]) -> Said:
    """Returns the message that `to_data` gave; ValueError where `data` is none."""
    try:
        id, values = str(data["id"]), data["values"]
        if isinstance(values, list):
            return Said(id, tuple(map(_from_value, values)))
        if not _PLAIN.fullmatch(id):
            raise ValueError("a field asks for more than its value")
        return Said(id, {name: _from_value(v) for name, v in values.items()})
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError("not a message") from error


def messages_in(value: object) -> Iterator[Said]:
    """Yields every message within lists, tuples, dicts, and values with fields."""
    if isinstance(value, Said):
        yield value
    elif isinstance(value, str | int | float | None):
        return
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from messages_in(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from messages_in(entry)
    elif (fields := getattr(value, "__dict__", None)) is not None:
        yield from messages_in(fields)


def say_again(data: Any, messages: Mapping[str, Said]) -> Any:
    """Returns `data` with each string that is the English of a message replaced by the message."""
    if isinstance(data, str):
        return messages.get(data, data)
    if isinstance(data, dict):
        return {key: say_again(value, messages) for key, value in data.items()}
    return [say_again(value, messages) for value in data] if isinstance(data, list) else data


def _filling_of(value: object) -> Filling:
    """Returns a value that fills a field; an enum, a path and the like as an f-string has them."""
    if isinstance(value, Said) or type(value) in (str, int, float, ChapterNumber):
        return value  # type: ignore[return-value]
    if type(value) in (list, tuple):  # a tuple with names says itself what it is
        return tuple(map(_filling_of, value))  # type: ignore[call-overload]
    return f"{value}"


def _in_english(value: Filling) -> str | int | float:
    return ", ".join(str(_in_english(v)) for v in value) if isinstance(value, tuple) else value


def _value_data(value: Filling) -> Any:
    if isinstance(value, Said):
        return to_data(value)
    if isinstance(value, ChapterNumber):
        return {"chapter": {"number": int(value), "label": value.label}}
    return [_value_data(v) for v in value] if isinstance(value, tuple) else value


def _from_value(data: Any) -> Filling:
    if isinstance(data, dict) and "chapter" in data:
        return ChapterNumber(int(data["chapter"]["number"]), str(data["chapter"]["label"]))
    if isinstance(data, dict):
        return from_data(data)
    if isinstance(data, list):
        return tuple(map(_from_value, data))
    if not isinstance(data, str | int | float):
        raise ValueError("not the value of a message")
    return data


MOST_SENTENCES = 20
"""The maximum number of sentences of one kind that are listed; the rest are counted."""


def readable(sentences: Iterable[str]) -> list[str]:
    """Returns each distinct sentence, up to twenty, then the number of the others."""
    different = list(dict.fromkeys(sentences))
    more = len(different) - MOST_SENTENCES
    first = different[:MOST_SENTENCES]
    return [*first, said("There are {more} more of this kind.", more=more)] if more > 0 else first
