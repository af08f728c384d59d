"""`studio exemplars`: the passages that show how to write, and which would be chosen and why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import output
from studio.cli.completion import exemplar_ids
from studio.cli.input import read_text
from studio.cli.options import (
    ShowFirst,
    Telling,
    command,
    novel_options,
    open_session,
    project_option,
)
from studio.cli.terms import term
from studio.errors import Exit, usage
from studio.i18n import language_in_force
from studio.messages import said, series
from studio.pipeline.prompting.exemplars import (
    DIMENSIONS,
    LABELS,
    matching_dimensions,
    rank,
    score,
)
from studio.project.which_chapter import as_number
from studio.story.novel import ExemplarMeta
from studio.text.language.packs import manner_words
from studio.text.prose.answer import excerpt

if TYPE_CHECKING:
    from studio.session import Session

_LINE = 60


@click.group(cls=ShowFirst)
def exemplars() -> None:
    """The style library: passages to write like, and some to avoid.

    A scene's plan or a directive's type chooses among them by five dimensions.
    """


def _dimensions(function: Callable[..., int]) -> Callable[..., int]:
    for name in reversed(tuple(DIMENSIONS)):
        option = "--" + name.replace("_", "-")
        function = click.option(option, name, default="", metavar="WORDS")(function)
    return function


@exemplars.command("list")
@novel_options
def list_them(project: Path) -> Telling:
    """Every passage with its dimensions.

    --json prints {schema_version, exemplars: [{id, meta: {genre, scene_type,
    emotional_tone, pov, pacing, kind, source, note}, text}]}.
    """
    library = open_session(project).store.exemplars()
    yield {"exemplars": library}
    if not library:
        output.say(
            said("The style library is empty; `studio exemplars add` puts passages into it.")
        )
        return
    dimensions = (LABELS[name] for name in DIMENSIONS)
    rows = [output.in_words(said("id"), said("kind"), *dimensions, said("begins"))]
    rows += [
        (
            e.id,
            term(e.meta.kind),
            *(manner_words(getattr(e.meta, n), language_in_force()) for n in DIMENSIONS),
            excerpt(e.text, _LINE),
        )
        for e in library
    ]
    output.say_columns(rows)


@exemplars.command()
@_dimensions
@novel_options
def query(project: Path, **options: str) -> Telling:
    """Which passages a scene of these dimensions would be shown, best first, and why.

    --json prints {schema_version, exemplars: [{id, kind, score, matched}]}.
    """
    dimensions = {name: (value,) for name, value in options.items() if value.strip()}
    if not dimensions:
        raise usage(said("Say at least one dimension, such as --scene-type dialogue."))
    passages = rank(open_session(project).store.exemplars(), dimensions)
    rows = [
        {
            "id": e.id,
            "kind": e.meta.kind,
            "score": score(e, dimensions),
            "matched": matching_dimensions(e, dimensions),
        }
        for e in passages
    ]
    yield {"exemplars": rows}
    table = [output.in_words(said("score"), said("id"), said("kind"), said("fits in"))]
    for passage in passages:
        fits = [LABELS[name] for name in matching_dimensions(passage, dimensions)]
        kind = term(passage.meta.kind)
        words = series(fits) or said("nothing")
        table.append((str(score(passage, dimensions)), passage.id, kind, words))
    output.say_columns(table)


@exemplars.command()
@click.argument("exemplar", metavar="ID")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--passage", metavar="CHAPTER:SCENE:FIRST-LAST", help="Paragraphs of this novel.")
@click.option("--anti", is_flag=True, help="A passage that shows how not to write.")
@click.option("--source", default="", metavar="WORDS", help="Where it comes from.")
@click.option("--note", default="", metavar="WORDS", help="What it shows.")
@_dimensions
@project_option
def add(
    exemplar: str,
    file: Path | None,
    passage: str | None,
    anti: bool,
    source: str,
    note: str,
    project: Path,
    **dimensions: str,
) -> int:
    """Add a passage under ID: the text of FILE (`-` for stdin), or paragraphs of the novel."""
    session = open_session(project)
    if (file is None) == (passage is None):
        raise usage(said("Name either a FILE or a --passage of the novel."))
    if file is not None:
        text = read_text(file)
    else:
        text, place = _passage(session, passage or "")
        source = source or place
    kind = "anti" if anti else "good"
    meta = ExemplarMeta.model_validate({**dimensions, "kind": kind, "source": source, "note": note})
    path = session.craft().add_exemplar(exemplar, meta, text)
    output.say(said("Added as {path}.", path=path))
    return Exit.DONE


@exemplars.command()
@click.argument("exemplar", metavar="ID", shell_complete=exemplar_ids)
@project_option
def remove(exemplar: str, project: Path) -> int:
    """Take a passage out of the library; it stays in history."""
    path = open_session(project).craft().remove_exemplar(exemplar)
    output.say(
        said(
            "Removed {path}; {command} brings it back.",
            path=path,
            command=command(f"history restore {path}", project),
        )
    )
    return Exit.DONE


def _passage(session: Session, place: str) -> tuple[str, str]:
    """Returns the text of a passage such as `3:1:2-4` and a name for it."""
    try:
        chapter, scene, paragraphs = place.split(":")
        first, _, last = paragraphs.partition("-")
        numbers = (
            int(as_number(session.store, chapter)),
            int(scene),
            int(first),
            int(last or first),
        )
    except ValueError:
        raise usage(
            said("{place} is not a passage.", place=repr(place)), said("Write it as 3:1:2-4.")
        ) from None
    return session.craft().passage(*numbers), said(
        "chapter {number}, scene {scene}", number=numbers[0], scene=numbers[1]
    )
