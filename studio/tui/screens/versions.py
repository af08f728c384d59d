"""The versions of a passage beside the present one: written, compared, taken."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from studio.errors import StudioError
from studio.i18n import _, as_label
from studio.story.chapter import split_paragraphs
from studio.tui.key_bindings import bindings_of
from studio.tui.performs import performs
from studio.tui.runtime.bridge import Bridge
from studio.tui.runtime.wait_clock import WaitClock
from studio.tui.screen import StudioScreen
from studio.tui.views.pages.version_columns import (
    MarkedTexts,
    changes_rows,
    column,
    first_line,
    legend,
    mark_changes,
    sentence_column,
    version_rows,
)
from studio.tui.views.situation import Situation
from studio.tui.views.terms import term
from studio.tui.views.words import Phrase, line
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.lines_view import LinesView
from studio.tui.widgets.styled import content, contents

if TYPE_CHECKING:
    from studio.pipeline.events import Event
    from studio.pipeline.orders import PassageOrder, PassageVersion
    from studio.pipeline.passage.versions import PassageVersions
    from studio.session import Session
    from studio.text.language.packs import LanguagePack


_MARGIN = 8
"""The columns beside a line above the texts, and what breaking it at words may leave free."""


class SentenceMix:
    """What is taken of the sentences of a paragraph and of its version, under a cursor."""

    def __init__(self, old: str, new: str, pack: LanguagePack) -> None:
        from studio.text.prose.sentence_choice import as_it_stands, sentence_rows

        self._pack = pack
        self.rows = sentence_rows(old, new, pack)
        self.choices = [at for at, row in enumerate(self.rows) if row.side != "both"]
        """The rows that differ."""
        self.ticks = as_it_stands(self.rows)
        self._begin = self.ticks
        self._choice = next((n for n, at in enumerate(self.choices) if self._is_new(at)), 0)

    def _is_new(self, at: int) -> bool:
        return self.rows[at].side == "new"

    @property
    def at(self) -> int:
        """The row under the cursor."""
        return self.choices[self._choice]

    @property
    def is_changed(self) -> bool:
        """Whether it is another than the paragraph that stands."""
        return self.ticks != self._begin

    @property
    def text(self) -> str:
        """The paragraph of the sentences that are taken."""
        from studio.text.prose.sentence_choice import put_together

        return put_together(self.rows, self.ticks, self._pack)

    def move(self, step: int) -> None:
        """Moves to the next or the previous sentence that differs."""
        self._choice = max(0, min(len(self.choices) - 1, self._choice + step))

    def flip(self) -> None:
        """Takes the sentence under the cursor, or leaves it out."""
        from studio.text.prose.sentence_choice import flip

        self.ticks = flip(self.rows, self.ticks, self.at)


def _sentence_keys() -> str:
    return _(
        "− stands now, + is the version's. Space takes a sentence or leaves it out; with a new one "
        "the old one in its place goes. Enter puts the paragraph into the text; Esc goes back to "
        "paragraphs."
    )


class VersionsScreen(StudioScreen, Screen[Any]):
    """The page of versions; returns the one taken, or None if the chapter stays as it is."""

    CSS_PATH = "versions.tcss"
    WHERE = ("versions",)
    AUTO_FOCUS = ""
    """The keys belong to the page itself."""
    BINDINGS = [
        *bindings_of("versions"),
        *bindings_of("global"),
        Binding("pagedown", "scroll_both(1)", "Page down", show=False),
        Binding("pageup", "scroll_both(-1)", "Page up", show=False),
    ]

    def __init__(self, session: Session, order: PassageOrder, *, at_once: bool) -> None:
        """`order` is how another version is requested; `at_once` requests it on opening."""
        super().__init__()
        self._session = session
        self._order = order
        self._at_once = at_once
        self._bridge: Bridge
        self._versions: PassageVersions | None = None
        self._at = 0
        self._row = 0
        self._marked: set[int] = set()
        self._marks_of = 0
        """The version that the marks are in: it is the one that is taken, whichever is shown."""
        self._compared: MarkedTexts | None = None
        """The texts with what the version changes marked; None for another text."""
        self._mixed: dict[int, SentenceMix] = {}
        """What was put together of sentences of both, by the paragraph's row from 0."""
        self._by_sentence = False
        self._stream = ""
        self._whole = 0
        """The number of characters streamed for versions that are complete."""
        self._at_work = False
        self._note = ""

    def compose(self) -> ComposeResult:
        """Yields the title, both texts and the hints."""
        yield Static(id="versions-title")
        yield Static(id="versions-list")
        yield Static(id="versions-note")
        with Horizontal(id="versions-texts"):
            with Vertical(classes="versions-column"):
                yield Static(id="versions-left", classes="versions-head")
                yield LinesView(id="versions-present")
            with Vertical(classes="versions-column"):
                yield Static(content(Phrase(_("The version"), "strong")), classes="versions-head")
                yield LinesView(id="versions-other")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Reads the existing versions, and requests another if asked to."""
        clock = WaitClock(self, self._say_wait)
        self._bridge = Bridge(self._session, clock.before(self._hear), self._over)
        for view in self.query(LinesView):
            view.can_focus = False
        self.converse(self._begin())

    async def _begin(self) -> None:
        if self._at_once:
            await self._read()
            await self._ask(self._order)
        else:
            await self._look()

    async def _look(self) -> None:
        """Reads the versions there are, and says what another one costs, where it can be known."""
        with suppress(StudioError):
            another = replace(self._order, versions=1)
            price = await self._bridge.call(self._session.passages().price, another)
            self._note = price.sentence(another)
        await self._read()

    def situation(self) -> Situation:
        """Returns whether a version is visible, and whether one is being written."""
        return Situation(
            novel=True,
            running=self._at_work,
            result=self._version is not None,
            sentences=self._by_sentence,
        )

    @property
    def _version(self) -> PassageVersion | None:
        versions = self._versions.versions if self._versions else ()
        return versions[self._at] if self._at < len(versions) and not self._at_work else None

    # Requesting

    @performs("versions.more")
    async def more(self) -> None:
        """Requests another version."""
        self.converse(self._ask(replace(self._order, versions=1)))

    async def _ask(self, order: PassageOrder) -> None:
        """Shows the price, and has the versions written."""
        from studio.tui.screens.window_question import is_window_settled

        if not await is_window_settled(self.studio, self._session):
            return
        passages = self._session.passages()
        price = await self._bridge.call(passages.price, order)
        self._note = price.sentence(order)
        self._at_work, self._stream, self._whole = True, "", 0
        self._by_sentence = False
        self._draw()

        async def work(hear: Any) -> Any:
            return await self._session.passages().write(order, hear)

        self._bridge.begin(work, order.chapter)

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.type in ("text", "rewrite-text"):
                self._stream += getattr(event, "text", "")
            elif event.type == "again":
                self._stream = self._stream[: self._whole]
            elif event.type == "finish" and not getattr(event, "stopped", False):
                self._stream += "\n\n"
                self._whole = len(self._stream)
            elif event.type == "warning":
                self.studio.say(getattr(event, "message", ""), "warning")
        self._draw()

    def _over(self, outcome: Any) -> None:
        from studio.pipeline.outcome import Failed, Stopped

        self._at_work = False
        if isinstance(outcome, Failed):
            self.studio.tell(outcome.problem)
        elif isinstance(outcome, Stopped):
            is_begun = self._stream[self._whole :].strip()
            words = _("Stopped; what was written of it is kept in the Variations tab.")
            self.studio.say(words if is_begun else _("Stopped; nothing was written."))
        else:
            self._at = 0
        self.converse(self._look())

    async def _read(self) -> None:
        order = self._order
        self._versions = await self._bridge.call(
            self._session.passages().versions_of, order.chapter, order.place
        )
        self._unmark()
        self._compare()
        self._draw()

    # Comparing

    def _compare(self) -> None:
        """Marks what a version changes that is no other text, and begins at the first paragraph of
        it."""
        self._compared, self._row = None, 0
        plain = self.studio.ascii_only
        version, versions = self._version, self._versions
        if version is not None and versions is not None and version.variation.follows_passage:
            language = self._session.settings.novel.language
            compared = mark_changes(versions.present, version.text, language, plain=plain)
            self._compared = compared
            self._row = self._compared.first

    def action_scroll_both(self, pages: int) -> None:
        """Scrolls both texts by pages."""
        for view in self.query(LinesView):
            view.scroll_to(y=view.scroll_offset.y + pages * view.size.height, animate=False)

    @performs("versions.next", 1)
    @performs("versions.previous", -1)
    def turn(self, step: int) -> None:
        """Shows the next version, or the one before."""
        if self._versions and self._versions.versions:
            self._at = (self._at + step) % len(self._versions.versions)
            self._by_sentence = False
            self._compare()
            self._draw()

    def _unmark(self) -> None:
        self._marked.clear()
        self._mixed.clear()
        self._by_sentence = False
        self._marks_of = self._at

    @property
    def _marks(self) -> set[int]:
        """The paragraphs that are marked to be taken, whole or by sentences, from 1."""
        return {
            *self._marked,
            *(at + 1 for at, mix in self._mixed.items() if mix.is_changed),
        }

    def _mark_here(self) -> None:
        """Makes the version that is shown the one that is marked; marks in another are gone."""
        if self._marks_of != self._at and self._marks:
            number = self._marks_of + 1
            self.studio.say(
                _("What was marked in version {number} is not any more.", number=number)
            )
        if self._marks_of != self._at:
            by_sentence = self._by_sentence
            self._unmark()
            self._by_sentence = by_sentence

    @performs("versions.down", 1)
    @performs("versions.up", -1)
    def move(self, step: int) -> None:
        """Moves to the next paragraph or sentence, or the one before."""
        version = self._version
        if self._by_sentence:
            self._mix.move(step)
            self._draw()
        elif version is not None:
            last = len(split_paragraphs(version.text)) - 1
            self._row = max(0, min(last, self._row + step))
            self._draw()

    @performs("versions.mark")
    def mark(self) -> None:
        """Marks or unmarks the paragraph or sentence under the cursor for taking."""
        self._mark_here()
        if self._by_sentence:
            self._mix.flip()
            self._marked.discard(self._row + 1)
        else:
            self._marked ^= {self._row + 1}
            self._mixed.pop(self._row, None)
        self._draw()

    @performs("versions.sentences")
    def sentences(self) -> None:
        """Lists the sentences of the paragraph under the cursor, or goes back to paragraphs."""
        self._by_sentence = not self._by_sentence
        if self._by_sentence:
            self._mark_here()
        if self._by_sentence and not self._mix.choices:
            self._by_sentence = False
            self.studio.say(_("This paragraph says the same in both."))
        self._draw()

    @property
    def _mix(self) -> SentenceMix:
        """The paragraph under the cursor, as it stands and in the version, by sentence."""
        from studio.text.language.packs import load_pack

        if self._row not in self._mixed:
            version, versions = self._version, self._versions
            pack = load_pack(self._session.settings.novel.language)
            texts = (versions.present if versions else "", version.text if version else "")
            old, new = ("".join(split_paragraphs(t)[self._row : self._row + 1]) for t in texts)
            self._mixed[self._row] = SentenceMix(old, new, pack)
        return self._mixed[self._row]

    # Taking

    @performs("versions.take")
    def take(self) -> None:
        """Puts the version into the chapter: what is marked, in whichever version that is, else the
        one that is shown."""
        version = self._version
        if version is None or self._versions is None:
            return
        if self._marks:
            version = self._versions.versions[self._marks_of]
        mixtures = {row + 1: mix.text for row, mix in self._mixed.items() if mix.is_changed}
        if self._by_sentence and not (mixtures or self._marked):
            self.studio.say(_("No sentence of the version is taken yet; Space takes one."))
            return
        self.converse(self._take(version, frozenset(self._marked), mixtures))

    async def _take(
        self, version: PassageVersion, picked: frozenset[int], mixtures: dict[int, str]
    ) -> None:
        """Takes a version once she knows in what language it is, if in another than its passage,
        and what she is not asked about any more."""
        from studio.story.review.left_open import left_open_lines
        from studio.tui.screens.ask import Confirm

        passages = self._session.passages()
        what = (version.chapter, version.place.scene, version.sha256, picked, mixtures)
        rows: list[str] = []
        if await self._bridge.call(passages.taker.is_in_another_language, *what):
            rows.append(_("It is in another language than its passage."))
        if closed := await self._bridge.call(passages.taker.would_close, *what):
            words = _("The words it is about go with this version, and you are not asked again.")
            rows += (*left_open_lines(closed), words)
        question = Confirm(_("Take the version?"), "\n".join(rows))
        if rows and not await self.studio.push_screen_wait(question):
            return
        take = passages.taker.take
        self.dismiss(await self._bridge.call(take, *what, in_any_language=True))

    @performs("versions.close")
    def close(self) -> None:
        """Stops the running request, goes back to paragraphs, or else closes the page."""
        if self._at_work:
            self._bridge.stop()
        elif self._by_sentence:
            self.sentences()
        else:
            self.dismiss(None)

    # Drawing

    def _say_wait(self, words: str) -> None:
        """Shows what is waited for behind the price, until something of the version is there."""
        if self._at_work and len(self._stream) == self._whole:
            note = (Phrase(self._note, "quiet"), Phrase("   "), Phrase(words, "accent"))
            self.query_one("#versions-note", Static).update(content(note))

    def _draw(self) -> None:
        if not self.is_made or self._versions is None:
            return
        plain = self.studio.ascii_only
        version, versions = self._version, self._versions
        what = term(version.variation.reason) if version else ""
        direction = version.variation.direction if version else ""
        what = as_label(what) + direction if direction else what
        title = legend(versions, self._at, what)
        marks_of = self._marks_of if self._marks else None
        rows = version_rows(versions, self._at, marks_of, plain=plain)
        listed_versions = self.query_one("#versions-list", Static)
        listed_versions.display = bool(rows)
        listed_versions.update(contents(rows))
        self.query_one("#versions-title", Static).update(content(title))
        says_otherwise = changes_rows(version, self.size.width - _MARGIN)
        note = (line(self._note, "quiet"), *says_otherwise)
        self.query_one("#versions-note", Static).update(contents(note))
        row = self._row if version else None
        left = self.query_one("#versions-present", LinesView)
        right = self.query_one("#versions-other", LinesView)
        head = _("As it would read") if self._by_sentence else _("As it stands")
        self.query_one("#versions-left", Static).update(content(Phrase(head, "strong")))
        if self._by_sentence:
            left.show((line(self._mix.text),), keep_place=True)
            sides = sentence_column(self._mix.rows, self._mix.ticks, self._mix.at, plain=plain)
            right.show((*sides, line(), line(_sentence_keys(), "quiet")), keep_place=True)
            self.show_hints()
            return
        compared = self._compared if version else None
        changes = compared.present if compared else ()
        left.show(column(versions.present, row, plain=plain, changes=changes), keep_place=True)
        text = version.text if version else self._stream
        marked = self._marks if self._marks_of == self._at else set()
        changes = compared.version if compared else ()
        right.show(column(text, row, marked, plain=plain, changes=changes), keep_place=True)
        if version:
            left.go_to_line(first_line(versions.present, self._row))
            right.go_to_line(first_line(version.text, self._row))
        self.show_hints()
