"""The directives of a chapter at the present places of their passages: the one way in which
decisions follow a text that was changed, by whomever.

A directive is stale if its passage no longer stands as it was read: `stands` is then `changed` or
`gone`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Protocol

from studio.story.chapter import Chapter, Paragraph, passage_text, sha256_of, split_paragraphs
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.passage import Passage, PassageLocation
from studio.story.review.passages_in_changed_text import (
    FEWEST_WORDS,
    SearchableChapter,
    is_wide,
    location_of,
    passage_of,
    place,
    plain,
    words_of,
)
from studio.story.review.proposal import Proposal
from studio.story.review.surgery import SurgeryResult
from studio.story.status import IN_TEXT_STATUSES, DirectiveStatus, Stands


def relocate_sheet(sheet: DirectiveSheet, chapter: Chapter) -> DirectiveSheet:
    """Returns the sheet as that of the text `chapter`: see `placed_in`."""
    return rename(placed_in(sheet, chapter), chapter.sha256)


def rename(sheet: DirectiveSheet, sha256: str) -> DirectiveSheet:
    """Returns the sheet as that of the text `sha256`; it keeps the name of the text it was made
    from."""
    if sheet.source_sha256 == sha256:
        return sheet
    made_from = sheet.made_from_sha256 or sheet.source_sha256
    return sheet.copy_with(source_sha256=sha256, made_from_sha256=made_from)


def placed_in(sheet: DirectiveSheet, chapter: Chapter) -> DirectiveSheet:
    """Returns the sheet with every directive at the present place of its passage.

    A fix whose old passage stands there again was undone by hand; one the writer has typed into
    is hers, and kept by name. Findings beyond the five are dropped with their passages.
    """
    ground = SearchableChapter(chapter)
    directives: list[Directive] = []
    for directive in sheet.directives:
        if directive.status in IN_TEXT_STATUSES:
            directives.append(_fix_in(directive, ground, sheet.directives))
        else:
            directives.append(relocate_beside_fixes(directive, sheet.directives, ground))
    directives = _taken_back_together(sheet.directives, directives, ground)
    beyond = (relocate(directive, ground) for directive in sheet.beyond)
    still_there = tuple(d for d in beyond if d.stands == "same")
    proposals = tuple(place_proposal(proposal, ground) for proposal in sheet.proposals)
    return sheet.copy_with(directives=tuple(directives), beyond=still_there, proposals=proposals)


def place_proposal(proposal: Proposal, ground: SearchableChapter) -> Proposal:
    """Returns a proposal with how its passage, or what was put in its place, stands now."""
    result = proposal.result if proposal.status == "applied" else None
    words = proposal.before if result is None else result.after
    if not words or (result is not None and result.is_cut):
        return proposal
    placed = place(proposal.passage, words, ground, proposal.location)
    if placed.stands != "same":
        return proposal.copy_with(stands=placed.stands)
    return proposal.copy_with(stands="same", passage=ground.passage(placed.paragraphs))


@dataclass(frozen=True)
class PlacedProposal:
    """A proposal with its place in the present text, as a review lists it beside directives."""

    proposal: Proposal
    location: PassageLocation | None
    """Where its passage is, or what was put there; None where it is nowhere."""
    present: str = ""
    """The words that stand there now; empty where it is nowhere."""

    @property
    def id(self) -> str:
        """The name of the proposal."""
        return self.proposal.id

    @property
    def status(self) -> str:
        """Where it stands between proposal and text."""
        return self.proposal.status

    @property
    def stands(self) -> Stands:
        """How its passage stands in the present text."""
        return self.proposal.stands

    @property
    def is_open(self) -> bool:
        """Whether the writer still has to decide on it."""
        return self.status in ("pending", "conflict") and self.stands != "gone"


def proposal_in(proposal: Proposal, ground: SearchableChapter) -> PlacedProposal:
    """Returns a proposal, as it stands in the present text (`place_proposal`), with its place; what
    was cut is where it was."""
    result = proposal.result if proposal.status == "applied" else None
    words = proposal.before if result is None else result.after
    if proposal.stands == "gone" or not words or (result is not None and result.is_cut):
        return PlacedProposal(proposal, None if proposal.stands == "gone" else proposal.location)
    placed = place(proposal.passage, words, ground, proposal.location)
    if not placed.paragraphs:
        return PlacedProposal(proposal, None)
    return PlacedProposal(proposal, location_of(placed.paragraphs), passage_text(placed.paragraphs))


def sheet_in(sheet: DirectiveSheet | None, chapter: Chapter | None) -> DirectiveSheet | None:
    """Returns a chapter's sheet, if it has one, as it stands in the text there is."""
    return sheet if sheet is None or chapter is None else placed_in(sheet, chapter)


def relocate(directive: Directive, ground: SearchableChapter) -> Directive:
    """Returns a directive that is not in the text at the present place of its passage.

    Without its text the passage is identified by `source_sha256`, never by number alone.
    """
    at = directive.location
    if not directive.current_text and directive.passage is None:
        there = ground.chapter.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
        words = passage_text(there)
        if not there or sha256_of(words) != directive.source_sha256:
            return directive.copy_with(stands="gone")
        directive = directive.copy_with(current_text=words)
    passage = directive.passage or passage_of(directive.current_text)
    placed = place(passage, directive.current_text, ground, at)
    if placed.stands != "same":
        where = {"location": location_of(placed.paragraphs)} if placed.paragraphs else {}
        return directive.copy_with(stands=placed.stands, passage=passage, **where)
    return _at(directive, placed.paragraphs, ground)


def read_again(directive: Directive, ground: SearchableChapter) -> Directive:
    """Returns a directive whose passage was changed as one about the words that stand there now:
    the writer has decided on it with these before her."""
    directive = relocate(directive, ground)
    if directive.stands != "changed":
        return directive
    at = directive.location
    there = ground.chapter.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    return _at(directive, there, ground)


def relocate_beside_fixes(
    directive: Directive, others: Iterable[Directive], ground: SearchableChapter
) -> Directive:
    """Returns a directive that is not in the text at the present place of its passage, the sheet's
    `others` beside it.

    What the author accepted holds for the words that another fix of her order has put there: no
    other hand changed them, and nothing is asked twice (WRITING 4). Where the words that it quotes
    went with them, and beside words that she wrote herself, it is asked again. A proposal that she
    has not decided on stays one where every word stands that it quotes.
    """
    now = relocate(directive, ground)
    is_hers = now.is_doubtful and now.accepted_by in ("name", "batch")
    is_proposed = now.status is DirectiveStatus.PENDING and now.stands == "changed"
    if not (is_hers or (is_proposed and now.evidence)):
        return now
    if not was_changed_by_fixes(directive, others, ground):
        return now
    followed = read_again(directive, ground)
    there = followed.current_text
    is_same = speaks_of(directive, there) if is_hers else all(q in there for q in now.evidence)
    return followed if is_same else now


def was_changed_by_fixes(
    directive: Directive, others: Iterable[Directive], ground: SearchableChapter
) -> bool:
    """Whether every word that a passage lost was lost to fixes that the surgeon made, the words of
    the last of them stand in the text as they were put there, and no others stand among them."""
    present = {plain(paragraph.text) for paragraph in ground.paragraphs}
    made = {
        frozenset(_paragraphs_of(fix.result.before)): _paragraphs_of(fix.result.after)
        for fix in others
        if fix.result is not None and fix.status in IN_TEXT_STATUSES and fix.edited_text is None
    }
    old_words = _paragraphs_of(directive.current_text)
    gone = old_words - present
    for _ in made:
        for old in [old for old in made if gone & old]:
            gone = (gone - old) | (made[old] - present)
    return not gone and _words_there(directive, ground) <= old_words.union(*made.values())


def _words_there(directive: Directive, ground: SearchableChapter) -> frozenset[str]:
    """Returns the paragraphs that stand where a passage was changed; none where it is not."""
    now = relocate(directive, ground)
    if now.stands != "changed":
        return frozenset()
    at = now.location
    there = ground.chapter.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    return frozenset(plain(paragraph.text) for paragraph in there)


def speaks_of(directive: Directive, words: str) -> bool:
    """Whether some words still have what a directive quotes, or most of it; one that quotes nothing
    speaks of its passage."""
    if not directive.evidence or directive.edited_text is not None:
        return True
    return any(
        (its := words_of(quote)) and (its & there).total() >= FEWEST_WORDS * its.total()
        for quote in directive.evidence
        for there in (words_of(words, wide=is_wide(quote)),)
    )


def _at(
    directive: Directive, paragraphs: tuple[Paragraph, ...], ground: SearchableChapter
) -> Directive:
    text = passage_text(paragraphs)
    return directive.copy_with(
        stands="same",
        passage=ground.passage(paragraphs),
        location=location_of(paragraphs),
        current_text=text,
        source_sha256=sha256_of(text),
    )


def _fix_in(
    directive: Directive, ground: SearchableChapter, others: Iterable[Directive]
) -> Directive:
    """Returns a fix that went into the text, as the text has it now."""
    result = directive.result
    if result is None:
        return directive
    if result.is_cut:
        return _undone(directive, ground) if _is_back(directive, result, ground) else directive
    passage = directive.passage or passage_of(result.after)
    placed = place(passage, result.after, ground, result.location)
    if placed.stands == "same":
        return directive.copy_with(
            stands="same",
            passage=ground.passage(placed.paragraphs),
            location=location_of(placed.paragraphs),
        )
    if place(passage_of(result.before), result.before, ground, directive.location).stands == "same":
        return _undone(directive, ground)
    if lies_under(directive, others):
        return directive
    if placed.stands == "gone":
        return directive.copy_with(stands="gone", passage=passage)
    return directive.copy_with(
        status=DirectiveStatus.KEPT,
        accepted_by="name",
        stands="changed",
        passage=passage,
        location=location_of(placed.paragraphs),
    )


def _taken_back_together(
    before: Iterable[Directive], now: list[Directive], ground: SearchableChapter
) -> list[Directive]:
    """Returns the directives with every fix undone that began from the words of another one, where
    that one was undone: the text it was made in is gone, and the writer typed into neither."""
    present = {plain(paragraph.text) for paragraph in ground.chapter.paragraphs}
    came_with = {
        directive.id
        for directive in before
        if directive.status in IN_TEXT_STATUSES and directive.result is not None
    }
    while True:
        gone = frozenset[str]().union(
            *(
                _paragraphs_of(directive.result.after)
                for directive in now
                if directive.id in came_with
                and directive.result is not None
                and directive.status is DirectiveStatus.UNDONE
            )
        )
        after = [
            _undone(directive, ground)
            if directive.id in came_with
            and directive.status in IN_TEXT_STATUSES
            and _went_with(directive, gone - present, present)
            else directive
            for directive in now
        ]
        if after == now:
            return after
        now = after


def _went_with(directive: Directive, gone: frozenset[str], present: Collection[str]) -> bool:
    """Whether nothing of a fix is in the text, and its old words are there or went with a fix that
    was undone."""
    assert directive.result is not None
    old, new = _paragraphs_of(directive.result.before), _paragraphs_of(directive.result.after)
    return bool(old & gone) and old - gone <= set(present) and not (new - old) & set(present)


def _is_back(directive: Directive, result: SurgeryResult, ground: SearchableChapter) -> bool:
    """Whether a passage that was cut stands there again. Of two that were alike one still does."""
    passage = directive.passage
    if passage is not None and passage.repeated:
        return False
    if passage is None or result.after:  # notes were left, once taken for the paragraph behind them
        passage = passage_of(result.before)
    return place(passage, result.before, ground, directive.location).stands == "same"


def _undone(directive: Directive, ground: SearchableChapter) -> Directive:
    undone = directive.copy_with(status=DirectiveStatus.UNDONE, passage=None)
    return relocate(undone, ground)


class Fix(Protocol):
    """A change that may be in the text: a directive's or a proposal's."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def status(self) -> str:
        """Where it stands between proposal and text."""

    @property
    def passage(self) -> Passage | None:
        """What its words in the text are known by."""

    @property
    def location(self) -> PassageLocation | None:
        """Where it is, or was last."""

    @property
    def result(self) -> SurgeryResult | None:
        """What was done to the text."""


def lies_under(directive: Fix, others: Iterable[Fix]) -> bool:
    """Whether another fix that is in the text began from a paragraph of this one: then it was the
    surgeon who changed its words, and not the writer."""
    result = directive.result
    mine = _paragraphs_of(result.after) if result is not None else frozenset()
    return any(
        other.result is not None
        and other.id != directive.id
        and other.status in IN_TEXT_STATUSES
        and mine & _paragraphs_of(other.result.before)
        for other in others
    )


def _paragraphs_of(passage: str) -> frozenset[str]:
    return frozenset(map(plain, split_paragraphs(passage)))
