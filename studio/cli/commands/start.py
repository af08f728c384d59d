"""`studio start`: begins a book step by step, from an empty folder to its trial chapters (D10)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.cli import output
from studio.cli.commands.write import audience_of, run_and_ask
from studio.cli.input import read_text
from studio.cli.options import (
    FILE_OR_STDIN,
    LANGUAGE,
    events_option,
    form_option,
    json_option,
    model_options,
    model_overrides,
    narration_option,
    open_session,
    project_option,
)
from studio.config.paths import state_dir
from studio.config.schema import MOST_WANTED
from studio.errors import StudioError, usage
from studio.messages import said
from studio.story.checkpoint import (
    MOST_TRIALS,
    SAMPLE,
    STEPS,
    VOLUME_STEPS,
    BeginningStep,
    VolumeStep,
)
from studio.story.form.numerals import whole_number

if TYPE_CHECKING:
    from studio.config.schema import BookForm, Narration
    from studio.pipeline.outcome import Outcome
    from studio.session import Session, StartOrder, WriteOrder


class StepName(click.ParamType[str]):
    """The name of a step, or of what is proposed for a volume, with its number or without."""

    name = "step"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Returns the name; refuses what is none."""
        kind, _dash, number = value.rpartition("-")
        names = (*STEPS, *VOLUME_STEPS, SAMPLE)
        is_numbered = kind in VOLUME_STEPS and bool(whole_number(number))
        if value not in names and not is_numbered:
            self.fail(f"{value!r} is not one of {', '.join(map(repr, names))}.", param, ctx)
        return value


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False, metavar="[DIR]")
@click.option("--title", metavar="TEXT", help="The title of a new book.")
@click.option("--language", type=LANGUAGE, help="The language it is written in.")
@click.option("--genre", default="", metavar="TEXT", help="Its genre, in your own words.")
@form_option
@narration_option
@click.option(
    "--premise",
    type=FILE_OR_STDIN,
    metavar="FILE",
    help="What the book is; it becomes brief.md.",
)
@click.option(
    "--sample",
    type=FILE_OR_STDIN,
    metavar="FILE",
    help="Your own prose, or how you write in your words; the style is taken from it.",
)
@click.option(
    "--trials",
    type=click.IntRange(0, MOST_TRIALS),
    help="Trial chapters, 0 to 3 (default 3); they become the first of volume 1.",
)
@click.option(
    "--length",
    type=click.IntRange(100, MOST_WANTED),
    metavar="N",
    help="How long a chapter is, where the premise does not say it.",
)
@click.option(
    "--step",
    type=StepName(),
    metavar="|".join((*STEPS, *(f"{name}-N" for name in VOLUME_STEPS), SAMPLE)),
    help="Ask a step again that you left out, as it stood; also a plan (volume-2) or a clean-up.",
)
@events_option
@json_option
@model_options
@project_option
def start(
    folder: Path | None,
    title: str | None,
    language: str | None,
    genre: str,
    form: BookForm,
    narration: Narration | None,
    premise: Path | None,
    sample: Path | None,
    trials: int | None,
    length: int | None,
    step: BeginningStep | VolumeStep | None,
    events: bool,
    as_json: bool,
    provider: str | None,
    model: str | None,
    project: Path,
) -> int:
    """Begin a book in DIR, or go on where you left off.

    Premise, style, world, protagonist, trial chapters: each is a question (4). `studio decide
    next` takes what is proposed, or your own words with --note; `edit`, `skip` and `by-hand` leave
    it to you, and --step opens again what you left out. Without a model nothing is proposed but
    the passages of your sample.

    --json prints the outcome as one line, with the keys of `write --json`.
    """
    from studio.project.create import create_novel
    from studio.project.layout import is_novel
    from studio.project.spending import begin_anew
    from studio.session import StartOrder, WriteOrder

    folder = folder or project
    if premise is not None and premise == sample:
        raise usage(said("Premise and sample cannot be the same file."))
    own, prose = map(_words_of, (premise, sample))
    if not is_novel(folder):
        if not title or not language:
            raise _no_novel(folder)
        create_novel(folder, title, language, genre, form=form, narration=narration or "")
        begin_anew(folder, state_dir(os.environ))
        say = output.tell if events or as_json else output.report
        say(said("“{title}” begins in {folder}.", title=output.one_line(title), folder=folder))
    audience = audience_of(folder, "ask", events, as_json)
    session = open_session(folder, model_overrides(provider, model), warn=False)
    order = StartOrder(own, prose, trials, length, step)
    if price := _price_of(session, order):
        output.tell(said("A model makes it: {price}.", price=price))

    async def begin(_: WriteOrder, emit: Callable[[Any], None]) -> Outcome:
        return await session.start(order, emit)

    async def go_on(_: WriteOrder, emit: Callable[[Any], None]) -> Outcome:
        if step is not None:
            return await _behind_an_opened_step(session, emit)
        return await session.start(StartOrder(), emit)

    return run_and_ask(session, begin, WriteOrder(), audience, then=go_on)[1]


async def _behind_an_opened_step(session: Session, emit: Callable[[Any], None]) -> Outcome:
    """Has another proposal made where she asked for one; else nothing follows what was open again,
    as its question says."""
    from studio.pipeline.outcome import NothingToDo
    from studio.pipeline.volume.architect import VolumeOrder
    from studio.session import StartOrder

    question = session.store.checkpoint().pending_decision
    if question is not None and question.kind == "start":
        return await session.start(StartOrder(), emit)
    if question is not None:
        return await session.volumes().plan(VolumeOrder(), emit)
    return NothingToDo(said("Your answer is recorded."))


def _price_of(session: Session, order: StartOrder) -> str:
    """Returns what the call costs that this order makes at once, and that no question has named;
    empty where there is none."""
    volumes, beginning = session.volumes(), session.store.checkpoint().beginning
    if order.step is not None:
        return next((row.price for row in volumes.left_out() if row.step == order.step), "")
    is_at_once = beginning is not None and "premise" in beginning.steps
    return volumes.price_of_sample(order.sample) if order.sample and is_at_once else ""


def _no_novel(folder: Path) -> StudioError:
    """Returns that a folder holds no novel, and how one is begun there."""
    return usage(
        said("{folder} is not a novel yet.", folder=folder),
        said(
            "`studio start {folder} --title TITLE --language en` (or ko, zh) begins one there;"
            " “Begin a book” in the app asks for both.",
            folder=folder,
        ),
    )


def _words_of(file: Path | None) -> str | None:
    """Returns the text of a file that was named; None for none."""
    return None if file is None else read_text(file)
