"""What a model was given for a chapter, or will be: a prompt block by block, as lines. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from studio.errors import Problem
from studio.pipeline.preview import PromptBlock, blocks_of
from studio.story.ledger import dollars
from studio.story.records import CallRecord
from studio.tui.views.words import Line, Said, block, line

if TYPE_CHECKING:
    from studio.pipeline.preview import Preview


def context_lines(records: Sequence[CallRecord], index: int) -> Iterator[Line]:
    """One call of a chapter, `chosen` counted from the oldest; its blocks, then their words."""
    record = records[index]
    yield (
        Said(f"Call {index + 1} of {len(records)}: ", "quiet"),
        Said(_called(record), "heading"),
    )
    if len(records) > 1:
        yield line("p shows the call before, n the next.", "quiet")
    yield line()
    yield from _facts(record)
    blocks = blocks_of(record.messages)
    yield from _table(blocks)
    yield from _dropped(record.dropped_blocks, record.cut_blocks)
    yield from block("Notes before writing", (record.pre_writing or "").splitlines())
    yield from block("Hints for later", (record.hints or "").splitlines())
    yield from _words(blocks)


def preview_lines(ahead: Preview | Problem | None) -> Iterator[Line]:
    """The drafter's first call before it is made; None where the text is there already."""
    yield line("No model was asked for this chapter yet.", "quiet")
    if ahead is None or isinstance(ahead, Problem):
        yield line("What it is given for each call stands here afterwards.", "quiet")
        if ahead is not None:
            yield line()
            yield line(ahead.message, "quiet")
        return
    yield (
        Said("It will be given: ", "quiet"),
        Said(f"{ahead.request.agent}, scene {ahead.scene} of {ahead.scenes}", "heading"),
    )
    yield line()
    yield (Said("Model: ", "quiet"), Said(f"{ahead.model} ({ahead.request.role})"))
    yield (Said("Cost at most: ", "quiet"), Said(dollars(ahead.worst_usd)))
    yield line()
    blocks = ahead.blocks
    yield from _table(blocks, "To send")
    yield from _dropped(ahead.request.dropped_blocks, ahead.request.cut_blocks)
    yield from _words(blocks)


def _words(blocks: Sequence[PromptBlock]) -> Iterator[Line]:
    for piece in blocks:
        yield from block(f"[{piece.name}]", piece.text.splitlines())


def _called(record: CallRecord) -> str:
    scene = f", scene {record.scene}" if record.scene else ""
    return f"{record.stage}, {record.agent}{scene}"


def _facts(record: CallRecord) -> Iterator[Line]:
    usage = record.total_usage
    read = usage.input_tokens if usage else None
    output = usage.output_tokens if usage else None
    cached = usage.cache_read_tokens if usage else None
    tokens = f"{_count(read)} in, {_count(output)} out"
    rows = [
        ("Model", f"{record.model or 'unknown'} ({record.role})" if record.role else record.model),
        ("When", record.created_at[:19].replace("T", " ")),
        ("Tokens", tokens + (f", {cached:,} from the cache" if cached else "")),
        ("Cost", dollars(record.cost_usd)),
        ("Ended", record.finish_reason),
        ("Direction", record.input),
        ("Exemplars", ", ".join(record.exemplars)),
    ]
    for name, value in rows:
        if value:
            yield (Said(f"{name}: ", "quiet"), Said(value))
    yield line()


def _count(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"


def _table(blocks: Sequence[PromptBlock], heading: str = "Sent") -> Iterator[Line]:
    yield (Said(f"{heading:<22}", "heading"), Said(" tokens characters", "quiet"))
    for piece in blocks:
        yield (
            Said(f"  {piece.name:<20}"),
            Said(f"{piece.tokens:>7,}", "strong"),
            Said(f"{len(piece.text):>11,}"),
        )
    whole = sum(piece.tokens for piece in blocks)
    yield line(f"  about {whole:,} tokens, estimated on the high side", "quiet")
    yield line()


def _dropped(names: Sequence[str], cut: Sequence[str]) -> Iterator[Line]:
    why = "No room was left in the model's window; these count least for this call."
    for heading, blocks in (("Left out", names), ("Cut short", cut)):
        if blocks:
            yield line(heading, "heading")
            yield line(f"  {', '.join(blocks)}", "warn")
    if names or cut:
        yield line(f"  {why}", "quiet")
    else:
        yield line("Nothing was left out.", "quiet")
    yield line()
