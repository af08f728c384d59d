"""“Begin a book”: from the launcher to the steps, each a card, in her own words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import OptionList, TextArea

from studio.cli.prompt import show
from studio.config.load import load_settings
from studio.pipeline.beginning.files import ProposedFiles
from studio.pipeline.beginning.steps import question_of
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.checkpoint import STEPS, Beginning, BeginningStep, Checkpoint
from studio.story.checkpoint import OrchestratorState as S
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Ask, AskText, Choose
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editing.start_page import StartPage
from studio.tui.screens.form import FormScreen
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.views.review.decision_card import card_of
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import Model
from tests.project.novels import put
from tests.tui.environs import environ_to
from tests.tui.pilot import opened

PREMISE = "A keeper's daughter finds the key.\nThe lamp was never lit."


# req: E2 D10
@pytest.mark.sweep
async def test_a_book_begins_on_cards_and_goes_on_where_it_was_left(own_home: Path) -> None:

    async with opened(None, dict(os.environ), painted=True) as studio:
        await studio.press("b")
        await studio.answer(Ask, "Lamps")
        await studio.answer(Choose, 0)
        await studio.answer(Choose, 0)
        await studio.answer(Ask, str(own_home / "lamps"))
        await studio.sees(DecisionScreen, "What is the book?")
        assert studio.desk.panes.tab == "plan"
        await studio.choose("next")
        await studio.sees(AskText, "What is the book?")
        studio.app.screen.query_one(TextArea).load_text(PREMISE)
        await studio.press("ctrl+s")
        await studio.sees(DecisionScreen, "How do you write?")
        brief = own_home / "lamps" / "brief.md"
        assert brief.read_text("utf-8") == PREMISE + "\n"
        await studio.choose("next")  # “In your own words” is a text box here as well
        await studio.sees(AskText, "How do you write?")
        await studio.press("escape")
        await studio.sees(DecisionScreen, "How do you write?")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.until(
            lambda: "Your book begins: How do you write?  [d] Decide" in studio.screen, "the line"
        )
        assert "Look" not in studio.screen
        await studio.press("d")
        await studio.sees(DecisionScreen, "How do you write?")
        await studio.choose("by-hand")
        await studio.sees(DecisionScreen, "Where does it take place?")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.press("p")
        await studio.sees(FormScreen, "Plan of chapter 1")
        await studio.press(*"The key turns.", "ctrl+s")
        await studio.sees(DeskScreen, "The key turns.")
        await studio.press("d")  # w writes what is planned: she has said “later”
        await studio.sees(DecisionScreen, "Where does it take place?")
        await studio.choose("skip")
        await studio.sees(DecisionScreen, "Who is it about?")
        assert studio.store.checkpoint().orchestrator_state == "QUICK_START"


@pytest.mark.sweep
async def test_genre_and_narration_are_asked_of_her_who_wants_to_say_them(own_home: Path) -> None:
    async with opened(None, dict(os.environ)) as studio:
        await studio.press("n")
        await studio.answer(Ask, "Lamps")
        await studio.answer(Choose, 0)
        await studio.answer(Choose, 2)
        await studio.answer(Ask, "sea novel")
        await studio.sees(Choose, "first person, past tense, looking back")
        await studio.answer(Choose, 4)
        await studio.sees(Ask, "Its folder")
        await studio.press("escape", "escape", "escape")
        await studio.sees(Choose, "a book of chapters, and say its genre")
        await studio.answer(Choose, 3)
        await studio.sees(Ask, "What is a chapter called?")
        await studio.press("enter")
        await studio.sees(Ask, "sea novel")
        await studio.press("enter")
        await studio.sees(Choose, "first person, past tense, looking back")
        await studio.press("enter")
        await studio.answer(Ask, str(own_home / "lamps"))
        await studio.sees(DeskScreen)
    novel = load_settings(own_home / "lamps", {}).novel
    assert (novel.genre, novel.narration) == ("sea novel", "first, past, looking back")
    assert novel.form == "serial", "the form is asked once"


@pytest.mark.sweep
async def test_esc_goes_back_by_a_question_with_what_was_typed_and_leaves_at_the_first(
    own_home: Path,
) -> None:
    async with opened(None, dict(os.environ)) as studio:
        await studio.press("b")
        await studio.answer(Ask, "Lamps")
        await studio.sees(Choose, "Its language")
        assert "Esc back" in studio.screen
        await studio.answer(Choose, 0)
        await studio.answer(Choose, 1)
        await studio.answer(Ask)
        await studio.sees(Ask, "A new or empty folder")
        await studio.press(*"-of-salt", "escape")
        await studio.sees(Ask, "What is a chapter called?")
        await studio.press("escape")
        await studio.sees(Choose, "Its form")
        await studio.press("escape")
        await studio.sees(Choose, "Its language")
        await studio.press("escape")
        await studio.sees(Ask, "Lamps")
        assert "Esc leaves" in studio.screen
        await studio.press("enter")
        await studio.answer(Choose, 0)
        await studio.sees(Choose, "Its form")
        assert studio.app.screen.query_one(OptionList).highlighted == 1
        await studio.press("enter")
        await studio.answer(Ask)
        await studio.sees(Ask, "-of-salt")
        for kind, words in (
            (Ask, "What is a chapter called?"),
            (Choose, "Its form"),
            (Choose, "Its language"),
            (Ask, "Lamps"),
        ):
            await studio.press("escape")
            await studio.sees(kind, words)
        await studio.press("escape")
        await studio.sees(LauncherScreen)


@pytest.mark.parametrize("step", ["premise", "style", "world", "people", "trials"])
def test_what_nobody_has_proposed_is_marked_to_be_said_in_her_own_words(
    step: BeginningStep,
) -> None:
    card = card_of(question_of(step, None))
    assert [(c.option, c.title) for c in card.choices if c.recommended] == [
        ("next", "In your own words")
    ]
    assert card.choices[card.recommended_choice].option == "next"


def test_the_terminal_names_a_note_where_the_writers_words_are_asked_for(tmp_path: Path) -> None:
    lines: list[str] = []
    show(question_of("premise", None), tmp_path, lines.append)
    assert 'decide next --note "..."' in lines[-1]
    show(question_of("style", None), tmp_path, lines.append)
    assert "decide by-hand" in lines[-1], "no note can hold a style"


# req: E2
@pytest.mark.sweep
async def test_how_many_chapters_are_tried_out_is_hers_to_say(own_home: Path) -> None:
    folder = own_home / "lamps"
    create_novel(folder, "Lamps", "en")
    skipped = dict.fromkeys(("premise", "style", "world", "people"), "skipped")
    begun = Checkpoint(
        orchestrator_state=S.QUICK_START, beginning=Beginning.model_validate({"steps": skipped})
    )
    ProjectStore(folder).save_checkpoint(begun)
    async with opened(folder, dict(os.environ)) as studio:
        await studio.until(lambda: studio.desk.state.current is not None, "the novel")
        await studio.press("w")
        await studio.sees(Choose, "How many chapters do you try out?")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        assert studio.store.checkpoint().pending_decision is None, "nothing was begun"
        await studio.ask_for("desk.begin")
        await studio.answer(Choose, 1)
        await studio.answer(Ask)
        await studio.sees(DecisionScreen, "What happens in the trial chapters?")
        beginning = studio.store.checkpoint().beginning
        assert beginning is not None
        assert beginning.trials == 2


# req: E2
@pytest.mark.sweep
async def test_with_no_trial_chapter_the_volume_is_planned_at_once(own_home: Path) -> None:
    folder = own_home / "lamps"
    create_novel(folder, "Lamps", "en")
    skipped = dict.fromkeys(("premise", "style", "world", "people"), "skipped")
    begun = Checkpoint(
        orchestrator_state=S.QUICK_START, beginning=Beginning.model_validate({"steps": skipped})
    )
    ProjectStore(folder).save_checkpoint(begun)
    with FakeMessages() as server:
        environ = environ_to(own_home, server)
        async with opened(folder, environ) as studio:
            await studio.until(lambda: studio.desk.state.current is not None, "the novel")
            await studio.press("w")
            await studio.answer(Choose, 3)
            await studio.sees(FormScreen, "Plan the volume")
            assert studio.store.checkpoint().orchestrator_state is S.VOL_PLANNING
            assert not server.asked, "nobody is asked before she says so"


# req: E2 H1
@pytest.mark.sweep
async def test_no_trial_chapter_is_drafted_before_she_says_so(own_home: Path) -> None:
    folder = own_home / "lamps"
    create_novel(folder, "Lamps", "en")
    skipped = dict.fromkeys(("premise", "style", "world", "people"), "skipped")
    begun = Beginning.model_validate({"steps": skipped, "trials": 1})
    store = ProjectStore(folder)
    question = question_of("trials", None)
    checkpoint = Checkpoint(orchestrator_state=S.QUICK_START, beginning=begun)
    store.save_checkpoint(checkpoint.copy_with(pending_decision=question))
    with FakeMessages(answering=Model()) as server:
        environ = {
            "STUDIO_PROVIDER": "anthropic",
            "ANTHROPIC_API_KEY": "key",
            "ANTHROPIC_BASE_URL": server.url,
        }
        async with opened(folder, {**os.environ, **environ}) as studio:
            await studio.until(lambda: studio.desk.state.current is not None, "the novel")
            await studio.sees(DecisionScreen, "What happens in the trial chapters?")
            await studio.choose("next")
            await studio.sees(AskText, "What happens in the trial chapters?")
            studio.app.screen.query_one(TextArea).load_text("The key: Mara finds it.")
            await studio.press("ctrl+s")
            await studio.until(lambda: store.checkpoint().pending_decision is None, "the plan")
            await studio.until(lambda: "w writes the first" in studio.told, "what follows")
            await studio.settled()
            assert not server.asked
            assert store.checkpoint().inflight_chapter is None
            await studio.press("w")
            await studio.until(lambda: store.checkpoint().inflight_chapter == 1, "the chapter")


# req: E2 H1
async def test_a_trial_plan_taken_on_its_page_drafts_nothing_either(own_home: Path) -> None:
    folder = own_home / "lamps"
    create_novel(folder, "Lamps", "en")
    store = ProjectStore(folder)
    skipped = dict.fromkeys(("premise", "style", "world", "people"), "skipped")
    begun = Beginning.model_validate({"steps": skipped, "trials": 1})
    outline = "# Volume 1\n\n## 1. The key\n\nMara finds it.\n"
    question = question_of("trials", ProposedFiles({store.layout.outline(1): outline}))
    checkpoint = Checkpoint(orchestrator_state=S.QUICK_START, beginning=begun)
    store.save_checkpoint(checkpoint.copy_with(pending_decision=question))
    with FakeMessages(answering=Model()) as server:
        environ = {"STUDIO_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": "key"}
        there = {**os.environ, **environ, "ANTHROPIC_BASE_URL": server.url}
        async with opened(folder, there) as studio:
            await studio.sees(StartPage, "What happens in the trial chapters?")
            await studio.press("ctrl+s")
            await studio.until(lambda: "w writes the first" in studio.told, "what follows")
            await studio.settled()
            assert not server.asked
            assert store.checkpoint().inflight_chapter is None


# req: E2 H1
@pytest.mark.sweep
async def test_a_trial_chapter_left_to_her_is_planned_and_written_as_any_other(
    own_home: Path,
) -> None:
    folder = own_home / "lamps"
    create_novel(folder, "Lamps", "en")
    by_hand = Beginning.model_validate({"steps": dict.fromkeys(STEPS, "by-hand"), "trials": 1})
    store = ProjectStore(folder)
    store.save_checkpoint(Checkpoint(orchestrator_state=S.QUICK_START, beginning=by_hand))
    with FakeMessages(answering=Model()) as server:
        environ = {
            "STUDIO_PROVIDER": "anthropic",
            "ANTHROPIC_API_KEY": "key",
            "ANTHROPIC_BASE_URL": server.url,
        }
        async with opened(folder, {**os.environ, **environ}) as studio:
            await studio.until(lambda: studio.desk.state.current is not None, "the novel")
            await studio.press("w")
            await studio.sees(FormScreen, "Plan of chapter 1")
            await studio.press(*"The key turns.", "ctrl+s")
            await studio.sees(DeskScreen, "The key turns.")
            assert "w writes it" in studio.told
            await studio.press("w")
            await studio.until(lambda: store.checkpoint().inflight_chapter == 1, "the chapter")


SAMPLE = "\n\n".join(
    f"I lifted the {thing} and set it on the sill. Nobody had asked me to, and my father would have"
    " said so; he said most things twice. The gulls went up off the rocks like a tablecloth."
    for thing in ("oil can", "lamp", "ladle", "ladder", "ledger", "bell", "kettle", "oar")
)


# req: H1 J1
@pytest.mark.sweep
@pytest.mark.parametrize("way", ["pasted", "file"])
async def test_a_sample_is_given_in_the_app_to_a_book_that_has_chapters(
    tmp_path: Path, way: str
) -> None:
    """As `studio start --sample` does it: a proposal, and nothing before her yes."""
    folder = tmp_path / "lamps"
    create_novel(folder, "Lamps", "en")
    put(folder, "chapters/chapter-001.md", "# One\n\nThe lamp turned.\n")
    store = ProjectStore(folder)
    store.save_checkpoint(Checkpoint(last_completed_chapter=1))
    before = store.style_profile()
    (tmp_path / "mine.md").write_text(SAMPLE, "utf-8")
    async with opened(folder, dict(os.environ), notifications=True) as studio:
        await studio.until(lambda: studio.desk.state.current is not None, "the novel")
        await studio.ask_for("desk.style_sample")
        await studio.sees(AskText, "How do you write?")
        words = SAMPLE if way == "pasted" else f"@{tmp_path / 'mine.md'}"
        studio.app.screen.query_one(TextArea).load_text(words)
        await studio.press("ctrl+s")
        await studio.sees(StartPage, "How do you write?")
        assert store.style_profile() == before, "nothing before the answer"
        await studio.press("ctrl+s")
        await studio.sees(DeskScreen)
        await studio.until(lambda: store.checkpoint().pending_decision is None, "the answer")
    assert store.style_profile().sample
    assert store.exemplars()
    checkpoint = store.checkpoint()
    assert (checkpoint.beginning, checkpoint.last_completed_chapter) == (None, 1)
