"""`studio baseline`: the author's own range of each metric, instead of a language's thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import output
from studio.cli.input import read_text
from studio.cli.options import (
    ShowFirst,
    Telling,
    novel_options,
    open_session,
    project_option,
    say_command,
)
from studio.cli.terms import term
from studio.errors import Exit, usage
from studio.i18n import translate
from studio.messages import said, series
from studio.story.form.lists import items_of
from studio.story.form.numerals import whole_number
from studio.story.form.slugs import LAST_CHAPTER
from studio.story.lengths import unit_of
from studio.text.metrics.metric_kinds import figure, metric_words

if TYPE_CHECKING:
    from studio.session import Session
    from studio.story.baseline import Baseline


@click.group(cls=ShowFirst)
def baseline() -> None:
    """How you write, measured: your own range of each measure, in place of the language's."""


@baseline.command()
@novel_options
def show(project: Path) -> Telling:
    """The bands in force and how often they would complain about the author's own prose.

    --json prints {schema_version, baseline}, baseline null where none was learned.
    """
    present = open_session(project).store.baseline()
    yield {"baseline": present}
    if present is None:
        output.say(said("No baseline was learned; the thresholds of the language are in force."))
        say_command(
            said("{command} learns one from your own prose."), "baseline learn FILE...", project
        )
    else:
        _tell(present)


@baseline.command()
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, metavar="[FILE...]")
@click.option(
    "--chapters", metavar="LIST", default="", help="Chapters of the novel you wrote: 1,2,5-9."
)
@novel_options
def learn(files: Sequence[Path], chapters: str, project: Path) -> Telling:
    """Learn the bands from FILEs and committed chapters of your own; at least eight samples.

    A band covers 19 of 20 new samples by the same writer, or the whole range if there are fewer
    than 19 to learn from. `[metrics]` in studio.toml still wins.

    --json prints {schema_version,
    baseline}.
    """
    session = open_session(project)
    texts = [(str(file), read_text(file)) for file in files]
    texts += [
        (said("chapter {number}", number=n), _chapter(session, n)) for n in _numbers(chapters)
    ]
    if not texts:
        raise usage(
            said("Name what to learn from: files of your own prose, or chapters with --chapters."),
            said("Chapters that a model drafted would teach the studio the model's habits."),
        )
    new_baseline = session.craft().learn_baseline(texts)
    yield {"baseline": new_baseline}
    _tell(new_baseline)


@baseline.command()
@project_option
def forget(project: Path) -> int:
    """Go back to the language's thresholds; the baseline stays in history."""
    had_one = open_session(project).craft().forget_baseline()
    output.say(
        said("The baseline is set aside.") if had_one else said("There is no baseline to forget.")
    )
    return Exit.DONE


def _tell(bands: Baseline) -> None:
    unit = term(unit_of(bands.language))
    output.say(
        said(
            "{samples} samples of about {sample_length} {unit}, from:",
            samples=bands.samples,
            sample_length=bands.sample_length,
            unit=unit,
        ),
        "strong",
    )
    for source in bands.sources:
        output.say(f"  {translate(source.name)} ({source.length} {translate(unit)})")
    heads = (
        said("measure"),
        said("typical"),
        said("enough from"),
        said("too much from"),
        said("false alarms"),
    )
    rows = [output.in_words(*heads)]
    for name, band in bands.bands.items():
        low = "" if band.min is None else figure(name, band.min)
        high = "" if band.max is None else figure(name, band.max)
        words = metric_words(name)
        rows.append((words, figure(name, band.typical), low, high, f"{band.false_alarms:.0%}"))
    output.say_columns(rows)
    output.say(
        said(
            "Tested one at a time, {false_alarms} of your own samples would have drawn a "
            "complaint.",
            false_alarms=f"{bands.false_alarms:.0%}",
        )
    )


def _chapter(session: Session, number: int) -> str:
    chapter = session.store.chapter(number)
    if chapter is None:
        numbers = series(session.store.chapter_numbers()) or said("none yet")
        raise usage(
            said("There is no chapter {number} in the book.", number=number),
            said("Chapters of this novel: {numbers}.", numbers=numbers),
        )
    return chapter.text


def _numbers(ranges: str) -> list[int]:
    """Returns the numbers of a list such as `1,2,5-9`, in the order given."""
    numbers: list[int] = []
    for part in items_of(ranges):
        words, dash, last_words = part.partition("-")
        first = whole_number(words)
        last = whole_number(last_words) if dash else first
        if first is None or last is None or last > LAST_CHAPTER:
            raise usage(
                said("{part} is neither a chapter nor a range of chapters.", part=repr(part)),
                said("Write it as 1,2,5-9."),
            )
        numbers += range(first, last + 1)
    return numbers
