"""A writer's first hours, on the real app: write, review, decide, commit, stop, edit by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import TextArea

from studio.config.paths import user_config_path
from studio.project.create import create_novel
from studio.story.status import DirectiveStatus
from studio.tui.screens.ask import AskText, Choose, Confirm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.page import PageScreen
from studio.tui.widgets.prose_view import ProseView
from tests.fake_messages import Rule
from tests.pipeline.flows import SCENES, Model, directive, judged
from tests.project.novels import put
from tests.tui.conftest import OpenDesk
from tests.tui.environs import environ_of
from tests.tui.pilot import opened

SHOW = "dir_show_not_tell_001"
SECOND = "dir_show_not_tell_002"
TWO = judged(directives=[directive(1, 1), directive(2, 1)])


async def test_a_novel_opens_with_its_outline_and_nothing_over_it(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        assert studio.outline_titles == ["The Lamp Room"]
        assert "The Lamp Room" in studio.screen
        assert len(studio.app.screen_stack) == 1
        assert "Mara finds the key under the oil cans" in studio.screen


@pytest.mark.sweep
async def test_a_chapter_is_written_reviewed_and_committed(desk: OpenDesk) -> None:  # req: U2
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        studio.expect_stage("judge", "finished")
        assert studio.desk.state.pane == "directives"
        await studio.accept(SHOW)
        assert studio.directives.directive_under_cursor is not None
        assert studio.directives.directive_under_cursor.id == SECOND
        await studio.reject(SECOND, "it is meant so")
        await studio.write_next()
        assert studio.status_of(SHOW) is DirectiveStatus.APPLIED
        assert "It held there." in studio.desk.state.current.text.text
        blocks = studio.desk.query_one(ProseView).page.blocks
        assert any("It held there." in block.text for block in blocks)
        await studio.accept(SHOW)
        assert studio.status_of(SHOW) is DirectiveStatus.KEPT
        await studio.write_next()
        await studio.decide("commit")
        assert studio.store.checkpoint().last_completed_chapter == 1
    assert "It held there." in there.text()


@pytest.mark.sweep
async def test_a_fix_is_taken_back_alone(desk: OpenDesk) -> None:
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        before = there.staged().read_text()
        await studio.accept(SHOW)
        await studio.write_next()
        assert there.staged().read_text() != before
        await studio.undo(SHOW)
        assert studio.status_of(SHOW) is DirectiveStatus.UNDONE
        assert there.staged().read_text() == before


@pytest.mark.sweep
async def test_the_writers_own_words_replace_a_passage(desk: OpenDesk) -> None:
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.on_directive(SHOW)
        await studio.press("E")
        studio.app.screen.query_one(TextArea).load_text("Cold.\n\n* * *\n\nStill cold.")
        asked = studio.app.screen
        await studio.press("ctrl+s")
        await studio.until(lambda: studio.app.screen is not asked, "the refusal")
        await studio.sees(AskText, "Still cold.")
        assert "“* * *” cannot stand in a passage" in studio.told
        await studio.press("escape")
        await studio.edit(SHOW, "E", "The oil cans were cold, and there were nine.")
        assert studio.status_of(SHOW) is DirectiveStatus.KEPT
        assert "there were nine" in studio.desk.state.current.text.text


@pytest.mark.sweep
async def test_the_rest_is_accepted_only_after_a_yes(desk: OpenDesk) -> None:
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("A")
        assert isinstance(studio.app.screen, Confirm)
        await studio.press("n")
        assert studio.status_of(SHOW) is DirectiveStatus.PENDING
        await studio.press("A", "y")
        await studio.until(
            lambda: studio.status_of(SECOND) is DirectiveStatus.ACCEPTED, "both accepted"
        )
        assert studio.status_of(SHOW) is DirectiveStatus.ACCEPTED


# req: U4 U6
@pytest.mark.sweep
async def test_the_command_line_goes_on_where_the_app_was_closed(desk: OpenDesk) -> None:
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.reject(SHOW)
        await studio.press("ctrl+q")
    sheet = there.session().directives()
    assert sheet is not None
    assert [d.status.value for d in sheet.directives] == ["rejected", "pending"]
    there.session().change_directives("reject", [SECOND])
    async with opened(there.folder, there.environ) as studio:
        assert studio.status_of(SECOND) is DirectiveStatus.REJECTED


@pytest.mark.sweep
async def test_escape_stops_and_keeps_the_text(desk: OpenDesk) -> None:
    there = desk(Model(draft=Rule(mode="hold", after=4, text="\n\n".join(SCENES[1]))))
    async with opened(there.folder, there.environ) as studio:
        await studio.press("w")
        await studio.until(lambda: "oil cans" in studio.desk.state.run.prose, "the stream")
        await studio.until(
            lambda: "oil cans" in studio.desk.query_one(ProseView).page.blocks[0].text,
            "the text on the screen",
        )
        await studio.press("escape")
        await studio.until(
            lambda: studio.desk.state.settled and studio.desk.state.run.outcome, "the end"
        )
        assert "broke off" in studio.screen
        assert "[w] Go on" in studio.screen
        assert "oil cans" in studio.screen
    scene = there.folder / "staging/scenes/chapter-001/scene-01.md"
    assert "oil cans" in scene.read_text("utf-8"), "her words stand where they were written"


@pytest.mark.sweep
async def test_quitting_asks_while_a_chapter_is_written(desk: OpenDesk) -> None:
    there = desk(Model(draft=Rule(mode="hold", after=4, text="\n\n".join(SCENES[1]))))
    async with opened(there.folder, there.environ) as studio:
        await studio.press("w")
        await studio.until(lambda: studio.desk.state.run.prose, "the stream")
        await studio.press("ctrl+q")
        assert isinstance(studio.app.screen, Confirm)
        await studio.press("n")
        assert studio.desk.state.run.running
        await studio.press("ctrl+q", "y")
        await studio.until(lambda: studio.app.return_code is not None, "the end")
    assert studio.app.return_code == 0
    assert not (there.folder / ".novel.lock").exists()


@pytest.mark.sweep
async def test_an_interrupted_chapter_is_discarded_only_after_a_yes(desk: OpenDesk) -> None:
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("X")
        assert isinstance(studio.app.screen, Confirm)
        await studio.press("y")
        await studio.until(
            lambda: studio.desk.state.book.checkpoint.inflight_chapter is None, "the rest"
        )
    assert not there.staged().exists()


@pytest.mark.sweep
async def test_the_writers_own_chapter_goes_to_its_review(desk: OpenDesk) -> None:
    there = desk()
    own = "# The Lamp Room\n\nI wrote this myself, and Mara found the key.\n\nThen the bell rang.\n"
    async with opened(there.folder, there.environ) as studio:
        await studio.press("ctrl+e")
        assert isinstance(studio.app.screen, EditorScreen)
        studio.app.screen.query_one(TextArea).load_text(own)
        await studio.press("ctrl+d")
        await studio.sees(Confirm, "Take this as your draft?")
        await studio.press("y")
        await studio.until(lambda: isinstance(studio.app.screen, DecisionScreen), "the review")
        assert studio.desk.state.current.text.text == own
    assert "draft" not in there.calls()
    assert "refine" not in there.calls()


@pytest.mark.sweep
async def test_what_was_saved_in_the_editor_is_handed_in_without_a_question(
    tmp_path: Path,
) -> None:
    create_novel(tmp_path / "salt", "Salt", "en")
    async with opened(tmp_path / "salt", environ_of(tmp_path)) as studio:
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        area = studio.app.screen.query_one(TextArea)
        area.load_text("# One\n\nThe bell rang.\n\nMara put the key away.\n")
        await studio.press("ctrl+s")
        await studio.until(lambda: "saved" in studio.screen, "the save")
        area.load_text(own := area.text + "\nThen it was noon.\n")
        await studio.press("ctrl+d")
        await studio.sees(Confirm, "Take this as your draft?")
        await studio.press("y")
        staged = tmp_path / "salt/staging/chapters/chapter-001.md"
        await studio.until(
            lambda: studio.desk.state.run.outcome is not None and studio.desk.state.settled,
            "the review",
        )
        assert "A file is in the way" not in studio.screen
        assert staged.read_text() == own


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("can", "words"),
    [
        ("judges = false", "for a summary. No model judges it. It costs "),
        ("judges = false\nextracts = false", "It is measured; no model is asked."),
    ],
    ids=["summarizes", "neither"],
)
async def test_what_a_model_will_read_of_her_own_text_is_said_first(
    desk: OpenDesk, can: str, words: str
) -> None:
    there = desk()
    config = user_config_path(there.environ)
    config.parent.mkdir(parents=True)
    config.write_text(f'[provider.endpoints."{there.server.url}"]\n{can}\n', "utf-8")
    async with opened(there.folder, there.environ) as studio:
        await studio.press("ctrl+e")
        studio.app.screen.query_one(TextArea).load_text("# One\n\nThe bell rang.\n")
        await studio.press("ctrl+d")
        await studio.sees(Confirm)
        assert words in " ".join(studio.screen.replace("│", " ").split())


@pytest.mark.sweep
async def test_what_was_typed_and_not_saved_is_there_again(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ) as studio:
        await studio.press("ctrl+e")
        studio.app.screen.query_one(TextArea).load_text(
            "# A\n\n비가 그치자 마라는 계단을 올랐다.\n"
        )
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
    assert not (there.folder / "chapters").exists()
    async with opened(there.folder, there.environ) as studio:
        await studio.press("ctrl+e")
        await studio.until(lambda: "비가" in studio.app.screen.query_one(TextArea).text, "the text")


@pytest.mark.sweep
async def test_an_edit_from_outside_is_noticed(desk: OpenDesk) -> None:
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        text = there.staged().read_text()
        there.staged().write_text(text.replace("Mara lifted", "Mara raised"))
        await studio.until(
            lambda: "Mara raised" in studio.desk.state.current.text.text, "the change"
        )
        assert "Mara raised" in studio.screen, studio.screen


@pytest.mark.sweep
async def test_without_a_model_the_app_says_so_and_everything_else_works(
    tmp_path: Path, desk: OpenDesk
) -> None:
    there = desk()
    environ = {k: v for k, v in there.environ.items() if not k.startswith("ANTHROPIC_")}
    put(tmp_path / "config" / "studio", "config.toml", "[provider]\nmodel_file = '/no/such.gguf'\n")
    environ = {**environ, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    async with opened(there.folder, environ) as studio:
        await studio.press("w")
        await studio.sees(Choose, "/no/such.gguf")
        await studio.press("escape", "v")
        assert isinstance(studio.app.screen, PageScreen)


async def test_an_action_that_cannot_be_done_says_why(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ) as studio:
        await studio.press("d")
        assert "nothing to decide" in studio.told
