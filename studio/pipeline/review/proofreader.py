"""Which role proofreads: the fast one, unless its record shows too many errors (seed A12)."""

from __future__ import annotations

from collections.abc import Iterable

from studio.config.schema import Role
from studio.project.store import ProjectStore
from studio.story.review.directive import Directive, DirectiveSheet, DirectiveType
from studio.story.review.operations import OPERATIONS
from studio.story.status import DirectiveStatus

MOST_ERRORS = 0.05
"""The share of wrong proofread passages above which a better model is used (A12)."""
FEWEST = 20
"""Passages below which a rate is not meaningful."""
LOOKED_AT = 30
"""The number of earlier chapters that are considered."""
_WRONG = frozenset({DirectiveStatus.UNDONE, DirectiveStatus.FAILED})
_RIGHT = frozenset({DirectiveStatus.KEPT})


def role_for(kind: DirectiveType, store: ProjectStore, chapter: int) -> Role:
    """Returns the role of an operation; for proofreading, the record of earlier chapters
    decides."""
    role = OPERATIONS[kind].role
    if kind is not DirectiveType.PROOFREADING:
        return role
    first = max(1, chapter - LOOKED_AT)
    sheets = (store.directives(number) for number in range(first, chapter))
    rate = error_rate(sheet for sheet in sheets if sheet is not None)
    return "standard" if rate is not None and rate > MOST_ERRORS else role


def error_rate(sheets: Iterable[DirectiveSheet]) -> float | None:
    """Returns the share of proofread passages that were refused three times or that the writer
    took back; None if there are too few."""
    verdicts = [_wrong(d) for sheet in sheets for d in sheet.directives if _counts(d)]
    return sum(verdicts) / len(verdicts) if len(verdicts) >= FEWEST else None


def _counts(directive: Directive) -> bool:
    """Whether the surgeon did the work: the writer's own words say nothing about a model."""
    of_surgeon = directive.type is DirectiveType.PROOFREADING and directive.edited_text is None
    return of_surgeon and directive.status in _WRONG | _RIGHT


def _wrong(directive: Directive) -> bool:
    return directive.status in _WRONG
