"""`studio lines`: which lines of a prompt are pinned, muted or shortened (context/lines.json)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import output
from studio.cli.options import (
    A_CHAPTER,
    ShowFirst,
    Telling,
    command,
    json_option,
    open_session,
    project_option,
)
from studio.errors import Exit
from studio.messages import said

if TYPE_CHECKING:
    from studio.story.prompt_config import LineForm

agent_option = click.option("--agent", metavar="ID", help="In the prompts of one agent only.")
chapter_option = click.option("--chapter", type=A_CHAPTER, metavar="N", help="In one chapter only.")
line_argument = click.argument("line", metavar="BLOCK/LINE")


@click.group(cls=ShowFirst)
def lines() -> None:
    """What you want a model to be told, or not to be told, line by line.

    `studio context --lines` names every line of the next prompt: characters/mara.
    """


@lines.command("list")
@json_option
@project_option
def list_them(project: Path) -> Telling:
    """Every pin, mute and swap.

    --json prints {schema_version, pins: [{line, agent}], mutes: [{line, agent, chapter}],
    swaps: [{line, to, chapter}]}.
    """
    chosen = open_session(project).store.context_lines()
    yield chosen
    for pin in chosen.pins:
        output.say(said("{line}: always told{whom}", line=pin.line, whom=_for(pin.agent)))
    for mute in chosen.mutes:
        output.say(
            said(
                "{line}: left out{whom}{where}",
                line=mute.line,
                whom=_for(mute.agent),
                where=_in(mute.chapter),
            )
        )
    for swap in chosen.swaps:
        how = said("told whole") if swap.to == "full" else said("told in one line")
        output.say(said("{line}: {how}{where}", line=swap.line, how=how, where=_in(swap.chapter)))
    if not (chosen.pins or chosen.mutes or chosen.swaps):
        output.say(said("The studio chooses every line itself."))
        output.say(said("{command} names them.", command=command("context --lines", project)))


@lines.command()
@line_argument
@agent_option
@project_option
def pin(line: str, agent: str | None, project: Path) -> int:
    """Tell a line in every prompt, whatever it costs, even an entry or chapter that nothing
    names."""
    from studio.pipeline.prompting.lines import pin as put

    put(open_session(project).store, line, agent)
    output.say(said("{line} is in every prompt{whom} from now on.", line=line, whom=_for(agent)))
    return Exit.DONE


@lines.command()
@line_argument
@agent_option
@chapter_option
@project_option
def mute(line: str, agent: str | None, chapter: int | None, project: Path) -> int:
    """Leave a line out. Rules, the plan and your own words cannot be."""
    from studio.pipeline.prompting.lines import mute as put

    put(open_session(project).store, line, agent, chapter)
    output.say(
        said("{line} is left out{whom} from now on.", line=line, whom=_for_in(agent, chapter))
    )
    return Exit.DONE


@lines.command()
@line_argument
@click.argument("form", type=click.Choice(["full", "one_line"]))
@chapter_option
@project_option
def swap(line: str, form: LineForm, chapter: int | None, project: Path) -> int:
    """Tell a line whole, or in one line."""
    from studio.pipeline.prompting.lines import swap as put

    put(open_session(project).store, line, form, chapter)
    where = _in(chapter)
    output.say(
        said("{line} is told whole{where}.", line=line, where=where)
        if form == "full"
        else said("{line} is told in one line{where}.", line=line, where=where)
    )
    return Exit.DONE


@lines.command()
@line_argument
@project_option
def reset(line: str, project: Path) -> int:
    """Let the studio choose a line itself again."""
    from studio.pipeline.prompting.lines import reset as take

    take(open_session(project).store, line)
    output.say(said("The studio chooses {line} itself again.", line=line))
    return Exit.DONE


def _for(agent: str | None) -> str:
    return said(" to {agent}", agent=agent) if agent else ""


def _for_in(agent: str | None, chapter: int | None) -> str:
    if agent and chapter:
        return said(" to {agent} in chapter {n}", agent=agent, n=chapter)
    return _for(agent) or _in(chapter)


def _in(chapter: int | None) -> str:
    return said(" in chapter {n}", n=chapter) if chapter else ""
