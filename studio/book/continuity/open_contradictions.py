"""The number of contradictions that are open at the current chapter, as `status` reports it.

Only the plans of the next chapter and of the ten before it are checked, along with the findings of
a model; only chapters that such a finding quotes are opened.
"""

from __future__ import annotations

from typing import ClassVar

from studio.book.continuity.book_view import BookView
from studio.book.continuity.ledger import contradictions_before
from studio.book.continuity.model_findings import standing_findings
from studio.book.plans import Plans
from studio.messages import said
from studio.project.store import ProjectStore
from studio.story.continuity import ContinuityFinding
from studio.story.form.document import Value, Words
from studio.text.language.packs import LanguagePack

_BEHIND = 10


class ContinuityStanding(Value):
    """Open findings by severity, and a sentence where there are any."""

    MESSAGES: ClassVar[bool] = True
    high: int = 0
    medium: int = 0
    low: int = 0
    chapters: tuple[int, ...] = ()
    """The chapters that the findings concern."""
    sentences: tuple[Words, ...] = ()


def open_contradictions(
    store: ProjectStore, pack: LanguagePack, following: int, plans: Plans
) -> ContinuityStanding:
    """Returns the open findings about the plans up to chapter `following`, and those of a model.

    StudioError (exit 5) for a plan, entry or record that cannot be read.
    """
    first = max(1, following - _BEHIND)
    by_plan = contradictions_before(store, pack, following, first, plans).findings
    book, waivers = BookView(store, pack, plans=plans), store.waivers()
    read = [
        entry
        for entry in standing_findings(store, book.committed, range(1, following + 1))
        if not waivers.means(entry.fact_key, entry.chapters)
    ]
    return _standing([*by_plan, *read])


def _standing(findings: list[ContinuityFinding]) -> ContinuityStanding:
    grave = [entry.severity for entry in findings]
    counts = {name: grave.count(name) for name in ("high", "medium", "low")}
    sentences: list[str] = []
    if findings:
        subject = (
            said("One contradiction is")
            if len(findings) == 1
            else (said("{n} contradictions are", n=len(findings)))
        )
        sentences.append(said("{subject} open; `studio continuity` shows more.", subject=subject))
    return ContinuityStanding(
        high=counts["high"],
        medium=counts["medium"],
        low=counts["low"],
        chapters=tuple(sorted({n for entry in findings for n in entry.chapters})),
        sentences=tuple(sentences),
    )
