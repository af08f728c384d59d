"""Planning in keys: what each flow takes from its beginning to its end, as docs/the-app.md says."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from studio import i18n
from studio.project.create import create_novel
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Ask, Choose, Confirm
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.find import FindScreen, ReplacementScreen
from studio.tui.screens.form import FormScreen
from studio.tui.screens.go_to_chapter import GoToChapter
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import Model
from tests.project.novels import put
from tests.small_novels import copied_sample
from tests.tui.environs import environ_of
from tests.tui.flow_keys import PLANNING, Keys, in_the_book
from tests.tui.pilot import StudioPilot, opened


async def begun(studio: StudioPilot, keys: Keys, folder: Path) -> None:
    """A new novel from the launcher."""
    await keys("n")
    await studio.sees(Ask, "What is its title?")
    await keys.types("소금")
    await keys("enter")
    await studio.sees(Choose, "Its language")
    await keys("enter")
    await studio.sees(Choose, "Its form")
    await keys("enter")
    await studio.sees(Ask, "new or empty folder")
    await keys.types(str(folder))
    await keys("enter")
    await studio.sees(DeskScreen)
    await studio.settled()


# req: H1
@pytest.mark.sweep
async def test_from_an_empty_folder_into_the_book(tmp_path: Path) -> None:
    with FakeMessages(answering=Model()) as server:
        model = {"STUDIO_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": "key"}
        environ = environ_of(tmp_path, ANTHROPIC_BASE_URL=server.url, **model)
        async with opened(None, environ, (80, 24)) as studio:
            keys = Keys(studio)
            await begun(studio, keys, tmp_path / "salt")
            first, then = [*PLANNING][:2]
            for chapter, flow in ((1, first), (2, then)):
                await keys("w")
                await studio.sees(FormScreen, f"Plan of chapter {chapter}")
                await keys.types("민아가 灯塔의 열쇠를 찾는다.")
                await keys("ctrl+s")
                await studio.sees(DeskScreen)
                await studio.until(lambda n=chapter: f"Chapter {n} is planned" in studio.told, "it")
                await keys("w")
                await in_the_book(studio, keys, chapter)
                keys.were_those_of(flow)


# req: H1
@pytest.mark.sweep
async def test_from_an_empty_folder_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.llm.choose.find_bundled_model", lambda: None)
    async with opened(None, environ_of(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)
        await begun(studio, keys, tmp_path / "salt")
        await keys("ctrl+e")
        await studio.sees(EditorScreen)
        await keys.types("# 소금\n\n비가 그치자 민아는 계단을 올랐다.\n\n灯还亮着。")
        await keys("ctrl+d")
        await studio.sees(Confirm)
        await keys("y")
        await in_the_book(studio, keys, 1)
        keys.were_those_of("The same in your own words, with no model and no plan")


# req: H3
@pytest.mark.sweep
async def test_to_a_chapter_and_through_a_replacement(tmp_path: Path) -> None:
    folder = copied_sample(tmp_path / "sample")
    nights = "\n".join(f"## Chapter {n}: Night {n}\n\nIt rains.\n" for n in range(9, 301))
    put(folder, "volumes/vol-02/outline.md", f"# Volume 2\n\n{nights}")
    chapter = folder / "chapters/chapter-001.md"
    before = chapter.read_bytes()
    async with opened(folder, environ_of(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)
        await keys("colon")
        await studio.sees(GoToChapter)
        await keys("1", "4", "7")
        await studio.until(lambda: studio.desk.state.chapter == 147, "chapter 147")
        keys.were_those_of("To chapter 147 of 300")
        await keys("ctrl+f")
        await studio.sees(FindScreen)
        await keys.types("Mara")
        await studio.until(lambda: " places in " in studio.screen, "the places")
        await keys("ctrl+r")
        await studio.sees(Ask)
        await keys.types("민아")
        await keys("enter")
        await studio.sees(ReplacementScreen, "“Mara” becomes “민아”")
        await keys("enter")
        await studio.until(lambda: "민아".encode() in chapter.read_bytes(), "the new name")
        await studio.sees(FindScreen)
        await studio.until(lambda: "places changed" in studio.told, "the count")
        keys.were_those_of("A name replaced in the whole book, after a look at every place")
        await keys("ctrl+z")
        await studio.until(lambda: chapter.read_bytes() == before, "the old name")
        keys.were_those_of("That taken back")


# req: H1
@pytest.mark.sweep
async def test_the_chapters_ahead_and_the_people(tmp_path: Path) -> None:
    put(tmp_path / "n", "studio.toml", '[novel]\ntitle = "T"\nlanguage = "en"\n')
    outline = "# V\n\n## Chapter 1: Ebb\n\nMara comes home.\n\n그녀는 문을 연다.\n"
    put(tmp_path / "n", "volumes/vol-01/outline.md", outline)
    async with opened(tmp_path / "n", environ_of(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)

        async def titles(*wanted: str) -> None:
            await studio.until(lambda: studio.outline_titles == [*wanted], repr(wanted))

        await studio.press("1")
        await keys("plus")
        await studio.sees(Ask, "A new chapter")
        await keys.types("灯")
        await keys("enter")
        await titles("Ebb", "灯")
        keys.were_those_of("A planned chapter added")
        await keys("r")
        await studio.sees(Ask, "What is it called?")
        await keys.types("등대")
        await keys("enter")
        await titles("Ebb", "등대")
        keys.were_those_of("Renamed")
        await keys("shift+up")
        await titles("등대", "Ebb")
        keys.were_those_of("Moved up")
        await keys("delete")
        await titles("Ebb")
        keys.were_those_of("Taken out")
        await keys("u")
        await titles("등대", "Ebb")
        keys.were_those_of("Any of these taken back")
        await studio.press("down")
        await keys("vertical_line")
        await studio.until(lambda: "◦ 3" in studio.screen, "the second half")
        assert "◦ 2 Ebb" in studio.screen
        assert "◦ 1" not in studio.screen, "a title alone is no plan"
        keys.were_those_of("Split")
        await studio.press("up")
        await keys("J")
        await studio.until(lambda: "◦ 3" not in studio.screen, "both as one")
        keys.were_those_of("Joined with the next")


# req: H1
@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
async def test_the_first_title_in_a_new_novel_is_that_of_chapter_1(
    tmp_path: Path, language: str
) -> None:
    create_novel(tmp_path / "n", "T", language)
    async with opened(tmp_path / "n", environ_of(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)
        for number, title in enumerate(("썰물", "退潮", "Ebb"), 1):
            await studio.press("1")
            await keys("plus")
            await studio.sees(Ask, "title of chapter 1" if number == 1 else "after chapter")
            await keys.types(title)
            await keys("enter")
            await studio.until(lambda title=title: title in studio.outline_titles, title)
        assert studio.outline_titles == ["썰물", "退潮", "Ebb"]


# req: H1
@pytest.mark.sweep
async def test_a_title_that_was_typed_first_stands_in_the_form_of_its_plan(tmp_path: Path) -> None:
    create_novel(tmp_path / "n", "T", "en")
    async with opened(tmp_path / "n", environ_of(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)
        await studio.press("1")
        await keys("plus")
        await studio.sees(Ask, "title of chapter 1")
        await keys.types("Ebb")
        await keys("enter")
        await studio.until(lambda: studio.outline_titles == ["Ebb"], "the title")
        await keys("p")
        await studio.sees(FormScreen, "Plan of chapter 1")
        await keys.types("Ines finds the seal broken.")
        await keys("ctrl+s")
        await studio.sees(DeskScreen)
        await studio.until(lambda: "Ines finds" in studio.screen, "the plan")
        assert studio.outline_titles == ["Ebb"]


# req: H1
@pytest.mark.sampled
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
async def test_the_language_of_the_interface_is_the_first_that_is_offered(
    tmp_path: Path, language: str
) -> None:
    async with opened(None, environ_of(tmp_path), (80, 24)) as studio:
        i18n.use(language)
        await studio.press("n")
        await studio.until(lambda: studio.app.screen.query(Input), "the title")
        studio.app.screen.query_one(Input).value = "소금"
        await studio.press("enter")
        await studio.until(lambda: studio.app.screen.query(OptionList), "the languages")
        await studio.press("enter", "enter")  # the language and the form
        await studio.until(lambda: studio.app.screen.query(Input), "the folder")
        studio.app.screen.query_one(Input).value = str(tmp_path / "n")
        await studio.press("enter")
        await studio.until(lambda: (tmp_path / "n/studio.toml").is_file(), "the novel")
    assert f'language = "{language}"' in (tmp_path / "n/studio.toml").read_text("utf-8")


# req: H1
@pytest.mark.sweep
async def test_a_person_is_made_and_changed(tmp_path: Path) -> None:
    put(tmp_path / "n", "studio.toml", '[novel]\ntitle = "T"\nlanguage = "ko"\n')
    async with opened(tmp_path / "n", environ_of(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)
        await studio.press("1", "end", *["up"] * 5)
        await keys("enter")
        await studio.sees(Choose, "+ person")
        await keys("enter")
        await studio.sees(FormScreen, "A new person")
        await keys.types("민아")
        await keys("ctrl+s")
        await studio.sees(Choose, "민아")
        keys.were_those_of("A person made")
        await keys("enter")
        await studio.sees(FormScreen, "민아")
        await keys.types("민아 Kim")
        await keys("ctrl+s")
        await studio.sees(Choose, "민아 Kim")
        keys.were_those_of("A person changed")
