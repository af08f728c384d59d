"""The differences between a prompt about to be sent and the last one of the same agent."""

from __future__ import annotations

from difflib import unified_diff
from typing import Literal

from studio.pipeline.previews.preview import Preview, PromptBlock, blocks_of
from studio.project.journal import CallJournal
from studio.story.form.document import Value
from studio.story.records import CallRecord

Change = Literal["added", "removed", "changed"]


class BlockDiff(Value):
    """One block that differs."""

    id: str
    change: Change
    tokens: int
    """The approximate change in tokens; negative if the block is shorter."""
    diff: tuple[str, ...]
    """The lines of both as a unified diff without its header."""


class PromptDiff(Value):
    """All blocks that differ from the last call; `against` is None if there was none."""

    against: str | None = None
    created_at: str = ""
    chapter: int | None = None
    scene: int | None = None
    blocks: tuple[BlockDiff, ...] = ()


def diff_to_last(journal: CallJournal, ahead: Preview) -> PromptDiff:
    """Compares a call with the newest finished call of the same agent, in any chapter. Reads
    records."""
    last = last_call(journal, ahead.request.agent)
    if last is None:
        return PromptDiff()
    return _against(last, ahead.blocks)


def diff_between(earlier: CallRecord, later: CallRecord) -> PromptDiff:
    """Returns how the prompt of one call differs from that of another. Pure."""
    return _against(earlier, blocks_of(later.messages))


def _against(earlier: CallRecord, blocks: list[PromptBlock]) -> PromptDiff:
    before, now = _by_name(blocks_of(earlier.messages)), _by_name(blocks)
    rows = [_block_diff(name, before.get(name), now.get(name)) for name in {**before, **now}]
    return PromptDiff(
        against=earlier.id,
        created_at=earlier.created_at,
        chapter=earlier.chapter,
        scene=earlier.scene,
        blocks=tuple(row for row in rows if row is not None),
    )


def last_call(journal: CallJournal, agent: str) -> CallRecord | None:
    """Returns the newest finished call of an agent, searched from the last chapter that has any."""
    by_chapter: dict[str, list[CallRecord]] = {}
    for name in sorted(journal.generation_ids(), reverse=True):
        head = name[: len("gen-000")]
        if by_chapter and head not in by_chapter:
            break
        record = journal.recall_today(name)
        if record is not None and record.agent == agent:
            by_chapter.setdefault(head, []).append(record)
    newest = [record for records in by_chapter.values() for record in records]
    return max(newest, key=lambda record: record.created_at, default=None)


def _by_name(blocks: list[PromptBlock]) -> dict[str, PromptBlock]:
    return {block.name: block for block in blocks}


def _block_diff(name: str, before: PromptBlock | None, now: PromptBlock | None) -> BlockDiff | None:
    old, new = before.text if before else "", now.text if now else ""
    if old == new:
        return None
    rows = list(unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""))[2:]
    change: Change = "added" if before is None else "removed" if now is None else "changed"
    tokens = (now.tokens if now else 0) - (before.tokens if before else 0)
    diff = tuple(row for row in rows if not row.startswith("@@"))
    return BlockDiff(id=name, change=change, tokens=tokens, diff=diff)
