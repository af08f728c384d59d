"""What a model proposes when a book begins is a page: read whole, changed in place, had again with
a wish, left out; what stands on it is what is saved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import TextArea

from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.checkpoint import Beginning, Checkpoint
from studio.story.checkpoint import OrchestratorState as S
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import AskText, Choose
from studio.tui.screens.editing.start_page import StartPage
from tests.cli.command import studio as command
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import Model, block
from tests.project.novels import put
from tests.tui.environs import environ_of
from tests.tui.pilot import StudioPilot, opened

LONG = " ".join(f"The {n}. step of the tower is worn hollow by keepers." for n in range(1, 40))
PERSON = {
    "id": "mara",
    "name": "Mara",
    "aliases": ["Mar"],
    "role": "keeper",
    "voice": "short",
    "wants": "the key",
    "fears": "the stairs",
    "always": ["counts", "listens"],
    "never": [],
    "knows": [],
    "profile": LONG,
}
WORLD = {
    "documents": [{"name": "Lamp Room", "text": LONG}],
    "rules": [{"id": "unlit", "rule": "The lamp is never lit.", "reason": "It was promised."}],
}


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    model = Model(world=Rule(value=WORLD), person=Rule(value=PERSON))
    with FakeMessages(answering=model) as fake:
        yield fake


def begun(folder: Path, *steps: str) -> Path:
    """A new book, some of whose steps are left out."""
    create_novel(folder, "Lamps", "en")
    put(folder, "brief.md", "A keeper's daughter finds the key.\n")
    beginning = Beginning.model_validate({"steps": dict.fromkeys(steps, "skipped")})
    checkpoint = Checkpoint(orchestrator_state=S.QUICK_START, beginning=beginning)
    ProjectStore(folder).save_checkpoint(checkpoint)
    return folder


def environ(tmp_path: Path, server: FakeMessages) -> dict[str, str]:
    return environ_of(tmp_path, ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="k")


def field(studio: StudioPilot, label_of: str) -> TextArea:
    """The field of the page whose words begin so."""
    return next(f for f in studio.app.screen.query(TextArea) if f.text.startswith(label_of))


async def test_a_proposal_is_read_whole_changed_in_place_and_saved_as_it_stands(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2
    folder = begun(tmp_path / "lamps", "premise", "style", "world")
    async with opened(folder, environ(tmp_path, server), (120, 60)) as studio:
        await studio.settled()
        await studio.press("w")
        await studio.sees(StartPage, "Who is it about?")
        assert "39. step" in " ".join(field(studio, "# Mara").text.split())
        field(studio, "the stairs").load_text("the sea")
        field(studio, "counts").load_text("counts\nknocks twice")
        await studio.press("escape")
        await studio.sees(DeskScreen, "Who is it about?")
        await studio.press("d")
        await studio.sees(StartPage, "the sea")
        await studio.press("ctrl+s")
        await studio.until(
            lambda: (b := studio.store.checkpoint().beginning) and "people" in b.steps, "the step"
        )
        mara = studio.store.characters()["mara"].contract
        assert (mara.fears, mara.wants, mara.aliases) == ("the sea", "the key", ("Mar",))
        assert mara.always == ("counts", "knocks twice")
        assert LONG in (folder / "characters/active/mara.md").read_text("utf-8")


async def test_again_but_asks_the_model_with_her_line_and_what_it_said_before(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2
    folder = begun(tmp_path / "lamps", "premise", "style")
    async with opened(folder, environ(tmp_path, server), (120, 60)) as studio:
        await studio.settled()
        await studio.press("w")
        await studio.sees(StartPage, "Where does it take place?")
        await studio.press("f9")
        await studio.sees(AskText, "Again, but")
        await studio.press(*"Colder.", "ctrl+s")
        await studio.until(lambda: len(server.asked) == 2, "another proposal")
        await studio.sees(StartPage, "Where does it take place?")
        wish = block(server.asked[-1], "direction")
        assert wish.startswith("Colder.")
        assert "The lamp is never lit." in wish
        field(studio, "The lamp is never lit.").load_text("")
        await studio.press("ctrl+s")
        await studio.until(lambda: (folder / "world/lamp-room.md").exists(), "the page")
        assert not studio.store.world_rules().rules, "what was emptied is left out"


async def test_a_step_is_left_out_by_its_key(tmp_path: Path, server: FakeMessages) -> None:
    folder = begun(tmp_path / "lamps", "premise", "style", "world")
    async with opened(folder, environ(tmp_path, server)) as studio:
        await studio.settled()
        await studio.press("w")
        await studio.sees(StartPage)
        await studio.press("f8")
        await studio.sees(Choose, "How many chapters")
        assert not studio.store.characters()


def test_the_command_line_prints_a_proposal_whole_and_has_it_again_with_a_note(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2
    folder = begun(tmp_path / "lamps", "premise", "style", "world")
    there = environ(tmp_path, server)
    command("start", folder, environ=there)
    page = command("decide", "--project", folder, environ=there)
    assert "39. step" in " ".join(page.out.split())
    assert "Fears:\n    the stairs" in page.out
    refused = command("decide", "again", "--project", folder, environ=there)
    assert (refused.code, "what you want otherwise" in refused.err) == (2, True)
    done = command("decide", "again", "--note", "Older.", "--project", folder, environ=there)
    assert done.code == 0
    asked = len(server.asked)
    ended = command("start", folder, "--json", environ=there)
    assert json.loads(ended.out)["id"] == "start-people"
    assert block(server.asked[-1], "direction").startswith("Older.")
    command("start", folder, environ=there)
    assert len(server.asked) == asked + 1, "the same wish is not paid for twice"
