"""Promoting a passage from the desk to the style library: which one, and whether it may teach.
Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from studio.errors import usage
from studio.i18n import _
from studio.story.chapter import passage_text
from studio.story.status import DirectiveStatus
from studio.tui.views.prose.marks import ParagraphRange

if TYPE_CHECKING:
    from studio.story.contract import ChapterContract
    from studio.story.review.directive import Directive, DirectiveSheet
    from studio.tui.book import CurrentChapter

_LONGEST = 32
"""The maximum length of a proposed id, in characters."""


class Taught(NamedTuple):
    """A passage that may be promoted."""

    text: str
    chapter: int
    passage: ParagraphRange

    @property
    def source(self) -> str:
        """The source as the library records it."""
        return _("chapter {chapter}, scene {scene}", chapter=self.chapter, scene=self.passage.scene)


def kept_passage(current: CurrentChapter, own_text: bool, directive: Directive) -> Taught:
    """Returns the passage of a directive: the fix that was kept, or else its paragraphs.

    Raises StudioError (exit 2) for a text nobody has accepted.
    """
    at = directive.result.location if directive.result else directive.location
    passage = ParagraphRange(at.scene_number, at.paragraph_start, at.paragraph_end)
    if directive.status is DirectiveStatus.KEPT and directive.result is not None:
        return Taught(directive.result.after, current.chapter, passage)
    return selected_passage(current, own_text, (passage,))


def selected_passage(
    current: CurrentChapter, own_text: bool, selected: Sequence[ParagraphRange]
) -> Taught:
    """Returns the selected paragraphs whole. Raises StudioError (exit 2) if they span several
    scenes, or nobody has accepted them."""
    if not selected:
        raise usage(_("No paragraph is selected."), _("Shift and the arrows select, or the mouse."))
    if len(selected) > 1:
        raise usage(_("The selection crosses a scene break; a passage lies within one scene."))
    passage = selected[0]
    _refuse_a_draft(current, own_text, passage)
    paragraphs = current.text.passage(*passage) if current.text else ()
    if not paragraphs:
        raise usage(_("The text has changed; select the passage again."))
    return Taught(passage_text(paragraphs), current.chapter, passage)


def _refuse_a_draft(current: CurrentChapter, own_text: bool, passage: ParagraphRange) -> None:
    """Rejects a draft under review: only what the writer wrote or accepted may teach."""
    if current.source == "book":
        return
    if not own_text:
        raise usage(
            _("This is a draft that you have not accepted; it cannot be an example yet."),
            _("Keep the fix of a directive, or take the chapter into the book first."),
        )
    if _surgeons(current.sheet, passage):
        raise usage(
            _("The text here is a fix by the surgeon that you have not kept."),
            _("Keep it (a) or take it back (u) first."),
        )


def _surgeons(sheet: DirectiveSheet | None, passage: ParagraphRange) -> bool:
    for directive in sheet.directives if sheet else ():
        result = directive.result
        if directive.status is not DirectiveStatus.APPLIED or result is None:
            continue
        at = result.location
        numbers = range(at.paragraph_start, at.paragraph_end + 1)
        theirs = directive.edited_text is None
        if theirs and any(passage.holds(at.scene_number, number) for number in numbers):
            return True
    return False


def proposed_id(taught: Taught, used_ids: Collection[str]) -> str:
    """Returns an id made of the passage's first words, or of its place if they are not ASCII."""
    words = [_plain(word) for word in taught.text.split()]
    name = ""
    for word in words:
        if not word or len(f"{name}-{word}") > _LONGEST:
            break
        name = f"{name}-{word}".strip("-")
    if name.count("-") < 1:
        scene, first, _ = taught.passage
        name = f"chapter-{taught.chapter:03d}-{scene}-{first}"
    ids = (name if n == 1 else f"{name}-{n}" for n in range(1, len(used_ids) + 2))
    return next(candidate for candidate in ids if candidate not in used_ids)


def _plain(word: str) -> str:
    """Returns a word as part of an id; empty if it has characters that an id cannot contain."""
    bare = "".join(c for c in word.lower() if c.isalnum())
    return bare if bare.isascii() else ""


def planned_kind(contract: ChapterContract | None, scene: int) -> tuple[str, str]:
    """Returns the planned kind and tone of a scene, as proposals."""
    for plan in contract.scenes if contract else ():
        if plan.number == scene:
            kind = plan.exemplar_tags[0] if plan.exemplar_tags else ""
            return kind, plan.emotional_tone or plan.exit_emotion
    return "", ""
