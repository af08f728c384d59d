"""`studio volume`: plans a volume from an outline, and reviews it at its end (seed D5); `studio
brief`: how the last chapters went, computed without a model (seed D4)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.chapter_names import label_of
from studio.cli import output, prompt
from studio.cli.input import read_text
from studio.cli.options import (
    FILE_OR_STDIN,
    CommandResult,
    Telling,
    json_option,
    model_options,
    model_overrides,
    novel_options,
    open_session,
    project_option,
)
from studio.cli.paid_call import ask_for_window
from studio.cli.progress import ProgressLines, Warnings
from studio.cli.signals import StoppableCall
from studio.cli.terms import term
from studio.config.schema import MOST_WANTED
from studio.errors import Exit, usage
from studio.i18n import _, as_label, translate
from studio.messages import Said, said, series
from studio.pipeline.outcome import Failed, NothingToDo, Paused, Stopped
from studio.story.form.document import to_jsonable
from studio.story.lengths import Unit, unit_in
from studio.story.status import ReviewMode

if TYPE_CHECKING:
    from studio.pipeline.volume.architect import VolumeOrder


@click.group()
def volume() -> None:
    """The volumes of the book."""


@volume.command("show")
@click.argument("number", type=click.IntRange(min=1), required=False, metavar="[N]")
@novel_options
def show_it(number: int | None, project: Path) -> Telling:
    """Show how volume N stands, by default the current one. Changes nothing.

    Plan against what is written, scores, promises, storylines.

    --json prints {schema_version, volume, chapters: [{chapter, title, in_book, length, wanted,
    score, marks}], mean, promises: [{id, description, status, planted, due, overdue}], lines}.
    """
    from studio.pipeline.volume.figures import volume_standing
    from studio.text.language.packs import load_pack

    session = open_session(project)
    pack = load_pack(session.settings.novel.language)
    standing = volume_standing(session.store, session.settings, pack, number)
    yield standing
    rows = [
        (
            label_of(chapter.chapter),
            chapter.title,
            _(
                "{length} of {wanted}",
                length=chapter.length if chapter.in_book else "-",
                wanted=chapter.wanted,
            ),
            "" if chapter.score is None else f"{chapter.score:.1f}",
            series(map(term, chapter.marks)),
        )
        for chapter in standing.chapters
    ]
    output.say(said("Volume {number}", number=standing.volume), "strong")
    output.say(_LENGTHS_IN[unit_in(session.settings)], "quiet")
    output.say_columns(rows, indent="  ")
    for promise in standing.promises:
        status = translate(term(promise.status))
        if promise.due:
            status = _("{status}, due by chapter {chapter}", status=status, chapter=promise.due)
        late = _(" (overdue)") if promise.overdue else ""
        words = output.one_line(promise.description or promise.id)
        output.say(f"  {as_label(words)}{status}{late}")


_LENGTHS_IN: Mapping[Unit, Said] = {
    "words": said("Lengths in words."),
    "characters": said("Lengths in characters."),
    "characters with spaces": said("Lengths in characters with spaces."),
    "characters without spaces": said("Lengths in characters without spaces."),
}


@volume.command("review")
@click.option(
    "--review",
    type=click.Choice(["ask", "accept", "reject"]),
    default="ask",
    help="Ask about what can be tidied (default), or leave it.",
)
@model_options
@novel_options
def review_it(
    review: ReviewMode, provider: str | None, model: str | None, as_json: bool, project: Path
) -> Telling:
    """Look back on the current volume: pace, scores, style, promises, storylines, continuity.

    Counted by code and explained by the judge, where a model judges; written to
    volumes/vol-NN/review.md in the novel's language. Then what its story leaves behind can be
    tidied, item by item. Refused (2) while one of its chapters is planned but not in the book.

    --json prints {schema_version, volume, path, chapters, mean, leftovers: [{path, why,
    stands}], decision, explained}.
    """
    session = open_session(project, model_overrides(provider, model))
    ask_for_window(session, is_for_programs=as_json)
    volumes = session.volumes()
    price = volumes.review_price()
    if price is not None and not as_json:
        output.tell(said("The judge looks back on the volume: {price}.", price=price.words))
    listener = Warnings() if as_json else ProgressLines(streams=False)
    run = StoppableCall(lambda emit: volumes.review(review, emit), listener)
    result = run.go()
    if isinstance(result, Failed | Stopped):
        if isinstance(result, Failed):
            output.show_problem(result.problem)
        else:
            output.tell(said("Stopped; nothing was changed."))
        return int(result.exit_code if run.exit_code is None else run.exit_code)
    yield CommandResult(result, Exit.DONE if result.decision is None else Exit.DECIDE)
    output.say(
        said(
            "The review of volume {volume} is in {path}.",
            volume=result.volume,
            path=result.path,
        )
    )
    if result.decision is not None:
        prompt.show(result.decision, project)


@volume.command("plan")
@click.argument("number", type=click.IntRange(min=1), required=False, metavar="[N]")
@click.option(
    "--from",
    "source",
    type=FILE_OR_STDIN,
    metavar="FILE",
    help="Your outline, - for stdin: a heading `## Chapter 4: Title` for each chapter.",
)
@click.option(
    "--chapters", type=click.IntRange(1, 200), metavar="N", help="How many the model plans."
)
@click.option(
    "--length",
    type=click.IntRange(100, MOST_WANTED),
    metavar="N",
    help="How long each is; it becomes part of its plan.",
)
@click.option("--direction", default="", metavar="TEXT", help="What you want of the volume.")
@json_option
@model_options
@project_option
def plan_it(
    number: int | None,
    source: Path | None,
    chapters: int | None,
    length: int | None,
    direction: str,
    as_json: bool,
    provider: str | None,
    model: str | None,
    project: Path,
) -> Telling:
    """Propose a plan of volume N: by default the current one, or else the next.

    The model lays out chapters, storylines and promises from the world, the people and the review
    of the previous volume; you see what that can cost before it is asked. A plan that waits for
    your answer is shown again, and nothing is paid. --from takes an outline of yours instead and
    uses no model.

    What would change is shown chapter by chapter and waits for your answer (4): `studio decide
    accept`, or with --note only some chapters and promises. Chapters in the book stay as they
    are.

    --json prints {schema_version, volume, chapters: [{chapter, title, change:
    new|changed|gone|fixed, before, after}], promises, decision, about_usd,
    worst_usd}.
    """
    from studio.pipeline.volume.architect import VolumeOrder
    from studio.pipeline.volume.outline_proposal import propose, volume_to_plan

    if source is None:
        order = VolumeOrder(number, chapters, direction, length)
        overrides = model_overrides(provider, model)
        return (yield from _by_the_architect(project, order, overrides, as_json))
    if chapters is not None or length is not None or direction:
        raise usage(said("--chapters, --length and --direction are for a model; --from uses none."))
    text = read_text(source)
    store = open_session(project).store
    proposal = propose(store, number or volume_to_plan(store), text)
    yield CommandResult(
        {**to_jsonable(proposal), "about_usd": 0.0, "worst_usd": 0.0},
        Exit.DONE if proposal.decision is None else Exit.DECIDE,
    )
    if proposal.decision is None:
        output.say(said("Volume {volume} is already planned that way.", volume=proposal.volume))
    else:
        prompt.show(proposal.decision, project)


def _by_the_architect(
    project: Path,
    order: VolumeOrder,
    overrides: dict[str, object],
    as_json: bool,
) -> Telling:
    """Has the plot architect plan the volume."""
    from studio.pipeline.volume.outline_proposal import proposal_in, volume_to_plan

    session = open_session(project, overrides, warn=False)
    ask_for_window(session, is_for_programs=as_json)
    volumes = session.volumes()
    cost = None if volumes.plan_that_waits(order) is not None else volumes.price(order)
    if cost is not None and not as_json:
        volume = order.volume or volume_to_plan(session.store)
        output.tell(
            said(
                "The plan of volume {volume} is asked for: {price}.",
                volume=volume,
                price=cost.words,
            )
        )
    listener = Warnings() if as_json else ProgressLines(streams=False)
    run = StoppableCall(lambda emit: volumes.plan(order, emit), listener)
    outcome = run.go()
    code = int(outcome.exit_code) if run.exit_code is None else run.exit_code
    if isinstance(outcome, Failed):
        output.show_problem(outcome.problem)
    elif isinstance(outcome, Paused):
        proposal = to_jsonable(proposal_in(outcome.decision))
        about, most = (cost.about, cost.most) if cost is not None else (0.0, 0.0)
        yield CommandResult({**proposal, "about_usd": about, "worst_usd": most}, code)
        prompt.show(outcome.decision, project)
    elif isinstance(outcome, NothingToDo):
        output.say(outcome.message)
    else:
        output.tell(said("Stopped; nothing was changed."))
    return code


@click.command()
@novel_options
def brief(project: Path) -> Telling:
    """Show means and curves of the last five chapters, and what needs another look.

    Chapters with a low score or a broken rule, chapters the story's state knows nothing of
    (three of them: how they are read again), overdue promises, cost. No model is asked.

    --json prints {schema_version, first, last, mean, book_mean, means, curves, problem_chapters,
    state_gaps, held_back, left_open, rebuild_offered, overdue_promises, cost_usd,
    book_cost_usd}, or null where no chapter is in the book.
    """
    from studio.pipeline.volume.brief import brief_of, sentences_of

    store = open_session(project).store
    last = store.checkpoint().last_completed_chapter
    report = brief_of(store, last) if last else None
    yield report
    if report is None:
        output.say(said("No chapter is in the book yet."))
    else:
        chapters = said("Chapters {first} to {last}", first=report.first, last=report.last)
        output.say(
            chapters
            if report.first < report.last
            else said("Chapter {chapter}", chapter=report.last),
            "strong",
        )
        for sentence in sentences_of(report):
            output.say(f"  {output.one_line(sentence)}")
