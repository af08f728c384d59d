"""`studio write` and `studio resume`: a run, followed by its outcome and the next step."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.chapter_names import own_title
from studio.cli import keyboard, output, prompt
from studio.cli.completion import chapters
from studio.cli.event_stream import EventLines
from studio.cli.input import STDIN, read_text
from studio.cli.left_open import say_changes, say_left_open
from studio.cli.options import (
    A_CHAPTER,
    FILE_OR_STDIN,
    command,
    events_option,
    json_option,
    model_options,
    model_overrides,
    open_session,
    project_option,
)
from studio.cli.paid_call import ask_for_window
from studio.cli.progress import ProgressLines, Warnings
from studio.cli.signals import StoppableCall
from studio.cli.terms import term
from studio.errors import Exit, StudioError, usage
from studio.messages import chapters_named, said, series
from studio.pipeline.outcome import (
    Committed,
    Failed,
    NothingToDo,
    Outcome,
    Paused,
    Stopped,
    tally_in_all,
)
from studio.project.commit.writing import is_interrupted
from studio.project.store import ProjectStore
from studio.story.decision_words import COSTS
from studio.story.form.document import encode_line, to_jsonable
from studio.story.ledger import FREE
from studio.story.status import ReviewMode

if TYPE_CHECKING:
    from studio.pipeline.volume.long_run import LongRun
    from studio.session import Session, WriteOrder

Method = Callable[["WriteOrder", Callable[[Any], None]], Coroutine[Any, Any, Outcome]]


@dataclass(frozen=True, slots=True)
class Audience:
    """Who follows a run: a person at the terminal, or a program that reads events."""

    project: Path
    events: bool
    asks: bool
    """Whether decisions are asked for at the terminal."""
    as_json: bool = False
    """Whether stdout is reserved for the results, one line each."""

    def listener(self) -> EventLines | ProgressLines | Warnings:
        """Returns the listener for the run's events."""
        if self.events:
            return EventLines()
        return Warnings() if self.as_json else ProgressLines(output.is_terminal(sys.stdout))


def _run_options(function: Callable[..., int]) -> Callable[..., int]:
    review = click.option(
        "--review",
        type=click.Choice(["ask", "accept", "reject"]),
        default="ask",
        help="Ask for every decision (default), or accept or reject every directive.",
    )
    mode = click.option(
        "--mode",
        type=click.Choice(["standard", "prewriter"]),
        help="Whether a brief of each scene is written first (prewriter) or not.",
    )
    scenes = click.option(
        "--scenes",
        type=click.Choice(["model", "plan"]),
        help="Who divides a chapter whose plan has fewer parts than it needs scenes.",
    )
    options = (project_option, json_option, model_options, scenes, mode, events_option, review)
    for option in options:
        function = option(function)
    return function


@click.command()
@click.argument("chapter", type=A_CHAPTER, required=False, shell_complete=chapters)
@_run_options
@click.option("--direction", default="", metavar="TEXT", help="What you want of this chapter.")
@click.option(
    "--draft",
    type=FILE_OR_STDIN,
    metavar="FILE",
    help="Your own chapter, - for stdin: no model writes; it is summarized, judged and reviewed.",
)
@click.option(
    "--scene",
    type=click.IntRange(min=1),
    help="Draft one scene, or draft it again; the others stay.",
)
@click.option(
    "--continue",
    "goes_on",
    is_flag=True,
    help="Go on from the last word of that scene, or of the scene in progress.",
)
@click.option("--again", is_flag=True, help="Review a chapter of the book anew.")
@click.option(
    "--count", type=click.IntRange(min=1), default=1, help="How many chapters, one after another."
)
@click.option("--until-volume-end", is_flag=True, help="Every chapter planned in the volume.")
def write(
    chapter: int | None,
    review: ReviewMode,
    events: bool,
    mode: str | None,
    scenes: str | None,
    direction: str,
    draft: Path | None,
    scene: int | None,
    goes_on: bool,
    again: bool,
    count: int,
    until_volume_end: bool,
    provider: str | None,
    model: str | None,
    as_json: bool,
    project: Path,
) -> int:
    """Write CHAPTER: by default the interrupted one, else the next.

    A run over several chapters ends at the first that needs you (4), at a cap (7), or with the
    code a single chapter would have had; while you are asked (--review ask) it is one at a time.

    --json prints a line a chapter, as `resume --json` does: {schema_version, status, exit_code,
    chapter, title, word_count, quality_score, summary, badges, left_open, changes, spent_usd,
    detail, severity, id, kind, recommendation, options, rationale, data}; and at the end
    {schema_version, committed, stopped_by}.
    """
    from studio.pipeline.volume.long_run import LongRun
    from studio.session import WriteOrder

    several = count > 1 or until_volume_end
    is_about_one = draft is not None or again or goes_on or scene is not None
    _check_count(count, until_volume_end, alone=is_about_one)
    audience = audience_of(project, review, events, as_json)
    session = open_session(project, _overrides(provider, model, mode, scenes), warn=False)
    own = read_text(STDIN) if draft == STDIN else draft
    order = WriteOrder(
        chapter=chapter,
        review=review,
        direction=direction,
        draft=own,
        scene=scene,
        goes_on=goes_on,
        again=again,
        several=several,
    )
    series = LongRun(review, count)
    if until_volume_end:
        series = LongRun.to_the_volumes_end(session.store, review)
    code = int(Exit.DONE)
    goes_on = not (until_volume_end and series.is_complete)
    if goes_on:
        _say_price(session, order, audience, series.chapters if review != "ask" else 1)
    while goes_on:
        outcome, code = run_and_ask(session, session.write, order, audience)
        goes_on = series.goes_on(outcome, code)
        order = dataclasses.replace(order, chapter=None, direction="", scene=None, goes_on=False)
    _conclude_series(series, several, audience, session)
    return code


def _check_count(count: int, until_volume_end: bool, *, alone: bool) -> None:
    """Refuses to write several chapters by two ends, or by an order that is about one (`alone`)."""
    if alone and (count > 1 or until_volume_end):
        raise usage(
            said(
                "--count and --until-volume-end cannot be combined with --draft, --again, "
                "--scene or --continue."
            ),
            said("Write those one by one."),
        )
    if count > 1 and until_volume_end:
        raise usage(said("Use either --count or --until-volume-end to say where to stop."))


def _say_price(session: Session, order: WriteOrder, audience: Audience, count: int = 1) -> None:
    """Prints on stderr what a run costs until it asks, as the app says beside its key; nothing
    where it only asks again, or where that is not known for a part of a chapter."""
    is_of_a_part = order.draft is not None or order.scene is not None or order.goes_on
    if is_of_a_part or audience.events or audience.as_json or output.is_quiet():
        return
    with suppress(StudioError):  # the run says what is wrong
        checkpoint, previews = session.store.checkpoint(), session.previews()
        question = checkpoint.pending_decision
        if question is not None and question.kind != "review":
            return
        chapter = order.chapter or checkpoint.inflight_chapter
        if order.again and chapter is not None:
            price = previews.price_of_reading_again(chapter)
        else:
            price = previews.price_of_writing(chapter, order.review)
        if price != FREE:
            price = price.times(count)
            output.tell(said(COSTS, price=price.words))


def _conclude_series(series: LongRun, several: bool, audience: Audience, session: Session) -> None:
    """Reports the result of several chapters, in the form for a program or a person."""
    say = output.tell if audience.events else output.say
    if several and series.review != "ask" and not audience.as_json:
        ledger = session.costs().ledger
        for one in series.written:
            say(one.tally(ledger))
        if (in_all := tally_in_all(series.written, ledger)) is not None:
            say(in_all)
    if several and series.left_open and not audience.as_json:
        example = command("status", audience.project)
        say(
            said(
                "Something was left open in {chapters}. {command} tells it again.",
                chapters=chapters_named(series.left_open),
                command=example,
            )
        )
    if audience.as_json:
        output.put_json(encode_line(to_jsonable(series.report())))
    elif several and series.stopped_by == "ask":
        say(said("You are asked about each chapter, so the next one waits for you."))
    elif several and series.is_complete and not series.committed:
        say(said("Every chapter planned in the volume is in the book."))


@click.command()
@_run_options
def resume(
    review: ReviewMode,
    events: bool,
    mode: str | None,
    scenes: str | None,
    provider: str | None,
    model: str | None,
    as_json: bool,
    project: Path,
) -> int:
    """Go on with the interrupted chapter from where it stands; nothing finished is done twice.

    --json prints the outcome as one line, with the keys of `write --json`.
    """
    from studio.session import WriteOrder

    audience = audience_of(project, review, events, as_json)
    session = open_session(project, _overrides(provider, model, mode, scenes), warn=False)
    order = WriteOrder(review=review)
    _say_price(session, order, audience)
    return run_and_ask(session, session.resume, order, audience)[1]


def _overrides(
    provider: str | None, model: str | None, mode: str | None, scenes: str | None
) -> dict[str, object]:
    generation = {"generation.mode": mode, "generation.scenes": scenes}
    return {**model_overrides(provider, model), **generation}


def audience_of(project: Path, review: ReviewMode, events: bool, as_json: bool) -> Audience:
    if events and as_json:
        raise usage(said("--events and --json both need all of stdout; give only one of them."))
    asks = review == "ask" and not events and not as_json and keyboard.asks()
    return Audience(project, events, asks, as_json)


def run_and_ask(
    session: Session,
    method: Method,
    order: WriteOrder,
    audience: Audience,
    then: Method | None = None,
) -> tuple[Outcome, int]:
    """Runs, asks for decisions where it may, and continues by `then`, else as `resume` does;
    returns the last outcome and the exit code."""
    if audience.asks:
        ask_for_window(session)
    while True:
        outcome, code = _run_once(method, order, audience)
        if audience.as_json:
            for ended in _parts(outcome):
                output.put_json(encode_line(to_jsonable(session.result(ended))))
        if not isinstance(outcome, Paused) or not audience.asks:
            return outcome, code
        option = prompt.ask(outcome.decision)
        note = None if option is None else prompt.ask_words(outcome.decision, option)
        if option is None or note is None:
            return outcome, code
        if session.decide(option, outcome.decision.id, note) is None:
            prompt.say_where_to_work(session, option, audience.project)
            return outcome, code
        method, order = (
            then or session.resume,
            dataclasses.replace(order, chapter=None, draft=None, scene=None, goes_on=False),
        )


def _parts(outcome: Outcome) -> tuple[Outcome, ...]:
    """Returns an outcome, preceded by the chapter that entered the book before it, if any."""
    first = outcome.committed if isinstance(outcome, Paused) else None
    return (outcome,) if first is None else (first, outcome)


def _run_once(method: Method, order: WriteOrder, audience: Audience) -> tuple[Outcome, int]:
    """Runs once and reports events and outcome; returns the outcome and the exit code."""
    listener = audience.listener()
    run = StoppableCall(lambda emit: method(order, emit), listener)
    try:
        outcome = run.go()
    except StudioError as error:
        outcome = Failed(error.problem)
    if isinstance(outcome, Failed):
        listener.fail(outcome.problem)
        output.show_problem(outcome.problem)
    elif isinstance(listener, ProgressLines):
        listener.end_line()
        _conclude(outcome, audience.project, output.say)
        _say_cost(listener)
    elif not audience.as_json:
        _conclude(outcome, audience.project, output.tell)
    if not audience.as_json:
        _say_who_is_asked(order.review, outcome, audience)
    return outcome, outcome.exit_code if run.exit_code is None else run.exit_code


def _say_who_is_asked(review: ReviewMode, outcome: Outcome, audience: Audience) -> None:
    """Prints, of a chapter that was to ask nobody and was left on the way, that it asks if it is
    gone on with, and how it does not."""
    is_left = isinstance(outcome, Stopped | Paused | Failed)
    if review == "ask" or not is_left or not _is_in_a_chapter(audience.project):
        return
    output.tell(
        said(
            "{command} asks you from here on; {way} goes on without.",
            command=command("resume", audience.project),
            way=command(f"resume --review {review}", audience.project),
        )
    )


def _say_cost(progress: ProgressLines) -> None:
    sentence = progress.cost_sentence()
    if sentence and not output.is_quiet():
        output.say(sentence)


def _conclude(outcome: Outcome, project: Path, say: Callable[[str], None]) -> None:
    """Prints the outcome of the run in one sentence, and what to do next."""
    if isinstance(outcome, Paused) and outcome.committed is not None:
        _conclude(outcome.committed, project, say)
    if isinstance(outcome, Committed):
        chapter, title = outcome.chapter, output.one_line(outcome.title)
        words = said("Chapter {chapter} is in the book.", chapter=chapter)
        if title := own_title(title, chapter):
            words = said(
                "Chapter {chapter}, “{title}”, is in the book.", chapter=chapter, title=title
            )
        if outcome.badges:
            badges = series(map(term, outcome.badges))
            words = said("{sentence} [{badges}]", sentence=words, badges=badges)
        say(words)
        say_changes(outcome.changes, say)
        say_left_open(outcome.chapter, outcome.left_open, project, say)
    elif isinstance(outcome, Paused):
        prompt.show(outcome.decision, project, say)
    elif isinstance(outcome, NothingToDo):
        say(
            said(
                "{message} {command} begins the next one.",
                message=outcome.message,
                command=command("write", project),
            )
        )
    elif not isinstance(outcome, Failed):
        is_open = outcome.chapter is None or _has_open_work(project)
        goes_on = said(
            "{command} goes on.", command=command("resume" if is_open else "write", project)
        )
        if is_open and outcome.chapter is not None:
            output.tell(
                said(
                    "Stopped in chapter {chapter}; nothing is lost. {goes_on}",
                    chapter=outcome.chapter,
                    goes_on=goes_on,
                )
            )
        else:
            output.tell(said("Stopped; nothing is lost. {goes_on}", goes_on=goes_on))


def _has_open_work(project: Path) -> bool:
    """Whether `resume` has work; true for an unreadable state too, which `resume` explains."""
    try:
        return is_interrupted(ProjectStore(project))
    except StudioError:
        return True


def _is_in_a_chapter(project: Path) -> bool:
    """Whether a chapter is in progress; false for an unreadable state, which was told already."""
    try:
        return ProjectStore(project).checkpoint().inflight_chapter is not None
    except StudioError:
        return False
