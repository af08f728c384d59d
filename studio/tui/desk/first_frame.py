"""The first frame: the novel at a glance, read with almost nothing imported (P5), and drawn.

Nothing is validated here and no damage is reported: the full read after the first frame does both.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from studio.chapter_names import USUAL_WORDS, call_chapters, label_chapters
from studio.config.paths import user_config_path
from studio.config.toml_text import parse_toml
from studio.errors import StudioError
from studio.foreign_json import read_json
from studio.project import layout as places
from studio.project.contents import Contents, labels_of, last_known
from studio.project.files import load
from studio.project.layout import Layout
from studio.story.chapter import Chapter
from studio.tui.book import Book, CurrentChapter, Glanced
from studio.tui.views.outline.rows import volumes_of

if TYPE_CHECKING:
    from studio.config.recent import Recent
    from studio.tui.desk.painter import Painter
    from studio.tui.desk.panes import Panes
    from studio.tui.desk.state import DeskState
    from studio.tui.studio import Studio


def draw_first_frame(
    folder: Path, studio: Studio, state: DeskState, painter: Painter, panes: Panes
) -> tuple[int, int] | None:
    """Draws outline, text and title of a novel; returns the writer's last place in the text that is
    shown, if it was left there."""
    for widget in (painter.prose, painter.outline_list):
        widget.ascii_only = studio.ascii_only
    painter.prose.measure = studio.measure
    painter.prose.window.close_up(studio.look.compact)
    place = studio.memory.place(folder)
    panes.take_widths(place)
    state.book, state.current = glance(folder, place.chapter, studio.memory.novel(folder))
    state.volumes = volumes_of(state.book)
    painter.outline()
    if state.current.text is not None:
        state.in_view = state.current.text.text
        painter.prose.load(state.in_view)
    painter.outline_list.go_to(state.current.chapter)
    painter.title()
    layout = Layout(folder)
    if not layout.root.info(layout.directives(state.current.chapter)):  # read after this frame
        painter.room()
    return place.paragraph if state.current.chapter == place.chapter else None


def glance(
    folder: Path, chapter: int | None, known: Recent | None = None
) -> tuple[Book, CurrentChapter]:
    """Returns the book, and the text of the chapter in progress, or else of the given one, or
    else of the last. Title and language come from the last opening, if the novel is `known`."""
    layout = Layout(folder)
    label_chapters(labels_of(layout))
    checkpoint = _checkpoint(layout)
    inflight = checkpoint.inflight_chapter
    novel = _novel_table(layout)
    call_chapters(_word_for_chapters(novel))
    title, language = (
        known[1:] if known else (_text_in(novel, "title"), _text_in(novel, "language"))
    )
    book = Book(
        folder=layout.folder,
        title=title or layout.folder.name,
        language=language or "en",
        contents=last_known(layout) or _contents(layout),
        checkpoint=checkpoint,
    )
    number = inflight or chapter or checkpoint.last_completed_chapter or 1
    staged = _text(layout, layout.staged_chapter(number)) if inflight else None
    text = staged or _text(layout, layout.chapter(number))
    return book, CurrentChapter(number, "staged" if staged else "book" if text else "none", text)


class OwnLook(NamedTuple):
    """What the user's own config says of the first frame."""

    theme: str | None = None
    keymap: Mapping[str, str] = {}
    """Keys by the id of their action."""
    ambiguous: str = "auto"
    """How wide the terminal draws characters of ambiguous width."""
    compact: bool = False
    """Whether the text page is in its compact form."""


def own_look(environ: Mapping[str, str]) -> OwnLook:
    """Returns what the user's own config says of the first frame; invalid values are ignored."""
    try:
        config = _toml(user_config_path(environ).read_bytes())
    except OSError:
        return OwnLook()
    theme, keys, display = (config.get(name) for name in ("theme", "keymap", "tui"))
    keymap = keys.items() if isinstance(keys, dict) else ()
    display = display if isinstance(display, dict) else {}
    ambiguous = display.get("ambiguous")
    return OwnLook(
        theme if isinstance(theme, str) else None,
        {action: key for action, key in keymap if isinstance(key, str)},
        ambiguous if ambiguous in ("narrow", "wide") else "auto",
        display.get("compact") is True,
    )


_MARKS = (
    *("unjudged", "force_passed", "state_gap", "low_quality", "violations_open"),
    *("changed_since", "left_open"),
)


def _checkpoint(layout: Layout) -> Glanced:
    try:
        fields = read_json(layout.root.find(places.CHECKPOINT) or b"{}", dict)
        marks = {name: tuple(map(int, fields.get(name, ()))) for name in _MARKS}
        inflight = fields.get("inflight_chapter")
        return Glanced(
            last_completed_chapter=int(fields.get("last_completed_chapter", 0)),
            inflight_chapter=None if inflight is None else int(inflight),
            unjudged=marks["unjudged"],
            force_passed=marks["force_passed"],
            state_gap=marks["state_gap"],
            low_quality=marks["low_quality"],
            violations_open=marks["violations_open"],
            changed_since=marks["changed_since"],
            left_open=marks["left_open"],
        )
    except (StudioError, ValueError, TypeError, AttributeError):
        return Glanced()


def _novel_table(layout: Layout) -> dict[str, Any]:
    try:
        novel = _toml(layout.root.find(places.SETTINGS) or b"").get("novel")
    except StudioError:
        novel = None
    return novel if isinstance(novel, dict) else {}


def _text_in(novel: Mapping[str, Any], key: str) -> str:
    value = novel.get(key)
    return value if isinstance(value, str) else ""


def _word_for_chapters(novel: Mapping[str, Any]) -> str:
    """Returns how the novel calls a chapter: its own word, a serial's usual one, or ""."""
    usual = USUAL_WORDS.get(_text_in(novel, "language"), "")
    return _text_in(novel, "chapter_word") or (usual if novel.get("form") == "serial" else "")


def _toml(data: bytes) -> dict[str, Any]:
    """Parses TOML; returns no tables if it is damaged."""
    try:
        return parse_toml(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}


def _contents(layout: Layout) -> Contents:
    """Returns the contents of a book that was never open before."""
    from studio.project.index import contents

    return contents(layout)


def _text(layout: Layout, path: str) -> Chapter | None:
    try:
        return load.chapter(layout.root, path)
    except StudioError:
        return None
