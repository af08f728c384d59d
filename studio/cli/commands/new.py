"""`studio new`: creates a novel's folder with its first files; `studio try`: a copy of the sample
novel for experiments."""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from studio.cli import output
from studio.cli.options import (
    LANGUAGE,
    command,
    form_option,
    model_options,
    model_overrides,
    narration_option,
    say_command,
)
from studio.config.paths import state_dir
from studio.config.schema import BookForm, CharacterCount, Narration
from studio.errors import Exit, usage
from studio.i18n import _, call_chapters, language_in_force
from studio.messages import said
from studio.resources import IN_ENGLISH

if TYPE_CHECKING:
    from studio.cli.program import OpenApp


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
    say_command(
        said(
            "Say what it is in brief.md and plan the first chapter in "
            "volumes/vol-01/outline.md, then {command}."
        ),
        "write",
        folder,
    )
    return Exit.DONE


@click.command("try")
@click.argument("folder", type=click.Path(path_type=Path), metavar="[DIR]", required=False)
@click.option("--headless", is_flag=True, help="Write its next chapter here, without the app.")
@model_options
@click.pass_context
def try_(
    context: click.Context,
    folder: Path | None,
    headless: bool,
    provider: str | None,
    model: str | None,
) -> int:
    """Open a copy of the sample novel, in DIR or in a new folder beside you.

    Its third chapter is drafted and read, and the proposals wait for you; that needs no model and
    no key. Without a terminal, or with --headless, the chapter is written anew instead, by the
    small model on this machine if there is no key; if that is missing, the command that brings it
    is shown.
    """
    from studio.cli.commands.write import write
    from studio.config.load import load_settings
    from studio.llm.choose import choose_provider
    from studio.llm.providers.embedded import how_to_bring_it
    from studio.project.create import copy_sample
    from studio.project.spending import begin_anew

    overrides = model_overrides(provider, model)
    open_app: OpenApp | None = context.obj
    is_opened = open_app is not None and not headless and sys.stdin.isatty() and sys.stdout.isatty()
    has_model = choose_provider(load_settings(None, os.environ, overrides)).provider is not None
    if not has_model and not is_opened:
        raise usage(
            said("There is no model to try it with."),
            said("This brings a small one: {command}", command=how_to_bring_it()),
        )
    folder = copy_sample(folder or _free_folder(), in_review=is_opened)
    begin_anew(folder, state_dir(os.environ))
    output.tell(said("A copy of the sample novel is in {folder}.", folder=folder))
    if language_in_force() != "en":
        output.tell(_(IN_ENGLISH))
    if not is_opened or open_app is None:
        chosen = {"provider": provider, "model": model}
        code: int = context.invoke(write, project=folder, review="accept", **chosen)
        output.tell(
            said(
                "chapters/ holds the prose, evaluations/ what was measured and proposed,"
                " logs/generations/ every prompt. {command} says more.",
                command=command("status", folder),
            )
        )
        return code
    return open_app([str(folder)], overrides)


def _free_folder() -> Path:
    """Returns `sample-novel` in the current folder, or that name with the first free number."""
    names = (f"sample-novel{'' if number == 1 else f'-{number}'}" for number in count(1))
    return next(folder for folder in map(Path, names) if not folder.exists())
