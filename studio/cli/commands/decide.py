"""`studio decide`: shows the open question and takes its answer."""

from __future__ import annotations

from pathlib import Path

import click

from studio.cli import output, prompt
from studio.cli.completion import decision_options
from studio.cli.options import Telling, command, novel_options, open_session
from studio.errors import usage
from studio.messages import said
from studio.pipeline.beginning.steps import AGAIN
from studio.pipeline.gateway import choice_to_look
from studio.project.lock.holder import read_lock
from studio.story.checkpoint import Decision
from studio.story.decision_words import without_a_model


@click.command()
@click.argument("option", required=False, shell_complete=decision_options)
@click.option("--id", "decision_id", metavar="ID", help="Only if this is the open question.")
@click.option("--note", default="", metavar="TEXT", help="Why, or what to mind; it is kept.")
@novel_options
def decide(option: str | None, decision_id: str | None, note: str, project: Path) -> Telling:
    """Answer the open question with OPTION; without OPTION show it.

    --json prints {schema_version, decision} when it shows and {schema_version,
    answer} when it answers; each is null where there is none.
    """
    session = open_session(project)
    if option is None:
        if note:
            raise usage(
                said("--note goes with an answer."), f"{command('decide OPTION', project)}."
            )
        decision = session.pending()
        if decision_id is not None and (decision is None or decision.id != decision_id):
            raise usage(
                said("The decision {id} is not open.", id=decision_id),
                said("{command} shows the one that is.", command=command("decide", project)),
            )
        lock = read_lock(session.store.layout.folder)
        is_written = lock.is_elsewhere
        if is_written and decision is not None and decision.kind == "cut_off":
            decision = None  # its scene did not break off: it is on its way
        yield {"decision": decision}
        if decision is None and is_written:
            output.say(lock.sentence())
        elif decision is None:
            inflight = session.store.checkpoint().inflight_chapter
            output.say(
                said("No decision is waiting.")
                if inflight is None
                else said(
                    "Chapter {chapter} waits, and asks nothing at the moment. {command} goes on"
                    " with it, to its next question.",
                    chapter=inflight,
                    command=command("resume", project),
                )
            )
        else:
            has_model = choice_to_look(session.settings).provider is not None
            prompt.show(decision if has_model else without_a_model(decision), project)
        return
    question = session.pending()
    answer = session.decide(option, decision_id, note)
    yield {"answer": answer}
    if answer is None:
        prompt.say_where_to_work(session, option, project)
    else:
        follows = _what_follows(question, answer.option, project)
        output.say(said("Recorded: {option}. {follows}", option=answer.option, follows=follows))


def _what_follows(question: Decision | None, option: str, project: Path) -> str:
    """Returns the sentence that names the command after an answer."""
    if question is None or not question.between_chapters:
        return said("{command} carries it out.", command=command("resume", project))
    if question.kind == "start":
        return said("{command} goes on.", command=command("start", project))
    if question.kind == "outline" and option == AGAIN:
        return said("{command} goes on.", command=command("volume plan", project))
    return said("{command} begins the next chapter.", command=command("write", project))
