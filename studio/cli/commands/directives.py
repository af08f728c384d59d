"""`studio directives`: the directives for a chapter, and the writer's decisions on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from studio.cli import output
from studio.cli.completion import directive_ids
from studio.cli.input import read_text
from studio.cli.options import (
    A_CHAPTER,
    FILE_OR_STDIN,
    CommandResult,
    Telling,
    add_decisions,
    command,
    novel_options,
    open_session,
    say_command,
)
from studio.cli.terms import place_words, term
from studio.errors import StudioError, usage
from studio.i18n import as_label, further, sentence_of, translate
from studio.messages import Said, quantity, said, series
from studio.pipeline.costs import with_price
from studio.pipeline.gateway import choice_to_look
from studio.pipeline.judging.placement import evaluation_beside
from studio.story.form.document import to_jsonable
from studio.story.form.ids import typed_id
from studio.story.form.numerals import whole_number
from studio.story.review.directive import (
    Directive,
    DirectiveSheet,
    DirectiveType,
    kind_name,
    words_for,
)
from studio.story.review.evaluation import ChoiceAnswer, Counsel, Help, PlaceAnswer, help_of
from studio.story.state_words import change_in_words
from studio.story.status import DirectiveStatus
from studio.text.oracle.fix_effect import content_words, reader_words, statement

if TYPE_CHECKING:
    from studio.pipeline.review.choice_answers import PatternWay
    from studio.session import Session

ANSWERED: Mapping[ChoiceAnswer, str] = {
    "fix": said("a fix here"),
    "wish": said("a wish for the next draft"),
    "next": said("a wish for the next chapter"),
    "note": said("a note in the text"),
    "meant": said("it is meant"),
    "always": said("from now on"),
}
"""What the writer's answer turned a choice into."""
_THEN: Mapping[ChoiceAnswer, str] = {
    "fix": said("It is among the fixes now; `studio resume` lets the surgeon do it."),
    "wish": said("Kept for the next draft of this chapter."),
    "next": said("Kept for the next chapter: whoever plans, writes and judges it is told."),
    "note": said("The note stands behind the passage."),
    "meant": said("It is meant; it is not asked again while these words stand."),
    "always": said(
        "It holds from now on; whoever writes or judges is told. It stands in"
        " context/guidelines/decided.md; take it out there and it holds no more."
    ),
}
IN_REVIEW_WITH_IT = said(
    "With this answer the chapter is in review again; in the book it stays as it was."
)
_NO_SURGEON = said("It is among the fixes now; the surgeon needs a model, and none is set.")


PASSAGE_GONE = said("; its passage is gone")
_AT_A_PLACE: Mapping[PlaceAnswer, str] = {
    "taken": said("taken"),
    "left": said("left"),
    "directive": said("a directive"),
}
"""What a place of a pattern became."""


class _ListFirst(click.Group):
    """A group that lists the directives when no subcommand follows."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        asks_for_help = bool(args) and args[0] in ctx.help_option_names
        wanted = asks_for_help or ctx.resilient_parsing  # the shell asks for completions
        if not wanted and (not args or args[0].startswith("-")):
            args = ["list", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_ListFirst)
def directives() -> None:
    """The directives of the chapter in progress, or else of the last committed one.

    Decisions are only recorded: `studio resume` has the surgeon work on what was accepted or
    edited. Only `undo` changes the text at once.
    """


chapter_option = click.option(
    "--chapter", type=A_CHAPTER, metavar="N", help="Of another chapter of the book."
)


@directives.command("list")
@chapter_option
@novel_options
def list_them(chapter: int | None, project: Path) -> Telling:
    """Every directive with its passage and where it stands.

    --json prints the sheet as it stands in evaluations/chapter-NNN-directives.json
    and, as `help`, what is no fix: `conflicts` (ids that share paragraphs), `decide`,
    `patterns` and `advice`. null where there is no sheet.
    """
    return _list(chapter, project)


@directives.command("show")
@click.argument("ids", nargs=-1, metavar="[ID...]")
@novel_options
def show(ids: Sequence[str], project: Path) -> Telling:
    """One directive, several or all of them: what was asked, what came of it, what it lost and
    added, and what a second reader said."""
    sheet = open_session(project).directives()
    if sheet is None:
        raise usage(
            said("There are no directives yet."),
            said("{command} makes them.", command=command("write", project)),
        )
    chosen = [_find(sheet, wanted) for wanted in ids] or list(sheet.directives)
    yield {"directives": chosen}
    for directive in chosen:
        _show_one(directive)


def _find(sheet: DirectiveSheet, wanted: str) -> Directive:
    directive = sheet.find(wanted)
    if directive is None:
        known = series(typed_id(d.id) for d in sheet.directives) or said("none")
        raise usage(
            said("There is no directive {id}.", id=wanted), said("Known here: {ids}.", ids=known)
        )
    return directive


@directives.command()
@click.argument("directive_id", metavar="ID", shell_complete=directive_ids)
@click.option("--instruction", metavar="TEXT", help="What the surgeon is to do instead.")
@click.option(
    "--text",
    "text_file",
    type=FILE_OR_STDIN,
    metavar="FILE",
    help="Your own words for the passage; no model is asked. - reads stdin.",
)
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept.")
@novel_options
def edit(
    directive_id: str,
    instruction: str | None,
    text_file: Path | None,
    reason: str,
    project: Path,
) -> Telling:
    """Accept a directive with your own instruction, or with your own text for the passage."""
    if (instruction is None) == (text_file is None):
        raise usage(said("An edit needs either --instruction TEXT or --text FILE."))
    text = None if text_file is None else read_text(text_file)
    session = open_session(project)
    updated = session.change_directives(
        "edit", [directive_id], reason=reason, instruction=instruction, text=text
    )
    return _tell(updated, project)


@directives.command()
@click.argument("unplaced", metavar="ID")
@click.option("--passage", "address", metavar="2.3[-2.5]", required=True, help="Where it belongs.")
@novel_options
def place(unplaced: str, address: str, project: Path) -> Telling:
    """Say where a proposal belongs that could not be placed; then it is decided like any other.

    ID is `unplaced-001`, as `studio directives list` names it, or its number.

    --json prints {schema_version, directives}.
    """
    number = whole_number(unplaced.replace("-", "_").removeprefix("unplaced_"))
    if number is None:
        listing = command("directives list", project)
        raise usage(
            said("There is no proposal {number} without a place.", number=unplaced),
            said("{command} names them.", command=listing),
        )
    directive = open_session(project).place_proposal(number, address)
    return _tell([directive], project)


@directives.command()
@click.argument("number", type=click.IntRange(min=1))
@click.argument(
    "way", metavar="fix|wish|next|always|note|meant|undo", type=click.Choice([*ANSWERED, "undo"])
)
@click.argument("words", default="", metavar="[WORDS]")
@chapter_option
@novel_options
def answer(
    number: int, way: str, words: str, chapter: int | None, as_json: bool, project: Path
) -> Telling:
    """Answer what only you decide, by its NUMBER in the list.

    `fix`: the surgeon follows your words in that paragraph. `wish`: they go to the next draft.
    `next`: they go to whoever plans, writes and judges the next chapter, until that has begun.
    `note`: they stand in the text behind the passage, for people alone. `meant`: it is not asked
    again while its words stand; words are a reason, and may be left out. `always`: it holds from
    now on, and whoever writes or judges a chapter is told. `undo` takes an answer back.

    A chapter of the book is answered in the same way. For `fix`, `wish` and `note` it is taken into
    review again, and stays in the book as it was until it goes in once more.

    --json prints {schema_version, choice}.
    """
    session = open_session(project)
    sheet = session.directives(chapter)
    choices = help_of(sheet, evaluation_beside(session.store, sheet)).decide if sheet else ()
    if number > len(choices):
        of_chapter = f" --chapter {chapter}" if chapter else ""
        listing = command(f"directives list{of_chapter}", project)
        raise usage(
            said("There is no choice {number}.", number=number),
            said("{listing} numbers them.", listing=listing),
        )
    picked = choices[number - 1]
    wanted = next((name for name in ANSWERED if name == way), None)
    inflight = session.store.checkpoint().inflight_chapter
    choice = session.answer_choice(picked.issue, wanted, words, chapter)
    price = _price_of_fix(session, choice) if wanted == "fix" and not as_json else ""
    yield {"choice": choice}
    if inflight is None and session.store.checkpoint().inflight_chapter is not None:
        output.say(IN_REVIEW_WITH_IT)
    if wanted is None:
        output.say(said("Your answer is taken back; the choice is open again."))
    else:
        is_stuck = wanted == "fix" and choice_to_look(session.settings).provider is None
        output.say(_NO_SURGEON if is_stuck else with_price(_THEN[wanted], price))


def _price_of_fix(session: Session, choice: Counsel) -> Said | str:
    """Returns what the fix that answers a choice will cost, in words; empty where it is unknown."""
    try:
        price = session.previews().price_of_answer(choice.issue, choice.answer_words)
    except StudioError:
        return ""
    return price.words if price.most else ""


@directives.command()
@click.argument("number", type=click.IntRange(min=1), required=False)
@click.option("--leave", is_flag=True, help="The book does not remember it.")
@click.option("--words", metavar="TEXT", help="What is promised, or true, in your words.")
@novel_options
def remembers(
    number: int | None, leave: bool, words: str | None, as_json: bool, project: Path
) -> Telling:
    """Show what the book will remember of the chapter in work, or change NUMBER of it.

    --json prints {schema_version, remembers: [{number, change, words}]}: what is remembered now.
    """
    from studio.pipeline.review.to_remember import leave_out, remembered_of, say_otherwise

    store = open_session(project).store
    if (number is None) != (not leave and words is None) or (leave and words is not None):
        raise usage(said("Name a number with --leave or with --words."))
    if number is not None:
        change = leave_out(store, number) if leave else say_otherwise(store, number, words or "")
        if not as_json:
            line = change_in_words(change, change.about or change.quote)
            sentence = said("Left out: {what}") if leave else said("Now: {what}")
            output.say(sentence.with_values(what=line))
            return
    inflight = store.checkpoint().inflight_chapter
    rows = remembered_of(store, inflight) if inflight is not None else ()
    data = [{"number": one.number, "change": one.change, "words": one.words} for one in rows]
    yield {"remembers": data}
    if not rows:
        output.say(said("There is nothing that the book would remember of a chapter in work."))
    for one in rows:
        output.say(f"{one.number}  {change_in_words(one.change, one.words, one.names)}")


@directives.command()
@click.argument("number", type=click.IntRange(min=1))
@click.argument("way", metavar="take|leave|make", type=click.Choice(["take", "leave", "make"]))
@click.argument("places", nargs=-1, type=click.IntRange(min=1), metavar="[PLACE...]")
@click.option(
    "--type",
    "kind",
    type=click.Choice(["cliche-replacement", "cut", "rhythm-variation"]),
    help="What it becomes; otherwise other words, or another rhythm for a form.",
)
@click.option("--instruction", default="", metavar="TEXT", help="What the surgeon is to do.")
@novel_options
def pattern(
    number: int,
    way: PatternWay,
    places: tuple[int, ...],
    kind: str | None,
    instruction: str,
    project: Path,
) -> Telling:
    """Say what becomes of a pattern, by its NUMBER in the list: what the chapter has far more often
    than published prose.

    Each PLACE is numbered in the list; without one all that are open are meant. `take`: the surgeon
    says it otherwise there. `leave`: it stays. `make`: a directive that you still decide on. By
    itself nothing is done about a pattern, in no review mode.

    --json prints {schema_version, pattern}.
    """
    from studio.pipeline.review.choice_answers import answer_pattern

    session = open_session(project)
    sheet = session.directives()
    tics = help_of(sheet, evaluation_beside(session.store, sheet)).patterns if sheet else ()
    if number > len(tics):
        raise usage(
            said("There is no pattern {number}.", number=number),
            said("{listing} numbers them.", listing=command("directives list", project)),
        )
    kind_wanted = None if kind is None else DirectiveType(kind)
    now = answer_pattern(
        session.store, tics[number - 1].words, places, way, kind_wanted, instruction
    )
    yield {"pattern": now}
    for at, passage in enumerate(now.places, start=1):
        output.say(f"{at}  {_place_row(now, at)}  {output.one_line(passage.opens)}")
    if way != "leave":
        say_command(said("{command} goes on."), "resume", project)


def _place_row(pattern: Counsel, number: int) -> str:
    """Returns what a place of a pattern is now, in a word, and the directive it became."""
    answer = pattern.answered(number)
    if answer is None:
        return translate(said("open"))
    return " ".join(filter(None, (translate(_AT_A_PLACE[answer.answer]), answer.directive)))


def _tell(updated: Sequence[Directive], project: Path) -> Telling:
    yield {"directives": updated}
    for directive in updated:
        place = "" if directive.stands == "gone" else further(place_words(directive.location))
        what = as_label(kind_name(directive.type) + place)
        output.say(what + translate(term(directive.status.value)))
        if directive.status is DirectiveStatus.UNDONE and directive.result is not None:
            taken = [
                (said("out"), directive.result.after),
                (said("back"), directive.result.before),
            ]
            output.say_fields(taken)
    if updated:
        say_command(said("{command} goes on."), "resume", project)
    else:
        output.say(said("No directive is open."))


add_decisions(
    directives,
    lambda session: session.change_directives,
    _tell,
    {
        "accept": "Let the surgeon do it; if the fix is already in the text, keep it.",
        "reject": "Leave the passage as it is; the proposal does not come back.",
        "undo": "Take a fix back out of the text, or a decision back.",
    },
    directive_ids,
    said("Name the directives or say --all."),
)


def _list(chapter: int | None, project: Path) -> Telling:
    session = open_session(project)
    sheet = session.directives(chapter)
    if sheet is None:
        yield None
        output.say(said("There are no directives yet."))
        return
    help_ = help_of(sheet, evaluation_beside(session.store, sheet))
    data = {**to_jsonable(sheet), "help": _no_fixes(help_)}
    yield CommandResult(data, is_versioned=False)
    _show(sheet, project)
    _show_rest(help_)


def _no_fixes(help_: Help) -> dict[str, Any]:
    return {
        "conflicts": [list(ids) for ids in help_.conflicts],
        "decide": [to_jsonable(counsel) for counsel in help_.decide],
        "patterns": [to_jsonable(counsel) for counsel in help_.patterns],
        "advice": [to_jsonable(counsel) for counsel in help_.advice],
    }


def _show_rest(help_: Help) -> None:
    """Prints what cannot be accepted: choices, advice, and fixes that exclude each other."""
    for ids in help_.conflicts:
        output.say()
        named = series(map(typed_id, ids))
        output.say(
            said("These touch the same paragraphs; one at a time: {ids}.", ids=named), "quiet"
        )
    kinds = (
        (said("You decide"), help_.decide),
        (said("Pattern"), help_.patterns),
        (said("Advice"), help_.advice),
    )
    for title, entries in kinds:
        for number, counsel in enumerate(entries, start=1):
            output.say()
            gone = translate(PASSAGE_GONE) if counsel.stands == "gone" else ""
            output.say(f"{translate(title)} {number}{gone}", "strong")
            output.say(f"  {output.one_line(counsel.issue)}")
            rows: list[tuple[str, str]] = [(said("text"), counsel.quote)]
            rows += [(said("either"), option) for option in counsel.options]
            rows += [
                (str(at), f"{_place_row(counsel, at)}: {passage.opens}")
                for at, passage in enumerate(counsel.places, start=1)
            ]
            if counsel.answer is not None:
                made = translate(ANSWERED[counsel.answer])
                words = ": ".join(filter(None, (made, counsel.answer_words)))
                rows.append((said("you"), words))
            output.say_fields(rows)


def _show(sheet: DirectiveSheet, project: Path) -> None:
    open_ = quantity(len(sheet.open), "{n} open directive", "{n} open directives")
    there = sum(directive.stands != "gone" for directive in sheet.directives)
    output.say(
        said(
            "Chapter {chapter}: {open} of {count}.", chapter=sheet.chapter, open=open_, count=there
        ),
        "strong",
    )
    for directive in sheet.directives:
        _show_one(directive)
    for number, lost in enumerate(sheet.unplaced, start=1):
        output.say()
        output.say(f"unplaced-{number:03d}  {translate(said('could not be placed'))}", "strong")
        output.say(f"  {output.one_line(lost.issue)}")
        rows: list[tuple[str, str]] = [
            (said("text"), lost.quote),
            (said("do"), lost.instruction),
            (said("perhaps"), lost.label),
            (said("why"), lost.why),
        ]
        output.say_fields(rows)
        example = command(f"directives place unplaced-{number:03d} --passage {lost.label}", project)
        output.say(f"  {example}", "quiet")
    _show_remembered(project)
    if sheet.suppressed:
        output.say(
            said(
                "{count} more than the five that are shown.",
                count=quantity(sheet.suppressed, "{n} finding", "{n} findings"),
            )
        )
    for warning in sheet.warnings:
        output.say(warning, "quiet")
    if sheet.open:
        example = command(f"directives accept {quote(typed_id(sheet.open[0].id))}", project)
        output.say(
            said(
                "Decide with {example}; `reject`, `edit` and `undo` work in the same way.",
                example=example,
            )
        )


def _show_remembered(project: Path) -> None:
    """Prints what the book will remember of the chapter in work, and how to change it."""
    from studio.pipeline.review.to_remember import remembered_of

    store = open_session(project).store
    inflight = store.checkpoint().inflight_chapter
    rows = remembered_of(store, inflight) if inflight is not None else ()
    if rows:
        output.say()
        output.say(said("The book will remember of it"), "strong")
        for one in rows:
            output.say(f"  {one.number}  {change_in_words(one.change, one.words, one.names)}")
        output.say(f"  {command('directives remembers 1 --leave', project)}", "quiet")


def _show_one(directive: Directive) -> None:
    output.say()
    status = translate(term(directive.status.value))
    head = as_label(translate(words_for(directive)))
    output.say(f"{head}{status}{_how_it_stands(directive)}  {typed_id(directive.id)}", "strong")
    output.say(f"  {output.one_line(directive.issue)}")
    entries: list[tuple[str, str]] = [
        (said("do"), directive.instruction),
        (said("note"), directive.note),
    ]
    if directive.result is None:
        then = said("text") if directive.stands == "same" else said("text then")
        entries.insert(0, (then, directive.current_text))
    else:
        entries += [
            (said("before"), directive.result.before),
            (said("after"), directive.result.after),
        ]
        entries.append((said("measured"), statement(directive)))
        entries += [(said("content"), words) for words in content_words(directive.result)]
        entries += [(said("reader"), words) for words in reader_words(directive.result)]
    against = said("not kept") if directive.status is DirectiveStatus.UNDONE else term("failed")
    entries += [(against, sentence_of(failure)) for failure in directive.failures]
    output.say_fields(entries)


def _how_it_stands(directive: Directive) -> str:
    """Returns, after the status, what became of the passage since."""
    if directive.is_doubtful:
        return translate(said("; still? Its passage was changed since"))
    if directive.stands == "gone":
        return translate(PASSAGE_GONE)
    if directive.is_withdrawn:
        return translate(said("; by the studio, and not by you"))
    return translate(said("; changed since")) if directive.stands == "changed" else ""
