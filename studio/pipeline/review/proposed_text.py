"""A chapter with a proposal carried out: given words at a passage, byte for byte beside it."""

from __future__ import annotations

from studio.errors import usage
from studio.messages import said
from studio.story.chapter import Chapter, Paragraph, sha256_of, split_paragraphs
from studio.story.review.passages_in_changed_text import location_of
from studio.story.review.proposal import Proposal
from studio.story.review.surgery import SurgeryResult


def changed_text(
    text: Chapter, passage: tuple[Paragraph, ...], proposal: Proposal
) -> tuple[Chapter, SurgeryResult]:
    """Returns the chapter with a proposal carried out at its passage, and what was done. An
    insertion stands behind the passage. StudioError 2 for a cut that would empty a scene."""
    old = text.text[passage[0].start : passage[-1].end]
    fresh = [p.replace("\n", text.newline) for p in split_paragraphs(proposal.after or "")]
    if proposal.kind == "insert":
        fresh = [old, *fresh]
    scene = text.scene(passage[0].scene)
    if not fresh and scene is not None and len(scene.paragraphs) == len(passage):
        raise usage(
            said("Nothing would be left of the scene."),
            said("Remove the scene in the text itself."),
        )
    after = text.replace_passage(passage, fresh)
    count = len(passage) + len(fresh) - 1 if proposal.kind == "insert" else len(fresh)
    at = location_of(passage)
    result = SurgeryResult(
        before=old,
        after=text.gap.join(fresh),
        removed="" if fresh else text.text[slice(*text.cut_span(passage))],
        location=at.model_copy(update={"paragraph_end": at.paragraph_start + max(1, count) - 1}),
        follows_sha256=_beside(text, passage[0], -1),
        precedes_sha256=_beside(text, passage[-1], 1),
        before_sha256=text.sha256,
        after_sha256=after.sha256,
        paragraphs_touched=len(passage),
    )
    return after, result


def _beside(text: Chapter, paragraph: Paragraph, step: int) -> str | None:
    number = paragraph.number + step
    there = text.passage(paragraph.scene, number, number)
    return sha256_of(there[0].text) if there else None
