"""The judge's proposals reconciled with the text: a verified place, the text's own words, and
the priority of the table (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import count

from studio.messages import said
from studio.pipeline.judging.quotes import (
    every_place_of,
    is_description,
    near_words,
    own_words,
    places_of,
)
from studio.story.chapter import Chapter, Paragraph, passage_text, sha256_of
from studio.story.review.answers import BROADEST, JudgedDirective
from studio.story.review.directive import Directive, DirectiveType, Unplaced, directive_id
from studio.story.review.operations import OPERATIONS, WIDTH_IN_CHARACTERS
from studio.story.review.passages_in_changed_text import location_of

_WIDEST = 5
"""The most paragraphs that a quote may span: the schema's largest maxScope."""
_HEAD = 6
"""The words by which the first paragraph of a longer quote is known."""


def place_proposals(
    chapter: Chapter, proposals: Iterable[JudgedDirective], climax: Collection[tuple[int, int]] = ()
) -> tuple[list[Directive], list[Unplaced]]:
    """Returns the judge's directives with a verified place, and those that have none.

    Label or quote suffices where they point to one place; a quote that is a word or two off counts
    only in the labelled paragraphs. Where the width of a passage disagrees with the limits, the
    passage is the quote's own. The table gives the priority, one level more urgent in paragraphs
    of a `climax`; the judge's own priority only orders directives of equal rank (A10).
    """
    directives: list[Directive] = []
    unplaced: list[Unplaced] = []
    for proposal in sorted(proposals, key=lambda p: p.priority):
        passage = () if proposal.other_type else _passage(chapter, proposal)
        if passage and (proposal.issue.strip() or proposal.instruction.strip()):
            directives.append(directive_at(proposal, passage, climax))
        elif f"{proposal.issue}{proposal.instruction}{proposal.currentText}".strip():
            unplaced.append(_without_place(chapter, proposal, bool(passage)))
    return directives, unplaced


def directive_at(
    proposal: JudgedDirective,
    passage: tuple[Paragraph, ...],
    climax: Collection[tuple[int, int]] = (),
) -> Directive:
    """Returns a proposal as a directive about a passage of the chapter."""
    operation = OPERATIONS[proposal.type]
    text = passage_text(passage)
    words = _quoted_words(text, proposal.currentText)
    return Directive(
        id=directive_id(proposal.type, 1),
        type=proposal.type,
        priority=max(1, operation.priority - (passage[0][:2] in climax)),
        location=location_of(passage),
        issue=proposal.issue.strip() or proposal.instruction.strip(),
        current_text=text,
        instruction=proposal.instruction.strip() or proposal.issue.strip(),
        max_scope=min(max(1, proposal.maxScope, len(passage)), operation.max_scope),
        source_sha256=sha256_of(text),
        origin="judge",
        metric=operation.metric,
        evidence=(words,) if words else (),
        remove=_words_to_cut(text, proposal) or None,
    )


def _words_to_cut(text: str, proposal: JudgedDirective) -> str:
    """Returns the words that a cut takes out, as the passage has them; empty unless it has them
    once, with the marks at their ends."""
    words = proposal.remove.strip("\n")
    places = places_of(text, words) if proposal.type is DirectiveType.CUT and words else []
    own = text[slice(*places[0])] if len(places) == 1 else ""
    whole = [own[at].isalnum() == words.strip()[at].isalnum() for at in (0, -1)] if own else []
    return own if whole and all(whole) else ""


def placed_at(
    lost: Unplaced, passage: tuple[Paragraph, ...], used_ids: Collection[str]
) -> Directive:
    """Returns a proposal that had no place as a directive about the passage the writer names, no
    wider than its type may change, with an id that is not used yet."""
    kind = DirectiveType(lost.type) if lost.type in frozenset(DirectiveType) else BROADEST
    operation = OPERATIONS[kind]
    own = passage[: operation.count_fitting(_lengths(passage), _WIDEST)]
    text = passage_text(own)
    ids = (directive_id(kind, number) for number in count(1))
    return Directive(
        id=next(one for one in ids if one not in used_ids),
        type=kind,
        priority=operation.priority,
        location=location_of(own),
        issue=lost.issue or lost.instruction,
        current_text=text,
        instruction=lost.instruction or lost.issue,
        max_scope=min(len(own), operation.max_scope),
        source_sha256=sha256_of(text),
        origin="judge",
        metric=operation.metric,
    )


def _without_place(chapter: Chapter, proposal: JudgedDirective, has_place: bool) -> Unplaced:
    """Returns a proposal that has no certain place, with what the judge said of it and why."""
    at, quote = proposal.location, proposal.currentText.strip()
    if has_place:
        why = said("it says neither what is wrong nor what to do")
    elif proposal.other_type:
        why = said("its kind of change is none that the studio knows")
    elif not quote:
        why = said("it quotes nothing, and its paragraphs are not in the chapter")
    elif len(places_of(chapter.text, quote)) > 1:
        why = said("its quote stands in several places and its paragraphs are not among them")
    else:
        why = said("its quote is not in the chapter")
    labelled = _labelled_paragraphs(chapter, proposal)
    label = label_of(labelled) if labelled else f"{at.sceneNumber}.{at.paragraphStart}"
    return Unplaced(
        type=proposal.other_type or proposal.type.value,
        issue=proposal.issue.strip(),
        instruction=proposal.instruction.strip(),
        quote=quote,
        label=label,
        why=why,
    )


def _passage(chapter: Chapter, proposal: JudgedDirective) -> tuple[Paragraph, ...]:
    """Returns the paragraphs that a proposal is about; empty if neither label nor quote points to
    one place."""
    labelled = _labelled_paragraphs(chapter, proposal)
    quote = proposal.currentText
    if not quote.strip() or is_description(chapter.text, quote):
        return _narrow(labelled, proposal, "")
    text = passage_text(labelled) if labelled else ""
    if text and own_words(text, quote):
        return _narrow(labelled, proposal, quote)
    exact = find_passage(chapter, quote)
    if not exact and text and near_words(text, quote):
        exact = labelled
    return _narrow(exact, proposal, quote)


def _labelled_paragraphs(chapter: Chapter, proposal: JudgedDirective) -> tuple[Paragraph, ...]:
    """Returns the paragraphs that a proposal's label names, as far as the scene has them."""
    at = proposal.location
    scene = chapter.scene(at.sceneNumber)
    first, last = sorted((at.paragraphStart, at.paragraphEnd))
    if scene is None or first > len(scene.paragraphs) or last < 1:
        return ()
    return chapter.passage(at.sceneNumber, max(1, first), min(last, len(scene.paragraphs)))


def _quoted_words(text: str, quote: str) -> str:
    """Returns the words of labelled paragraphs that a quote copies, perhaps with a slip."""
    return (own_words(text, quote) or near_words(text, quote)) if quote.strip() else ""


def _narrow(
    passage: tuple[Paragraph, ...], proposal: JudgedDirective, quote: str
) -> tuple[Paragraph, ...]:
    """Returns a passage no wider than its type may change: the paragraphs of the quote, or else the
    first ones."""
    scope = min(max(1, proposal.maxScope), _WIDEST)
    limit = OPERATIONS[proposal.type].count_fitting(_lengths(passage), scope)
    if len(passage) <= limit:
        return passage
    own = [p for p in passage if _quoted_words(p.text, quote)]
    if own:
        return tuple(own[:limit])
    head = " ".join(quote.split()[:_HEAD])
    first = next((n for n, p in enumerate(passage) if _quoted_words(p.text, head)), 0)
    return passage[first : first + limit]


def find_passage(chapter: Chapter, quote: str) -> tuple[Paragraph, ...]:
    """Returns the paragraphs that hold `quote`; empty if none do, if it stands in several
    places, or if it spans more paragraphs than a directive may."""
    passages = {
        tuple(p for p in chapter.paragraphs if p.start < end and start < p.end)
        for start, end in every_place_of(chapter.text, quote)
    } - {()}
    passage = passages.pop() if len(passages) == 1 else ()
    one_scene = len({p.scene for p in passage}) == 1
    is_narrow = len(passage) <= _WIDEST or sum(_lengths(passage)) <= WIDTH_IN_CHARACTERS
    return passage if one_scene and is_narrow else ()


def _lengths(passage: tuple[Paragraph, ...]) -> list[int]:
    return [len(paragraph.text) for paragraph in passage]


def label_of(passage: tuple[Paragraph, ...]) -> str:
    """Returns the address of a passage: `2.3`, or `2.3-2.5`."""
    first, last = passage[0], passage[-1]
    head = f"{first.scene}.{first.number}"
    return head if first is last else f"{head}-{last.scene}.{last.number}"
