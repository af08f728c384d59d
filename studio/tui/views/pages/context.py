"""A call of a model for a chapter: what it was given, or will be, block by block, and what came of
it, played again. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import set_cell_size

from studio.errors import Problem
from studio.i18n import N_, _, as_label, aside, further, series, translate
from studio.pipeline.events import (
    Event,
    PrewriterText,
    Reasoning,
    RewriteText,
    Text,
    ToolCall,
    ToolResult,
)
from studio.pipeline.previews.preview import BlockText, blocks_of
from studio.project.clock import local_time
from studio.story.ledger import dollars
from studio.story.records import CallRecord
from studio.tui.views.run.run_state import ANY_LOOK_UP, LOOK_UPS
from studio.tui.views.terms import plain_name, term
from studio.tui.views.words import Line, Phrase, block, line

if TYPE_CHECKING:
    from studio.pipeline.previews.preview import Preview


def context_lines(records: Sequence[CallRecord], index: int) -> Iterator[Line]:
    """Yields one call of a chapter: `index` counts from the oldest; its blocks, then their text."""
    record = records[index]
    yield (
        Phrase(_("Call {index} of {count}: ", index=index + 1, count=len(records)), "quiet"),
        Phrase(_line_of_call(record), "heading"),
    )
    if len(records) > 1:
        yield line(_("p shows the call before, n the next."), "quiet")
    yield line()
    yield from _facts(record)
    blocks = blocks_of(record.messages)
    yield from _table(blocks, _("Sent"))
    yield from _lines_of_omissions(record.dropped_blocks, record.cut_blocks)
    yield from block(_("Notes before writing"), (record.pre_writing or "").splitlines())
    yield from block(_("Hints for later"), (record.hints or "").splitlines())
    yield from _words(blocks)


def compared_lines(records: Sequence[CallRecord], index: int) -> Iterator[Line]:
    """Yields how the prompt of a call differs from that of the same agent's previous call."""
    from studio.pipeline.previews.preview import diff_between

    record = records[index]
    yield (
        Phrase(_("Call {index} of {count}: ", index=index + 1, count=len(records)), "quiet"),
        Phrase(_line_of_call(record), "heading"),
    )
    yield line(_("D shows all that was sent again."), "quiet")
    yield line()
    earlier = next((r for r in reversed(records[:index]) if r.agent == record.agent), None)
    if earlier is None:
        yield line(
            _(
                "This is the agent's first call in the chapter, so there is nothing to compare it "
                "with."
            )
        )
        return
    yield line(
        _("What differs from what was sent for {call}", call=_line_of_call(earlier)), "heading"
    )
    blocks = diff_between(earlier, record).blocks
    if not blocks:
        yield line(_("The same words, all of them."), "quiet")
    for piece in blocks:
        yield line()
        size = _("{tokens:+,} tokens", tokens=piece.tokens)
        yield (Phrase(f"[{plain_name(piece.id)}]  ", "heading"), Phrase(size, "quiet"))
        for row in piece.diff:
            yield line(row, "good" if row.startswith("+") else "bad")


def preview_lines(ahead: Preview | Problem | None) -> Iterator[Line]:
    """Yields the drafter's first call before it is made; None where the text already exists."""
    yield line(_("No model was asked for this chapter yet."), "quiet")
    if ahead is None or isinstance(ahead, Problem):
        yield line(_("What it is given for each call appears here afterwards."), "quiet")
        if ahead is not None:
            yield line()
            yield line(translate(ahead.message), "quiet")
        return
    yield (
        Phrase(_("It will be given: "), "quiet"),
        Phrase(_part(ahead), "heading"),
    )
    yield line()
    yield (Phrase(_("Model: "), "quiet"), Phrase(ahead.model + aside(term(ahead.request.role))))
    yield (Phrase(_("Cost: "), "quiet"), Phrase(translate(ahead.cost.words)))
    yield line()
    blocks = ahead.blocks
    remarks = [ahead.pending.get(p.id) or _whose(p.source) for p in ahead.places]
    yield from _table(blocks, _("To send"), remarks)
    yield from _lines_of_omissions(ahead.request.dropped_blocks, ahead.request.cut_blocks)
    yield from _words(blocks)


def _words(blocks: Sequence[BlockText]) -> Iterator[Line]:
    for piece in blocks:
        yield from block(f"[{plain_name(piece.name)}]", piece.text.splitlines())


def _line_of_call(record: CallRecord) -> str:
    scene = [_("scene {scene}", scene=record.scene)] if record.scene else []
    return series(dict.fromkeys([term(record.stage), plain_name(record.agent), *scene]))


def _facts(record: CallRecord) -> Iterator[Line]:
    usage = record.total_usage
    read = usage.input_tokens if usage else None
    output = usage.output_tokens if usage else None
    cached = usage.cache_read_tokens if usage else None
    tokens = _("{read} in, {written} out", read=_count(read), written=_count(output))
    is_answered = record.finish_reason != "asked"
    rows = [
        (
            _("Model"),
            (record.model or _("unknown")) + aside(term(record.role))
            if record.role
            else record.model,
        ),
        (_("When"), local_time(record.created_at, seconds=True)),
        (
            _("Tokens"),
            tokens + (further(_("{cached:,} from the cache", cached=cached)) if cached else "")
            if is_answered
            else "",
        ),
        (_("Cost"), dollars(record.cost_usd) if is_answered else ""),
        (_("Ended"), plain_name(record.finish_reason)),
        (_("Goes on from"), record.continues or ""),
        (_("Characters that repeated what stood"), f"{record.trimmed or ''}"),
        (_("Direction"), record.input),
        (_("Exemplars"), series(record.exemplars)),
    ]
    for name, value in rows:
        if value:
            yield (Phrase(as_label(name), "quiet"), Phrase(value))
    yield line()


def _count(tokens: int | None) -> str:
    return _("unknown") if tokens is None else f"{tokens:,}"


def _whose(source: str) -> str:
    """Returns the owner of a block's text where it is not the studio."""
    words = {
        "custom": _("your own"),
        "override": _("your words"),
        "edited": _("with your words"),
        "fragment": _("from your notes"),
    }
    return words.get(source, "")


def _part(ahead: Preview) -> str:
    """Returns the agent that is called, and the scene."""
    if ahead.scene is None:
        return plain_name(ahead.request.agent)
    return _(
        "{agent}, scene {scene} of {scenes}",
        agent=plain_name(ahead.request.agent),
        scene=ahead.scene,
        scenes=ahead.scenes,
    )


def _table(
    blocks: Sequence[BlockText], heading: str, remarks: Sequence[str] = ()
) -> Iterator[Line]:
    yield (
        Phrase(set_cell_size(heading, 22), "heading"),
        Phrase(
            _("{tokens:>7} {characters:>10}", tokens=_("tokens"), characters=_("characters")),
            "quiet",
        ),
    )
    for piece, remark in zip(blocks, remarks or [""] * len(blocks), strict=True):
        yield (
            Phrase(f"  {set_cell_size(plain_name(piece.name), 20)}"),
            Phrase(f"{piece.tokens:>7,}", "strong"),
            Phrase(f"{len(piece.text):>11,}"),
            Phrase(f"  {remark}" if remark else "", "quiet"),
        )
    whole = sum(piece.tokens for piece in blocks)
    yield line("  " + _("about {whole:,} tokens, estimated on the high side", whole=whole), "quiet")
    yield line()


def _lines_of_omissions(names: Sequence[str], cut: Sequence[str]) -> Iterator[Line]:
    why = _("No room was left in the model's window; these count least for this call.")
    for heading, blocks in ((_("Left out"), names), (_("Cut short"), cut)):
        if blocks:
            yield line(heading, "heading")
            yield line(f"  {series(map(plain_name, blocks))}", "warn")
    if names or cut:
        yield line(f"  {why}", "quiet")
    else:
        yield line(_("Nothing was left out."), "quiet")
    yield line()


_HEADINGS: dict[type[Event], str] = {
    Reasoning: N_("Thinking"),
    PrewriterText: N_("The brief"),
    Text: N_("The scene"),
    RewriteText: N_("The answer"),
}
_WHOLE = ("end", "stop", "tool_use")
"""The ends of calls whose text is whole."""
_LONGEST_RESULT = 400
"""The number of characters displayed of a lookup's result."""


def replay_lines(events: Iterable[Event]) -> Iterator[Line]:
    """Yields the events so far; consecutive pieces of one kind are joined under one heading."""
    kind: type[Event] | None = None
    text = ""
    for event in events:
        if kind is not None and type(event) is not kind:
            yield from _passage(text)
            kind, text = None, ""
        if type(event) in _HEADINGS:
            if kind is None:
                kind = type(event)
                yield line(_(_HEADINGS[kind]), "heading")
            text += event.text  # type: ignore[attr-defined]
        elif isinstance(event, ToolCall):
            words = series(str(value) for value in event.args.values() if value)
            name = _(LOOK_UPS.get(event.toolName, ANY_LOOK_UP))
            yield (Phrase(as_label(name) if words else name, "quiet"), Phrase(words))
        elif isinstance(event, ToolResult):
            yield line(str(event.result)[:_LONGEST_RESULT], "quote")
            yield line()
    yield from _passage(text)


def closing_lines(record: CallRecord) -> Iterator[Line]:
    """Yields what stands behind the events of a call: a structured answer, which was not shown as
    it streamed, as it came; and how the call ended."""
    came = record.generated_text.strip()
    if came and record.answer is not None:
        yield line(_(_HEADINGS[RewriteText]), "heading")
        yield from _passage(came)
    if record.finish_reason in _WHOLE and came:
        yield line(_("That is the whole of it."), "quiet")
        return
    if not came:
        yield line(_("No text came of this call."), "quiet")
    if record.finish_reason not in _WHOLE:
        yield (Phrase(as_label(_("Ended")), "quiet"), Phrase(plain_name(record.finish_reason)))


def _passage(text: str) -> Iterator[Line]:
    for row in text.strip().split("\n") if text.strip() else ():
        yield line(row)
    if text.strip():
        yield line()
