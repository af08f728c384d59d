"""Validation of JSON against the types."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from studio.errors import Exit, Problem, StudioError, damaged
from studio.foreign_json import JsonError, read_json
from studio.messages import said
from studio.resources import schemas_dir
from studio.story.form.document import Document, hear_again

if TYPE_CHECKING:
    import jsonschema_rs
    from jsonschema.protocols import Validator

WHOLE = "(whole file)"
"""The location of a fault that concerns no single field."""
D = TypeVar("D", bound=Document)
M = TypeVar("M", bound=BaseModel)


def parse_json(data: bytes, source: str) -> Any:
    """Parses JSON from a file of the novel; `source` is the name displayed to the writer.

    Raises StudioError (exit 5) with line and column for everything that `read_json` refuses.
    """
    if data[:1] == b"\0":
        raise damaged(
            said("{source} holds zero bytes where JSON should be.", source=source),
            said("Run `studio repair`, or bring back an earlier version from history."),
        )
    try:
        return read_json(data)
    except JsonError as error:
        raise _damage(source, error) from error


def _damage(source: str, error: JsonError) -> StudioError:
    """Returns the error for a file that `read_json` refuses."""
    if error.fault == "twice":
        first, second = error.line, error.again
        where = (
            said("in line {first}", first=first)
            if first == second
            else said("in lines {first} and {second}", first=first, second=second)
        )
        return damaged(
            said(
                '{source} has the key "{key}" twice, {where}.',
                source=source,
                key=error.key,
                where=where,
            ),
            said("It is not clear which one was meant: take one of the two out."),
        )
    if error.fault == "depth":
        return damaged(
            said(
                "{source} has brackets within brackets, deeper than any file of a novel.",
                source=source,
            ),
            said("Run `studio repair`, or bring back an earlier version from history."),
        )
    return damaged(
        said(
            "{source} is not valid JSON: line {lineno}, column {colno}: {msg}.",
            source=source,
            lineno=error.line,
            colno=error.column,
            msg=error.why,
        ),
        said("Mend that line. `studio repair` brings back what the studio wrote itself."),
    )


@cache
def schema_validator(model: type[BaseModel]) -> Validator:
    """Returns the cached jsonschema validator of a type.

    The schemas in schemas/ are generated from the types, and a test keeps the two equal; reading
    one takes a tenth of the time of generating it.
    """
    from jsonschema import Draft202012Validator

    return Draft202012Validator(_schema(model))


def _schema(model: type[BaseModel]) -> Any:
    name = model.SCHEMA if issubclass(model, Document) else ""
    file = schemas_dir() / f"{name}.schema.json"
    if name and file.is_file():
        return orjson.loads(file.read_bytes())
    return model.model_json_schema(by_alias=True)


@cache
def _quick_validator(model: type[BaseModel]) -> jsonschema_rs.Draft202012Validator:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(_schema(model))


def _fits(model: type[BaseModel], data: Any) -> bool:
    """Whether `data` certainly fits; False sends it to the slower validator, which reports why."""
    try:
        return _quick_validator(model).is_valid(data)
    except ValueError:  # a number beyond 64 bits, a lone surrogate
        return False


def schema_faults(model: type[BaseModel], data: Any) -> list[str]:
    """Returns every way `data` violates the schema of `model`: `field: reason`, sorted by field.

    jsonschema-rs accepts valid data in microseconds; anything else is checked again by jsonschema,
    which decides and names the field.
    """
    if _fits(model, data):
        return []
    faults = []
    for error in schema_validator(model).iter_errors(data):
        deepest = _deepest(error)
        path = ".".join(str(part) for part in deepest.absolute_path) or WHOLE
        faults.append(f"{path}: {deepest.message[:300]}")
    return sorted(faults)


def _deepest(error: Any) -> Any:
    """Returns the branch of a failed anyOf that matched furthest, which the author meant; nobody
    means to write null."""
    while error.context:
        error = max(
            error.context,
            key=lambda e: (len(e.absolute_path), e.validator_value != "null", -len(e.message)),
        )
    return error


def type_faults(model: type[M], data: Any) -> tuple[M | None, list[str]]:
    """Returns `data` as `model`, or the reasons why it cannot be one."""
    if issubclass(model, Document) and model.MESSAGES:
        data = hear_again(data)
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        return None, [
            f"{'.'.join(str(p) for p in e['loc']) or WHOLE}: {e['msg']}"
            for e in error.errors(include_url=False, include_input=False)
        ]


def check(model: type[M], data: Any, source: str) -> M:
    """Validates `data` as `model`; raises StudioError (exit 5) naming the invalid fields."""
    faults = schema_faults(model, data)
    value: M | None = None
    if not faults:
        value, faults = type_faults(model, data)
    if value is None:
        first = faults[0] if faults else said("{whole}: does not fit", whole=WHOLE)
        raise damaged(
            said("{path} does not fit its format: {faults}.", path=source, faults=first),
            said("docs/file-formats.md describes every file."),
            "\n".join(faults),
        )
    return value


def read_document(model: type[D], data: bytes, source: str) -> D:
    """Parses the bytes of a file as a Document.

    Raises StudioError (exit 5): not JSON, written by a newer version, a duplicate key, or an
    invalid field.
    """
    raw = parse_json(data, source)
    refuse_newer(raw, source, model.VERSION)
    return check(model, raw, source)


def refuse_newer(raw: Any, source: str, ours: int) -> None:
    """Reports a file from a newer studio as such, instead of as a list of unknown keys."""
    version = None
    if isinstance(raw, dict):
        version = raw.get("schemaVersion", raw.get("schema_version"))
    if isinstance(version, int) and not isinstance(version, bool) and version > ours:
        raise StudioError(
            Problem(
                said(
                    "{source} was made by a newer version of the studio (schema_version "
                    "{version}, this one knows {ours}).",
                    source=source,
                    version=version,
                    ours=ours,
                ),
                said("Update the studio; until then the project can be read but not written."),
                exit_code=Exit.DAMAGED,
                kind="newer",
            )
        )


__all__ = [
    "WHOLE",
    "StudioError",
    "check",
    "parse_json",
    "read_document",
    "refuse_newer",
    "schema_faults",
    "schema_validator",
    "type_faults",
]
