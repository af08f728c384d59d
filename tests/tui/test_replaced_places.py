"""The list of what a replacement changes: any number of places, each with its words in sight."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from studio import i18n
from studio.project.search.book_texts import BookText
from studio.project.search.hits import Hit, SearchResults
from studio.project.search.replacement import Replacement, ReplaceOrder, spot_of
from studio.tui.screens import find
from studio.tui.screens.find import ReplacedPlaces
from studio.tui.views.pages.search_hits import change_of, found_rows, replacement_rows
from tests.tui.painted import strips_of

KOREAN = "그날 밤 등대의 계단을 오르던 사람들은 아무 말도 하지 않았고 " * 3


def hits_in(chapters: int, each: int) -> SearchResults:
    """So many places of a name in each of so many chapters."""
    hits = []
    for number in range(1, chapters + 1):
        paragraphs = (f"{KOREAN}민아가 왔다. {n}" for n in range(each))
        text = "\n\n".join((f"# 밤 {number}", *paragraphs))
        at = BookText("prose", f"chapters/{number}.md", text, number)
        start = -1
        for _ in range(each):
            start = text.index("민아", start + 1)
            hits.append(Hit(at, start, start + 2))
    return SearchResults(tuple(hits))


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_places_stand_under_each_other_whatever_they_are_called(language: str) -> None:
    i18n.use(language)
    at = BookText("prose", "chapters/1.md", "# 민아\n\n민아가 왔다.", 1)
    starts = [2, at.text.rindex("민아")]
    hits = tuple(Hit(at, start, start + 2) for start in starts)
    rows = [row.line for row in found_rows(SearchResults(hits, (), 0), 60) if row.hit]
    words_begin = [cell_len(row[0].text) for row in rows]
    assert words_begin == [8, 8]


class Listed(App[None]):
    """The list alone."""

    CSS = "ReplacedPlaces { height: 1fr; }"

    def __init__(self, findings: SearchResults) -> None:
        super().__init__()
        rows = list(replacement_rows(Replacement(findings, (), 0)))
        self.places = ReplacedPlaces(rows, ReplaceOrder("민아", "은하"))
        self.clicks = 0

    def compose(self) -> ComposeResult:
        yield self.places

    def on_replaced_places_clicked(self) -> None:
        self.clicks += 1

    @property
    def drawn(self) -> str:
        """What is on the screen."""
        strips = strips_of(self.screen)
        return "\n".join("".join(s.text for s in strip) for strip in strips)


# req: H3
async def test_of_five_thousand_places_only_those_in_sight_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    findings, made = hits_in(250, 20), 0

    def counted(*args: object, **options: object) -> object:
        nonlocal made
        made += 1
        return change_of(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(find, "change_of", counted)
    app = Listed(findings)
    async with app.run_test(size=(80, 24)) as pilot:
        places = app.places
        assert "밤 1" in app.drawn
        assert places.hit_under_cursor == findings.hits[0]
        await pilot.press("end")
        assert places.hit_under_cursor == findings.hits[-1]
        assert "밤 250" in app.drawn or "은하가 왔다. 19" in app.drawn
        await pilot.press("up", "pageup", "home", "down")
        assert places.hit_under_cursor == findings.hits[1]
        places.leave_out({spot_of(findings.hits[1])})
        await pilot.pause()
        assert app.drawn.count("stays as it is") == 1
        assert places.size.height == 24
    assert made < 1000


async def test_a_click_marks_a_place_and_says_so() -> None:
    app = Listed(hits_in(2, 2))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click(ReplacedPlaces, offset=(10, 4))
        assert app.places.hit_under_cursor is not None
        assert app.places.hit_under_cursor.at.chapter == 1
        assert app.places.cursor == 1
        assert app.clicks == 1


async def test_nothing_to_replace_is_said() -> None:
    app = Listed(SearchResults(()))
    async with app.run_test(size=(80, 24)) as pilot:
        assert "Nowhere in the book." in app.drawn
        await pilot.press("down", "end", "home")
        assert app.places.hit_under_cursor is None


# req: H3
@pytest.mark.parametrize("width", [40, 76, 116])
def test_the_words_themselves_stand_within_the_line_in_korean_too(width: int) -> None:
    findings = hits_in(1, 2)
    for stays in (False, True):
        for line in change_of(findings.hits[1], ReplaceOrder("민아", "은하"), width, stays=stays):
            texts = [said.text for said in line]
            at = next((n for n, text in enumerate(texts) if text in ("민아", "은하")), 0)
            assert cell_len("".join(texts[: at + 1])) <= width
    rows = [row.line for row in found_rows(findings, width) if row.hit]
    assert all(cell_len("".join(said.text for said in row[:3])) <= width for row in rows)


# req: H3
def test_a_place_is_shown_with_the_particle_that_the_new_word_will_have() -> None:
    (hit,) = hits_in(1, 1).hits
    order = ReplaceOrder("민아", "은별", particles=True)
    before, after = change_of(hit, order, 116, stays=False)
    assert "".join(said.text for said in before).endswith("민아가 왔다. 0")
    assert "".join(said.text for said in after).endswith("은별이 왔다. 0")
    _before, plain = change_of(hit, ReplaceOrder("민아", "은별"), 116, stays=False)
    assert "".join(said.text for said in plain).endswith("은별가 왔다. 0")
