"""Turns the text of an answer into a typed value, lenient about the
wrapping but not the content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any, Generic, TypeVar, get_args, get_origin

import orjson
from pydantic import BaseModel

from studio.foreign_json import JsonError, read_json, read_json_at, read_loose_json_at
from studio.llm.provider import PromptPart, Request
from studio.llm.surrogates import mended
from studio.messages import said
from studio.story.form.as_asked import as_asked, fold, is_entry
from studio.story.form.validation import WHOLE, schema_faults, type_faults
from studio.text.prose.answer import without_closed_thoughts

M = TypeVar("M", bound=BaseModel)
Accept = Callable[[M], list[str]]
"""Returns the faults of a value that its type does not cover, one sentence each."""

MOST_STARTS = 200
"""The maximum number of braces at which an object is looked for."""
MOST_OBJECTS = 4
"""The maximum number of objects that are checked."""
MOST_FAULTS = 20
LONGEST_QUOTE = 6000
FENCE = re.compile(r"```[\w-]*\n(.*?)```", re.DOTALL)
_FENCE_LINE = re.compile(r"(?m)^[ \t]*```[\w-]*[ \t]*$")
CURLY_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "＂": '"'})
WIDE = re.compile(r'(?<=["\]}\d])\s*([：，])\s*(?=["\[{\d-]|true|false|null)')
"""A colon or comma of a Chinese keyboard between two values."""
BROKEN_OFF = said("what comes after the point where it breaks off")
NOT_JSON = said("(whole answer): it holds no complete JSON object of the form asked for")


def form_of(answer_type: type[BaseModel]) -> dict[str, Any]:
    """Returns the schema of an answer as a model is given it: names of types and what they are for
    stand on the agent's page, and would only be paid for here; what a field holds where the model
    leaves it out is ours to know."""

    def bare(value: Any, in_fields: bool = False) -> Any:
        if isinstance(value, list):
            return [bare(one) for one in value]
        if not isinstance(value, dict):
            return value
        named = not in_fields and ("properties" in value or "enum" in value)
        names = ("title", "default")
        left_out = () if in_fields else (*names, "description") if named else names
        return {
            key: bare(one, key in ("properties", "$defs"))
            for key, one in value.items()
            if key not in left_out
        }

    schema: dict[str, Any] = bare(_whole_schema(answer_type))
    return schema


@lru_cache(maxsize=64)
def _whole_schema(answer_type: type[BaseModel]) -> dict[str, Any]:
    """Returns the schema of an answer, which nobody changes: making it takes as long as the rest of
    a short prompt."""
    return answer_type.model_json_schema(by_alias=True)


class AnswerReader(Generic[M]):
    """Reads the answers to one structured request as values of its type."""

    def __init__(self, answer_type: type[M], accept: Accept[M] | None = None) -> None:
        self._type = answer_type
        self._accept = accept

    def read(self, text: str) -> tuple[M | None, list[str]]:
        """Returns the first object that fits, with the entries left out of it; or every reason why
        the first object with an expected key does not fit."""
        first_faults: list[str] = []
        for data, whole in islice(self._objects(text), MOST_OBJECTS):
            if not whole and not getattr(self._type, "DISPENSABLE", ()):
                continue  # what is left out here would count as nothing
            value, faults = self._check(data)
            if value is not None:
                return value, [] if whole else [BROKEN_OFF]
            fitting, left_out = self._without_misfits(data)
            if left_out and (value := self._check(fitting)[0]) is not None:
                return value, left_out
            first_faults = first_faults or (faults if whole else [])
        value = None if first_faults else self._in_pieces(text) or self._of_prose(text)
        return (value, []) if value is not None else (None, first_faults or [NOT_JSON])

    def _in_pieces(self, text: str) -> M | None:
        """Returns the value of an answer whose entries stand one below the other without a list
        around them, or whose fields each stand behind their names."""
        spoken = without_closed_thoughts(text)
        names = list(self._type.model_fields)
        entries = entries_in_a_row(spoken)
        alone = len(names) == 1 and entries and self._is_a_list_of_entries(entries, set(names))
        data = {names[0]: entries} if alone else fields_behind_names(spoken, names)
        if alone and not all(self._is_entry(one) for one in entries):
            return None
        return self._check(as_asked(self._type, data))[0] if data else None

    def _is_entry(self, data: dict[str, Any]) -> bool:
        """Whether an object has a field of the entries of this type's only list."""
        (field,) = self._type.model_fields.values()
        (entry_type,) = get_args(field.annotation)
        return is_entry(entry_type, data)

    def _of_prose(self, text: str) -> M | None:
        """Returns the value of an answer that holds no object, where its type knows how it is said
        in prose."""
        of_prose = getattr(self._type, "of_prose", None)
        data = of_prose(without_closed_thoughts(text)) if of_prose is not None else None
        return self._check(data)[0] if data else None

    def value(self, text: str) -> M | None:
        """Returns the value in an answer without the entries left out; None if nothing fits."""
        return self.read(text)[0]

    def _without_misfits(self, data: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """Returns the object without malformed entries, where its type can do without them, and the
        reason why each is left out."""
        fitting, left_out = dict(data), []
        for name in getattr(self._type, "DISPENSABLE", ()):
            entries = data.get(name)
            if not isinstance(entries, list):
                continue
            (entry_type,) = get_args(self._type.model_fields[name].annotation)
            faults = [schema_faults(entry_type, entry) for entry in entries]
            fitting[name] = [e for e, fault in zip(entries, faults, strict=True) if not fault]
            places = (f"{name}.{n}.{fault[0]}" for n, fault in enumerate(faults) if fault)
            left_out += [place.replace(f".{WHOLE}", "", 1) for place in places]
        return fitting, left_out

    def _objects(self, text: str) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yields the objects of an answer in the form of its type, and whether each has its end. A
        list alone stands for the only list of its type."""
        fields = self._type.model_fields
        names = fields.keys() | set(map(fold, fields))
        for data, whole in find_values(text):
            if isinstance(data, list) and self._is_a_list_of_entries(data, names):
                data = dict.fromkeys(fields, data)
            for one in _objects_in(data, names):
                if (value := storable(one)) is not None:
                    yield as_asked(self._type, value), whole

    def _is_a_list_of_entries(self, entries: list[Any], names: Set[str]) -> bool:
        forms = [get_origin(field.annotation) for field in self._type.model_fields.values()]
        return (
            forms == [list]
            and bool(entries)
            and all(isinstance(one, dict) and not has_one_of(names, one) for one in entries)
        )

    def _check(self, data: dict[str, Any]) -> tuple[M | None, list[str]]:
        faults = schema_faults(self._type, data)
        if faults:
            return None, [fault.replace(WHOLE, "(whole answer)", 1) for fault in faults]
        value, faults = type_faults(self._type, data)
        if value is not None and self._accept is not None:
            faults = self._accept(value)
        return (None, faults) if faults else (value, [])


def find_values(text: str) -> Iterator[tuple[Any, bool]]:
    """Yields the JSON objects and lists in `text`, bare, fenced or surrounded by prose, likeliest
    first, and whether each has its end.

    What a model thinks is none of its answer. A text that no strict reading understands is read as
    a person would read it.
    """
    spoken = without_closed_thoughts(text)
    straight = spoken.translate(CURLY_QUOTES)
    variants = (spoken, text, _narrow(spoken), straight, _narrow(straight))
    for variant in dict.fromkeys(variants):
        bare = variant.strip()
        for piece in (bare, *FENCE.findall(variant)):
            yield _loads(piece), True
        for data in _embedded_values(variant):
            yield data, True
    for mark in "{[":
        start = spoken.find(mark)
        if start >= 0:
            try:
                yield read_loose_json_at(spoken, start)
            except JsonError:
                continue


def _narrow(text: str) -> str:
    """Returns a text with the marks of JSON between values where those of a Chinese keyboard
    stand."""
    return WIDE.sub(lambda mark: ":" if mark[1] == "：" else ",", text)


def _loads(text: str) -> Any:
    try:
        return read_json(text, lenient=True)
    except JsonError:
        return None


def entries_in_a_row(text: str) -> list[Any]:
    """Returns the objects of a text that stand one behind the other with nothing between them and
    no list around them; none if one of them breaks off."""
    bare = _FENCE_LINE.sub("", text)
    at, entries = bare.find("{"), list[Any]()
    if "[" in bare[: max(at, 0)]:
        return []
    while 0 <= at < len(bare) and bare[at] == "{":
        try:
            entry, end = read_json_at(bare, at)
        except JsonError:
            return []
        entries.append(entry)
        at = end + len(bare[end:]) - len(bare[end:].lstrip(" \t\r\n,;"))
    return [] if at < 0 or re.search(r"[\[{]", bare[at:]) else entries


def fields_behind_names(text: str, names: Sequence[str]) -> dict[str, Any]:
    """Returns the lists and objects of an answer that stand each behind the name of its field;
    nothing if one of them is missing."""
    bare, values = _FENCE_LINE.sub("", text), dict[str, Any]()
    for name in names:
        spelled = re.escape(name).replace("_", "[ _-]?")
        behind = re.search(rf"(?im)^[ \t*_#`\"-]*{spelled}[ \t*_`\":：]*\s*(?=[\[{{])", bare)
        with suppress(JsonError):
            if behind is not None:
                values[name] = read_json_at(bare, behind.end())[0]
    return values if len(values) == len(names) > 1 else {}


def _embedded_values(text: str) -> Iterator[Any]:
    for mark in "{[":
        start = text.find(mark)
        for _ in range(MOST_STARTS):
            if start < 0:
                break
            try:
                data, end = read_json_at(text, start)
            except JsonError:
                end = start + 1
            else:
                yield data
            start = text.find(mark, end)


def _objects_in(data: Any, names: Set[str], deepest: int = 3) -> Iterator[dict[str, Any]]:
    """Yields an object that has one of the expected fields, or else those inside it that do."""
    if isinstance(data, dict):
        if has_one_of(names, data):
            yield data
        elif deepest:
            for value in data.values():
                yield from _objects_in(value, names, deepest - 1)


def has_one_of(names: Set[str], data: dict[str, Any]) -> bool:
    """Whether an object has one of these fields, in any case."""
    return not names.isdisjoint(data) or not names.isdisjoint(map(fold, data))


def storable(data: dict[str, Any]) -> dict[str, Any] | None:
    """Returns the object in a form that our files can hold, with half characters replaced; None for
    excessive nesting."""
    for candidate in (lambda: data, lambda: mended(data)):
        try:
            value: dict[str, Any] = candidate()
            orjson.dumps(value)
        except (orjson.JSONEncodeError, RecursionError):
            continue
        return value
    return None


def repair_request(request: Request, answer: str, faults: list[str]) -> Request:
    """Returns the request with the faulty answer and its faults appended, to be asked once (M4)."""
    fault_list = "\n".join(f"- {fault}" for fault in faults[:MOST_FAULTS])
    instruction = (
        "Your last answer could not be used.\n\n"
        f"Faults:\n{fault_list}\n\n"
        f"Your last answer:\n{answer[:LONGEST_QUOTE]}\n\n"
        "Answer again with one complete JSON object of the form asked for, and nothing else."
    )
    return replace(
        request,
        call=f"{request.call}-repair",
        parts=(*request.parts, PromptPart("user", instruction)),
    )
