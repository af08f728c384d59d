"""The oracle's code half: from metrics to at most five passage-level directives (DESIGN 6)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from studio.messages import said
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import Chapter, passage_text, sha256_of
from studio.story.review.directive import Directive, DirectiveType, Fingerprint, directive_id
from studio.story.review.operations import MAX_DIRECTIVES, MAX_UNJUDGED, OPERATIONS
from studio.story.review.passage import PassageLocation
from studio.text.language.packs import LanguagePack
from studio.text.metrics.measure import Metric
from studio.text.oracle.issues import Issue, issues
from studio.text.prose.answer import excerpt
from studio.text.prose.parse import read

Intended = Callable[[Directive], bool]
"""Whether the writer has waived a finding as intended."""


def nothing_intended(_: Directive) -> bool:
    """The default for a text without waivers."""
    return False


LEAK = "leaked_meta"
"""The measure of what a machine says about a text in the text."""
Climax = Collection[tuple[int, int]]
"""Scene and number of the paragraphs in scenes whose faults weigh more."""
_SUREST = (
    LEAK,
    "filter_word_density",
    "cliche_density",
    "repetition",
    "adverb_density",
    "same_opening_run",
    "same_ending_run",
    "sentence_length_cv",
    "sensory_grounding",
)
"""Metrics ordered by how rarely an editor disagrees with their findings, the most certain first."""
_OF_ONE_TYPE = 3
"""The maximum number of code findings of one type among the five while others wait."""
MOST_BEYOND = 20
"""The maximum number of suppressed findings kept for reading; the rest are only counted."""
_LARGE_SHARE = 1 / 3
_QUOTED = 5
_LONGEST_QUOTE = 60
"""The maximum characters of a quotation in the issue's sentence; the evidence is complete."""


@dataclass(frozen=True)
class CodeFindings:
    """Code's findings in a chapter: at most five directives, the most urgent first."""

    directives: tuple[Directive, ...] = ()
    suppressed: int = 0
    """The number of findings beyond these directives."""
    beyond: tuple[Directive, ...] = ()
    """The first of the suppressed findings, at most twenty."""
    redraft_suggested: bool = False
    """Whether more was found than one pass allows, over a third of the paragraphs or more."""
    touched: frozenset[tuple[int, int]] = frozenset()
    """Scene and number of every paragraph with a finding, including suppressed ones."""
    paragraphs: int = 0
    """The number of paragraphs in the chapter."""


def findings(
    chapter: Chapter,
    pack: LanguagePack,
    measures: Mapping[str, Metric],
    *,
    climax: Climax = (),
    forgotten: Collection[Fingerprint] = (),
    intended: Intended = nothing_intended,
    judged: bool = True,
) -> CodeFindings:
    """Returns directives for what code can detect in a chapter, at most five, most urgent first.

    Where the chapter is not `judged`, nobody answers them: then at most three are displayed, the
    most certain first (PROSE 2).

    `measures` are `measure(chapter.text, pack, targets)`. Passages in `forgotten` do not come back,
    nor does what is `intended`. No type takes more than three of the places while another waits.
    """
    every = issues(read(chapter.text, pack), measures, judged=judged)
    worst_first = _worst_first(every, climax)
    candidates = [_directive(issue, chapter, pack, climax) for issue in _worst_of_each(worst_first)]
    new_ones = [d for d in candidates if not d.is_among(forgotten) and not intended(d)]
    distinct = _distinct(new_ones if judged else _each_text_once(new_ones))
    if not judged:
        distinct.sort(key=_doubt)
    most = MAX_DIRECTIVES if judged else MAX_UNJUDGED
    limited = _limit(distinct, len(chapter.paragraphs), (), most)
    if judged:
        return limited
    return replace(limited, directives=tuple(sorted(limited.directives, key=_doubt)))


def _doubt(directive: Directive) -> int:
    """Returns the rank of a finding by uncertainty, 0 being the most certain."""
    return _SUREST.index(directive.metric) if directive.metric in _SUREST else len(_SUREST)


def merge(
    code: CodeFindings,
    proposals: Sequence[Directive],
    *,
    used_ids: Collection[str] = (),
    forgotten: Collection[Fingerprint] = (),
    most: int = MAX_DIRECTIVES,
) -> CodeFindings:
    """Merges code's findings and the judge's (already located) into one list of at most `most`,
    which are five unless some of an earlier reading wait.

    Of two with the same type and a common paragraph the first stays, code before judge: a finding
    that both made is confirmed. Leaks come before everything else. Of the rest, the judge's come
    first, confirmed ones second, and unanswered ones take the remaining places (PROSE 2). All ids
    are reassigned, those of `beyond` too: they are unique and avoid `used_ids`.
    """
    fresh = [d for d in proposals if not d.is_among(forgotten)]
    seen_by_both = [d for d in code.directives if any(overlaps(d, other) for other in fresh)]

    def rank(directive: Directive) -> tuple[int, int]:
        if directive.metric == LEAK and directive.origin == "code":
            return -1, directive.priority
        if directive.origin != "code" or directive in seen_by_both:
            return 0, directive.priority
        if directive.confirmed:
            return 1, directive.priority
        return (2 if directive.edited_text is not None else 3), directive.priority

    by_rank = sorted(_distinct((*code.directives, *fresh)), key=rank)
    distinct = [d.copy_with(confirmed=True) if d in seen_by_both else d for d in by_rank]
    limited = _limit(distinct, code.paragraphs, used_ids, most)
    touched = limited.touched | code.touched
    suppressed = limited.suppressed + code.suppressed
    beyond = (*limited.beyond, *code.beyond)[:MOST_BEYOND]
    return replace(
        limited,
        touched=touched,
        suppressed=suppressed,
        beyond=_number(beyond, {*used_ids, *(d.id for d in limited.directives)}),
        redraft_suggested=_too_much(suppressed, touched, code.paragraphs),
    )


def overlaps(one: Directive, other: Directive) -> bool:
    """Whether two directives are the same issue: one type, a paragraph in common (A15)."""
    return one.type is other.type and bool(_paragraphs(one) & _paragraphs(other))


def _worst_first(unordered: Iterable[Issue], climax: Climax) -> list[Issue]:
    return sorted(
        unordered,
        key=lambda issue: (
            issue.metric != LEAK,  # words of a machine come before every other finding
            _priority(issue, climax),
            -issue.weight,
            issue.scene,
            issue.numbers.start,
        ),
    )


def _worst_of_each(worst_first: Iterable[Issue]) -> list[Issue]:
    """Keeps the worst, which is the first, of several issues of one metric in one passage.

    The others would propose the same for the same words, and a fingerprint or waiver of one covers
    them all. A paragraph of a million characters can contain thousands, each with a copy of it.
    """
    worst: dict[tuple[str, int, range], Issue] = {}
    for issue in worst_first:
        worst.setdefault((issue.metric, issue.scene, issue.numbers), issue)
    return list(worst.values())


def _priority(issue: Issue, climax: Climax) -> int:
    """Returns the priority of the type, one more urgent in a climax scene."""
    is_of_climax = (issue.scene, issue.numbers.start) in climax
    return max(1, OPERATIONS[issue.type].priority - is_of_climax)


def _directive(issue: Issue, chapter: Chapter, pack: LanguagePack, climax: Climax) -> Directive:
    first, last = issue.numbers[0], issue.numbers[-1]
    text = passage_text(chapter.passage(issue.scene, first, last))
    wording = pack.wordings[issue.metric]
    evidence = tuple(dict.fromkeys(issue.quotes))[:_QUOTED]
    line = pack.comma.join(put_in_quotes(excerpt(words, _LONGEST_QUOTE)) for words in evidence)
    words = {"count": len(issue.quotes), "quotes": line, **issue.words}
    is_hers = any(item.part.has("blacklist") for item in issue.paragraphs)
    what = wording.ours if wording.ours and not is_hers else wording.issue
    return Directive(
        id=directive_id(issue.type, 1),
        type=issue.type,
        priority=_priority(issue, climax),
        location=PassageLocation(
            scene_number=issue.scene, paragraph_start=first, paragraph_end=last
        ),
        issue=said(wording.none if wording.none and not words["count"] else what, **words),
        instruction=said(wording.instruction, **words),
        current_text=text,
        max_scope=last - first + 1,
        source_sha256=sha256_of(text),
        origin="code",
        metric=issue.metric,
        evidence=evidence,
    )


def _paragraphs(directive: Directive) -> frozenset[tuple[int, int]]:
    place = directive.location
    numbers = range(place.paragraph_start, place.paragraph_end + 1)
    return frozenset((place.scene_number, number) for number in numbers)


def _distinct(directives: Iterable[Directive]) -> list[Directive]:
    """Keeps the first of several directives that are the same issue."""
    paragraphs_of: dict[DirectiveType, set[tuple[int, int]]] = {}
    distinct = []
    for directive in directives:
        others, own = paragraphs_of.setdefault(directive.type, set()), _paragraphs(directive)
        if not others & own:
            distinct.append(directive)
            others |= own
    return distinct


def _each_text_once(directives: Iterable[Directive]) -> Iterator[Directive]:
    """Yields the directives without those that ask the same of a passage that stands again word for
    word; a line left over is cut wherever it stands."""
    before: set[tuple[DirectiveType, str]] = set()
    for directive in directives:
        same = directive.type, directive.current_text
        if directive.metric == LEAK or same not in before:
            yield directive
        before.add(same)


def _limit(
    ordered: Sequence[Directive],
    paragraphs: int,
    used_ids: Collection[str],
    most: int = MAX_DIRECTIVES,
) -> CodeFindings:
    best = _best(ordered, most)
    touched = frozenset(place for directive in ordered for place in _paragraphs(directive))
    suppressed = len(ordered) - len(best)
    shown_ones = {id(directive) for directive in best}
    others = [directive for directive in ordered if id(directive) not in shown_ones]
    return CodeFindings(
        directives=_number(best, used_ids),
        suppressed=suppressed,
        beyond=tuple(others[:MOST_BEYOND]),
        redraft_suggested=_too_much(suppressed, touched, paragraphs),
        touched=touched,
        paragraphs=paragraphs,
    )


def _best(ordered: Sequence[Directive], most: int) -> list[Directive]:
    """Returns the first `most`, but no more than three of code's of one type while others wait."""
    first: list[Directive] = []
    later: list[Directive] = []
    count_of: dict[DirectiveType, int] = {}
    for directive in ordered:
        count_of[directive.type] = count_of.get(directive.type, 0) + 1
        by_code = directive.origin == "code" and directive.metric != LEAK
        crowding = by_code and count_of[directive.type] > _OF_ONE_TYPE
        (later if crowding else first).append(directive)
    return sorted(
        (first + later)[:most],
        key=lambda d: (
            d.metric != LEAK,
            d.priority,
            d.location.scene_number,
            d.location.paragraph_start,
        ),
    )


def _number(directives: Iterable[Directive], used_ids: Collection[str]) -> tuple[Directive, ...]:
    used = {name.replace("-", "_") for name in used_ids}
    numbered = []
    for directive in directives:
        number = 1
        while directive_id(directive.type, number) in used:
            number += 1
        used.add(directive_id(directive.type, number))
        numbered.append(directive.copy_with(id=directive_id(directive.type, number)))
    return tuple(numbered)


def _too_much(suppressed: int, touched: Collection[object], paragraphs: int) -> bool:
    return suppressed > 0 and len(touched) >= paragraphs * _LARGE_SHARE
