"""Who proofreads: the fast role, unless it was seen to err too often (seed A12)."""

from __future__ import annotations

from collections.abc import Iterable

from studio.config.schema import Role
from studio.project.store import ProjectStore
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.directive_type import DirectiveType
from studio.story.review.operations import OPERATIONS
from studio.story.status import DirectiveStatus

MOST_ERRORS = 0.05
"""Share of proofread passages that may be wrong before a better model is asked (A12)."""
FEWEST = 20
"""Passages below which a rate says nothing."""
LOOKED_AT = 30
"""Chapters that are looked back on."""
_WRONG = frozenset({DirectiveStatus.UNDONE, DirectiveStatus.FAILED})
_RIGHT = frozenset({DirectiveStatus.KEPT})


def role_for(kind: DirectiveType, store: ProjectStore, chapter: int) -> Role:
    """The role of an operation; the record of the chapters before decides on proofreading."""
    role = OPERATIONS[kind].role
    if kind is not DirectiveType.PROOFREADING:
        return role
    first = max(1, chapter - LOOKED_AT)
    sheets = (store.directives(number) for number in range(first, chapter))
    rate = error_rate(sheet for sheet in sheets if sheet is not None)
    return "standard" if rate is not None and rate > MOST_ERRORS else role


def error_rate(sheets: Iterable[DirectiveSheet]) -> float | None:
    """Share of proofread passages that were refused three times, or that the writer took back;
    None where there are too few to say."""
    verdicts = [_wrong(d) for sheet in sheets for d in sheet.directives if _counts(d)]
    return sum(verdicts) / len(verdicts) if len(verdicts) >= FEWEST else None


def _counts(directive: Directive) -> bool:
    """Whether the surgeon did the work: the writer's own words measure nobody."""
    of_surgeon = directive.type is DirectiveType.PROOFREADING and directive.edited_text is None
    return of_surgeon and directive.status in _WRONG | _RIGHT


def _wrong(directive: Directive) -> bool:
    return directive.status in _WRONG
