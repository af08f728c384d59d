"""Detects a promise that is paid before it is planted."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.messages import said
from studio.story.continuity import ContinuityFinding, finding

CODE = "payoff_before_plant"


def payoff_before_plant(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings from the chapter's events, or from the plans while it is not written."""
    delta = book.committed.get(chapter)
    planted = set(book.tree_before(chapter).get("active_foreshadowing", {}))
    if delta is not None:
        steps = [(op.path, str(op.value)) for op in delta.ops if op.op == "foreshadow"]
    else:
        contract = book.contract(chapter)
        steps = [(task.id, task.action) for task in contract.foreshadowing] if contract else []
        planted |= _planned_before(book, chapter)
    for promise, action in steps:
        if action == "plant":
            planted.add(promise)
        elif action == "resolve" and promise not in planted:
            yield finding(
                CODE,
                "medium",
                (promise,),
                said(
                    "Chapter {chapter} pays a promise that nothing before it has made: {promise}.",
                    chapter=chapter,
                    promise=promise,
                ),
                (book.plan_of(chapter, promise),),
            )


def _planned_before(book: BookView, chapter: int) -> set[str]:
    """Returns the promises that chapters planned between the book's end and this one will plant."""
    contracts = [book.contract(n) for n in book.planned if book.last < n < chapter]
    return {
        task.id
        for contract in contracts
        if contract is not None
        for task in contract.foreshadowing
        if task.action != "resolve"
    }
