"""Whether chapters still agree with what is true when they begin (seed E10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import Field

from studio.messages import said
from studio.story.form.document import Value, Words
from studio.story.state import Delta, StateOp, StoryState, Tree, apply, put_to, value_at


class Disagreement(Value):
    """A chapter's change that the state rejects, or accepts from a different starting value."""

    chapter: int
    entry: str
    reason: Words
    op: StateOp = Field(exclude=True)
    """The change itself, which a person reads in her words; programs read `entry`."""

    @classmethod
    def of(cls, chapter: int, op: StateOp, reason: str) -> Disagreement:
        """Builds the disagreement for a chapter's op."""
        return cls(chapter=chapter, entry=op.in_words, reason=reason, op=op)


def contradictions(deltas: Mapping[int, Delta]) -> list[Disagreement]:
    """Returns every op that a fold of these deltas leaves out, in chapter order."""
    rejected_ops: list[Disagreement] = []
    tree: Tree = StoryState().tree
    for chapter, delta in sorted(deltas.items()):
        tree, refusals = put_to(tree, delta.ops, chapter)
        rejected_ops += [Disagreement.of(chapter, op, reason) for op, reason in refusals]
    return rejected_ops


def disagreements(before: Mapping[int, Delta], after: Mapping[int, Delta]) -> list[Disagreement]:
    """Returns the ops of unchanged chapters that no longer fit.

    `before` and `after` map chapters to deltas, before and after some of them changed. An op that
    contradicted the state already is not reported again.
    """
    new_disagreements: list[Disagreement] = []
    old: Tree = StoryState().tree
    new: Tree = old
    for chapter in sorted({*before, *after}):
        was, now = before.get(chapter), after.get(chapter)
        if was == now and now is not None and old is not new:
            new_disagreements += _compare(old, new, now)
        same = old is new and was == now
        if was is not None:
            old, _ = apply(old, was.ops, chapter)
        if same:
            new = old
        elif now is not None:
            new, _ = apply(new, now.ops, chapter)
    return new_disagreements


def _compare(old: Tree, new: Tree, delta: Delta) -> Iterator[Disagreement]:
    """Yields the ops of one chapter that fit the old state and no longer fit the new one."""
    for op in delta.ops:
        reason = _shaken(old, new, op)
        old, missed_before = apply(old, (op,), delta.chapter)
        new, missed = apply(new, (op,), delta.chapter)
        if missed_before:
            continue
        if missed:
            reason = missed[0].reason
        if reason:
            yield Disagreement.of(delta.chapter, op, reason)


def _shaken(old: Tree, new: Tree, op: StateOp) -> str:
    """Returns why an op that still applies starts from another value than before, or nothing."""
    if op.op == "foreshadow":
        path = f"active_foreshadowing.{op.path}"
        planted, now = value_at(old, path) is not None, value_at(new, path) is not None
        if op.value == "advance" and planted and not now:
            return said("{path} was planted before it and is not any more", path=op.path)
        return ""
    was, now_is = value_at(old, op.path), value_at(new, op.path)
    if op.op == "inc" and was != now_is:
        return said(
            "{path} was {was} before it and is {now_is} now",
            path=op.path,
            was=repr(was),
            now_is=repr(now_is),
        )
    return ""
