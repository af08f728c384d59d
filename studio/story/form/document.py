"""The base of every type that crosses a boundary (a file, a model's answer, an event), also of
those spelled in files as in the seed's schemas.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Annotated, Any, ClassVar, Self

import orjson
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    SerializerFunctionWrapHandler,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_serializer,
)
from pydantic.alias_generators import to_camel

from studio.messages import Said, from_data, messages_in, say_again, to_data


def _as_said(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    return value if isinstance(value, Said) else check(value)


Words = Annotated[str, WrapValidator(_as_said)]
"""Text that may be a message of ours (`studio.messages`), and stays one where a plain field would
keep its English alone."""


class Value(BaseModel):
    """A frozen value that rejects unknown keys by name."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, defer_build=True, allow_inf_nan=False
    )

    MESSAGES: ClassVar[bool] = False
    """Whether its strings may be messages of ours."""

    def copy_with(self, **changes: Any) -> Self:
        """Returns a copy with some fields changed."""
        return self.model_copy(update=changes)


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
    """The version of the form; it may be left out in files that people write."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: GetJsonSchemaHandler) -> Any:
        """Allows the key that holds the messages among the strings of the document."""
        schema = handler(core)
        if cls.MESSAGES:
            handler.resolve_ref_schema(schema)["properties"][SAID] = _MESSAGES
        return schema


SAID = "said"
"""The key of a document's messages: each by its English sentence, as `{id, values}`."""
_MESSAGES = {
    "description": "The sentences of ours among the strings of this document, by their English.",
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "additionalProperties": False,
        "required": ["id", "values"],
        "properties": {"id": {"type": "string"}, "values": {"type": ["object", "array"]}},
    },
}


def to_jsonable(value: BaseModel) -> Any:
    """Returns plain lists, dicts and scalars, with the field names used in the file; messages stay
    messages."""
    data = value.model_dump(mode="json", by_alias=True)
    words_of_ours = {one.english: one for one in messages_in(value)} if _may_speak(value) else {}
    return say_again(data, words_of_ours) if words_of_ours else data


def _may_speak(value: BaseModel) -> bool:
    return isinstance(value, Value) and value.MESSAGES


def hear_again(data: Any) -> Any:
    """Returns the parsed JSON of a document without its messages' key, and with the messages in
    place of their English. One that does not say what it stands for is left out."""
    if not isinstance(data, dict) or not isinstance(data.get(SAID), dict):
        return data
    messages = {}
    for words, message in data[SAID].items():
        with suppress(ValueError):
            messages[words] = from_data(message)
    true = {words: message for words, message in messages.items() if message == words}
    return say_again({key: value for key, value in data.items() if key != SAID}, true)


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
    data = to_jsonable(value)
    if _may_speak(value) and (
        words_of_ours := {one.english: to_data(one) for one in messages_in(value)}
    ):
        data = {**data, SAID: words_of_ours}
    return encode(data)


class CamelValue(Value):
    """A value whose field names in files are camelCase, as in the seed's directive schema."""

    model_config = ConfigDict(alias_generator=to_camel)


class SeedValue(CamelValue):
    """A value that readers of the seed's schema can read too. Empty fields are left out, because
    that schema's optional fields are not nullable (A9)."""

    LEFT_OUT: ClassVar[tuple[str, ...]] = ()
    """Fields that are not written while they are None."""

    @model_serializer(mode="wrap")
    def _without_nothing(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        for name in self.LEFT_OUT:
            if getattr(self, name) is None:
                fields.pop(name, None)
                fields.pop(to_camel(name), None)
        return fields
