"""How long a chapter is, as its author says it: taken from her brief and her sentence, shown as the
answer that stands where length is asked, in both faces (WRITING 7.4)."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from textual.widgets import Input

from studio.config.load import load_settings
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.checkpoint import Beginning, Checkpoint
from studio.story.checkpoint import OrchestratorState as S
from studio.tui.screens.ask import Ask, Choose
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.form import FormScreen
from studio.tui.widgets.text_field import TextField
from tests.cli.conftest import Typed
from tests.cli.conftest import typed as typed
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import Model, kind_of
from tests.project.novels import put
from tests.tui.environs import environ_of, environ_to
from tests.tui.pilot import opened

BRIEFS = {
    "en": ("Ness weighs salt twice. Chapters of about 900 words.", 900),
    "ko": ("순이가 소금을 두 번 단다. 한 화 천이백 자 정도로.", 1200),
    "zh": ("阿盐把盐称了两遍。每章三千字左右。", 3000),
}
SENTENCES = {
    "en": ("Ness weighs salt twice, in about 900 words.", 900),
    "ko": ("순이가 소금을 두 번 단다, 천이백 자로.", 1200),
    "zh": ("阿盐把盐称了两遍，两千五百字。", 2500),
}


def at_the_trials(folder: Path, language: str, brief: str) -> ProjectStore:
    """A book whose next question is about its trial chapters."""
    create_novel(folder, "Salt", language)
    put(folder, "brief.md", f"{brief}\n")
    store = ProjectStore(folder)
    ends = dict.fromkeys(("premise", "style", "world", "people"), "skipped")
    begun = Beginning.model_validate({"steps": ends})
    store.save_checkpoint(Checkpoint(orchestrator_state=S.QUICK_START, beginning=begun))
    return store


# req: E2 J7
@pytest.mark.sweep
@pytest.mark.parametrize("language", BRIEFS)
async def test_the_length_in_her_brief_is_the_answer_that_stands(
    language: str, own_home: Path
) -> None:
    brief, length = BRIEFS[language]
    store = at_the_trials(own_home / "salt", language, brief)
    async with opened(own_home / "salt", dict(os.environ)) as studio:
        await studio.until(lambda: studio.desk.state.current is not None, "the novel")
        await studio.press("w")
        await studio.answer(Choose, 1)
        await studio.sees(Ask, "How long is a chapter?")
        assert studio.app.screen.query_one(Input).value == str(length)
        assert "Your brief says" in studio.screen
        await studio.press("enter")
        await studio.sees(DecisionScreen, "What happens in the trial chapters?")
        assert studio.desk.session.settings.targets.chapter_length == length
    assert load_settings(store.root.path, {}).targets.chapter_length == length


# req: E2 J7
@pytest.mark.sweep
async def test_she_may_say_another_length_than_her_brief(own_home: Path) -> None:
    store = at_the_trials(own_home / "salt", "en", BRIEFS["en"][0])
    async with opened(own_home / "salt", dict(os.environ), notifications=True) as studio:
        await studio.until(lambda: studio.desk.state.current is not None, "the novel")
        await studio.press("w")
        await studio.answer(Choose, 1)
        await studio.answer(Ask, "long")
        await studio.until(lambda: "is not a length" in studio.told, "the refusal")
        await studio.answer(Ask, "3000")
        await studio.sees(DecisionScreen, "What happens in the trial chapters?")
    from studio.project.planning.her_length import targets_of_book

    settings = load_settings(store.root.path, {})
    assert targets_of_book(store, settings).chapter_length == 3000, "her answer, not her brief"


# req: E2 J7
@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", BRIEFS)
def test_the_command_line_shows_the_length_and_takes_it_with_her_yes(
    language: str, tmp_path: Path, typed: Typed
) -> None:
    brief, length = BRIEFS[language]
    folder = tmp_path / "salt"
    store = at_the_trials(folder, language, brief)
    ended = typed("start", folder)
    assert ended.code == 4, ended.err
    usual = load_settings(folder, {}).targets.chapter_length
    assert str(length) in ended.out + ended.err
    assert usual != length
    answer = typed("decide", "next", "--note", "The key: Ness finds it.", "--project", folder)
    assert answer.code == 0, answer.err
    assert load_settings(folder, {}).targets.chapter_length == length
    assert store.checkpoint().beginning is not None


def test_the_command_line_takes_a_length_of_its_own(tmp_path: Path, typed: Typed) -> None:
    folder = tmp_path / "salt"
    at_the_trials(folder, "en", "Ness weighs salt twice.")
    assert typed("start", folder, "--length", "1500").code == 4
    assert load_settings(folder, {}).targets.chapter_length == 1500


# req: E2 H1
@pytest.mark.sweep
@pytest.mark.parametrize("language", SENTENCES)
async def test_the_length_in_one_sentence_is_the_chapters(language: str, own_home: Path) -> None:
    sentence, length = SENTENCES[language]
    folder = own_home / "salt"
    create_novel(folder, "Salt", language)
    with FakeMessages(answering=Model()) as server:
        environ = environ_to(own_home, server)
        async with opened(folder, environ) as studio:
            await studio.until(lambda: studio.desk.state.current is not None, "the novel")
            await studio.press("w")
            await studio.sees(FormScreen, "Plan of chapter 1")
            field = studio.app.focused
            assert isinstance(field, TextField)
            field.load_text(sentence)
            await studio.until(lambda: f"{length:,}" in studio.screen, "the length, shown")
            await studio.press("ctrl+s")
            await studio.until(lambda: ProjectStore(folder).contract(1) is not None, "the plan")
    contract = ProjectStore(folder).contract(1)
    assert contract is not None
    assert contract.target_length == length


# req: E2 H1
@pytest.mark.sweep
@pytest.mark.parametrize("own", ["typed", "planned", ""])
async def test_a_length_in_the_sentence_is_said_only_where_it_becomes_the_chapters(
    own: str, own_home: Path, typed: Typed
) -> None:
    folder = own_home / "salt"
    create_novel(folder, "Salt", "en")
    add = ("plan", "add", "Salt", "--happens", "Ness weighs salt.", "--project", folder)
    assert typed(*add).code == 0
    async with opened(folder, environ_of(own_home)) as studio:
        await studio.press("p")
        await studio.sees(FormScreen, "Plan of chapter 1")
        form = studio.app.screen
        assert isinstance(form, FormScreen)
        if own:
            form.query_one("#field-length", TextField).load_text("400")
        if own == "planned":
            await studio.press("ctrl+s")
            await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
            await studio.press("p")
            await studio.sees(FormScreen, "Plan of chapter 1")
            form = studio.app.screen
            assert isinstance(form, FormScreen)
        happens = form.query_one("#field-happens", TextField)
        form.set_focus(happens)
        happens.load_text(SENTENCES["en"][0])
        await studio.pilot.pause()
        assert ("Its length: 900 words." in studio.screen) == (not own)
        await studio.press("ctrl+s")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
    contract = ProjectStore(folder).contract(1)
    assert contract is not None
    assert contract.target_length == (400 if own else 900)


# req: E2 H1
@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", BRIEFS)
def test_the_drafter_is_asked_for_the_length_she_names(
    language: str, tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    brief, length = BRIEFS[language]
    folder = tmp_path / "salt"
    create_novel(folder, "Salt", language)
    put(folder, "brief.md", f"{brief}\n")
    sentence = SENTENCES[language][0].split(", ")[0].split("，")[0]
    assert typed("plan", "add", "Salt", "--happens", sentence, "--project", folder).code == 0
    with FakeMessages(answering=Model()) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
        typed("write", "--project", folder)
        drafts = [asked for asked in server.asked if kind_of(asked) == "draft"]
        plans = [asked for asked in server.asked if kind_of(asked) == "scenes"]
    if plans:
        assert str(length) in plans[0].prompt
    middles = [
        (int(m[1]) + int(m[2])) / 2
        for m in re.finditer(r"(\d+)-(\d+) (?:words|characters)", drafts[0].prompt)
    ]
    assert any(abs(k * middle - length) < length / 30 for k in (1, 2) for middle in middles), (
        middles
    )
