"""The base of every type that crosses a boundary: a file, a model's answer, an event."""

from __future__ import annotations

from typing import Any, ClassVar

import orjson
from pydantic import BaseModel, ConfigDict, Field


class Value(BaseModel):
    """A frozen value whose unknown keys are refused by name."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, defer_build=True, allow_inf_nan=False
    )


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


def to_bytes(value: BaseModel) -> bytes:
    """A document as the bytes of its file."""
    return encode(to_jsonable(value))
