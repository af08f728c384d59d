"""The JSON Schemas of every file of a project, generated from the types that read them."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

import studio.story
from studio.story.form.document import Document, encode

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def all_schemas() -> dict[str, bytes]:
    """Maps each file name in schemas/ to its expected bytes, sorted by name."""
    return {f"{name}.schema.json": encode(schema_of(one)) for name, one in all_documents().items()}


def all_documents() -> dict[str, type[Document]]:
    """Maps the name of each schema to the type that reads the file, sorted by name."""
    for module in pkgutil.walk_packages(studio.story.__path__, f"{studio.story.__name__}."):
        importlib.import_module(module.name)
    documents = {document.SCHEMA: document for document in _types_described(Document)}
    return dict(sorted(documents.items()))


def schema_of(document: type[Document]) -> dict[str, Any]:
    """Returns the schema of one kind of file, as in schemas/, with its fields in the order in which
    they are declared."""
    return {
        **document.model_json_schema(by_alias=True, schema_generator=_Described),
        "$schema": DIALECT,
        "$id": f"{document.SCHEMA}.schema.json",
        "title": document.SCHEMA.replace("-", " ").capitalize(),
    }


class _Described(GenerateJsonSchema):
    """Makes schemas in which a field is described by the words below it in the source."""

    def model_schema(self, schema: Any) -> dict[str, Any]:
        """Returns the schema of a type, its fields described."""
        made = super().model_schema(schema)
        for key, words in described_fields(schema["cls"]).items():
            if key in made.get("properties", {}):
                made["properties"][key].setdefault("description", words)
        return made


def described_fields(kind: type[BaseModel]) -> dict[str, str]:
    """Maps the fields of a type, as files spell them, to the words below them in the source; those
    of its bases too."""
    words: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if not issubclass(base, BaseModel) or base is BaseModel:
            continue
        (body,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(body, ast.ClassDef)
        for field, below in pairwise(body.body):
            match field, below:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str() as text)),
                ) if name in kind.model_fields:
                    words[kind.model_fields[name].serialization_alias or name] = in_json(text)
    return words


def in_json(words: str) -> str:
    """Returns what the source says of a value as it is said of a file: on one line, with JSON's
    words, without the papers it refers to."""
    line = re.sub(r"\bNone\b", "null", " ".join(words.split()))
    line = re.sub(r"(?<!^)\bTrue\b", "true", line)
    return re.sub(r" \((?:seed |DESIGN section )?[A-Z]*[\d ,.A-Z]*\d\)", "", line)


def _types_described(parent: type[Document]) -> Iterator[type[Document]]:
    """Yields the story's types, at any depth of inheritance, that name a schema."""
    for child in parent.__subclasses__():
        if child.SCHEMA and child.__module__.startswith(f"{studio.story.__name__}."):
            yield child
        yield from _types_described(child)
