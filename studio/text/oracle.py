"""The oracle's code half: from metrics to at most five passage-level directives (DESIGN 6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from studio.story.chapter import Chapter
from studio.story.directive import Directive, DirectiveType, PassageLocation, directive_id
from studio.story.operations import MAX_DIRECTIVES, OPERATIONS
from studio.text.issues import TYPE_OF, Issue, issues
from studio.text.language import LanguagePack
from studio.text.metrics import Metric
from studio.text.passages import passage_of
from studio.text.reading import read

Fingerprints = Collection[tuple[str, str]]
"""(type, passage sha256) of what the writer has rejected."""

_OF_ONE_TYPE = 3
"""Places of the five that code's findings of one type take while others wait."""
_LARGE_SHARE = 1 / 3
_QUOTED = 5


@dataclass(frozen=True)
class Findings:
    """What was found, best five first."""

    directives: tuple[Directive, ...] = ()
    suppressed: int = 0
    """Findings beyond these."""
    redraft_suggested: bool = False
    """More were found than a pass holds, over a third of the paragraphs or more."""
    touched: frozenset[tuple[int, int]] = frozenset()
    """Scene and number of every paragraph with a finding, suppressed ones included."""
    paragraphs: int = 0
    """Paragraphs of the chapter."""


def findings(
    chapter: Chapter,
    pack: LanguagePack,
    measures: Mapping[str, Metric],
    *,
    climax_scenes: Collection[int] = (),
    forgotten: Fingerprints = frozenset(),
) -> Findings:
    """Directives for what code can see in a chapter, at most five, most urgent first.

    `measures` are `measure(chapter.text, pack, targets)`. A crowded paragraph
    makes a directive whatever the chapter's density; a metric that fails its
    threshold makes directives at its worst passages, as many as would bring it
    back. Passages in `forgotten` do not come back.
    """
    reading = read(chapter.text, pack)
    made = [
        (issue.weight, _directive(issue, chapter, pack, climax_scenes))
        for issue in issues(reading, measures)
    ]
    kept = [(weight, d) for weight, d in made if d.fingerprint not in forgotten]
    kept.sort(key=lambda pair: (pair[1].priority, -pair[0], *_place(pair[1])))
    return _limited(_distinct(d for _, d in kept), len(chapter.paragraphs), ())


def merge(
    code: Findings,
    judged: Sequence[Directive],
    *,
    taken: Collection[str] = (),
    forgotten: Fingerprints = frozenset(),
) -> Findings:
    """Code's findings and the judge's (already located) as one list of at most five.

    Of two with one type and a paragraph in common the first stays, code before
    judge. Ids are given anew and avoid those in `taken`.
    """
    fresh = [d for d in judged if d.fingerprint not in forgotten]
    distinct = _distinct((*code.directives, *fresh))
    distinct.sort(key=lambda d: d.priority)
    limited = _limited(distinct, code.paragraphs, taken)
    touched = limited.touched | code.touched
    suppressed = limited.suppressed + code.suppressed
    return replace(
        limited,
        touched=touched,
        suppressed=suppressed,
        redraft_suggested=_too_much(suppressed, touched, code.paragraphs),
    )


def overlaps(one: Directive, other: Directive) -> bool:
    """Whether two directives are the same issue: one type, a paragraph in common (A15)."""
    a, b = one.location, other.location
    return (
        one.type is other.type
        and a.scene_number == b.scene_number
        and a.paragraph_start <= b.paragraph_end
        and b.paragraph_start <= a.paragraph_end
    )


def _distinct(directives: Iterable[Directive]) -> list[Directive]:
    """Of several that are one issue, the first."""
    distinct: list[Directive] = []
    for directive in directives:
        if not any(overlaps(directive, other) for other in distinct):
            distinct.append(directive)
    return distinct


def _limited(ordered: Sequence[Directive], paragraphs: int, taken: Collection[str]) -> Findings:
    chosen = _chosen(ordered)
    touched = frozenset(
        (d.location.scene_number, number)
        for d in ordered
        for number in range(d.location.paragraph_start, d.location.paragraph_end + 1)
    )
    suppressed = len(ordered) - len(chosen)
    return Findings(
        directives=_numbered(chosen, taken),
        suppressed=suppressed,
        redraft_suggested=_too_much(suppressed, touched, paragraphs),
        touched=touched,
        paragraphs=paragraphs,
    )


def _chosen(ordered: Sequence[Directive]) -> list[Directive]:
    """The first five, but no more than three of code's of one type while others wait."""
    first: list[Directive] = []
    later: list[Directive] = []
    counted: dict[DirectiveType, int] = {}
    for directive in ordered:
        counted[directive.type] = counted.get(directive.type, 0) + 1
        crowding = directive.origin == "code" and counted[directive.type] > _OF_ONE_TYPE
        (later if crowding else first).append(directive)
    kept = {id(d) for d in (first + later)[:MAX_DIRECTIVES]}
    chosen = [d for d in ordered if id(d) in kept]
    return sorted(chosen, key=lambda d: (d.priority, *_place(d)))


def _numbered(directives: Iterable[Directive], taken: Collection[str]) -> tuple[Directive, ...]:
    used, numbered = set(taken), []
    for directive in directives:
        number = 1
        while directive_id(directive.type, number) in used:
            number += 1
        used.add(directive_id(directive.type, number))
        numbered.append(directive.updated(id=directive_id(directive.type, number)))
    return tuple(numbered)


def _too_much(suppressed: int, touched: Collection[object], paragraphs: int) -> bool:
    return suppressed > 0 and len(touched) >= paragraphs * _LARGE_SHARE


def _place(directive: Directive) -> tuple[int, int]:
    return (directive.location.scene_number, directive.location.paragraph_start)


def _directive(
    issue: Issue, chapter: Chapter, pack: LanguagePack, climax_scenes: Collection[int]
) -> Directive:
    kind = TYPE_OF[issue.metric]
    row, passage = OPERATIONS[kind], passage_of(issue.held, chapter)
    first, last = passage.paragraphs[0].number, passage.paragraphs[-1].number
    wording = pack.wordings[issue.metric]
    distinct = tuple(dict.fromkeys(" ".join(quote.split()) for quote in issue.quotes))
    words = {"count": len(issue.quotes), "quotes": ", ".join(distinct[:_QUOTED]), **issue.words}
    return Directive(
        id=directive_id(kind, 1),
        type=kind,
        priority=max(1, row.priority - (passage.scene in climax_scenes)),
        location=PassageLocation(
            scene_number=passage.scene, paragraph_start=first, paragraph_end=last
        ),
        issue=wording.issue.format_map(words),
        instruction=wording.instruction.format_map(words),
        current_text=passage.text,
        max_scope=max(1, min(last - first + 1, row.max_scope)),
        source_sha256=passage.sha256,
        origin="code",
        metric=issue.metric,
        evidence=tuple(dict.fromkeys(issue.quotes))[:_QUOTED],
    )
