"""The page of file formats: what is written by hand in formats.md, with the tables made from the
types of files and events (`studio help formats`, docs/file-formats.md)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from studio.pipeline import events
from studio.story.form.schemas import all_documents, described_fields, in_json, schema_of

TEMPLATE = Path(__file__).with_name("formats.md")
_TABLE = re.compile(r"^<!-- (fields|parts|events)(?:: ([\w-]+))? -->$", re.MULTILINE)
_FIELD_HEADS = ("Field", "Type", "Meaning")
_EVERYWHERE = frozenset({"schema_version", "schemaVersion", "said"})
"""Keys of many files, which the page describes once."""
_FEW = 8
"""As many values of a field are named beside it; where there are more, once for all fields."""
_SHA256 = "^[0-9a-f]{64}$"
_KINDS = {"string": "text", "integer": "whole number", "boolean": "true or false"}


def formats_page() -> str:
    """Returns the page."""
    tables = _FieldTables()

    def table(match: re.Match[str]) -> str:
        match match[1]:
            case "fields":
                return _table(_FIELD_HEADS, tables.of_file(match[2]))
            case "parts":
                return "\n\n".join(tables.of_parts())
            case _:
                return _table(("`type`", "Fields", "When"), _events())

    return _TABLE.sub(table, TEMPLATE.read_text("utf-8"))


def _table(heads: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(re.sub(r" +\|", " |", line) for line in lines)


# Fields of files


class _FieldTables:
    """The tables of fields, from the schemas."""

    def __init__(self) -> None:
        documents = all_documents()
        self._schemas = {name: schema_of(document) for name, document in documents.items()}
        self._whole_files = {document.__name__ for document in documents.values()}
        self._parts: dict[str, Any] = {}
        for schema in self._schemas.values():
            self._parts |= schema.get("$defs", {})
        of_files = ({**schema, "$defs": {}} for schema in self._schemas.values())
        uses = Counter(re.findall(r'"#/\$defs/(\w+)"', json.dumps([*of_files, self._parts])))
        self._shared = sorted(
            name
            for name, part in self._parts.items()
            if uses[name] > 1 and ("properties" in part or len(part.get("enum", ())) > _FEW)
        )

    def of_file(self, name: str) -> Iterator[Sequence[str]]:
        """Yields the rows of a file's table."""
        return _merge(self._rows(self._schemas[name]))

    def of_parts(self) -> Iterator[str]:
        """Yields the tables of what several files have, each under its heading."""
        for name in self._shared:
            about = in_json(self._parts[name].get("description", "").partition("\n\n")[0])
            heading = f"#### {_spaced(name).capitalize()}\n\n{about}"
            if "enum" in (part := self._parts[name]):
                yield f"{heading} {_values(part['enum'])}."
            else:
                table = _table(_FIELD_HEADS, _merge(self._rows(part)))
                yield f"{heading}\n\n{table}"

    def _rows(self, schema: Mapping[str, Any], above: str = "") -> Iterator[Sequence[str]]:
        required = schema.get("required", ())
        for key, field in schema.get("properties", {}).items():
            if key in _EVERYWHERE:
                continue
            path = f"{above}{key}"
            star = " *" if key in required else ""
            meaning = in_json(field.get("description", ""))
            yield f"`{path}`{star}", self._kind(field) + _default(field.get("default")), meaning
            inner, is_list = self._inner(field)
            if inner is not None and inner not in self._shared and inner not in self._whole_files:
                yield from self._rows(self._parts[inner], f"{path}{'[]' if is_list else ''}.")

    def _inner(self, field: Mapping[str, Any]) -> tuple[str | None, bool]:
        """Returns the name of the type with fields of its own that a field has, if it has one, and
        whether it has several."""
        for one in (field, *field.get("anyOf", ())):
            name = one.get("$ref", "").rpartition("/")[2]
            if name and "properties" in self._parts[name]:
                return name, False
            for several in (one.get("items"), one.get("additionalProperties")):
                if isinstance(several, Mapping):
                    name, _ = self._inner(several)
                    if name:
                        return name, True
        return None, False

    def _kind(self, field: Mapping[str, Any]) -> str:
        """Returns what a field holds, in words."""
        if "$ref" in field:
            name = field["$ref"].rpartition("/")[2]
            if name in self._shared:
                return f"[{_spaced(name)}](#{_spaced(name).replace(' ', '-')})"
            part = self._parts[name]
            if name in self._whole_files:
                return "object, as in its own file"
            return "object" if "properties" in part else self._kind(part)
        if "anyOf" in field:
            return " or ".join(dict.fromkeys(map(self._kind, field["anyOf"])))
        if "enum" in field or "const" in field:
            return _values(field.get("enum", (field.get("const"),)))
        kind: str = field.get("type", "")
        if kind == "array":
            return f"list of {self._kind(field.get('items', {})) or 'anything'}"
        if kind == "object":
            inner = field.get("additionalProperties")
            words = self._kind(inner) if isinstance(inner, Mapping) else ""
            return f"{words} by name" if words else "object"
        if kind == "string" and field.get("pattern") == _SHA256:
            return "sha256"
        return _KINDS.get(kind, kind) + _bounds(field)


def _merge(rows: Iterator[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yields the rows, those with one type and nothing to say of it that follow each other as
    one."""
    for (kind, meaning), alike in groupby(rows, key=lambda row: tuple(row[1:])):
        if meaning:
            yield from alike
        else:
            yield ", ".join(row[0] for row in alike), kind, meaning


def _values(values: Sequence[object]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _bounds(field: Mapping[str, Any]) -> str:
    least = field.get("minimum", field.get("exclusiveMinimum"))
    most = field.get("maximum")
    if least is None and most is None:
        longest = field.get("maxLength")
        return "" if longest is None else f" of up to {longest}"
    return f" ≥ {least}" if most is None else f" ≤ {most}" if least is None else f" {least}–{most}"


def _default(value: Any) -> str:
    """Returns what holds where a field is left out, if that is not simply nothing."""
    return f"; else `{json.dumps(value, ensure_ascii=False)}`" if value else ""


def _spaced(name: str) -> str:
    """Returns the name of a type in words: `PassageLocation` is `passage location`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


# Events


def _events() -> Iterator[Sequence[str]]:
    every = {*events.Event.model_fields, *events.TextBearing.model_fields}
    for kind in vars(events).values():
        if not isinstance(kind, type) or not issubclass(kind, events.Event):
            continue
        if "type" not in kind.__annotations__ or kind is events.Event:
            continue
        star = " *" if issubclass(kind, events.TextBearing) else ""
        words = described_fields(kind)
        properties = kind.model_json_schema(by_alias=True, mode="serialization")["properties"]
        known = {*words, *(key for key in properties if key not in every)}
        cells = (_field_in_row(key, field, words.get(key, ""))
                 for key, field in properties.items() if key in known)  # fmt: skip
        about = in_json((kind.__doc__ or "").strip())
        yield f"`{kind.model_fields['type'].default}`{star}", "; ".join(cells), about


def _field_in_row(key: str, field: Mapping[str, Any], words: str) -> str:
    values = field.get("enum", ())
    if values and len(values) <= _FEW:
        words = _values(values)
    words = (words[:1].lower() if words[1:2].islower() else words[:1]) + words[1:].rstrip(".")
    return f"`{key}`: {words}" if words else f"`{key}`"
