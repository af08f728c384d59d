"""H1: from an empty folder to two chapters in the book with nothing but keys, with a model and
with none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.llm.providers.embedded import find_bundled_model
from studio.project.author.book_length import writing_days
from studio.project.verify import verify
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Ask, Choose, Confirm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.form import FormInput, FormScreen
from studio.tui.widgets.outline_list import OutlineList
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import Model
from tests.project.novels import put
from tests.tui.flow_keys import in_the_book
from tests.tui.pilot import StudioPilot, opened

OWN = (
    "비가 그치자 민아는 계단을 올랐다. 등대의 불은 아직 켜져 있었다.",
    "雨停了 玛拉爬上楼梯.灯还亮着 门却是开的.",
)


def alone(tmp_path: Path) -> dict[str, str]:
    """The environment of a writer who has no model."""
    state = {"XDG_STATE_HOME": str(tmp_path / "s"), "XDG_CONFIG_HOME": str(tmp_path / "c")}
    plain = {k: v for k, v in os.environ.items() if not k.startswith("ANTHROPIC")}
    return {**plain, **state}


@pytest.fixture(autouse=True)
def no_bundled_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where none is installed."""
    monkeypatch.setattr("studio.llm.choose.find_bundled_model", lambda: None)


class Keys:
    """Presses keys and counts them; a word is as many as it has letters."""

    def __init__(self, studio: StudioPilot) -> None:
        self.studio = studio
        self.count = 0

    async def __call__(self, *keys: str) -> None:
        """Keys by name."""
        self.count += len(keys)
        await self.studio.press(*keys)

    async def types(self, words: str) -> None:
        """Words, letter by letter where they are short."""
        self.count += len(words)
        field = self.studio.app.focused
        assert field is not None
        await self.studio.press(*("space" if letter == " " else letter for letter in words))


async def begun(studio: StudioPilot, keys: Keys, title: str, folder: Path, language: int) -> None:
    """A new novel from the launcher."""
    await keys("n")
    await studio.sees(Ask, "What is its title?")
    await keys.types(title)
    await keys("enter")
    await studio.sees(Choose, "Its language")
    await keys(*["down"] * language, "enter")
    await studio.sees(Choose, "Its form")
    await keys("enter")
    await studio.sees(Ask, "new or empty folder")
    await studio.type(str(folder))
    await keys("enter")
    await studio.sees(DeskScreen)
    await studio.settled()


async def planned(studio: StudioPilot, keys: Keys, chapter: int, length: str = "") -> None:
    """The next chapter in one sentence, from the key that writes."""
    await keys("w")
    await studio.sees(FormScreen, f"Plan of chapter {chapter}")
    assert "One sentence is enough; then w writes it" in studio.screen
    await keys.types("Mara finds the key.")
    if length:
        await keys(*["down"] * 8)
        assert isinstance(studio.app.focused, FormInput)
        assert studio.app.focused.field.key == "length"
        await keys.types(length)
    await keys("ctrl+s")
    await studio.sees(DeskScreen)
    words = f"Chapter {chapter} is planned. w writes it."
    await studio.until(lambda: words in studio.told, "the next key")


@pytest.mark.sweep
@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_with_a_model(tmp_path: Path, size: tuple[int, int]) -> None:  # req: H1
    with FakeMessages(answering=Model()) as server:
        environ = alone(tmp_path) | {
            "STUDIO_PROVIDER": "anthropic",
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "key",
        }
        async with opened(None, environ, size) as studio:
            keys = Keys(studio)
            await begun(studio, keys, "Salt", tmp_path / "salt", 0)
            assert "p plans it: one sentence is enough" in studio.screen
            assert "Ctrl+E begins it in your own words" in studio.screen
            for chapter in (1, 2):
                await planned(studio, keys, chapter)
                await keys("w")
                await in_the_book(studio, keys, chapter)
                await keys("1")
                rows = [
                    c.number for v in studio.desk.query_one(OutlineList).model for c in v.chapters
                ]
                assert chapter + 1 in rows
            assert studio.store.checkpoint().last_completed_chapter == 2
            assert keys.count < 80
        findings = verify(tmp_path / "salt").findings
        assert [f.message for f in findings if f.severity in ("damage", "edit")] == []


@pytest.mark.sweep
async def test_with_a_server_that_refuses_until_it_is_set_right(tmp_path: Path) -> None:
    # req: H1
    refuses = Rule(mode="status", status=401, error_type="authentication_error", text="no such key")
    model, is_right = Model(), False
    with FakeMessages(answering=lambda asked: model(asked) if is_right else refuses) as server:
        environ = alone(tmp_path) | {
            "STUDIO_PROVIDER": "anthropic",
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "key",
        }
        async with opened(None, environ, (80, 24)) as studio:
            keys = Keys(studio)
            await begun(studio, keys, "Salt", tmp_path / "salt", 0)
            await planned(studio, keys, 1)
            await studio.write_next()
            assert "Chapter 1: The service does not accept the API key" in studio.screen
            assert "[w] Go on" in studio.screen
            assert "[F2] Settings" in studio.screen
            is_right = True
            await keys("w")
            await in_the_book(studio, keys, 1)
            assert "does not accept" not in studio.screen


@pytest.fixture
def a_bundled_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where the small one is installed, whatever the other tests are told."""
    monkeypatch.setattr("studio.llm.choose.find_bundled_model", find_bundled_model)


@pytest.mark.long
@pytest.mark.sweep
@pytest.mark.embedded
@pytest.mark.timeout(1500)  # a small model writes two chapters, beside other tests
@pytest.mark.skipif(not find_bundled_model(), reason="no model is installed")
@pytest.mark.usefixtures("a_bundled_model")
async def test_with_the_embedded_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # req: H1
    monkeypatch.setattr("tests.tui.pilot.PATIENCE", 700.0)
    async with opened(None, alone(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)
        await begun(studio, keys, "Salt", tmp_path / "salt", 0)
        for chapter in (1, 2):
            await planned(studio, keys, chapter, length="60")
            if chapter == 1:
                assert "for trying: " in studio.screen
            await keys("w")
            await studio.until(lambda: studio.desk.state.run.running, "the run")
            await studio.until(lambda: not studio.desk.state.run.running, "its end")
            await studio.until(lambda: studio.desk.state.settled, "the desk")
            if not isinstance(studio.app.screen, DecisionScreen):
                await keys("C")
                await studio.sees(Confirm)
                await keys("y")
            await in_the_book(studio, keys, chapter)
        await studio.settled()
        assert studio.store.checkpoint().last_completed_chapter == 2
        assert studio.store.chapter(2) is not None
    findings = verify(tmp_path / "salt").findings
    assert [f.message for f in findings if f.severity in ("damage", "edit")] == []


async def handed_in(studio: StudioPilot, keys: Keys, chapter: int) -> None:
    """Writes a chapter by hand in the editor that opens, and sees it into the book."""
    await studio.sees(EditorScreen)
    await keys.types(OWN[chapter - 1])
    await studio.sees(EditorScreen, "today +")
    await keys("ctrl+d")
    await studio.sees(Confirm, "It is measured")
    await keys("y")
    await in_the_book(studio, keys, chapter)


@pytest.mark.sweep
async def test_with_none_type_first_plan_never(tmp_path: Path) -> None:  # req: H1
    async with opened(None, alone(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)
        await begun(studio, keys, "소금", tmp_path / "salt", 1)
        await keys("ctrl+e")
        await handed_in(studio, keys, 1)
        await keys("w")
        await studio.sees(Choose, "Chapter 2 is not planned yet")
        await keys("enter")
        await handed_in(studio, keys, 2)
        assert studio.store.checkpoint().last_completed_chapter == 2


@pytest.mark.sweep
async def test_with_one_that_is_named_and_has_no_key(tmp_path: Path) -> None:  # req: H1
    async with opened(None, alone(tmp_path) | {"STUDIO_PROVIDER": "anthropic"}, (80, 24)) as studio:
        keys = Keys(studio)
        await begun(studio, keys, "소금", tmp_path / "salt", 1)
        await keys("w")
        await studio.sees(Choose, "Chapter 1 is not planned yet")
        assert "There is no key for the anthropic" in " ".join(
            studio.screen.replace("│", "").split()
        )
        assert "outline.md" not in studio.screen + studio.told
        await keys("enter")
        await handed_in(studio, keys, 1)
        await keys("w")
        await studio.sees(Choose, "Chapter 2 is not planned yet")
        await keys("enter")
        await handed_in(studio, keys, 2)
        counts = writing_days(studio.store).days.values()
        assert [day["1"].last > 0 for day in counts if "1" in day] == [True]
        assert studio.store.checkpoint().last_completed_chapter == 2


@pytest.mark.sweep
async def test_with_none_planned_first_and_written_by_hand(tmp_path: Path) -> None:  # req: H1
    async with opened(None, alone(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)
        await begun(studio, keys, "盐", tmp_path / "salt", 2)
        await keys("w")
        await studio.sees(Choose, "Chapter 1 is not planned yet")
        await keys("down", "enter")
        await studio.sees(FormScreen)
        await keys.types("玛拉点灯.")
        await keys("ctrl+e")
        await studio.sees(EditorScreen)
        await keys("escape")
        await studio.sees(DeskScreen)
        await keys("p")
        await studio.sees(FormScreen, "what you typed the last time")
        assert "玛拉点灯." in studio.screen
        await keys("ctrl+s")
        await studio.until(lambda: "Ctrl+E writes it" in studio.told, "the next key")
        await keys("w")
        await studio.sees(Choose, "Chapter 1 waits for you")
        await keys("enter")
        await studio.sees(EditorScreen)


@pytest.mark.sweep
async def test_the_chapters_ahead_are_put_in_order_with_keys(tmp_path: Path) -> None:  # req: H1
    async with opened(None, alone(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)
        await begun(studio, keys, "Salt", tmp_path / "salt", 0)
        for title in ("Ebb", "등대"):
            await keys("plus")
            await studio.sees(Ask, "A new chapter")
            await keys.types(title)
            await keys("enter")
            await studio.until(lambda t=title: t in studio.outline_titles, "the chapter")
        assert studio.outline_titles == ["Ebb", "등대"]
        await keys("shift+up")
        await studio.until(lambda: studio.outline_titles == ["등대", "Ebb"], "the move")
        await keys("r")
        await studio.sees(Ask, "What is it called?")
        await keys.types("!")
        await keys("enter")
        await studio.until(lambda: studio.outline_titles == ["!", "Ebb"], "the title")
        await keys("delete")
        await studio.until(lambda: studio.outline_titles == ["Ebb"], "one chapter less")
        for titles in (["!", "Ebb"], ["등대", "Ebb"], ["Ebb", "등대"]):
            await keys("u")
            await studio.until(lambda t=titles: studio.outline_titles == t, "the way back")
        await studio.on_chapter(2)
        await keys("J")
        await studio.until(lambda: "No planned chapter follows" in studio.told, "the refusal")
        await keys("up", "J")
        await studio.until(lambda: "were joined" in studio.told, "both as one")
        assert studio.outline_titles == ["Ebb"]
        for titles in (["Ebb", "등대"], ["Ebb"]):
            await keys("u")
            await studio.until(lambda t=titles: studio.outline_titles == t, "the way back")
        assert [f for f in verify(tmp_path / "salt").findings if f.severity == "damage"] == []


@pytest.mark.sweep
async def test_what_is_typed_into_a_form_outlives_esc(tmp_path: Path) -> None:
    async with opened(None, alone(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)
        await begun(studio, keys, "Salt", tmp_path / "salt", 0)
        await keys("p")
        await studio.sees(FormScreen)
        await keys.types("민아가 온다.")
        await keys("enter")
        await keys.types("雨停了.")
        await keys("down")
        assert isinstance(studio.app.focused, FormInput)
        assert studio.app.focused.field.key == "people"
        await keys.types("민아, 玛拉")
        await keys("escape")
        await studio.sees(DeskScreen)
        await keys("p")
        await studio.sees(FormScreen, "what you typed the last time")
        await keys("ctrl+s")
        await studio.sees(DeskScreen)
        await studio.until(lambda: studio.store.contract(1), "the plan")
        contract = studio.store.contract(1)
        assert contract is not None
        assert contract.objectives == ("민아가 온다.", "雨停了.")
        assert len(contract.characters) == 2
        assert "玛拉" in studio.screen


async def test_a_section_of_the_outline_fills_the_form(tmp_path: Path) -> None:
    put(tmp_path / "salt", "studio.toml", '[novel]\ntitle = "T"\nlanguage = "en"\n')
    outline = "# V\n\n## Chapter 1\n\nMara comes home.\n- 그녀는 문을 연다.\n"
    put(tmp_path / "salt", "volumes/vol-01/outline.md", outline)
    async with opened(tmp_path / "salt", alone(tmp_path), (80, 24)) as studio:
        await studio.press("p")
        await studio.sees(FormScreen, "그녀는 문을 연다.")
        assert "Mara comes home." in studio.screen


@pytest.mark.sweep
async def test_the_notes_are_rows_that_open_in_forms(tmp_path: Path) -> None:  # req: H1
    async with opened(None, alone(tmp_path), (80, 24)) as studio:
        keys = Keys(studio)
        await begun(studio, keys, "Salt", tmp_path / "salt", 0)
        await keys("end", *["up"] * 7, "enter")
        await studio.sees(FormScreen, "Brief")
        await keys("ctrl+s")
        await studio.sees(DeskScreen)
        await keys("down", "enter")
        await studio.sees(FormScreen, "Style")
        await keys("escape")
        await studio.sees(DeskScreen)
        await keys("down", "enter")
        await studio.sees(Choose, "+ person")
        await keys("enter")
        await studio.sees(FormScreen, "A new person")
        await keys.types("민아")
        await keys("enter")
        await keys.types("미나, Mina")
        await keys("ctrl+s")
        await studio.sees(Choose, "민아")
        await keys("escape")
        await studio.sees(DeskScreen)
        people = studio.store.characters()
        assert [c.contract.aliases for c in people.values() if c.contract] == [("미나", "Mina")]
        await keys("end", "enter")
        await studio.sees(Choose, "+ secret")
        await keys("enter")
        await studio.sees(FormScreen)
        await keys.types("조스가 불을 껐다")
        await keys("down", "down")
        await keys.types("Mina from 2.1")
        await keys("ctrl+s")
        await studio.sees(Choose, "조스가 불을 껐다")
        await keys("escape")
        await studio.sees(DeskScreen)
        await keys("u")
        await studio.until(lambda: "The secret is as it was before" in studio.told, "the undo")
        assert [f for f in verify(tmp_path / "salt").findings if f.severity == "damage"] == []
