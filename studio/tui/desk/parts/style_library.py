"""Promoting passages from the desk to the style library, as examples of how to write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.i18n import _, language_in_force, series
from studio.story.novel import ExemplarMeta
from studio.text.language.packs import manner_words
from studio.text.prose.answer import put_in_quotes
from studio.tui.desk.parts.promote import kept_passage, planned_kind, proposed_id, selected_passage
from studio.tui.desk.protocol import try_to_do
from studio.tui.performs import performs

if TYPE_CHECKING:
    from studio.tui.desk.parts.promote import Taught
    from studio.tui.desk.protocol import Desk

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
