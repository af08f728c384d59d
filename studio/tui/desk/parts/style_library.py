"""Promoting passages from the desk to the style library, as examples of how to write: which one,
and whether it may teach.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from studio.errors import StudioError, usage
from studio.i18n import _, language_in_force, series
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import passage_text
from studio.story.novel import ExemplarMeta
from studio.story.status import DirectiveStatus
from studio.text.language.packs import manner_words
from studio.tui.desk.protocol import try_to_do
from studio.tui.performs import performs
from studio.tui.views.prose.marks import ParagraphRange

if TYPE_CHECKING:
    from studio.story.contract import ChapterContract
    from studio.story.review.directive import Directive, DirectiveSheet
    from studio.tui.book import CurrentChapter
    from studio.tui.desk.protocol import Desk


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


_BEGIN = 60
"""The characters of a passage that identify it in a message."""


class StyleLibrary:
    """Promotes the selected paragraphs, or the fix of a directive."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @performs("desk.promote")
    def promote(self) -> None:
        """Promotes a passage to the style library."""
        self._desk.work(self._promote(), "decide")

    async def _promote(self) -> None:

        desk, state = self._desk, self._desk.state
        current, book = state.current, state.book
        if current is None or book is None:
            return
        own_text = book.checkpoint.own_text and book.checkpoint.inflight_chapter == current.chapter
        directive = desk.directives.directive_under_cursor if state.pane == "directives" else None
        try:
            if directive is not None:
                taught = kept_passage(current, own_text, directive)
            else:
                selected = desk.painter.prose.selector.passages
                taught = selected_passage(current, own_text, selected)
        except StudioError as error:
            desk.studio.tell(error.problem)
            return
        entry = await self._as_exemplar(taught)
        if entry is not None and await try_to_do(desk, self._add, *entry, taught.text):
            path = desk.session.store.layout.exemplar(entry[0])
            desk.studio.say(_("The passage is in the style library as {path}.", path=path))

    def _add(self, exemplar_id: str, meta: ExemplarMeta, text: str) -> str:
        return self._desk.session.craft().add_exemplar(exemplar_id, meta, text)

    async def _as_exemplar(self, taught: Taught) -> tuple[str, ExemplarMeta] | None:
        """Asks for id, kind of scene and tone, each with a proposal; None if the writer cancels."""
        from studio.tui.screens.ask import Ask

        current = self._desk.state.current
        ask = self._desk.studio.push_screen_wait
        library = await self._desk.bridge.call(self._desk.session.store.exemplars)
        kind, tone = planned_kind(current.contract if current else None, taught.passage.scene)
        begin = put_in_quotes(" ".join(taught.text.split())[:_BEGIN] + "…")
        proposal = proposed_id(taught, {e.id for e in library})
        exemplar_id = await ask(
            Ask(_("Into the style library"), _("{begin} Its id:", begin=begin), proposal, False)
        )
        if exemplar_id is None:
            return None
        language = language_in_force()
        kinds = sorted({e.meta.scene_type for e in library} - {""})
        examples = series(manner_words(each, language) for each in kinds)
        words = _("It is shown to scenes of this kind.") + (
            _(" Known: {examples}.", examples=examples) if examples else ""
        )
        scene_type = await ask(Ask(_("What kind of scene?"), words, manner_words(kind, language)))
        if scene_type is None:
            return None
        tones = sorted({e.meta.emotional_tone for e in library} - {""})
        examples = series(manner_words(each, language) for each in tones)
        words = (
            _("Known: {examples}.", examples=examples)
            if examples
            else _("Such as tender, uneasy, dry.")
        )
        emotional_tone = await ask(Ask(_("In what tone?"), words, manner_words(tone, language)))
        if emotional_tone is None:
            return None
        novel = self._desk.session.settings.novel
        return exemplar_id.strip(), ExemplarMeta(
            genre=novel.genre,
            scene_type=scene_type.strip(),
            emotional_tone=emotional_tone.strip(),
            pov=novel.point_of_view,
            source=taught.source,
        )
