"""`studio context`: previews what an agent will receive, before it is sent and paid for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import output
from studio.cli.completion import chapters
from studio.cli.options import (
    json_option,
    model_options,
    model_overrides,
    open_session,
    project_option,
)
from studio.errors import Exit, usage
from studio.i18n import translated
from studio.story.form.document import to_jsonable
from studio.story.ledger import dollars

if TYPE_CHECKING:
    from studio.llm.provider import BlockPlace, PricedLine
    from studio.pipeline.previews.preview import Pending, Preview, Previews, PromptBlock
    from studio.pipeline.previews.prompt_diff import PromptDiff
    from studio.project.history.variations import PassageMode
    from studio.session import Session


@click.command()
@click.argument("chapter", type=click.IntRange(min=1), required=False, shell_complete=chapters)
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
@json_option
@project_option
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
    as_json: bool,
    project: Path,
) -> int:
    """The prompt of the next scene, block by block. Uses no model and changes nothing.

    CHAPTER is by default the one in progress, or else the next. --agent shows what another agent
    would be given now, or says that there is nothing to ask it yet. --passage shows what `studio
    rewrite` would ask first. `studio log show` has what was sent. --json prints {schema_version,
    chapter, scene, scenes, agent, role, model, window, max_tokens, tokens, worst_usd, blocks:
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
        _say_pending(ahead, as_json)
    elif as_json:
        more = {"diff": to_jsonable(_diff(session, ahead))} if with_diff else {}
        output.say_json({**_as_json(ahead), **more})
    elif with_diff:
        _tell_diff(_diff(session, ahead), ahead)
    elif block is not None:
        output.show(_block_named(ahead, block).text)
    else:
        if previews.choice.provider is None:
            output.warn(f"{previews.choice.reason} This is what {ahead.model} would be given.")
        _tell(ahead, by_line, full)
    return Exit.DONE


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
    from studio.pipeline.passage.passage_order import PassageOrder
    from studio.story.review.passages import read_place

    if chapter is None or other:
        raise usage("With --passage name its chapter, and neither --agent nor --scene.")
    order = PassageOrder(chapter, read_place(passage), mode, direction)
    return previews.of_passage(order)


def _say_pending(ahead: Pending, as_json: bool) -> None:
    if as_json:
        output.say_json(
            {
                "schema_version": 1,
                "chapter": ahead.chapter,
                "scene": ahead.scene,
                "agent": ahead.agent,
                "pending": ahead.reason,
            }
        )
        return
    output.say(f"Nothing would be sent to the {ahead.agent} now: {ahead.reason}.")


def _as_json(ahead: Preview) -> dict[str, object]:
    blocks, request = ahead.blocks, ahead.request
    return {
        "schema_version": 1,
        "chapter": ahead.chapter,
        "scene": ahead.scene,
        "scenes": ahead.scenes,
        "agent": request.agent,
        "role": request.role,
        "model": ahead.model,
        "window": ahead.window,
        "max_tokens": request.max_tokens,
        "tokens": sum(piece.tokens for piece in blocks),
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
        output.say(f"[{piece.name}]", "strong")
        output.show(piece.text)


def _diff(session: Session, ahead: Preview) -> PromptDiff:
    from studio.pipeline.previews.prompt_diff import diff_to_last

    return diff_to_last(session.store.journal, ahead)


def _tell_diff(diff: PromptDiff, ahead: Preview) -> None:
    agent = ahead.request.agent
    if diff.against is None:
        output.say(f"{agent} was not asked yet; there is nothing to compare with.")
        return
    place = f"chapter {diff.chapter}" + (f", scene {diff.scene}" if diff.scene else "")
    output.say(f"Against the last call of {agent}: {place}.")
    for piece in diff.blocks:
        output.say()
        output.say(f"[{piece.id}] {translated(piece.change)}, {piece.tokens:+,} tokens", "strong")
        for row in piece.diff:
            output.say(row)
    if not diff.blocks:
        output.say("Nothing differs.")


def _tell_lines(ahead: Preview) -> None:
    """Lists every prompt line under the name by which it can be pinned or muted."""
    output.say()
    rows = [output.in_words("line", "tokens", "why")]
    rows += [
        (f"{p.block}/{p.id}", f"{p.tokens:,}", translated(_reason(p))) for p in ahead.request.lines
    ]
    for line in output.columns(rows, indent="  "):
        output.say(line)
    for gone in ahead.request.dropped_lines:
        output.say(f"  no room for {gone.block}/{gone.id} ({gone.tokens:,} tokens)")


def _reason(line: PricedLine) -> str:
    """Returns why a line is included, or its kind; empty for the plain text of its block."""
    return line.why or ("" if line.kind == "text" else line.kind)


_REMARKS = {
    "custom": "your own block",
    "override": "your words in place of it",
    "edited": "with words of yours",
    "fragment": "from context/",
}


def _remark(place: BlockPlace, ahead: Preview) -> str:
    """Returns why a block has no text yet, or its origin where it is not the studio's."""
    return ahead.pending.get(place.id) or _REMARKS.get(place.source, "")


def _block_named(ahead: Preview, name: str) -> PromptBlock:
    block = next((piece for piece in ahead.blocks if piece.name == name), None)
    if block is None:
        names = ", ".join(piece.name for piece in ahead.blocks)
        raise usage(f"This prompt has no block {name!r}.", f"It has {names}.")
    return block


def _summary_lines(ahead: Preview) -> Iterator[str]:
    blocks, request = ahead.blocks, ahead.request
    chapter, agent = ahead.chapter, request.agent
    if ahead.scene:
        yield f"Chapter {chapter}, scene {ahead.scene} of {ahead.scenes}: {agent}"
    else:
        yield f"Chapter {chapter}: {agent}"
    yield f"Model: {ahead.model} ({request.role}), room for {ahead.window:,} tokens"
    rows = [output.in_words("block", "tokens", "characters", "")]
    rows += [
        (piece.name, f"{piece.tokens:,}", f"{len(piece.text):,}", translated(_remark(place, ahead)))
        for piece, place in zip(blocks, ahead.places, strict=True)
    ]
    yield from output.columns(rows, indent="  ")
    whole = sum(piece.tokens for piece in blocks)
    yield f"About {whole:,} tokens, estimated on the high side."
    yield f"Cost at most: {dollars(ahead.worst_usd)}."
    if request.tools:
        yield f"May look up: {', '.join(tool.name for tool in request.tools)}."
    dropped, shortened = ", ".join(request.dropped_blocks), ", ".join(request.cut_blocks)
    if dropped:
        yield f"Left out for want of room: {dropped}."
    if shortened:
        yield f"Cut short for want of room: {shortened}."
    if not dropped and not shortened:
        yield "Nothing is left out."
