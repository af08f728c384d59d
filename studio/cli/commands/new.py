"""`studio new`: creates a novel's folder with its first files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import get_args

import click

from studio.cli import output
from studio.cli.options import LANGUAGE, command, form_option, narration_option
from studio.config.paths import state_dir
from studio.config.schema import BookForm, CharacterCount, Narration
from studio.errors import Exit
from studio.i18n import call_chapters
from studio.messages import said


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--title", required=True, metavar="TEXT", help="The title of the book.")
@click.option(
    "--language",
    required=True,
    type=LANGUAGE,
    help="The language it is written in.",
)
@click.option("--genre", default="", metavar="TEXT", help="Its genre, in your own words.")
@form_option
@narration_option
@click.option(
    "--chapter-word",
    metavar="TEXT",
    help="What a chapter is called by its number; in a serial by default 화, 回 or episode.",
)
@click.option(
    "--count",
    type=click.Choice(get_args(CharacterCount)),
    help="How lengths in Korean and Chinese are counted; by default with spaces in Korean.",
)
def new(
    folder: Path,
    title: str,
    language: str,
    genre: str,
    form: BookForm,
    narration: Narration | None,
    chapter_word: str | None,
    count: CharacterCount | None,
) -> int:
    """Make a new novel in DIR, a folder that is new or empty."""
    from studio.config.load import load_settings
    from studio.project.create import create_novel
    from studio.project.spending import begin_anew

    create_novel(
        folder,
        title,
        language,
        genre,
        form=form,
        narration=narration or "",
        chapter_word=chapter_word,
        count=count,
    )
    begin_anew(folder, state_dir(os.environ))
    call_chapters(load_settings(folder, os.environ).novel.word_for_chapters)
    output.report(
        said("“{title}” begins in {folder}.", title=output.one_line(title), folder=folder)
    )
    output.say(
        said(
            "Say what it is in brief.md and plan the first chapter in "
            "volumes/vol-01/outline.md, then {command}.",
            command=command("write", folder),
        )
    )
    return Exit.DONE
