"""The JSON Schemas of every file of a project, generated from the types that read them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import studio.story
from studio.story.form.document import Document, encode

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def all_schemas() -> dict[str, bytes]:
    """Maps each file name in schemas/ to its expected bytes, sorted by name."""
    for module in pkgutil.walk_packages(studio.story.__path__, f"{studio.story.__name__}."):
        importlib.import_module(module.name)
    documents = {document.SCHEMA: document for document in _types_described(Document)}
    return {f"{name}.schema.json": schema_bytes(documents[name]) for name in sorted(documents)}


def schema_bytes(document: type[Document]) -> bytes:
    """Returns the schema of one kind of file, exactly as in schemas/."""
    schema = document.model_json_schema(by_alias=True)
    return encode(
        {
            **schema,
            "$schema": DIALECT,
            "$id": f"{document.SCHEMA}.schema.json",
            "title": document.SCHEMA.replace("-", " ").capitalize(),
        }
    )


def _types_described(parent: type[Document]) -> Iterator[type[Document]]:
    """Yields the story's types, at any depth of inheritance, that name a schema."""
    for child in parent.__subclasses__():
        if child.SCHEMA and child.__module__.startswith(f"{studio.story.__name__}."):
            yield child
        yield from _types_described(child)
