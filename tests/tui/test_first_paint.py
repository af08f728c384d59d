"""The first paint of a field is the field: no row of it is drawn for another width."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from textual.widgets import TextArea

from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.project.unsaved import UnsavedForm
from studio.tui.screens.form import FieldsPage, FormScreen
from studio.tui.views.forms.form_fields import Form, FormField
from tests.tui.environs import no_server
from tests.tui.pilot import StudioPilot, opened

ZH = "摊主都说没见过，修鞋的瘸子老范却在收摊的时候多看了他一眼，被问到自己就反问价钱。" * 4
EN = "The lamp room smelled of oil, and nobody answered when she counted the steps aloud. " * 4


def drawn_anew(studio: StudioPilot) -> str:
    """Returns the screen with every row of every widget drawn again."""
    for widget in studio.app.screen.walk_children():
        widget._styles_cache.clear()
        if isinstance(widget, TextArea):
            widget._rewrap_and_refresh_virtual_size()
            widget._line_cache.clear()
    return studio.screen


def page(folder: Path, words: str, kind: str) -> FieldsPage:
    async def save(_values: object) -> None:
        return None

    unsaved = UnsavedForm(ProjectStore(folder), "first-paint")
    fields = tuple(FormField(f"f{n}", f"Rule {n}", words, tall=True) for n in range(9))
    return FormScreen(unsaved, Form("first-paint", "A page", fields), save)


@pytest.mark.sweep
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (97, 30), (98, 30)])
@pytest.mark.parametrize("words", [ZH, EN], ids=["zh", "en"])
async def test_the_first_paint_is_what_a_whole_drawing_shows(
    tmp_path: Path, words: str, size: tuple[int, int]
) -> None:
    folder = tmp_path / "novel"
    create_novel(folder, "盐", "zh")
    async with opened(folder, no_server(), size, painted=True) as studio:
        studio.app.push_screen(page(folder, words, "form"))
        await studio.sees(FormScreen, "Rule 0")
        first = studio.screen
        assert first == drawn_anew(studio)


async def test_what_is_proposed_for_a_plan_is_read_whole_in_any_window(tmp_path: Path) -> None:
    from studio.pipeline.book_runs.waiting_plan import WaitingPlan
    from studio.project.planning.chapter_plan import ChapterPlan
    from studio.project.unsaved import unsaved_wishes
    from studio.session import Session
    from studio.tui.screens.editing.plan_proposal import PlanProposal

    folder = tmp_path / "novel"
    create_novel(folder, "盐", "zh")
    async with opened(folder, no_server(), (80, 24)) as studio:
        session = Session.open(folder, {})
        waiting = WaitingPlan(unsaved_wishes(session.store, 1))
        page_ = PlanProposal(session, 1, ChapterPlan(), waiting)
        with patch.object(PlanProposal, "_plan_it"):
            studio.app.push_screen(page_)
            await studio.sees(PlanProposal)
        page_._over(ChapterPlan(happens=(ZH,), must_not=(EN,)))
        await studio.until(lambda: "价钱。" in studio.screen, "the proposal")
        rows = [line.strip() for line in studio.screen.splitlines()]
        words = "".join(rows)
        assert ZH in words
        assert "".join(EN.split()) in "".join(words.split())
        assert not [row for row in rows if row.startswith(("。", "，"))]


def test_no_line_of_a_label_begins_with_a_mark_that_closes() -> None:
    from studio.tui.widgets.styled import content

    words = "摊主都说没见过（除了老范）；被问到自己，就反问价钱。" * 3
    for width in range(6, 40):
        text = content(words)
        rows = [str(row) for row in text.wrap(width)] if hasattr(text, "wrap") else []
        rows = rows or [row.plain for row in text._wrap_and_format(width)]
        assert "".join(rows) == words
        assert not [row for row in rows if row[:1] in "；）。，"], width
