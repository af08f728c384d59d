"""The four kinds of help, kept apart: fix, choice, pattern, advice.

A fix is a directive: it concerns one passage, and the surgeon can carry it out. A choice is the
author's and has options but no words written for them. A pattern is what a chapter has far too
often, with every place of it; each is hers to take, to leave or to make a fix of. Advice concerns
the whole chapter. Only fixes can be accepted, so `accept --all` contains nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from studio.messages import said
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.evaluation import Counsel, Evaluation
from studio.story.status import APPROVED_STATUSES, OPEN_STATUSES

_IN_PLAY = OPEN_STATUSES | APPROVED_STATUSES


@dataclass(frozen=True, slots=True)
class Help:
    """The oracle's help for a chapter, beside the fixes on its sheet."""

    conflicts: tuple[tuple[str, ...], ...] = ()
    """Ids of fixes that share paragraphs: when one is applied, the others are checked again."""
    decide: tuple[Counsel, ...] = ()
    patterns: tuple[Counsel, ...] = ()
    advice: tuple[Counsel, ...] = ()


def help_of(sheet: DirectiveSheet | None, evaluation: Evaluation | None) -> Help:
    """Returns the help in the two files of a chapter, sorted by kind."""
    counsel = evaluation.counsel if evaluation is not None else ()
    return Help(
        conflicts=conflicts(sheet.directives) if sheet is not None else (),
        decide=tuple(c for c in counsel if c.kind == "decide"),
        patterns=tuple(c for c in counsel if c.kind == "pattern"),
        advice=(*(c for c in counsel if c.kind == "advice"), *_redraft(sheet)),
    )


def conflicts(directives: Iterable[Directive]) -> tuple[tuple[str, ...], ...]:
    """Returns groups of undecided or waiting directives that touch the same paragraphs, in reading
    order; a directive without a conflict is in none."""
    groups: list[tuple[set[tuple[int, int]], list[str]]] = []
    for directive in sorted(directives, key=_reading_order):
        if directive.stands == "gone" or directive.status not in _IN_PLAY:
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
                said(
                    "One review cannot hold all that was noticed, over a third of the chapter "
                    "(left out: {suppressed}): a fresh draft may serve it better than many "
                    "repairs.",
                    suppressed=sheet.suppressed,
                )
            ),
            origin="code",
        )
