"""The base of every type that crosses a boundary: a file, a model's answer, an event."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import orjson
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
)


class Value(BaseModel):
    """A frozen value whose unknown keys are refused by name."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, defer_build=True, allow_inf_nan=False
    )


class Sparse(Value):
    """A value with keys that came later: one that says nothing is left out of the file, so that
    a file from before them is written back as it was."""

    LATER: ClassVar[frozenset[str]] = frozenset()
    """Names of those fields."""

    @model_serializer(mode="wrap")
    def _without_later_defaults(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        for name in self.LATER:
            if getattr(self, name) == type(self).model_fields[name].default:
                fields.pop(name, None)
        return fields


class Document(Value):
    """A value that is a whole JSON file of the project."""

    SCHEMA: ClassVar[str] = ""
    """File name in schemas/, without `.schema.json`."""
    VERSION: ClassVar[int] = 1

    schema_version: int = Field(default=1, ge=1)


def to_jsonable(value: BaseModel) -> Any:
    """Plain lists, dicts and scalars, with the names that stand in the file."""
    return value.model_dump(mode="json", by_alias=True)


def encode(data: Any) -> bytes:
    """JSON as the project keeps it: sorted, indented, UTF-8, ending in a newline."""
    return orjson.dumps(
        data, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    )


def encode_line(data: Any) -> bytes:
    """JSON for one line of a `.jsonl` file, newline included."""
    return orjson.dumps(data, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def one_line_a_key(data: dict[str, Any]) -> str:
    """JSON for a prompt: sorted, each key of the outermost object on a line of its own. Indented
    through and through it would be a third longer, and every token of it is paid for."""
    rows = (
        f"{json.dumps(key, ensure_ascii=False)}:"
        f" {json.dumps(value, ensure_ascii=False, sort_keys=True)}"
        for key, value in sorted(data.items())
    )
    return "{\n" + ",\n".join(rows) + "\n}"


def to_bytes(value: BaseModel) -> bytes:
    """A document as the bytes of its file."""
    return encode(to_jsonable(value))
