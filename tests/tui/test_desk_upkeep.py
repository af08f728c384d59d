"""Edits made in other programs, on the real app: noticed, explained, rebuilt, taken back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.pipeline.chapter.own_text import save_own_text
from studio.project.history.backup import Backups
from studio.project.lock.lock import ProjectLock
from studio.project.watch.plan_changes import keep_plans
from studio.project.watch.watch import FileChange, Watch
from studio.tui.desk.parts.external_changes import told_of
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.history import HistoryScreen
from studio.tui.screens.rebuild import RebuildScreen
from studio.tui.widgets.outline_list import OutlineList
from studio.tui.widgets.prose_view import ProseView
from studio.tui.widgets.text_field import TextField
from tests.pipeline.flows import Desk
from tests.pipeline.korean_book import KOREAN, OWN, make_book
from tests.project.novels import put
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened


@pytest.fixture
def book(desk: OpenDesk, tmp_path: Path) -> Desk:
    """A Korean book of three chapters, as they were committed."""
    made = make_book(desk, tmp_path)
    put(made.folder, "studio.toml", KOREAN)
    return made


def file(book: Desk, number: int) -> Path:
    return book.folder / f"chapters/chapter-{number:03d}.md"


async def watched(studio: StudioPilot) -> None:
    """The watch has begun."""
    await studio.until(
        lambda: studio.desk.features.external_changes.watcher.ready.is_set(), "the watch"
    )


def marked(studio: StudioPilot) -> list[int]:
    volumes = studio.desk.query_one(OutlineList).model
    return [c.number for volume in volumes for c in volume.chapters if c.stale]


# req: U5
@pytest.mark.sweep
async def test_an_edit_elsewhere_is_told_with_its_words_and_shown(book: Desk) -> None:
    async with opened(book.folder, book.environ, notifications=True) as studio:
        await watched(studio)
        file(book, 3).write_text(OWN[3].replace("종소리가", "기적 소리가"))
        await studio.until(lambda: "was changed elsewhere" in studio.told, "the notice")
        assert "기적 소리가" in studio.told
        blocks = studio.desk.query_one(ProseView).page.blocks
        assert any("기적 소리가" in block.text for block in blocks)
        await studio.until(lambda: marked(studio) == [3], "the mark")
        assert "Chapter 3 was changed by hand" in studio.screen


def with_length(length: int) -> str:
    return KOREAN.replace("scene_length = 120", f"scene_length = {length}")


# req: U5
@pytest.mark.sweep
@pytest.mark.repairs("S13")
async def test_settings_edited_elsewhere_are_used_from_then_on_and_said_once(book: Desk) -> None:
    toml = book.folder / "studio.toml"
    edited = [FileChange("studio.toml", "0" * 64, "1" * 64)]
    async with opened(book.folder, book.environ, notifications=True) as studio:
        await studio.on_setting("targets.scene_length")
        changes, session = studio.desk.features.external_changes, studio.desk.session
        assert changes.watcher is not None
        changes.watcher.stop()  # what it would notice is passed on here, once
        toml.write_text(with_length(777))
        await changes._heed(edited)
        assert session.settings.targets.scene_length == 777
        assert studio.told.count("settings were changed elsewhere") == 1
        assert "777" in studio.screen  # on the page of settings, which was open
        toml.write_text("[targets\n")
        await changes._heed(edited)
        assert "studio.toml is not valid TOML" in studio.told
        assert "The settings read before stay" in studio.told
        toml.unlink()
        await changes._heed(edited)
        assert "it holds no studio.toml" in studio.told
        assert session.settings.targets.scene_length == 777
        toml.write_text(with_length(888))
        await changes._heed(edited)
        assert session.settings.targets.scene_length == 888


# req: U5
@pytest.mark.sweep
async def test_the_watch_notices_settings_edited_elsewhere(book: Desk) -> None:
    async with opened(book.folder, book.environ, notifications=True) as studio:
        await watched(studio)
        (book.folder / "studio.toml").write_text(with_length(777))
        await studio.until(lambda: "settings were changed elsewhere" in studio.told, "the notice")
        assert studio.desk.session.settings.targets.scene_length == 777
        await studio.set("targets.scene_length", "900")  # her own change here is no news
        (book.folder / "brief.md").write_text("등대의 겨울.\n")
        await studio.until(lambda: "brief.md" in studio.told, "the notice")
        assert studio.told.count("settings were changed elsewhere") == 1


# req: U5
@pytest.mark.sweep
async def test_a_style_edit_is_settled_with_one_answer(book: Desk) -> None:
    file(book, 2).write_text(OWN[2].replace("세 번 올랐다", "세 번이나 올랐다"))
    async with opened(book.folder, book.environ) as studio:
        await studio.until(lambda: marked(studio) == [2], "the mark")
        await studio.press("h")
        await studio.until(lambda: isinstance(studio.app.screen, DecisionScreen), "the card")
        assert "이나" in studio.screen
        await studio.press("k", "k", "enter")
        await studio.until(lambda: marked(studio) == [], "the end of the mark")
    assert book.store.hand_edits() == []
    assert book.calls() == []


# req: E10 U5
@pytest.mark.sweep
async def test_a_change_of_meaning_is_foretold_rebuilt_and_taken_back(book: Desk) -> None:
    text = OWN[1].replace("열쇠를 찾았다", "빈 상자를 보았다. 열쇠는 없었다")
    file(book, 1).write_text(text)
    state = book.store.state()
    async with opened(book.folder, book.environ) as studio:
        await studio.until(lambda: marked(studio) == [1], "the mark")
        await studio.press("h")
        await studio.until(lambda: isinstance(studio.app.screen, DecisionScreen), "the card")
        await studio.press("enter")  # nothing is proposed
        assert isinstance(studio.app.screen, DecisionScreen)
        await studio.press("j", "j", "enter")
        await studio.until(lambda: studio.app.screen.preview is not None, "the preview")
        page = studio.app.screen
        assert isinstance(page, RebuildScreen)
        await studio.until(lambda: "1 call" in studio.screen, "the cost")
        assert "changed by hand" in studio.screen
        assert "Chapters 2 to 3" in studio.screen
        assert "may no longer agree" in studio.screen
        assert not re.search("was planted before|was .* before it", studio.screen), "not read yet"
        assert book.store.state() == state
        await studio.press("enter")
        await studio.until(lambda: page.report is not None, "the end of the rebuild")
        assert book.calls() == ["summary"]
        assert "No longer in agreement" in studio.screen
        assert book.store.state() != state
        await studio.press("u")
        await studio.until(lambda: page.report is None and page.preview, "the way back")
        assert book.store.state().characters == state.characters
        await studio.press("escape")
        assert len(studio.app.screen_stack) == 1
    assert file(book, 1).read_text() == text


# req: F13
@pytest.mark.sweep
async def test_moved_chapters_are_named_and_put_back(book: Desk) -> None:
    async with opened(book.folder, book.environ, notifications=True) as studio:
        await watched(studio)
        file(book, 2).rename(file(book, 2).with_name("two.md"))
        await studio.until(lambda: "was renamed" in studio.screen, "the notice")
        assert "[Ctrl+P] Put back" in studio.screen  # it has no key of its own
        await studio.app.action_perform("desk.put_back")
        await studio.until(lambda: "was renamed" not in studio.screen, "the end of the notice")
    assert file(book, 2).read_text() == OWN[2]


# req: U5
@pytest.mark.sweep
async def test_a_changed_plan_marks_its_chapters_until_they_may_stand(book: Desk) -> None:
    profile = book.folder / "characters/active/mara.md"
    profile.parent.mkdir(parents=True, exist_ok=True)
    profile.write_text("마라는 등대를 지킨다.\n")
    with ProjectLock(book.folder):
        keep_plans(book.store)
    async with opened(book.folder, book.environ, notifications=True) as studio:
        await watched(studio)
        profile.write_text("마라는 등대를 판다.\n")
        await studio.until(lambda: "was changed elsewhere" in studio.told, "the notice")
        assert "등대를 판다" in studio.told
        await studio.until(lambda: 3 not in marked(studio) or marked(studio), "the marks")
        await studio.until(lambda: 1 in marked(studio), "the mark of chapter 1")
        for _ in range(3):
            await studio.app.action_perform("desk.let_stand")
            number = marked(studio)
            if not number:
                break
            await studio.desk.show_chapter(number[0])
        assert marked(studio) == []


@pytest.mark.sweep
def test_no_words_are_no_chapter(book: Desk) -> None:
    for empty in ("", " \n\n"):
        with pytest.raises(StudioError, match="no words to save yet"):
            save_own_text(book.store, 4, empty, None, "ko")
    assert not file(book, 4).exists()
    save_own_text(book.store, 4, "마라는 문을 닫았다.\n", None, "ko")
    assert file(book, 4).exists()


# req: C12
@pytest.mark.sweep
async def test_a_version_is_compared_and_brought_back(book: Desk) -> None:
    edited = OWN[3].replace("종소리가", "기적 소리가")
    file(book, 3).write_text(edited)
    async with opened(book.folder, book.environ) as studio:
        await studio.press("H")
        await studio.until(lambda: studio.app.screen.past is not None, "the versions")
        page = studio.app.screen
        assert isinstance(page, HistoryScreen)
        await studio.until(lambda: page.version_under_cursor is not None, "the cursor")
        assert "as it went into the book" in studio.screen
        await studio.press("b")
        await studio.until(lambda: page.changed, "the version")
        assert file(book, 3).read_text() == OWN[3]
        await studio.until(
            lambda: "before an earlier version was brought back" in studio.screen, "the new list"
        )
        await studio.press("escape")
        await studio.until(lambda: len(studio.app.screen_stack) == 1, "the desk")
    texts = {book.store.history.blob(v.sha) for v in book.store.history.log()}
    assert edited.encode() in texts


# req: F16
@pytest.mark.sweep
async def test_watching_by_polling_has_a_badge(book: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.project.watch.watch.needs_polling", lambda folder: True)
    async with opened(book.folder, book.environ, (140, 36), notifications=True) as studio:
        await watched(studio)
        await studio.until(lambda: "notices changes late" in studio.screen, "the badge")
        file(book, 3).write_text(OWN[3].replace("종소리가", "기적 소리가"))
        await studio.until(lambda: "was changed elsewhere" in studio.told, "the notice")


# req: F16
@pytest.mark.sweep
async def test_looking_for_changes_has_a_badge_whenever_it_begins(book: Desk) -> None:
    async with opened(book.folder, book.environ) as studio:
        watcher = studio.desk.features.external_changes.watcher
        assert watcher is not None
        watcher._watch.polling = False
        await studio.until(lambda: "notices changes late" not in studio.screen, "no badge")
        watcher._watch.polling = True
        await studio.until(lambda: "notices changes late" in studio.screen, "the badge")
        assert studio.desk.state.model in studio.screen


# req: F17
@pytest.mark.sweep
async def test_what_the_app_writes_itself_is_no_notice(book: Desk) -> None:
    own = book.folder.parent / "own-4.md"
    own.write_text("# 넷째 장\n\n마라는 문을 닫았다. 바람이 불었다.\n")
    async with opened(book.folder, book.environ, notifications=True) as studio:
        await watched(studio)
        studio.desk.session.store.root.write("chapters/chapter-004.md", own.read_bytes())
        (book.folder / "brief.md").write_text("등대의 겨울.\n")
        await studio.until(lambda: "brief.md" in studio.told, "the notice")
        assert "Chapter 4" not in studio.told


# req: F16
@pytest.mark.sweep
async def test_a_novel_that_is_gone_is_told_and_found_again(book: Desk) -> None:
    away = book.folder.with_name("away")
    async with opened(book.folder, book.environ, notifications=True) as studio:
        await watched(studio)
        book.folder.rename(away)
        await studio.until(lambda: "folder of this novel is gone" in studio.told, "the notice")
        text_on_screen = studio.desk.state.text.text
        await studio.desk.show_chapter(1)
        await studio.desk.reread()
        assert "Nothing was changed. Put the folder back" in studio.told
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        assert studio.app.screen.query_one(TextField).text == text_on_screen
        await studio.press("escape")
        await studio.sees(DeskScreen)
        away.rename(book.folder)
        await studio.until(
            lambda: not studio.desk.features.external_changes.watcher.is_gone, "the novel"
        )
    assert book.store.hand_edits() == []


@pytest.mark.sweep
async def test_the_watch_looks_when_the_writer_comes_back(
    book: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[bool] = []
    monkeypatch.setattr(Watch, "look_soon", lambda self: looked.append(True))
    async with opened(book.folder, book.environ) as studio:
        await watched(studio)
        studio.app.app_focus = False
        await studio.pilot.pause()
        studio.app.app_focus = True
        await studio.until(lambda: looked, "the look")


@pytest.mark.sweep
async def test_leaving_makes_a_dated_copy(book: Desk) -> None:
    async with opened(book.folder, book.environ) as studio:
        await studio.press("ctrl+q")
        await studio.until(lambda: studio.app._exit, "the end")
    shelf = book.session().upkeep().backups(book.environ)
    assert isinstance(shelf, Backups)
    assert len(shelf.all()) == 1


def test_a_plan_made_in_another_window_is_called_a_plan(book: Desk) -> None:
    contract = "volumes/vol-01/chapter-contracts/chapter-004.json"
    outline = "volumes/vol-01/outline.md"
    put(book.folder, contract, {"chapter": 4})
    changes = [FileChange(path, None, "0" * 64) for path in (contract, outline)]
    sentences = [message.words for message in told_of(book.session(), changes, None, "")]
    assert sentences[0] == "The plan of chapter 4 appeared."
    assert sentences[1].startswith("The outline of volume 1 appeared")


@pytest.mark.sweep
def test_who_is_changed_elsewhere_is_called_by_name(book: Desk) -> None:
    person = {"schema_version": 1, "id": "mara", "name": "마라"}
    put(book.folder, "characters/active/mara.json", person)
    paths = ("characters/active/mara.md", "characters/active/mara.json", "world/gone.md")
    changes = [FileChange(path, "1" * 64, "0" * 64) for path in paths]
    sentences = [message.words for message in told_of(book.session(), changes, None, "")]
    assert sentences[:2] == ["마라 was changed elsewhere."] * 2
    assert sentences[2] == "world/gone.md was changed elsewhere."
