"""What a model was given for a chapter: its prompt block by block, as lines to read. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from studio.llm.tokens import high_estimate
from studio.story.calls import CallRecord
from studio.tui.views.words import Line, Said, block, line

_FENCED = re.compile(r'^<(m\w*) name="([\w-]+)">\n(.*?)\n</\1>$', re.DOTALL | re.MULTILINE)
_OWN = {"system": "the agent's own text", "user": "the task", "assistant": "an answer before"}


class PromptBlock(NamedTuple):
    """One piece of a prompt that was sent."""

    name: str
    text: str

    @property
    def tokens(self) -> int:
        """About how many, on the high side."""
        return high_estimate(self.text)


def blocks_of(record: CallRecord) -> list[PromptBlock]:
    """The pieces of a prompt in the order they were sent."""
    found: list[PromptBlock] = []
    for message in record.messages:
        at = 0
        for match in _FENCED.finditer(message.content):
            found += _unfenced(message.role, message.content[at : match.start()])
            found.append(PromptBlock(match[2], match[3]))
            at = match.end()
        found += _unfenced(message.role, message.content[at:])
    return found


def _unfenced(role: str, text: str) -> list[PromptBlock]:
    return [PromptBlock(_OWN[role], text.strip())] if text.strip() else []


def context_lines(records: Sequence[CallRecord], chosen: int) -> Iterator[Line]:
    """One call of a chapter, `chosen` counted from the oldest; its blocks, then their words."""
    if not records:
        yield line("No model was asked for this chapter yet.", "quiet")
        yield line("What it is given for each call stands here afterwards.", "quiet")
        return
    record = records[chosen]
    yield (
        Said(f"Call {chosen + 1} of {len(records)}: ", "quiet"),
        Said(_called(record), "heading"),
    )
    if len(records) > 1:
        yield line("p shows the call before, n the next.", "quiet")
    yield line()
    yield from _facts(record)
    blocks = blocks_of(record)
    yield from _table(blocks)
    yield from _dropped(record)
    yield from block("Notes before writing", (record.pre_writing or "").splitlines())
    yield from block("Hints for later", (record.hints or "").splitlines())
    for piece in blocks:
        yield from block(f"[{piece.name}]", piece.text.splitlines())


def _called(record: CallRecord) -> str:
    scene = f", scene {record.scene}" if record.scene else ""
    return f"{record.stage}, {record.agent}{scene}"


def _facts(record: CallRecord) -> Iterator[Line]:
    used = record.total_usage
    read = used.input_tokens if used else None
    written = used.output_tokens if used else None
    cached = used.cache_read_tokens if used else None
    tokens = f"{_count(read)} in, {_count(written)} out"
    told = [
        ("Model", f"{record.model or 'unknown'} ({record.role})" if record.role else record.model),
        ("When", record.created_at[:19].replace("T", " ")),
        ("Tokens", tokens + (f", {cached:,} from the cache" if cached else "")),
        ("Cost", "unknown" if record.cost_usd is None else f"${record.cost_usd:.4f}"),
        ("Ended", record.finish_reason),
        ("Direction", record.input),
        ("Exemplars", ", ".join(record.exemplars)),
        ("Record", f"logs/generations/{record.id}.json"),
    ]
    for name, value in told:
        if value:
            yield (Said(f"{name}: ", "quiet"), Said(value))
    yield line()


def _count(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"


def _table(blocks: Sequence[PromptBlock]) -> Iterator[Line]:
    yield (Said(f"{'Sent':<24}", "heading"), Said(" tokens  characters", "quiet"))
    for piece in blocks:
        yield (
            Said(f"  {piece.name:<22}"),
            Said(f"{piece.tokens:>7,}", "strong"),
            Said(f"{len(piece.text):>12,}"),
        )
    whole = sum(piece.tokens for piece in blocks)
    yield line(f"  about {whole:,} tokens, estimated on the high side", "quiet")
    yield line()


def _dropped(record: CallRecord) -> Iterator[Line]:
    why = "No room was left in the model's window; these count least for this call."
    if record.dropped_blocks:
        yield line("Left out", "heading")
        yield line(f"  {', '.join(record.dropped_blocks)}", "warn")
        yield line(f"  {why}", "quiet")
    else:
        yield line("Nothing was left out.", "quiet")
    yield line()
