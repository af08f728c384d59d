"""Shows a decision to the writer in full, and asks for it where the writer is at a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from studio.cli import output
from studio.cli.keyboard import typed_line
from studio.cli.options import command, say_command
from studio.i18n import as_label, translate
from studio.messages import said, series
from studio.project.staging import staged_name
from studio.story.checkpoint import DIRECTIVES, Decision
from studio.story.decision_words import says_what_is_free, title_of
from studio.text.safe import safe_text

if TYPE_CHECKING:
    from studio.pipeline.beginning.pieces import ProposedPiece
    from studio.session import Session


def show(decision: Decision, project: Path, say: Callable[[str], None] = output.say) -> None:
    """Prints the question, its options with the effect of each, and how to answer."""
    from studio.pipeline.volume.proposed import pieces_of

    say(said("Your decision is needed: {heading}", heading=title_of(decision)))
    if decision.rationale:
        say(f"  {output.one_line(decision.rationale)}")
    notes = decision.data.get("notes") if decision.between_chapters else None
    pieces = pieces_of(decision)
    for note in notes if isinstance(notes, list) and not pieces else []:
        say(f"  {output.one_line(note)}")
    _show_pieces(decision, pieces, say)
    for number, question in enumerate(decision.data.get("questions") or (), start=1):
        say(f"  {number}. {output.one_line(question)}")
    if asks := decision.data.get("asks"):
        say(f"  {output.one_line(asks)}")
    consequences = decision.data.get("options")
    effects = consequences if isinstance(consequences, dict) else {}
    rows = [
        (
            ">" if option == decision.recommendation else " ",
            option,
            effects.get(option, ""),
        )
        for option in decision.options
    ]
    free = says_what_is_free(decision)
    for line in (*output.columns(rows, indent="  "), *([f"  {translate(free)}"] if free else ())):
        say(line)
    if decision.data.get("pending"):
        say(said("Directives: {command}.", command=command("directives list", project)))
    option = decision.recommendation or ("next" if decision.needs_words("next") else "")
    if option in ("", DIRECTIVES):
        answer = command("decide OPTION", project)
    else:
        words = ' --note "..."' if decision.needs_words(option) else ""
        proposed = command(f"decide {quote(option)}{words}", project)
        answer = said("{command} or another option", command=proposed)
    follows = "write" if decision.between_chapters else "resume"
    follows = "start" if decision.kind == "start" else follows
    say(
        said(
            "Answer with {answer}, then {command}.",
            answer=answer,
            command=command(follows, project),
        )
    )


def _show_pieces(
    decision: Decision, pieces: Iterable[ProposedPiece], say: Callable[[str], None]
) -> None:
    """Prints what is proposed, whole, as it will be saved; of her style first what her words were
    read as."""
    from studio.pipeline.beginning.pieces import words_of
    from studio.pipeline.beginning.steps import READ_AS

    if words := decision.data.get(READ_AS):
        say(f"  {output.one_line(words)}")
    for piece in pieces:
        if not piece.text.strip():  # a label alone says nothing
            continue
        say(f"  {as_label(translate(piece.label)).rstrip()}")
        for row in safe_text(words_of(piece), keep_newlines=True).splitlines():
            say(f"    {row}".rstrip())


def ask(decision: Decision) -> str | None:
    """Returns the option typed at the terminal; None leaves the question open."""
    while typed := typed_line(said("Option, or Enter to leave it open: ")):
        if (option := decision.option_for(typed)) is not None:
            return option
        output.say(said("The options are {options}.", options=series(decision.options)))
    return None


def ask_words(decision: Decision, option: str) -> str | None:
    """Returns the text for an answer that requires one; None leaves the question open."""
    if not decision.needs_words(option):
        return ""
    return typed_line(said("Your answer, or Enter to leave it open: ")) or None


def say_where_to_work(session: Session, option: str, project: Path) -> None:
    """Prints where to go on after `edit`, `directives` or `stop`, which leave the question open."""
    pending = session.pending()
    if pending is not None and pending.option_for(option) == DIRECTIVES:
        listing = command("directives list", project)
        output.say(
            said(
                "{listing} shows what is open; then {command}.",
                listing=listing,
                command=command("resume", project),
            )
        )
        return
    if pending is not None and pending.kind == "budget":
        say_command(
            said(
                "No model is asked until you decide; choosing another model, or giving its "
                "price in your settings, answers the question too. Then {command}."
            ),
            "resume",
            project,
        )
        return
    if pending is not None and pending.kind == "start":
        say_command(
            said("Change the files as you like, then {command} asks again."), "start", project
        )
        return
    chapter = session.store.checkpoint().inflight_chapter
    where = staged_name(chapter) if chapter else said("the chapter")
    output.say(
        said(
            "Change {where} in your editor, then {command}.",
            where=where,
            command=command("resume", project),
        )
    )
