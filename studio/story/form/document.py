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
    """A frozen value that rejects unknown keys by name."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, defer_build=True, allow_inf_nan=False
    )


class Sparse(Value):
    """A value with keys added later: they are left out of the file at their defaults, so a file
    from before them is written back unchanged."""

    LATER: ClassVar[frozenset[str]] = frozenset()
    """The names of the fields added later."""

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
    """The file name in schemas/, without `.schema.json`."""
    VERSION: ClassVar[int] = 1

    schema_version: int = Field(default=1, ge=1)


def to_jsonable(value: BaseModel) -> Any:
    """Returns plain lists, dicts and scalars, with the field names used in the file."""
    return value.model_dump(mode="json", by_alias=True)


def encode(data: Any) -> bytes:
    """Returns JSON in the project's file format: sorted, indented, UTF-8, ending in a newline."""
    return orjson.dumps(
        data, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    )


def encode_line(data: Any) -> bytes:
    """Returns JSON for one line of a `.jsonl` file, newline included."""
    return orjson.dumps(data, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def one_line_a_key(data: dict[str, Any]) -> str:
    """Returns JSON for a prompt: sorted, one line per top-level key. Full indentation would be a
    third longer, and every token costs money."""
    rows = (
        f"{json.dumps(key, ensure_ascii=False)}:"
        f" {json.dumps(value, ensure_ascii=False, sort_keys=True)}"
        for key, value in sorted(data.items())
    )
    return "{\n" + ",\n".join(rows) + "\n}"


def to_bytes(value: BaseModel) -> bytes:
    """Returns the bytes of a document's file."""
    return encode(to_jsonable(value))
