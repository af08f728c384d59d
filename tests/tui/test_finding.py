"""Words are found in the book from the app, one goes there, and a name is replaced and put back."""

from __future__ import annotations

import os
from pathlib import Path
from time import sleep

import pytest
from textual.widgets import Input, OptionList

from studio.chapter_names import label_chapters
from studio.project.progress import Listener, Progress
from studio.project.search.replacement import Replacement, ReplaceOrder
from studio.project.store import ProjectStore
from studio.tui.screens import find, work_in_progress
from studio.tui.screens.ask import Ask
from studio.tui.screens.find import FindScreen, ReplacedPlaces, ReplacementScreen
from studio.tui.screens.form import FormInput, FormScreen
from studio.tui.screens.go_to_chapter import GoToChapter, GoToTarget, certain, match_goals
from studio.tui.screens.page import PageScreen
from studio.tui.screens.settings import SettingsScreen
from studio.tui.screens.work_in_progress import WorkInProgress
from studio.tui.widgets.prose_view import ProseView
from tests.tui.pilot import StudioPilot, opened


def page(studio: StudioPilot) -> FindScreen:
    return next(s for s in studio.app.screen_stack if isinstance(s, FindScreen))


async def search(studio: StudioPilot, words: str) -> None:
    """Ctrl+F, and the words typed."""
    await studio.press("ctrl+f")
    await studio.sees(FindScreen)
    studio.app.screen.query_one(Input).value = ""
    await studio.type(words)

    def is_done() -> bool:
        findings = page(studio).findings
        return findings is not None and any(h.words == words for h in findings.hits)

    await studio.until(is_done, "what was found")


# req: H3
@pytest.mark.sweep
async def test_a_place_is_found_and_shown_in_its_chapter(project: Path) -> None:
    async with opened(project, os.environ, (80, 24)) as studio:
        await search(studio, "pencil stayed")
        await studio.press("escape")
        await search(studio, "Harriet was breathing")
        findings = page(studio).findings
        assert findings is not None
        chapter = findings.hits[0].at.chapter
        await studio.press("enter")
        await studio.until(lambda: studio.desk.state.chapter == chapter, "the chapter")
        await studio.until(lambda: "breathing" in studio.screen, "the words in sight")


@pytest.mark.sweep
async def test_a_name_is_replaced_after_a_look_at_every_place_and_put_back(project: Path) -> None:
    chapter = project / "chapters/chapter-001.md"
    before = chapter.read_bytes()
    async with opened(project, os.environ, notifications=True) as studio:
        await search(studio, "Mara")
        await studio.press("ctrl+r")
        await studio.answer(Ask, "Nora")
        await studio.sees(ReplacementScreen, "“Mara” becomes “Nora”")
        assert chapter.read_bytes() == before
        await studio.press("enter")
        await studio.until(lambda: b"Nora" in chapter.read_bytes(), "the new name")
        await studio.until(lambda: " places changed" in studio.told, "the count")
        await studio.press("ctrl+z")
        await studio.until(lambda: chapter.read_bytes() == before, "the old name")


# req: H3
@pytest.mark.sweep
async def test_a_long_replacement_says_how_far_it_is_and_esc_stops_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chapter = project / "chapters/chapter-001.md"
    before = chapter.read_bytes()

    def endless(store: ProjectStore, order: ReplaceOrder, listener: Listener) -> Replacement:
        while True:
            listener(Progress("changing", 312, 1508))
            sleep(0.01)

    async with opened(project, os.environ, (80, 24), notifications=True) as studio:
        await search(studio, "Mara")
        with monkeypatch.context() as slow:
            slow.setattr(work_in_progress, "PATIENCE", 0.0)
            slow.setattr(find, "replace_words", endless)
            await studio.press("ctrl+r")
            await studio.answer(Ask, "Nora")
            await studio.sees(ReplacementScreen, "“Mara” becomes “Nora”")
            await studio.press("enter")
            await studio.sees(WorkInProgress, "Changed 312 of 1,508 texts")
            await studio.press("escape")
            await studio.until(lambda: "nothing was changed" in studio.told, "that it stopped")
        assert chapter.read_bytes() == before
        await studio.sees(FindScreen)
        with monkeypatch.context() as slow:
            slow.setattr(work_in_progress, "PATIENCE", 0.0)
            slow.setattr(find, "find", endless)
            await studio.type("x")
            await studio.until(lambda: "Changed 312 of 1,508" in studio.screen, "how far it is")
        studio.app.screen.query_one(Input).value = "Mara"
        await studio.until(lambda: " places in " in studio.screen, "the search after it")


# req: H3
@pytest.mark.sweep
async def test_single_places_and_texts_stay_out_of_a_replacement(project: Path) -> None:
    first, second = (project / f"chapters/chapter-00{n}.md" for n in (1, 2))
    before = [path.read_bytes() for path in (first, second)]
    async with opened(project, os.environ, notifications=True) as studio:
        await search(studio, "Mara")
        await studio.press("ctrl+r")
        await studio.answer(Ask, "Nora")
        await studio.sees(ReplacementScreen, "“Mara” becomes “Nora”")
        places = studio.app.screen.query_one(ReplacedPlaces)
        await studio.press("space")
        await studio.until(lambda: "stays as it is" in studio.screen, "the place that stays")
        while places.hit_under_cursor is not None and places.hit_under_cursor.at.chapter != 2:
            places.action_move(1)
        await studio.press("x", "enter")
        await studio.until(lambda: b"Nora" in first.read_bytes(), "the new name")
        once = before[0].replace(b"Mara", b"\0", 1).replace(b"Mara", b"Nora")
        assert first.read_bytes() == once.replace(b"\0", b"Mara")
        assert second.read_bytes() == before[1]


@pytest.mark.sweep
async def test_a_note_in_a_text_without_a_form_opens_on_a_page(project: Path) -> None:
    page_text = project / "context/knowledge/shafts.md"
    page_text.parent.mkdir(parents=True, exist_ok=True)
    page_text.write_text("# Shafts\n\n%% ask about the shaft %%\n", "utf-8")
    async with opened(project, os.environ) as studio:
        await studio.press("ctrl+f")
        await studio.sees(FindScreen)
        await studio.press("ctrl+t")
        await studio.until(lambda: "1 note in 1 text." in studio.screen, "the notes")
        await studio.press("enter")
        await studio.sees(PageScreen, "ask about the shaft")


# req: H3
@pytest.mark.sweep
async def test_a_place_in_an_entry_a_promise_or_a_plan_opens_its_form_there(project: Path) -> None:
    async with opened(project, os.environ) as studio:
        for words, in_file, field in (
            ("fourteen", "world/the-harriet.md", "field-text"),
            ("bell", "foreshadowing/global.json", "field-about"),
            ("lamp", "contracts/chapter-003.json", "field-"),
        ):
            await search(studio, words)
            rows = studio.app.screen.query_one(OptionList)
            await studio.until(lambda: page(studio).findings is not None, "places")
            at = next(
                n
                for n, row in enumerate(page(studio).rows)
                if row.hit is not None
                and in_file in row.hit.at.path
                and (row.hit.at.chapter or 9) > 2
            )
            rows.highlighted = at
            await studio.press("enter")
            await studio.sees(FormScreen)
            focused = studio.app.screen.focused
            assert isinstance(focused, FormInput)
            assert focused.selected_text == words
            assert str(focused.id).startswith(field)
            await studio.press("escape")
            await studio.until(lambda: studio.app.screen is studio.desk, "the desk")


# req: H3
@pytest.mark.sweep
async def test_a_chapter_is_reached_by_its_number_or_its_title(project: Path) -> None:
    async with opened(project, os.environ) as studio:
        await studio.press("colon", "7")
        await studio.until(lambda: studio.desk.state.chapter == 7, "chapter 7")
        await studio.press("colon")
        await studio.sees(GoToChapter)
        await studio.type("slack")
        await studio.press("enter")
        await studio.until(lambda: studio.desk.state.chapter == 1, "chapter 1")


def test_chapter_147_of_300_needs_four_keys() -> None:
    goals = [GoToTarget(number, f"Night {number}") for number in range(1, 301)]
    assert certain(goals, "14") is None
    assert certain(goals, "147") == 147
    assert [goal.number for goal in match_goals(goals, "29")][:3] == [29, 290, 291]
    assert [goal.number for goal in match_goals(goals, "night 300")] == [300]


def test_a_chapter_is_reached_by_its_label_where_it_is_the_only_one_so_called() -> None:
    label_chapters({2: "1", 3: "프롤로그"})
    goals = [GoToTarget(number, f"Night {number}") for number in range(1, 6)]
    assert certain(goals, "프롤로그") == 3
    assert certain(goals, "1") is None, "the file of one, and the label of another"
    assert [goal.number for goal in match_goals(goals, "1")][:2] == [1, 2]
    assert certain(goals, "chapter-001") == 1


@pytest.mark.sweep
async def test_a_label_is_given_in_the_outline_and_shown_there(project: Path) -> None:
    async with opened(project, os.environ) as studio:
        await studio.press("1", "N")
        await studio.sees(Ask)
        await studio.type("Prologue")
        await studio.press("enter")
        await studio.until(lambda: "Prologue" in studio.screen, "the label")
        await studio.press("colon")
        await studio.sees(GoToChapter)
        await studio.type("prologue")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")


@pytest.mark.sweep
async def test_a_slash_finds_words_in_the_text_on_the_screen(project: Path) -> None:
    async with opened(project, os.environ) as studio:
        await studio.press("colon", "1")
        await studio.press("2", "slash", *"pencil")
        view = studio.desk.query_one(ProseView)
        await studio.until(lambda: view.selector.text == "pencil", "the word")
        await studio.press("enter")
        assert view.strips.selection is not None
        first = view.strips.selection.anchor
        await studio.press("n")
        assert view.strips.selection.anchor > first
        await studio.press("N")
        assert view.strips.selection.anchor == first


async def test_settings_are_filtered_by_typing(project: Path) -> None:
    async with opened(project, os.environ, (80, 24)) as studio:
        await studio.press("f2")
        await studio.sees(SettingsScreen)
        rows = studio.app.screen.query_one("#settings-rows", OptionList)
        count = rows.option_count
        await studio.press("slash")
        await studio.type("chapter length")
        await studio.until(lambda: 0 < rows.option_count < count, "fewer rows")
        await studio.press("enter")
        here = studio.app.screen
        assert isinstance(here, SettingsScreen)
        assert here.setting_under_cursor is not None
        assert here.setting_under_cursor.key == "targets.chapter_length"
        await studio.press("escape")
        assert rows.option_count == count


@pytest.mark.sweep
async def test_a_person_is_renamed_in_every_form_and_a_form_can_be_left(project: Path) -> None:
    person = project / "characters/active/mara.json"
    person.write_text('{"schema_version": 1, "id": "mara", "name": "Mara Stobbs"}', "utf-8")
    page_of_notes = project / "world/lore/oars.md"
    page_of_notes.parent.mkdir(exist_ok=True)
    page_of_notes.write_text("# Oars\n\nMara Stobbs owns four. Miss Stobbs carved one.\n", "utf-8")
    async with opened(project, os.environ, notifications=True) as studio:
        await search(studio, "Mara Stobbs")
        await studio.press("ctrl+r")
        await studio.answer(Ask, "Nell Harker")
        await studio.sees(ReplacementScreen, "Mara → Nell")
        places = studio.app.screen.query_one(ReplacedPlaces)

        def is_at_the_title() -> bool:
            at = places.hit_under_cursor
            return at is not None and (at.words, at.at.title) == ("Stobbs", "Oars")

        await studio.press("end")
        while not is_at_the_title():
            await studio.press("up")
        await studio.press("space")
        await studio.press("enter")
        await studio.until(lambda: "Nell" in page_of_notes.read_text("utf-8"), "the new name")
        await studio.until(lambda: " places changed" in studio.told, "the count")
    assert "Nell Harker owns four. Miss Stobbs carved" in page_of_notes.read_text("utf-8")
    assert "Nell Harker" in person.read_text("utf-8")
    assert "Nell" in (project / "chapters/chapter-001.md").read_text("utf-8")
