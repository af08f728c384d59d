"""What each mark, badge and figure of the screen means is answered by the screen itself."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

import studio.tui
from studio import i18n
from studio.book.figures import BookFigures, ChapterFigures
from studio.project.author.book_length import BookLength
from studio.story.review.directive import NAMES, Directive, DirectiveType, kind_name
from studio.story.review.evaluation import Counsel
from studio.story.review.passage import PassageLocation
from studio.story.status import DirectiveStatus
from studio.text.changed_lines import SIGNS
from studio.tui.action import Where
from studio.tui.board import BoardScreen, board_rows
from studio.tui.screens.help import HelpScreen
from studio.tui.terminal.capabilities import _ASCII as FILTER
from studio.tui.views import signs
from studio.tui.views.legend import LEGENDS, legend_lines
from studio.tui.views.outline.row_text import UNICODE, parts
from studio.tui.views.outline.rows import ADD, ChapterItem, ChapterState, OutlineRow, VolumeItem
from studio.tui.views.pages.chapter import gauge
from studio.tui.views.review.counsel_text import list_review
from studio.tui.views.review.directive_text import detail, row
from studio.tui.views.review.plain_names import MEANINGS
from studio.tui.views.words import Line
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model, directive, judged
from tests.tui.pilot import opened

ORNAMENTS = set("…‘’“”«»‹›·→←↑↓│¶%*=+-—–“")
"""What is punctuation, a key of the keyboard, or explained by the words beside it."""
ELSEWHERE = {
    *("capabilities.py", "wrapping.py", "plain_names.py", "gauge.py", "layout.py"),
    "path_completion.py",
}
"""Tables of characters that draw nothing; the gauge says its target in words behind it."""


DIRECTIVE = Directive(
    id="dir_show_not_tell_001",
    type=DirectiveType.SHOW_NOT_TELL,
    priority=2,
    location=PassageLocation(scene_number=1, paragraph_start=2, paragraph_end=3),
    issue="The feeling is named.",
    current_text="She was sad.",
    instruction="Show it.",
    max_scope=1,
    source_sha256="0" * 64,
    origin="judge",
)


def symbols(text: str) -> set[str]:
    """The characters of a text that are neither letters nor plain punctuation."""
    return {c for c in text if not c.isascii() and unicodedata.category(c) in ("So", "Sm", "Po")}


def in_legend(place: Where) -> set[str]:
    """The symbols that help explains for a place."""
    return symbols("".join(sign.glyph for part in LEGENDS[place] for sign in part.signs))


def words_of(lines: list[Line]) -> str:
    return "".join(piece.text for line in lines for piece in line)


def own_symbols() -> Iterator[tuple[str, str]]:
    """Every symbol in a text of the app's source, and its module."""
    for path in sorted(Path(studio.tui.__file__).parent.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        prose = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            if id(node) not in prose and path.name not in ELSEWHERE:
                yield from ((symbol, path.name) for symbol in symbols(node.value))


# req: H4 H5
@pytest.mark.sweep
def test_no_mark_is_drawn_that_no_legend_has() -> None:
    explained = {c for place in LEGENDS for c in in_legend(place)} | ORNAMENTS | set(signs.LEVELS)
    assert {s: where for s, where in own_symbols() if s not in explained and ord(s) < 0x3000} == {}


# req: H4
def test_every_mark_of_a_review_is_in_its_legend() -> None:
    drawn = ""
    for status in DirectiveStatus:
        one = DIRECTIVE.model_copy(update={"status": status})
        for stands in ("same", "changed", "gone"):
            one = one.model_copy(update={"stands": stands})
            drawn += words_of([row(one, conflicts=True), *detail(one, ("x",), expanded=True)[:2]])
    counsel = [Counsel(kind=kind, issue="x", origin="judge") for kind in ("decide", "advice")]
    counsel.append(Counsel(kind="decide", issue="y", origin="judge", answer="meant"))
    drawn += words_of([entry.words for entry in list_review(None, counsel)])
    drawn += "".join(SIGNS.values())
    assert symbols(drawn) - in_legend("directives") - set("·…") == set()
    assert {sign.glyph for sign in signs.STATUSES.values()} <= {
        sign.glyph for part in LEGENDS["directives"] for sign in part.signs
    }
    assert MEANINGS.keys() == NAMES.keys()


# req: H6
def test_every_mark_and_badge_of_the_outline_is_in_its_legend() -> None:
    states: tuple[ChapterState, ...] = (
        "empty",
        "planned",
        "drafting",
        "waiting",
        "committed",
        "failed",
    )
    items = [
        ChapterItem(n, "A title that is too long for its row", state, 2296, 4.3, stale=True)
        for n, state in enumerate(states, start=1)
    ]
    items.append(ChapterItem(8, "Eight", "committed", 12_345, badge="a badge without room"))
    items.append(ChapterItem(ADD, "chapter", kind="add"))
    volume = VolumeItem(1, "Volume", tuple(items))
    rows = [OutlineRow(volume), *(OutlineRow(volume, item) for item in items)]
    drawn = "".join(
        part.text for r in rows for open_ in (True, False) for part in parts(r, 28, UNICODE, open_)
    )
    legend = {sign.glyph for part in LEGENDS["outline"] for sign in part.signs}
    assert {c for c in drawn if not c.isalnum() and c not in " ."} - legend == set()
    assert {words for words, _meaning in signs.BADGES.values()} <= legend


# req: H4
def test_every_mark_of_a_measure_is_in_its_legend() -> None:
    drawn = gauge(1.0, {"min": 0.5, "max": 2.0}, 24)
    assert symbols(drawn) - {"─"} == in_legend("page")
    assert len(set(drawn.translate(FILTER))) == len(set(drawn)), "in ASCII too"


# req: H5
def test_every_mark_of_the_board_is_in_its_legend() -> None:
    chapters = tuple(
        ChapterFigures(
            chapter=number,
            title="The Lamp Room",
            length=length,
            planned=2400,
            score=2.1,
            line="main",
            people={"mara": number},
            cost_usd=0.06,
            troubles=tuple(signs.TROUBLES),
            is_changed_there=length == 0,
        )
        for number, length in ((1, 2300), (2, 0))
    )
    figures = BookFigures(chapters, (), {"mara": "Mara"}, 3)
    book = BookLength(length=2300, unit="words")
    drawn = words_of([row.words for row in board_rows(figures, book, width=240)])
    assert symbols(drawn) - in_legend("board") - set(signs.LEVELS) - {"…"} == set()
    for words, _meaning in signs.TROUBLES.values():
        assert words in drawn


@pytest.mark.parametrize("place", LEGENDS)
def test_a_legend_tells_its_marks_apart_in_ascii_too(place: Where) -> None:
    for part in LEGENDS[place]:
        drawn = [(s.ascii or s.glyph).translate(FILTER) for s in dict.fromkeys(part.signs)]
        assert not any(symbols(mark) for mark in drawn)
        meanings = {(s.glyph, (s.ascii or s.glyph).translate(FILTER)) for s in part.signs}
        assert len({mark for _glyph, mark in meanings}) == len(meanings), part.heading
    assert list(legend_lines([place], ascii_only=True))


# req: H4 H5
@pytest.mark.sweep
async def test_help_explains_the_marks_of_the_pane_it_is_asked_in(desk: OpenDesk) -> None:
    there = desk(Model(judge=judged(directives=[directive(1, 1)])))
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.to_review()
        await studio.press("f1")
        await studio.sees(HelpScreen, "m The marks")
        await studio.press("m")
        await studio.until(lambda: "waits for you" in studio.screen, "the marks of the review")
        assert "What the marks mean" in studio.screen
        await studio.home()
        await studio.press("f4")
        await studio.sees(BoardScreen)
        await studio.press("f1", "m")
        await studio.until(lambda: "words planned and not written" in studio.screen, "the board's")


def test_the_kinds_have_their_names_in_her_language() -> None:
    """Met in Korean: the list had its own words and the help English ones."""
    i18n.use("ko")
    words = ["".join(text for text, *_ in row).strip() for row in legend_lines(["directives"])]
    for kind in MEANINGS:
        assert any(row.startswith(kind_name(kind)) for row in words), kind
    assert not any("Slips of the pen" in row for row in words)
