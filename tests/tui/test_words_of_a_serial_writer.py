"""What a Korean serial's writer reads on the screens is Korean and hers: no values, keys or ids of
files, and chapters by her own word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.command import CommandList
from textual.widgets import Input, TextArea

from studio import i18n
from studio.book.promises import PromiseEvent, PromiseSoFar
from studio.cli.prompt import show
from studio.config import recent
from studio.config.load import load_settings
from studio.config.recent import RecentNovels
from studio.i18n import as_label
from studio.pipeline.beginning.files import ProposedFiles
from studio.pipeline.beginning.steps import question_of
from studio.project import layout as places
from studio.project.create import create_novel
from studio.project.planning.imports import let_entry_wait
from studio.project.store import ProjectStore
from studio.session import Session
from studio.story.checkpoint import Beginning, Checkpoint
from studio.story.checkpoint import OrchestratorState as S
from studio.story.form.slugs import name_of_id
from studio.story.novel import Promise
from studio.story.state import StoryState
from studio.tui.actions import ACTIONS, BY_ID
from studio.tui.desk.screen import DeskScreen
from studio.tui.palette import ActionPalette
from studio.tui.screens.ask import Ask
from studio.tui.screens.editing.start_page import StartPage
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.screens.settings import SettingsScreen
from studio.tui.terminal.streams import PasteParser
from studio.tui.views.key_names import first_key
from studio.tui.views.pages import memory_rows
from studio.tui.views.pages.chapter import state_lines
from studio.tui.views.pages.memory_rows import rows_of
from studio.tui.views.terms import plain_name
from tests.catalogues import catalogue
from tests.project.novels import put
from tests.tui.environs import environ_of
from tests.tui.painted import strips_of
from tests.tui.pilot import opened


@pytest.fixture(autouse=True)
def in_korean() -> None:
    i18n.use("ko")


def serial(folder: Path) -> Path:
    """A Korean serial whose first episode is in the book, planned to the second."""
    create_novel(folder, "마흔한 도", "ko", form="serial")
    outline = "## 1화: 새벽 첫 탕\n\n도윤이 청수탕에 간다.\n\n## 2화: 대야\n\n글씨가 있다.\n"
    put(folder, "volumes/vol-01/outline.md", outline)
    put(folder, "chapters/chapter-001.md", "물은 마흔한 도였다.\n")
    return folder


@pytest.mark.sweep
async def test_how_a_book_is_told_is_read_and_answered_in_words_and_saved_as_a_value(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "novel"
    create_novel(folder, "마흔한 도", "ko", form="serial")
    proposal = ProposedFiles(settings={"novel.narration": "third, past"}, by_model=True)
    proposal.put(places.STYLE_PROFILE, '{"voice": "담담하다."}')
    begun = Beginning.model_validate({"steps": {"premise": "skipped"}})
    question = question_of("style", proposal)
    ProjectStore(folder).save_checkpoint(
        Checkpoint(orchestrator_state=S.QUICK_START, beginning=begun, pending_decision=question)
    )
    async with opened(folder, environ_of(tmp_path), (120, 60)) as studio:
        await studio.sees(StartPage, "삼인칭, 과거")
        lines: list[str] = []
        show(question, tmp_path, lines.append)
        assert any("삼인칭, 과거" in line for line in lines)
        assert "third" not in studio.screen + "".join(lines)
        fields = studio.app.screen.query(TextArea)
        field = next(f for f in fields if f.text.startswith("삼인칭"))
        field.load_text("삼인칭, 늙은 주인 곁에서")
        await studio.press("ctrl+s")
        await studio.until(lambda: "일인칭, 현재 시제" in studio.told, "what there is")
        assert isinstance(studio.app.screen, StartPage), "her words stay in the page"
        assert not load_settings(folder, {}).novel.narration, "the novel opens"
        field.load_text("일인칭, 과거 시제")
        await studio.press("ctrl+s")
        await studio.until(lambda: load_settings(folder, {}).novel.narration, "the answer")
    assert load_settings(folder, {}).novel.narration == "first, past"


@pytest.mark.sweep
async def test_settings_stand_in_words_and_the_key_in_the_details_alone(tmp_path: Path) -> None:
    async with opened(serial(tmp_path / "novel"), environ_of(tmp_path), (120, 60)) as studio:
        await studio.sees(DeskScreen)
        await studio.ask_for("app.settings")
        await studio.sees(SettingsScreen, "회차를 쓰는 방식")
        assert "[" not in studio.screen
        assert studio.screen.count("novel.title") == 1, "in the details of the row in focus"
        detail = studio.screen.splitlines()
        assert any("제목" in line and "novel.title" in line for line in detail)


@pytest.mark.sweep
async def test_the_start_screen_counts_a_serials_episodes(tmp_path: Path) -> None:
    folder, environ = serial(tmp_path / "novel"), environ_of(tmp_path)
    async with opened(folder, environ) as studio:
        await studio.sees(DeskScreen)
    recent.keep(environ, RecentNovels().with_novel(folder, "마흔한 도", "ko"))
    async with opened(None, environ) as studio:
        await studio.sees(LauncherScreen, "2화 중 1화 씀")
        assert "2장 중" not in studio.screen


@pytest.mark.sweep
async def test_the_input_mode_names_the_key_pressed_and_stands_once(tmp_path: Path) -> None:
    async with opened(None, environ_of(tmp_path), notifications=True) as studio:
        await studio.sees(LauncherScreen)
        for event in PasteParser().feed("ㅠ"):
            studio.app.post_message(event)
        await studio.sees(Ask, "ㅠ = b")
        assert "ㅈ" not in studio.screen
        await studio.pilot.pause()
        below = strips_of(studio.app.screen_stack[0])
        assert "ㅠ" not in "".join(part.text for strip in below for part in strip)
        assert studio.screen.count("ㅠ = b") == 1


def test_a_page_of_the_bible_is_read_without_the_marks_of_markdown(tmp_path: Path) -> None:
    folder = serial(tmp_path / "novel")
    put(folder, "world/bathhouse.md", "# 청수탕\n\n**어떤 곳인가.** 동네 목욕탕이다.\n")
    rows = rows_of("bible", Session.open(folder, {}), 2)
    row = next(row for row in rows if row.key == "bathhouse")
    lines = ["".join(phrase.text for phrase in line) for line in row.details()]
    assert "청수탕" in lines
    assert "어떤 곳인가. 동네 목욕탕이다." in lines
    assert not any(mark in line for line in lines for mark in ("#", "**"))
    bold = [phrase for line in row.details() for phrase in line if phrase.tone == "strong"]
    assert [phrase.text for phrase in bold] == ["어떤 곳인가."]


def test_a_promise_without_a_description_is_called_by_the_words_that_plant_it() -> None:
    events = (PromiseEvent("planted", 1, quote="대야 밑바닥에 오늘 날짜가 적혀 있었다."),)
    unnamed = PromiseSoFar(Promise(id="day-late-pencil"), events)
    assert unnamed.words == "대야 밑바닥에 오늘 날짜가 적혀 있었다."
    named = PromiseSoFar(Promise(id="day-late-pencil", description="하루 늦은 글씨"), events)
    assert named.words == "하루 늦은 글씨"


def test_a_fact_that_a_model_named_in_english_stands_alone_in_korean() -> None:
    from studio.story.state_words import fact_in_words, labelled_fact

    letter = "신발장 7번, 안에 편지"
    assert labelled_fact("locker", "locker", letter, letter) == letter
    assert labelled_fact("손", "손", "다침", "다침") == "손: 다침"
    limps = {"hand_injury": "벤 상처", "location": "도장집", "limps": True}
    assert fact_in_words(limps) == "벤 상처; 있는 곳: 도장집; limps: 예"
    i18n.use("en")
    assert labelled_fact("locker", "locker", "number 7", "number 7") == "locker: number 7"


def test_the_state_and_its_changes_keep_no_english_key_beside_chinese_words() -> None:
    from studio.story.state import StateOp
    from studio.story.state_words import change_in_words

    i18n.use("zh")
    state = StoryState(
        last_chapter=2,
        characters={"he-chuan": {"lodging": "粮站招待所", "wounds": {"left_hand": "割伤"}}},
        locations={"shop": {"mark": {"wall": "红粉笔线", "due": 5}}},
    )
    names = {"he-chuan": "贺川", "shop": "当字铺"}
    lines = ["".join(part.text for part in row).strip() for row in state_lines(state, names)]
    assert {"截至：第2章", "粮站招待所", "割伤"} <= {*lines}
    assert [line for line in lines if "lodging" in line or "wall" in line] == []
    lodging = StateOp(op="set", path="characters.he-chuan.lodging", value="粮站招待所")
    assert change_in_words(lodging, names=names) == "贺川：粮站招待所"


# req: K2
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("language", "typed", "title"),
    [
        ("ko", "게시", "올렸음"),
        ("ko", "업로드", "플랫폼용으로 복사"),
        ("ko", "비축", "현황판"),
        ("zh", "上传", "复制到平台"),
        ("zh", "存稿", "总览板"),
    ],
)
async def test_the_palette_finds_an_action_by_a_serial_writers_word(
    language: str, typed: str, title: str, tmp_path: Path
) -> None:
    i18n.use(language)
    async with opened(serial(tmp_path / "novel"), environ_of(tmp_path)) as studio:
        await studio.press("ctrl+p")
        await studio.sees(ActionPalette)
        studio.app.screen.query_one(Input).value = typed
        await studio.until(lambda: title in studio.screen, title)


@pytest.mark.sampled
@pytest.mark.parametrize("letters", [None, 4])
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
async def test_the_palette_puts_the_action_first_whose_title_is_typed_or_begun(
    language: str, letters: int | None, tmp_path: Path
) -> None:
    """Though another is also called by a word in it: 发布之后 had 复制到平台 first."""
    i18n.use(language)
    title = i18n._(BY_ID["desk.published_changes"].title)
    async with opened(serial(tmp_path / "novel"), environ_of(tmp_path)) as studio:
        await studio.press("ctrl+p")
        await studio.sees(ActionPalette)
        studio.app.screen.query_one(Input).value = title[:letters]
        rows = studio.app.screen.query_one(CommandList)
        await studio.until(lambda: rows.option_count and rows.visible, "what is found")
        await studio.until(lambda: title in str(rows.get_option_at_index(0).prompt), title)


def test_a_hint_names_a_key_that_works_in_every_input_mode() -> None:  # req: K1
    capitals = [action for action in ACTIONS if action.keys[:1].isupper()]
    assert len(capitals) > 20
    assert [action.id for action in capitals if len(first_key(action)) == 1] == []
    assert first_key(BY_ID["desk.commit"]) == "Alt+C"
    i18n.use("zh")
    assert first_key(BY_ID["desk.commit"]) == "Alt+C"
    assert first_key(BY_ID["desk.commit"], {"desk.commit": "C"}) == "C", "a key of her own"
    i18n.use("en")
    assert first_key(BY_ID["desk.commit"]) == "C"


def test_no_korean_sentence_names_a_capital_that_hangul_does_not_type() -> None:  # req: K1
    """By itself, such as `C를 누르면`."""
    lone = re.compile(r"(?<![\w+{`./(‘-])(?!N)[A-Z](?=(?:를|을|는|은|로|으로|가|이) )")
    said = [one for message in catalogue("ko") for one in as_list(message.string)]
    assert [one for one in said if lone.search(re.sub(r"`[^`]*`", "", one))] == []


def as_list(strings: str | tuple[str, ...] | list[str]) -> list[str]:
    """The forms of a translation."""
    return [strings] if isinstance(strings, str) else list(strings)


async def test_the_first_frame_and_the_line_of_her_wish_have_the_novels_word(
    tmp_path: Path,
) -> None:
    from studio.i18n import _, call_chapters, use
    from studio.tui.desk.first_frame import glance

    folder = serial(tmp_path / "novel")
    use("ko")
    call_chapters("")
    glance(folder, None)
    assert _("What do you want of this chapter? Enter keeps it, Esc leaves.").startswith("이 회차")


def test_a_label_that_is_only_the_word_for_a_chapter_is_the_novels_word() -> None:
    from studio.chapter_names import with_noun

    assert with_noun("章", "zh", "回") == "回"
    assert with_noun("回到章节", "zh", "回") == "回到章节"


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "a promise taken up: the bell"), ("ko", "the bell"), ("zh", "the bell")],
)
def test_what_rests_on_a_changed_chapter_is_told_in_her_words(
    language: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from studio.cli.commands import rebuild as command
    from studio.pipeline.rebuild import RebuildReport
    from studio.story.consistency import Disagreement
    from studio.story.state import StateOp
    from studio.tui.views.pages import rebuild as pages

    i18n.use(language)
    op = StateOp(op="foreshadow", path="the-bell", value="advance")
    stale = [Disagreement.of(3, op, "it was never planted")]
    command._disagreements(stale)
    report = RebuildReport(chapters=(), stale=tuple(stale))
    page = "".join(phrase.text for row in pages.lines_of_result(report) for phrase in row)
    for face in (capsys.readouterr().out, page):
        assert words in face
        assert "foreshadow" not in face
        assert "'advance'" not in face


@pytest.mark.parametrize(
    ("language", "names"),
    [
        (
            "ko",
            {
                "scene-1": "장면 1",
                "scene-2-hints": "장면 2, 귀띔",
                "1.so-far": "장면 1, 지금까지 쓴 데까지",
                "1.4-break": "장면 바뀜",
                "break-2": "장면 바뀜",
                "chapter-012-3": "12화",
                "era-001-010": "1~10화",
                "vol-02": "2권",
                "chapters-before": "앞의 회차들",
                "hae-rin-do-yun": "해린, 도윤",
                "do-yun-rules": "도윤, 법칙",
            },
        ),
        (
            "zh",
            {
                "scene-1": "第1场",
                "scene-2-hints": "第2场的提示",
                "1.so-far": "第1场，已写到的部分",
                "break-2": "分场",
                "era-001-010": "第1至10回",
            },
        ),
    ],
)
def test_what_a_model_is_told_is_named_in_her_language(
    language: str, names: dict[str, str]
) -> None:
    i18n.use(language)
    i18n.call_chapters("화" if language == "ko" else "回")
    people = {"hae-rin": "해린", "do-yun": "도윤"}
    words = {name: memory_rows.words_of_line("people", name, people) for name in names}
    head = as_label(name_of_id(plain_name("people")))
    assert words == {name: head + name_of_it for name, name_of_it in names.items()}


async def test_a_section_of_the_outline_is_read_without_the_marks_of_headings(
    tmp_path: Path,
) -> None:
    folder = serial(tmp_path / "novel")
    outline = "## 1화: 새벽 첫 탕\n\n청수탕.\n\n## 2화: 대야\n\n글씨가 있다.\n\n### 소품\n\n대야.\n"
    put(folder, "volumes/vol-01/outline.md", outline)
    async with opened(folder, environ_of(tmp_path), (80, 24)) as studio:
        await studio.press("1", "j")
        await studio.until(lambda: "글씨가 있다." in studio.screen, "the plan")
        assert "소품" in studio.screen
        assert "#" not in studio.screen


def test_a_note_that_waits_is_read_without_the_marks_of_headings(tmp_path: Path) -> None:
    folder = serial(tmp_path / "novel")
    store = ProjectStore(folder)
    note = "# 도윤\n\n## 말버릇\n\n**존댓말**을 쓴다.\n"
    let_entry_wait(store, "character", "도윤", (), note, "a.md")
    (row,) = memory_rows.waiting_rows(Session.open(folder, {}))
    words = ["".join(phrase.text for phrase in one) for one in row.details()]
    assert "말버릇" in words
    assert "존댓말을 쓴다." in words
