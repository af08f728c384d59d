"""`studio schemas`: the JSON Schemas of a novel's files, for editors and other programs."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

import click

from studio.cli import output
from studio.cli.options import Telling, json_option
from studio.errors import Exit, usage
from studio.messages import quantity, said, series
from studio.story.form.schemas import all_schemas

ENDING = ".schema.json"


@click.command()
@click.argument("name", required=False)
@click.option(
    "--out",
    "--output",
    "out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write all of them into DIR.",
)
@json_option
def schemas(name: str | None, out: Path | None) -> Telling:
    """List the schemas, or print the one called NAME.

    --json prints {schema_version, schemas: [name]} for the list; a schema is
    JSON either way.
    """
    schema_files = {file.removesuffix(ENDING): data for file, data in all_schemas().items()}
    if out is not None:
        if name is not None:
            raise usage(said("--out writes all schemas and takes no NAME."))
        return _write(schema_files, out)
    if name is not None:
        output.put_json(_schema_named(name.removesuffix(ENDING), schema_files))
        return Exit.DONE
    yield {"schemas": sorted(schema_files)}
    for schema_name in schema_files:
        output.say(schema_name)
    return None


def _schema_named(name: str, schema_files: dict[str, bytes]) -> bytes:
    if name not in schema_files:
        near = get_close_matches(name, schema_files, 1)
        hint = (
            said("Did you mean {quote}?", quote=near[0])
            if near
            else said("The schemas are {names}.", names=series(schema_files))
        )
        raise usage(said("There is no schema called {name}.", name=repr(name)), hint)
    return schema_files[name]


def _write(schema_files: dict[str, bytes], out: Path) -> int:
    from studio.project.files.user_files import put_files

    written_paths = put_files(out, {f"{name}{ENDING}": data for name, data in schema_files.items()})
    for path in written_paths:
        output.say(str(path))
    output.say(
        said(
            "{schemas}, {count} changed.",
            schemas=quantity(len(schema_files), "{n} schema", "{n} schemas"),
            count=len(written_paths),
        )
    )
    return Exit.DONE
