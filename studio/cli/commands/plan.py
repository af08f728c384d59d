"""`studio plan`: planned chapters added, renamed, moved, split, merged and taken out, with undo."""

from __future__ import annotations

from pathlib import Path

import click

from studio.cli import output
from studio.cli.options import ShowFirst, command, json_option, open_session, project_option
from studio.errors import Exit
from studio.project.planning.planned_book import PlannedChapter
from studio.project.planning.plans import Plans

_NUMBER = click.IntRange(min=1)


@click.group(cls=ShowFirst)
def plan() -> None:
    """The chapters ahead. Those in the book, and the one in work, keep their numbers.

    Each change is one step: outline, contracts, schedule, promises and whatever else
    names a chapter by its number follow, and `studio plan undo` takes it back.
    """


@plan.command("list")
@json_option
@project_option
def list_them(as_json: bool, project: Path) -> int:
    """The chapters that are planned and not written.

    --json prints {schema_version, chapters: [{chapter, volume, title, contract, outline}]};
    contract and outline say where its plan stands.
    """
    chapters = _plans(project).chapters()
    if as_json:
        rows = [_row(chapter) for chapter in chapters]
        output.say_json({"schema_version": 1, "chapters": rows})
    elif not chapters:
        output.say("No chapter is planned.")
        output.say(f"{command('plan add TITLE', project)} plans the next one.")
    else:
        for chapter in chapters:
            words = " ".join(filter(None, (str(chapter.number), chapter.title)))
            output.say(f"{words}{'' if _is_planned(chapter) else '  (nothing said yet)'}")
    return Exit.DONE


@plan.command()
@click.argument("title", metavar="TITLE", default="")
@click.option("--after", type=_NUMBER, metavar="N", help="Behind this chapter, not the last.")
@project_option
def add(title: str, after: int | None, project: Path) -> int:
    """A new chapter; those behind it move up by one."""
    number = _plans(project).add(title, after)
    output.say(f"Chapter {number} is planned.")
    return Exit.DONE


@plan.command()
@click.argument("number", metavar="N", type=_NUMBER)
@click.argument("title", metavar="TITLE")
@project_option
def rename(number: int, title: str, project: Path) -> int:
    """Another title for a planned chapter."""
    _plans(project).retitle(number, title)
    output.say(f"Chapter {number} has its new title.")
    return Exit.DONE


@plan.command()
@click.argument("number", metavar="N", type=_NUMBER)
@click.argument("to", metavar="TO", type=_NUMBER)
@project_option
def move(number: int, to: int, project: Path) -> int:
    """A planned chapter to the place of another; those between make room."""
    _plans(project).move(number, to)
    output.say(f"Chapter {number} is chapter {to} now.")
    return Exit.DONE


@plan.command()
@click.argument("number", metavar="N", type=_NUMBER)
@click.option("--at", type=_NUMBER, metavar="K", help="Behind its step K; half of them otherwise.")
@click.option("--title", default="", metavar="TITLE", help="What the second half is called.")
@project_option
def split(number: int, at: int | None, title: str, project: Path) -> int:
    """A planned chapter in two, behind one of its scenes, beats or paragraphs."""
    second = _plans(project).split(number, at, title)
    output.say(f"Chapter {number} goes on in chapter {second}.")
    return Exit.DONE


@plan.command()
@click.argument("number", metavar="N", type=_NUMBER)
@project_option
def merge(number: int, project: Path) -> int:
    """A planned chapter and the one behind it made one."""
    _plans(project).merge(number)
    output.say(f"Chapter {number} holds both plans.")
    return Exit.DONE


@plan.command()
@click.argument("number", metavar="N", type=_NUMBER)
@project_option
def remove(number: int, project: Path) -> int:
    """Take a planned chapter out; those behind it move down by one."""
    _plans(project).take_out(number)
    output.say(
        f"Chapter {number} is planned no more; {command('plan undo', project)} brings it back."
    )
    return Exit.DONE


@plan.command()
@project_option
def undo(project: Path) -> int:
    """Take the last change of the plans back, whoever of these commands or the app made it."""
    output.say(f"Taken back: {_plans(project).undo().title}")
    return Exit.DONE


def _plans(project: Path) -> Plans:
    session = open_session(project)
    return Plans(session.store, session.settings.novel.language)


def _is_planned(chapter: PlannedChapter) -> bool:
    return chapter.contract is not None or bool(chapter.section and chapter.section.body)


def _row(chapter: PlannedChapter) -> dict[str, object]:
    return {
        "chapter": chapter.number,
        "volume": chapter.volume,
        "title": chapter.title,
        "contract": chapter.contract is not None,
        "outline": chapter.section is not None,
    }
