"""The judge's proposals reconciled with the text: a verified place, the text's own words, and
the priority of the table (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from studio.pipeline.judging.quotes import own_words, places_of
from studio.story.chapter import Chapter, Paragraph, passage_text, sha256_of
from studio.story.review.answers import JudgedDirective
from studio.story.review.directive import Directive, directive_id
from studio.story.review.operations import OPERATIONS
from studio.story.review.passage_places import location_of

_WIDEST = 5
"""The most paragraphs that a quote may span: the schema's largest maxScope."""


def place_proposals(
    chapter: Chapter, proposals: Iterable[JudgedDirective], climax: Collection[int] = ()
) -> tuple[list[Directive], list[str]]:
    """Returns the judge's directives with a verified place, and why the others were dropped.

    A quote that is not in the text drops the directive; its typography may differ. If numbers and
    quote disagree, the quote decides. The table gives the priority, one level more urgent in a
    `climax` scene; the judge's own priority only orders directives of equal rank (A10).
    """
    directives: list[Directive] = []
    warnings: list[str] = []
    for proposal in sorted(proposals, key=lambda p: p.priority):
        passage = _passage(chapter, proposal)
        fault = _fault(chapter, proposal, passage)
        if fault:
            warnings.append(f"A directive ({proposal.type.value}) was dropped: {fault}.")
        else:
            directives.append(_directive(proposal, passage, climax))
    return directives, warnings


def _directive(
    proposal: JudgedDirective, passage: tuple[Paragraph, ...], climax: Collection[int]
) -> Directive:
    operation = OPERATIONS[proposal.type]
    text = passage_text(passage)
    return Directive(
        id=directive_id(proposal.type, 1),
        type=proposal.type,
        priority=max(1, operation.priority - (passage[0].scene in climax)),
        location=location_of(passage),
        issue=proposal.issue.strip(),
        current_text=text,
        instruction=proposal.instruction.strip(),
        max_scope=min(proposal.maxScope, operation.max_scope),
        source_sha256=sha256_of(text),
        origin="judge",
        metric=operation.metric,
        evidence=(own_words(text, proposal.currentText),),
    )


def _fault(chapter: Chapter, proposal: JudgedDirective, passage: tuple[Paragraph, ...]) -> str:
    if not 1 <= proposal.priority <= 10:
        return f"priority {proposal.priority} is not between 1 and 10"
    if not 1 <= proposal.maxScope <= 5:
        return f"maxScope {proposal.maxScope} is not between 1 and 5"
    if not proposal.issue.strip() or not proposal.instruction.strip():
        return "it says no issue or no instruction"
    if not proposal.currentText.strip():
        return "it quotes nothing"
    if not passage:
        why = _why_without_place(chapter, proposal.currentText)
        return f"{why} ({proposal.currentText.strip()[:60]!r})"
    limit = OPERATIONS[proposal.type].widest(proposal.maxScope)
    if limit is not None and len(passage) > limit:
        return f"it spans {len(passage)} paragraphs and may change {limit}"
    return ""


def _why_without_place(chapter: Chapter, quote: str) -> str:
    """Returns why a quote identifies no passage."""
    places = len(places_of(chapter.text, quote))
    if places > 1:
        return "its quote stands in several places and its paragraphs are not among them"
    return "its quote is not in one passage" if places else "its quote is not in the chapter"


def _passage(chapter: Chapter, proposal: JudgedDirective) -> tuple[Paragraph, ...]:
    """Returns the paragraphs that hold the quote: at the named place first, else at the only
    place."""
    at = proposal.location
    passage = chapter.passage(at.sceneNumber, at.paragraphStart, at.paragraphEnd)
    if passage and own_words(passage_text(passage), proposal.currentText):
        return passage
    return find_passage(chapter, proposal.currentText)


def find_passage(chapter: Chapter, quote: str) -> tuple[Paragraph, ...]:
    """Returns the paragraphs that hold `quote`; empty if none do, if it stands in several
    places, or if it spans more paragraphs than a directive may."""
    passages = {
        tuple(p for p in chapter.paragraphs if p.start < end and start < p.end)
        for start, end in places_of(chapter.text, quote)
    } - {()}
    passage = passages.pop() if len(passages) == 1 else ()
    one_scene = len({p.scene for p in passage}) == 1
    return passage if one_scene and len(passage) <= _WIDEST else ()
