"""`studio plan`: adds, renames, moves, splits, merges and removes planned chapters, with undo."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.chapter_names import label_of, typed_name
from studio.cli import output
from studio.cli.options import (
    A_CHAPTER,
    ShowFirst,
    Telling,
    command,
    model_options,
    model_overrides,
    novel_options,
    open_session,
    project_option,
    say_command,
)
from studio.cli.paid_call import ask_for_window
from studio.cli.progress import ProgressLines, Warnings
from studio.cli.signals import StoppableCall
from studio.errors import Exit, usage
from studio.messages import said, series
from studio.pipeline.outcome import Stopped
from studio.project.outline import without_notes
from studio.project.planning.chapter_plan import HEADINGS, ChapterPlan, Newcomer, heading
from studio.project.planning.plan_change import taken_back
from studio.project.planning.planned_book import UnwrittenChapter
from studio.project.planning.plans import Plans
from studio.story.form.lists import items_of
from studio.story.form.slugs import chapter_name

if TYPE_CHECKING:
    from studio.pipeline.book_runs.chapter_planner import ChapterPlanner
    from studio.story.ledger import Estimate

_FIELDS = tuple(HEADINGS)
"""The fields of a plan that can be proposed; its length and scenes only as a wish names them."""
_NUMBER = click.IntRange(min=1)


@click.group(cls=ShowFirst)
def plan() -> None:
    """The chapters ahead. Those in the book, and the one in progress, keep their numbers.

    Each change is one step: outline, contracts, schedule, promises and anything else that names a
    chapter by its number are updated, and `studio plan undo` takes it back.
    """


@plan.command("list")
@novel_options
def list_them(project: Path) -> Telling:
    """The chapters that are planned and not written.

    --json prints {schema_version, chapters: [{chapter, label, volume, title, contract,
    outline}]}; contract and outline say where its plan stands.
    """
    plans = _plans(project)
    chapters = plans.chapters()
    labels = plans.store.chapter_list().labels
    rows = [_row(chapter, labels) for chapter in chapters]
    yield {"chapters": rows}
    if not chapters:
        output.say(said("No chapter is planned."))
        say_command(said("{command} plans the next one."), "plan add TITLE", project)
    else:
        for chapter in chapters:
            words = " ".join(filter(None, (label_of(chapter.number), chapter.title)))
            output.say(
                words
                if _is_planned(chapter)
                else said("{chapter}  (nothing said yet)", chapter=words)
            )


@plan.command()
@click.argument("title", metavar="TITLE", default="")
@click.option(
    "--after", type=A_CHAPTER, metavar="N", help="After this chapter instead of the last."
)
@click.option(
    "--happens", multiple=True, metavar="TEXT", help="What happens in it; once for each thing."
)
@project_option
def add(title: str, after: int | None, happens: tuple[str, ...], project: Path) -> int:
    """A new chapter; those after it move up by one.

    One sentence in --happens is a plan that `studio write` can write. Without it the chapter has
    its place in the outline, but no plan yet.
    """
    session = open_session(project)
    plans = Plans(session.store, session.settings.novel.language)
    number = plans.add(title, after, happens)
    added = next(chapter for chapter in plans.chapters() if chapter.number == number)
    if _is_planned(added):
        output.say(said("Chapter {number} is planned.", number=number))
        return Exit.DONE
    output.say(said("Chapter {number} is in the outline, with no plan yet.", number=number))
    path = session.store.layout.outline(added.volume)
    propose_it = command(f"plan propose {typed_name(number)} --take all", project)
    output.tell(
        said(
            "A few words under its heading in {path} are a plan to write it by; {propose_it} "
            "has a model make one.",
            path=path,
            propose_it=propose_it,
        )
    )
    return Exit.DONE


@plan.command()
@click.argument("number", metavar="N", type=A_CHAPTER)
@click.argument("title", metavar="TITLE")
@project_option
def rename(number: int, title: str, project: Path) -> int:
    """Give a planned chapter another title."""
    _plans(project).retitle(number, title)
    output.say(said("Chapter {number} has its new title.", number=number))
    return Exit.DONE


@plan.command("label")
@click.argument("number", metavar="N", type=A_CHAPTER)
@click.argument("words", metavar="LABEL", default="")
@project_option
def label_one(number: int, words: str, project: Path) -> int:
    """What you call a chapter, in the book or planned: `4`, `Prologue`; without LABEL its number.

    The files count from 1; the label is shown instead wherever the chapter is named, and every
    command takes it. No move changes it. `chapter-004` always means the file of that name.
    """
    label = _plans(project).label(number, words)
    if label is None:
        output.say(said("Chapter {number} goes by its number.", number=number))
    else:
        name = chapter_name(number)
        output.say(said("{name} is called “{label}”.", name=name, label=label))
    return Exit.DONE


@plan.command()
@click.argument("number", metavar="N", type=A_CHAPTER)
@click.argument("to", metavar="TO", type=A_CHAPTER)
@project_option
def move(number: int, to: int, project: Path) -> int:
    """Move a planned chapter to the place of another; those between make room."""
    _plans(project).move(number, to)
    if (label := label_of(to)) != str(to):
        output.say(said("“{label}” is {name} now.", label=label, name=chapter_name(to)))
    else:
        output.say(said("Chapter {number} is chapter {to} now.", number=str(number), to=to))
    return Exit.DONE


@plan.command()
@click.argument("number", metavar="N", type=A_CHAPTER)
@click.option("--at", type=_NUMBER, metavar="K", help="After its step K; otherwise in the middle.")
@click.option("--title", default="", metavar="TITLE", help="What the second half is called.")
@project_option
def split(number: int, at: int | None, title: str, project: Path) -> int:
    """Split a planned chapter in two, after one of its scenes, beats or paragraphs."""
    second = _plans(project).split(number, at, title)
    output.say(said("Chapter {number} goes on in chapter {second}.", number=number, second=second))
    return Exit.DONE


@plan.command()
@click.argument("number", metavar="N", type=A_CHAPTER)
@project_option
def merge(number: int, project: Path) -> int:
    """Join a planned chapter with the one after it."""
    _plans(project).merge(number)
    output.say(said("Chapter {number} holds both plans.", number=number))
    return Exit.DONE


@plan.command()
@click.argument("number", metavar="N", type=A_CHAPTER)
@project_option
def remove(number: int, project: Path) -> int:
    """Take a planned chapter out; those behind it move down by one."""
    plans = _plans(project)
    words = said(  # with the label it has as long as it is planned
        "Chapter {number} is no longer planned; {command} brings it back.",
        number=number,
        command=command("plan undo", project),
    )
    plans.take_out(number)
    output.say(words)
    return Exit.DONE


@plan.command()
@click.argument("number", metavar="N", type=A_CHAPTER)
@click.option("--direction", default="", metavar="TEXT", help="What you want of the chapter.")
@click.option(
    "--take",
    "fields",
    default="",
    metavar="FIELDS",
    help=f"Make these the plan: all, or some of {', '.join(_FIELDS)}.",
)
@click.option(
    "--again",
    "wishes",
    multiple=True,
    metavar="TEXT",
    help="Another plan than the one proposed before: what you want otherwise; repeatable.",
)
@model_options
@novel_options
def propose(
    number: int,
    direction: str,
    fields: str,
    wishes: tuple[str, ...],
    provider: str | None,
    model: str | None,
    as_json: bool,
    project: Path,
) -> Telling:
    """Have the plot architect propose the plan of chapter N, which is not in the book yet.

    What you have said of it stays, in your words; what is open is filled in. Shown
    field by field; nothing changes without --take, and `studio plan undo` takes that
    back. The same question is not paid for twice.

    --json prints {schema_version, chapter, about_usd, worst_usd, present, proposed, taken}; present
    and proposed have {title, happens, people, seen_by, place, must_not, ends, promises:
    [{action, promise}], line, length, scenes, introduces: [{kind, name, line}]}.
    """
    from studio.pipeline.book_runs.chapter_planner import standing_plan

    session = open_session(project, model_overrides(provider, model), warn=False)
    wanted = _fields_to_take(fields)
    ask_for_window(session, is_for_programs=as_json)
    planner = session.volumes().chapters()
    present, before = standing_plan(session.store, number)
    run = _Asking(planner, number, present, as_json)
    cost, proposed = run.plan_proposed(direction)
    so_far = direction
    for wish in wishes:
        if proposed is not None:
            so_far = "\n".join(filter(None, (so_far, wish.strip())))
            cost, proposed = run.plan_proposed(so_far, proposed)
    if proposed is None:
        output.tell(said("Stopped; the plan is as it was."))
        return run.exit_code
    taken = [name for name in wanted if getattr(proposed, name) != getattr(present, name)]
    fresh = dataclasses.replace(present, **{name: getattr(proposed, name) for name in taken})
    plans = Plans(session.store, session.settings.novel.language)
    made = plans.save(number, fresh, before) if taken else []
    if taken:
        made = [*made, *planner.keep_wish(number, fresh, direction, "\n".join(wishes))]
    rows = {"present": _plan_row(present), "proposed": _plan_row(proposed), "taken": taken}
    yield {"chapter": number, **cost.data, **rows}
    _show_proposal(present, proposed, session.settings.novel.language)
    for sentence in made:
        output.say(sentence)
    undo_it = command("plan undo", project)
    take_it = command(f"plan propose {typed_name(number)} --take all", project)
    if taken:
        output.say(said("That is the plan now; {command} takes it back.", command=undo_it))
    else:
        output.say(said("{command} makes it the plan.", command=take_it))


@dataclasses.dataclass
class _Asking:
    """Asks for the plan of one chapter at the command line, as often as is wished."""

    planner: ChapterPlanner
    number: int
    present: ChapterPlan
    as_json: bool
    exit_code: int = Exit.FAILED
    """Of a call that was stopped."""

    def plan_proposed(
        self, direction: str, before: ChapterPlan | None = None
    ) -> tuple[Estimate, ChapterPlan | None]:
        """Returns what a proposal costs, which is said first, and the proposal; None where
        it was stopped."""
        cost = self.planner.price(self.number, self.present, direction, before)
        if not self.as_json:
            output.tell(
                said(
                    "The plan of chapter {number} is asked for: {price}.",
                    number=self.number,
                    price=cost.words,
                )
            )
        asking = partial(self.planner.propose, self.number, self.present, direction, before=before)
        run = StoppableCall[Any](asking, Warnings() if self.as_json else ProgressLines(False))
        end = run.go()
        if isinstance(end, Stopped):
            self.exit_code = run.exit_code or Exit.FAILED
            return cost, None
        return cost, end


def _fields_to_take(fields: str) -> tuple[str, ...]:
    """Returns the fields that `--take` names; raises StudioError (exit 2) for an unknown one."""
    names = items_of(fields)
    if names == ("all",):
        return _FIELDS
    for name in names:
        if name not in _FIELDS:
            raise usage(
                said("{name} is not part of a plan.", name=repr(name)),
                said("all, or some of {names}.", names=series(_FIELDS)),
            )
    return tuple(name for name in _FIELDS if name in names)


def _plan_row(plan: ChapterPlan) -> dict[str, object]:
    row = {name: getattr(plan, name) for name in _FIELDS}
    promises = [{"action": action, "promise": words} for action, words in plan.promises]
    introduces = [newcomer.model_dump(exclude={"exclude"}) for newcomer in plan.introduces]
    return {**row, "promises": promises, "introduces": introduces}


def _show_proposal(present: ChapterPlan, proposed: ChapterPlan, language: str) -> None:
    from studio.text.changed_lines import SIGNS, changed_list

    for name in _FIELDS:
        old, new = _lines_of(getattr(present, name)), _lines_of(getattr(proposed, name))
        if old == new:
            continue
        output.show(f"{heading(name)} ({name})", "strong")
        was, now = (list(map(output.one_line, side)) for side in (old, new))
        for mark, steps in changed_list(was, now, language):
            output.show(f"  {SIGNS[mark]} {''.join(step.text for step in steps)}")


def _lines_of(value: str | int | tuple[Any, ...] | None) -> list[str]:
    if value is None or isinstance(value, str | int):
        return [str(value)] if value else []
    return [each if isinstance(each, str) else _words_of(each) for each in value]


def _words_of(part: tuple[str, str] | Newcomer) -> str:
    """Returns a promise with what is done for it, or somebody new with who that is."""
    if isinstance(part, tuple):
        return ": ".join(part)
    return ": ".join(filter(None, (part.name, part.line)))


@plan.command()
@project_option
def undo(project: Path) -> int:
    """Take back the last change of the plans, whether one of these commands or the app made it."""
    output.say(taken_back(_plans(project).undo().title))
    return Exit.DONE


def _plans(project: Path) -> Plans:
    session = open_session(project)
    return Plans(session.store, session.settings.novel.language)


def _is_planned(chapter: UnwrittenChapter) -> bool:
    """Whether the chapter has a plan; a note to people does not count as one."""
    body = chapter.section.body if chapter.section else ""
    return chapter.contract is not None or bool(without_notes(body).strip())


def _row(chapter: UnwrittenChapter, labels: Mapping[int, str]) -> dict[str, object]:
    return {
        "chapter": chapter.number,
        "label": labels.get(chapter.number),
        "volume": chapter.volume,
        "title": chapter.title,
        "contract": chapter.contract is not None,
        "outline": chapter.section is not None,
    }
