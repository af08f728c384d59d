"""The three kinds of help, kept apart: fix, you decide, advice.

A fix is a directive: one passage, and the surgeon can do it. A choice is the
author's, with ways to go and nobody's words for them. Advice is about the
whole chapter. Only fixes can be accepted, so `accept --all` holds nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.evaluation import Counsel, Evaluation
from studio.story.status import APPROVED_STATUSES, OPEN_STATUSES

_IN_PLAY = OPEN_STATUSES | APPROVED_STATUSES


@dataclass(frozen=True, slots=True)
class Help:
    """What the oracle says to the writer about a chapter beside the fixes on its sheet."""

    conflicts: tuple[tuple[str, ...], ...] = ()
    """Ids of fixes that share paragraphs: when one is done the others are looked at anew."""
    decide: tuple[Counsel, ...] = ()
    advice: tuple[Counsel, ...] = ()


def help_of(sheet: DirectiveSheet | None, evaluation: Evaluation | None) -> Help:
    """What the two files of a chapter hold, sorted by kind of help."""
    counsel = evaluation.counsel if evaluation is not None else ()
    return Help(
        conflicts=conflicts(sheet.directives) if sheet is not None else (),
        decide=tuple(c for c in counsel if c.kind == "decide"),
        advice=(*(c for c in counsel if c.kind == "advice"), *_redraft(sheet)),
    )


def conflicts(directives: Iterable[Directive]) -> tuple[tuple[str, ...], ...]:
    """Groups of undecided or waiting directives that touch the same paragraphs, in reading
    order; whoever conflicts with nobody is in none."""
    groups: list[tuple[set[tuple[int, int]], list[str]]] = []
    for directive in sorted(directives, key=_reading_order):
        if directive.status not in _IN_PLAY:
            continue
        at = directive.location
        paragraphs = {
            (at.scene_number, number) for number in range(at.paragraph_start, at.paragraph_end + 1)
        }
        if groups and groups[-1][0] & paragraphs:
            groups[-1][0].update(paragraphs)
            groups[-1][1].append(directive.id)
        else:
            groups.append((paragraphs, [directive.id]))
    return tuple(tuple(ids) for _, ids in groups if len(ids) > 1)


def _reading_order(directive: Directive) -> tuple[int, int, int, int]:
    at = directive.location
    return (at.scene_number, at.paragraph_start, at.paragraph_end, directive.priority)


def _redraft(sheet: DirectiveSheet | None) -> Iterable[Counsel]:
    if sheet is not None and sheet.redraft_suggested:
        yield Counsel(
            kind="advice",
            issue=(
                "One review cannot hold all that was noticed, over a third of the chapter (left"
                f" out: {sheet.suppressed}): a fresh draft may serve it better than many repairs."
            ),
            origin="code",
        )
