"""The book goes out from the desk: form, place, and nothing replaced unasked."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from textual.widgets import OptionList

from studio.errors import StudioError
from studio.exchange.export import FORMATS
from studio.project.author.published import publish
from studio.project.author.readers import put_author_note
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.tui.desk.parts.export import ALL, FORMS, SOME, chapter_choices, exported_words
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Ask, AskPath, AskText, Choose, Confirm
from studio.tui.screens.page import PageScreen
from tests.project.novels import make_novel, put
from tests.tui.environs import NAMED
from tests.tui.gallery import novel
from tests.tui.pilot import StudioPilot, opened


async def export(
    studio: StudioPilot, form: int, place: Path | str, chapters: str | None = ""
) -> None:
    """The keys, up to the place; `chapters` are chosen, or named (`2-2`)."""
    await studio.press("x")
    await studio.until(lambda: isinstance(studio.app.screen, Choose), "the forms")
    studio.app.screen.query_one(OptionList).highlighted = form
    await studio.press("enter")
    await studio.until(lambda: "Which chapters?" in studio.screen, "the chapters")
    options = studio.app.screen.query_one(OptionList)
    named = chapters not in {option.id for option in options.options}
    options.highlighted = options.get_option_index(SOME if named else chapters or ALL)
    await studio.press("enter")
    if named:
        await studio.until(lambda: isinstance(studio.app.screen, Ask), "the list")
        await studio.type(chapters or "")
        await studio.press("enter")
    await studio.until(lambda: isinstance(studio.app.screen, AskPath), "the place")
    await studio.type(str(place))
    await studio.press("enter")


def on_desk(studio: StudioPilot) -> bool:
    return isinstance(studio.app.screen, DeskScreen)


@pytest.mark.sweep
@pytest.mark.parametrize(("language", "word"), [("ko", "썰물"), ("zh", "平潮"), ("en", "Slack")])
async def test_the_book_is_one_file(tmp_path: Path, language: str, word: str) -> None:
    folder = novel(tmp_path / "novel", language).layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await export(studio, 0, tmp_path / "out.md")
        await studio.until(lambda: "2 chapters written to" in studio.told, "the result")
    assert word in (tmp_path / "out.md").read_text("utf-8")


@pytest.mark.sweep
async def test_each_chapter_is_a_file(tmp_path: Path) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await export(studio, 3, tmp_path / "out")
        await studio.until(lambda: "2 chapters written to" in studio.told, "the result")
    assert sorted(f.name for f in (tmp_path / "out").iterdir()) == [
        "chapter-001.txt",
        "chapter-002.txt",
    ]


@pytest.mark.sweep
@pytest.mark.parametrize(("chapters", "there"), [("1", [1]), ("2-", [2]), ("1-2", [1, 2])])
async def test_some_chapters_go_out(tmp_path: Path, chapters: str, there: list[int]) -> None:
    folder = novel(tmp_path / "novel", "ko").layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await export(studio, 2, tmp_path / "out", chapters)
        await studio.until(lambda: "written to" in studio.told, "the result")
    names = sorted(f.name for f in (tmp_path / "out").iterdir())
    assert names == [f"chapter-{number:03}.md" for number in there]


@pytest.mark.sweep
async def test_a_chapter_there_is_not_is_asked_for_again(tmp_path: Path) -> None:
    folder = novel(tmp_path / "novel", "zh").layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await studio.press("x")
        await studio.until(lambda: "Export the book" in studio.screen, "the forms")
        await studio.press("enter")
        await studio.until(lambda: "Which chapters?" in studio.screen, "the chapters")
        options = studio.app.screen.query_one(OptionList)
        options.highlighted = options.get_option_index(SOME)
        await studio.press("enter")
        await studio.until(lambda: isinstance(studio.app.screen, Ask), "the list")
        await studio.type("1-9")
        await studio.press("enter")
        await studio.until(lambda: "There is no chapter 3." in studio.screen, "the reason")
        assert "The book has chapters 1-2." in studio.screen
        await studio.press("escape")
        await studio.until(lambda: on_desk(studio), "the desk")


def test_the_chapter_on_the_screen_is_among_the_choices_when_it_is_in_the_book() -> None:
    assert [key for key, _ in chapter_choices([1, 2], 2)] == [ALL, "2", SOME]
    assert [key for key, _ in chapter_choices([1, 2], 3)] == [ALL, SOME]
    assert chapter_choices([2, 5], None)[0][1] == "All chapters, 2 of them"


@pytest.mark.sweep
@pytest.mark.parametrize("key", ["n", "y"])
async def test_what_is_there_is_replaced_only_after_yes(tmp_path: Path, key: str) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    out = tmp_path / "out.md"
    out.write_text("mine")
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await export(studio, 0, out)
        await studio.until(lambda: isinstance(studio.app.screen, Confirm), "the question")
        assert out.read_text() == "mine"
        await studio.press(key)
        await studio.until(lambda: on_desk(studio), "the desk")
        if key == "y":
            await studio.until(lambda: "written to" in studio.told, "the result")
    assert (out.read_text("utf-8") == "mine") is (key == "n")


@pytest.mark.sweep
async def test_a_place_in_the_novel_is_refused_without_a_question(tmp_path: Path) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    chapter = folder / "chapters/chapter-001.md"
    before = chapter.read_bytes()
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await export(studio, 0, chapter)
        await studio.until(lambda: "belongs to the novel" in studio.told, "the refusal")
        assert on_desk(studio)
    assert chapter.read_bytes() == before


def test_every_form_names_a_format() -> None:
    assert {key.partition("/")[0] for key, _ in FORMS} == set(FORMATS)
    assert exported_words([Path("/a/b.md")], [1]) == "1 chapter written to /a/b.md"
    assert exported_words([Path("/a/1"), Path("/a/2")], [1, 2]) == "2 chapters written to /a/"


@pytest.mark.sweep
async def test_the_bible_is_a_file_by_its_name(tmp_path: Path) -> None:  # req: I1
    folder = novel(tmp_path / "novel", "en").layout.folder
    put(folder, "world/lore/salt.md", "Taxed until 1825.\n")
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await studio.press("x")
        await studio.until(lambda: isinstance(studio.app.screen, Choose), "the forms")
        rows = studio.app.screen.query_one(OptionList)
        rows.highlighted = [form for form, _ in FORMS].index("docx/bible")
        await studio.press("enter")
        await studio.until(lambda: isinstance(studio.app.screen, AskPath), "the place")
        await studio.type(str(tmp_path / "bible.txt"))
        await studio.press("enter")
        await studio.until(lambda: "Written to" in studio.told, "the result")
    assert "Taxed until 1825." in (tmp_path / "bible.txt").read_text("utf-8")


@pytest.mark.sweep
async def test_a_book_with_nothing_in_it_is_said_to_be_empty_before_anything_is_asked(
    tmp_path: Path,
) -> None:
    folder = make_novel(tmp_path / "novel").layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await studio.press("x")
        await studio.until(lambda: "The book has no chapter yet" in studio.told, "the word")
        assert on_desk(studio)
        await studio.ask_for("desk.statement")
        await studio.until(lambda: "There is no text yet whose authors" in studio.told, "the word")
        assert on_desk(studio)
        put(folder, "world/lore/salt.md", "Taxed until 1825.\n")
        await studio.press("x")
        await studio.sees(Choose, "The book has no chapter yet")
        forms = [option.id for option in studio.app.screen.query_one(OptionList).options]
        assert forms == ["docx/bible"]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("language", "platform"), [("ko", "문피아"), ("zh", "起点"), ("en", "Royal Road")]
)
async def test_a_chapter_is_copied_for_a_platform(
    tmp_path: Path, language: str, platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = tmp_path / "board"
    tool = tmp_path / "bin" / "xclip"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\ncat > '{board}'\n", "utf-8")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:/usr/bin:/bin")
    folder = novel(tmp_path / "novel", language).layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await studio.on_chapter(1)
        await studio.press("o")
        await studio.until(lambda: isinstance(studio.app.screen, Choose), "the platforms")
        await studio.press("enter")
        await studio.until(lambda: f"Copied for {platform}" in studio.told, "the result")
        monkeypatch.setenv("PATH", "/nowhere")
        await studio.press("o")
        await studio.until(lambda: isinstance(studio.app.screen, Choose), "the platforms")
        await studio.press("enter")
        await studio.until(lambda: "Sent to the terminal" in studio.told, "the other result")
        assert studio.app.clipboard == board.read_text("utf-8")
    assert board.read_text("utf-8").startswith("　　" if language == "zh" else "")


@pytest.mark.sweep
async def test_a_chapter_is_copied_with_a_blank_line_everywhere(tmp_path: Path) -> None:
    folder = novel(tmp_path / "novel", "ko").layout.folder
    put(folder, "chapters/chapter-001.md", "불을 껐다.\n\n오늘 날짜였다.\n")
    async with opened(folder, {**os.environ, **NAMED, "PATH": "/nowhere"}) as studio:
        await studio.on_chapter(1)
        await studio.press("o")
        await studio.sees(Choose, "카카오페이지, a blank line everywhere")
        await studio.press("end", "enter")
        await studio.until(lambda: "Sent to the terminal for 카카오페이지" in studio.told, "it")
        assert "껐다.\n\n오늘" in studio.app.clipboard


@pytest.mark.sweep
async def test_a_chapter_is_marked_as_published(tmp_path: Path) -> None:
    folder = novel(tmp_path / "novel", "ko").layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await studio.on_chapter(1)
        await studio.press("U")
        await studio.until(lambda: isinstance(studio.app.screen, Choose), "the platforms")
        await studio.press("enter")
        await studio.sees(Ask, date.today().isoformat())
        await studio.press("enter")
        await studio.until(lambda: "is marked as published on 문피아" in studio.told, "the result")
        await studio.until(lambda: "⇡" in studio.screen, "the mark in the outline")
    assert '"문피아"' in (folder / "published.json").read_text("utf-8")


async def test_what_she_says_to_her_readers_is_kept_with_the_chapter(tmp_path: Path) -> None:
    folder = novel(tmp_path / "novel", "ko").layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await studio.on_chapter(1)
        await studio.ask_for("desk.author_note")
        await studio.until(lambda: isinstance(studio.app.screen, AskText), "the field")
        assert isinstance(studio.app.screen, AskText)
        studio.app.screen.put("다음 화는 금요일!")
        await studio.press("ctrl+s")
        await studio.until(lambda: "The note to readers is saved" in studio.told, "the result")
    assert (folder / "notes/author/c001.md").read_text("utf-8") == "다음 화는 금요일!\n"


@pytest.mark.sweep
async def test_a_note_to_readers_that_is_refused_stands_in_its_card_again(tmp_path: Path) -> None:
    """Another command holds the book for a moment; what she typed is hers all the same."""
    folder = novel(tmp_path / "novel", "ko").layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await studio.on_chapter(1)
        await studio.ask_for("desk.author_note")
        await studio.until(lambda: isinstance(studio.app.screen, AskText), "the field")
        assert isinstance(studio.app.screen, AskText)
        studio.app.screen.put("다음 화는 금요일!")
        with ProjectLock(folder, 1):
            await studio.press("ctrl+s")
            await studio.until(lambda: "Wait until it is done" in studio.told, "the refusal")
        await studio.sees(AskText, "다음 화는 금요일!")
        assert "in another window" not in studio.told, "it is this one"
        await studio.press("ctrl+s")
        await studio.until(lambda: "The note to readers is saved" in studio.told, "the result")
    assert (folder / "notes/author/c001.md").read_text("utf-8") == "다음 화는 금요일!\n"


def test_a_chapter_in_progress_has_a_note_to_readers_too(tmp_path: Path) -> None:
    folder = novel(tmp_path / "novel", "ko").layout.folder
    store = ProjectStore(folder)
    number = 95
    with pytest.raises(StudioError):
        put_author_note(store, number, "없는 화")
    checkpoint = store.checkpoint()
    store.save_checkpoint(checkpoint.copy_with(inflight_chapter=number))
    put_author_note(store, number, "쓰는 중인 화")
    assert (store.author_note(number) or "").strip() == "쓰는 중인 화"


@pytest.mark.sweep
async def test_what_changed_since_publication_and_what_readers_said_stand_in_the_app(
    tmp_path: Path,
) -> None:  # req: K7
    folder = novel(tmp_path / "novel", "ko").layout.folder
    async with opened(folder, {**os.environ, **NAMED}, (100, 30)) as studio:
        await studio.on_chapter(1)
        await studio.ask_for("desk.published")
        await studio.sees(Choose, "문피아")
        rows = studio.screen
        assert "起点" not in rows
        assert "Royal Road" not in rows
        await studio.press("enter")
        await studio.sees(Ask, date.today().isoformat())
        assert isinstance(studio.app.screen, Ask)
        studio.app.screen.put("2026-11-20")
        await studio.press("enter")
        await studio.until(lambda: "2026-11-20" in studio.told, "the mark")
        await studio.ask_for("desk.published")
        await studio.sees(Choose, "Other chapters …")
        await studio.answer(Choose, studio.app.screen.query_one(OptionList).option_count - 1)
        await studio.answer(Ask, "2화까지")
        await studio.sees(Choose, "Where did you publish chapter 2?")
        await studio.press("escape")
        await studio.until(lambda: isinstance(studio.app.screen, DeskScreen), "the desk")
        path = folder / "chapters/chapter-001.md"
        path.write_text(path.read_text("utf-8") + "\n새 문장이 하나 늘었다.\n", "utf-8")
        await studio.until(lambda: "⇅" in studio.screen, "the mark in the outline")
        await studio.ask_for("desk.published_changes")
        await studio.sees(PageScreen, "+ 새 문장이 하나 늘었다.")
        await studio.press("escape")
        await studio.ask_for("desk.reader_comments")
        await studio.sees(Choose, "No model sees these comments.")
        await studio.press("enter")
        await studio.sees(AskText)
        assert isinstance(studio.app.screen, AskText)
        studio.app.screen.put("목욕탕 사장님 귀여워요")
        await studio.press("ctrl+s")
        await studio.sees(Ask)
        await studio.press(*"lake", "enter")
        await studio.sees(Choose, "목욕탕 사장님 귀여워요")
    (comment,) = ProjectStore(folder).reader_comments(1).comments
    assert (comment.text, comment.source) == ("목욕탕 사장님 귀여워요", "lake")


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["ko", "zh"])
async def test_a_chapter_that_she_put_into_chapters_is_published_as_on_the_command_line(
    tmp_path: Path, language: str
) -> None:  # req: K7
    folder = novel(tmp_path / "novel", language).layout.folder
    hers = folder / "chapters/chapter-003.md"
    hers.write_text("# 셋\n\n문이 열렸다.\n", "utf-8")
    assert ProjectStore(folder).checkpoint().last_completed_chapter < 3
    publish(ProjectStore(folder), [3], "文" if language == "zh" else "문피아")
    hers.write_text("# 셋\n\n문이 닫혔다.\n", "utf-8")
    async with opened(folder, {**os.environ, **NAMED}, (100, 30)) as studio:
        await studio.on_chapter(3)
        await studio.ask_for("desk.published_changes")
        await studio.sees(PageScreen, "+ 문이 닫혔다.")
        await studio.press("escape")
        await studio.until(lambda: on_desk(studio), "the desk")
        await studio.ask_for("desk.published")
        await studio.sees(Choose, "Where did you publish chapter 3?")
        await studio.press("escape")
        await studio.until(lambda: on_desk(studio), "the desk")
        await studio.ask_for("desk.platform")
        await studio.sees(Choose, "Copy chapter 3 for a platform")
