"""`studio context`: previews what an agent will receive, before it is sent and paid for; `studio
lines`: which of its lines are pinned, muted or shortened (context/lines.json)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import output
from studio.cli.completion import chapters
from studio.cli.options import (
    A_CHAPTER,
    ShowFirst,
    Telling,
    model_options,
    model_overrides,
    novel_options,
    open_session,
    project_option,
    say_command,
)
from studio.cli.terms import term
from studio.errors import Exit, usage
from studio.i18n import translate
from studio.messages import said, series

if TYPE_CHECKING:
    from studio.llm.provider import BlockPlace, PricedLine
    from studio.pipeline.previews.preview import BlockText, Pending, Preview, Previews, PromptDiff
    from studio.project.history.variations import PassageMode
    from studio.session import Session
    from studio.story.prompt_config import LineForm


@click.command()
@click.argument("chapter", type=A_CHAPTER, required=False, shell_complete=chapters)
@click.option("--scene", type=click.IntRange(min=1), help="Which scene; by default the next.")
@click.option("--agent", metavar="NAME", help="Which agent; by default the next one's call.")
@click.option("--passage", metavar="2.3[-2.5]", help="As `studio rewrite` would ask of it.")
@click.option(
    "--mode",
    type=click.Choice(["regenerate", "refine"]),
    default="regenerate",
    help="Of a passage: written anew, or changed as you say.",
)
@click.option("--direction", default="", metavar="TEXT", help="What you want of the passage.")
@click.option("--block", metavar="NAME", help="Print the words of one block.")
@click.option("--lines", "by_line", is_flag=True, help="Every line, why it is there, its price.")
@click.option("--diff", "with_diff", is_flag=True, help="What differs from the agent's last call.")
@click.option("--full", is_flag=True, help="Print the words of all of them.")
@model_options
@novel_options
def context(
    chapter: int | None,
    scene: int | None,
    agent: str | None,
    passage: str | None,
    mode: PassageMode,
    direction: str,
    block: str | None,
    by_line: bool,
    with_diff: bool,
    full: bool,
    provider: str | None,
    model: str | None,
    project: Path,
) -> Telling:
    """The prompt of the next scene, block by block. Uses no model and changes nothing.

    CHAPTER is by default the one in progress, or else the next. --agent shows what another agent
    would be given now, or says that there is nothing to ask it yet. --passage shows what `studio
    rewrite` would ask first. `studio log show` has what was sent.

    --json prints {schema_version,
    chapter, scene, scenes, agent, role, model, window, max_tokens, tokens, about_usd, worst_usd,
    blocks:
    [{id, role, order, source, tokens, text, pending, lines: [{id, kind, why, tokens}]}], dropped,
    dropped_lines, cut, tools}; with --diff also diff: {against, created_at, chapter, scene,
    blocks: [{id, change, tokens, diff}]}, against null where there was no call. For an agent that
    cannot be asked yet it prints {schema_version, chapter, scene, agent, pending}.
    """
    from studio.pipeline.previews.preview import Pending

    session = open_session(project, model_overrides(provider, model))
    previews = session.previews()
    ahead = (
        _of_call(previews, chapter, scene, agent)
        if passage is None
        else _of_passage(previews, chapter, passage, mode, direction, agent or scene)
    )
    if isinstance(ahead, Pending):
        return (yield from _say_pending(ahead))
    for warning in ahead.plugin_warnings:
        output.warn(warning)
    diff = _diff(session, ahead) if with_diff else None
    yield _as_json(ahead) if diff is None else {**_as_json(ahead), "diff": diff}
    if diff is not None:
        _tell_diff(diff, ahead)
    elif block is not None:
        output.put_file(f"{_block_named(ahead, block).text}\n".encode(errors="replace"))
    else:
        if previews.choice.provider is None:
            output.warn(
                said(
                    "{provider_sentence} This is what {model} would be given.",
                    provider_sentence=previews.choice.reason,
                    model=ahead.model,
                )
            )
        _tell(ahead, by_line, full)
    return None


def _of_call(
    previews: Previews, chapter: int | None, scene: int | None, agent: str | None
) -> Preview | Pending:
    if agent is None:
        return previews.of_scene(chapter, scene)
    return previews.of_agent(agent, chapter, scene)


def _of_passage(
    previews: Previews,
    chapter: int | None,
    passage: str,
    mode: PassageMode,
    direction: str,
    other: object,
) -> Preview:
    """Previews a call about a passage; `other` holds the options that
    select another kind of call."""
    from studio.pipeline.orders import PassageOrder
    from studio.story.review.passage import read_place

    if chapter is None or other:
        raise usage(said("With --passage name its chapter, and neither --agent nor --scene."))
    order = PassageOrder(chapter, read_place(passage), mode, direction)
    return previews.of_passage(order)


def _say_pending(ahead: Pending) -> Telling:
    yield {
        "chapter": ahead.chapter,
        "scene": ahead.scene,
        "agent": ahead.agent,
        "pending": ahead.reason,
    }
    output.say(
        said(
            "Nothing would be sent to the {agent} now: {reason}.",
            agent=term(ahead.agent),
            reason=ahead.reason,
        )
    )


def _as_json(ahead: Preview) -> dict[str, object]:
    blocks, request = ahead.blocks, ahead.request
    return {
        "chapter": ahead.chapter,
        "scene": ahead.scene,
        "scenes": ahead.scenes,
        "agent": request.agent,
        "role": request.role,
        "model": ahead.model,
        "window": ahead.window,
        "max_tokens": ahead.max_tokens,
        "tokens": sum(piece.tokens for piece in blocks),
        "about_usd": ahead.cost.about,
        "worst_usd": ahead.worst_usd,
        "blocks": [
            {
                "id": piece.name,
                "role": piece.role,
                "order": place.order,
                "source": place.source,
                "tokens": piece.tokens,
                "text": piece.text,
                "pending": ahead.pending.get(piece.name),
                "lines": [
                    {"id": f"{p.block}/{p.id}", "kind": p.kind, "why": p.why, "tokens": p.tokens}
                    for p in request.lines
                    if p.block == piece.name
                ],
            }
            for piece, place in zip(blocks, ahead.places, strict=True)
        ],
        "dropped": list(request.dropped_blocks),
        "dropped_lines": [f"{p.block}/{p.id}" for p in request.dropped_lines],
        "cut": list(request.cut_blocks),
        "tools": [tool.name for tool in request.tools],
    }


def _tell(ahead: Preview, by_line: bool, full: bool) -> None:
    for line in _summary_lines(ahead):
        output.say(line)
    if by_line:
        _tell_lines(ahead)
    for piece in ahead.blocks if full else ():
        output.say()
        output.show(f"[{translate(_name(piece.name))}]", "strong")
        output.show(piece.text)


def _diff(session: Session, ahead: Preview) -> PromptDiff:
    from studio.pipeline.previews.preview import diff_to_last

    return diff_to_last(session.store.journal, ahead)


def _tell_diff(diff: PromptDiff, ahead: Preview) -> None:
    agent = term(ahead.request.agent)
    if diff.against is None:
        output.say(
            said("{agent} was not asked yet; there is nothing to compare with.", agent=agent)
        )
        return
    place = said("chapter {number}", number=diff.chapter)
    if diff.scene:
        place = said("chapter {number}, scene {scene}", number=diff.chapter, scene=diff.scene)
    output.say(said("Against the last call of {agent}: {place}.", agent=agent, place=place))
    for piece in diff.blocks:
        output.say()
        output.say(
            said(
                "[{id}] {change}, {n} tokens",
                id=_name(piece.id),
                change=term(piece.change),
                n=f"{piece.tokens:+,}",
            ),
            "strong",
        )
        for row in piece.diff:
            output.say(row)
    if not diff.blocks:
        output.say(said("Nothing differs."))


def _tell_lines(ahead: Preview) -> None:
    """Lists every prompt line under the name by which it can be pinned or muted."""
    from studio.pipeline.prompting.lines import line_word

    output.say()
    rows = [output.in_words(said("line"), said("tokens"), said("why"))]
    rows += [
        (f"{p.block}/{p.id}", f"{p.tokens:,}", translate(line_word(_reason(p))))
        for p in ahead.request.lines
    ]
    output.say_columns(rows, indent="  ")
    for gone in ahead.request.dropped_lines:
        words = said(
            "no room for {line} ({n} tokens)",
            line=f"{gone.block}/{gone.id}",
            n=f"{gone.tokens:,}",
        )
        output.say(f"  {translate(words)}")


def _reason(line: PricedLine) -> str:
    """Returns why a line is included, or its kind; empty for the plain text of its block."""
    return line.why or ("" if line.kind == "text" else line.kind)


_REMARKS = {
    "custom": said("your own block"),
    "override": said("your words in place of it"),
    "edited": said("with words of yours"),
    "fragment": said("from context/"),
}


def _remark(place: BlockPlace, ahead: Preview) -> str:
    """Returns why a block has no text yet, or its origin where it is not the studio's."""
    return ahead.pending.get(place.id) or _REMARKS.get(place.source) or ""


def _block_named(ahead: Preview, name: str) -> BlockText:
    block = next((piece for piece in ahead.blocks if piece.name == name), None)
    if block is None:
        names = series(piece.name for piece in ahead.blocks)
        raise usage(
            said("This prompt has no block {name}.", name=repr(name)),
            said("It has {names}.", names=names),
        )
    return block


def _name(piece: str) -> str:
    """Returns what a piece of a prompt is called: a block by its id, since that is typed, and what
    is none in words."""
    return term(piece) if " " in piece else piece


def _summary_lines(ahead: Preview) -> Iterator[str]:
    blocks, request = ahead.blocks, ahead.request
    chapter, agent = ahead.chapter, term(request.agent)
    if ahead.scene:
        yield said(
            "Chapter {chapter}, scene {scene} of {scenes}: {name}",
            chapter=chapter,
            scene=ahead.scene,
            scenes=ahead.scenes,
            name=agent,
        )
    else:
        yield said("Chapter {chapter}: {name}", chapter=chapter, name=agent)
    yield said(
        "Model: {name} ({name_role}), room for {count} tokens",
        name=ahead.model,
        name_role=request.role,
        count=f"{ahead.window:,}",
    )
    rows = [output.in_words(said("block"), said("tokens"), said("characters"), "")]
    rows += [
        (_name(piece.name), f"{piece.tokens:,}", f"{len(piece.text):,}", _remark(place, ahead))
        for piece, place in zip(blocks, ahead.places, strict=True)
    ]
    yield from output.columns(rows, indent="  ")
    whole = sum(piece.tokens for piece in blocks)
    yield said("About {whole} tokens, estimated on the high side.", whole=f"{whole:,}")
    yield said("Cost: {price}.", price=ahead.cost.words)
    if request.tools:
        yield said("May look up: {names}.", names=series(tool.name for tool in request.tools))
    dropped, shortened = series(request.dropped_blocks), series(request.cut_blocks)
    if dropped:
        yield said("Left out for want of room: {dropped}.", dropped=dropped)
    if shortened:
        yield said("Cut short for want of room: {shortened}.", shortened=shortened)
    if not dropped and not shortened:
        yield said("Nothing is left out.")


agent_option = click.option("--agent", metavar="ID", help="In the prompts of one agent only.")
chapter_option = click.option("--chapter", type=A_CHAPTER, metavar="N", help="In one chapter only.")
line_argument = click.argument("line", metavar="BLOCK/LINE")


@click.group(cls=ShowFirst)
def lines() -> None:
    """What you want a model to be told, or not to be told, line by line.

    `studio context --lines` names every line of the next prompt: characters/mara.
    """


@lines.command("list")
@novel_options
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
        say_command(said("{command} names them."), "context --lines", project)


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
