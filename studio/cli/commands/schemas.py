"""`studio schemas`: the form of every JSON file of a novel, for editors and other programs."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

import click

from studio.cli import output
from studio.cli.options import json_option
from studio.cli.progress import counted
from studio.errors import Exit, usage
from studio.story.form.schemas import all_schemas

ENDING = ".schema.json"


@click.command()
@click.argument("name", required=False)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Write all of them into DIR."
)
@json_option
def schemas(name: str | None, out: Path | None, as_json: bool) -> int:
    """List the schemas, or print the one called NAME.

    --json prints {schema_version, schemas: [name]} for the list; a schema is
    JSON either way.
    """
    known = {file.removesuffix(ENDING): data for file, data in all_schemas().items()}
    if out is not None:
        if name is not None:
            raise usage("--out writes all schemas and goes with no NAME.")
        return _write(known, out)
    if name is not None:
        output.put_json(_named(name.removesuffix(ENDING), known))
    elif as_json:
        output.say_json({"schema_version": 1, "schemas": sorted(known)})
    else:
        for each in known:
            output.say(each)
    return Exit.DONE


def _named(name: str, known: dict[str, bytes]) -> bytes:
    if name not in known:
        near = get_close_matches(name, known, 1)
        hint = f"Did you mean {near[0]}?" if near else f"The schemas are {', '.join(known)}."
        raise usage(f"There is no schema called {name!r}.", hint)
    return known[name]


def _write(known: dict[str, bytes], out: Path) -> int:
    from studio.project.files.user_files import put_files

    changed = put_files(out, {f"{name}{ENDING}": data for name, data in known.items()})
    for path in changed:
        output.say(str(path))
    output.say(f"{counted(len(known), 'schema')}, {len(changed)} changed.")
    return Exit.DONE
