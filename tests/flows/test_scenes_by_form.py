"""The scenes of a chapter planned on forms: every field of the contract, added, moved, removed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.project.planning.chapter_plan import plan_of_scene, save_scene, scenes_of
from studio.project.planning.plan_change import undo
from studio.project.store import ProjectStore
from studio.tui.screens.ask import Choose
from studio.tui.screens.form import FormInput, FormScreen
from studio.tui.views.forms.plan_forms import form_of_scene, scene_of_form
from tests.pipeline.flows import CONTRACT, make_novel
from tests.tui.pilot import opened

WHOLE = {
    "number": 1,
    "purpose": "Mara searches the lamp room",
    "pov": "mara",
    "location": "lamp-room",
    "characters": ["mara", "joss"],
    "entry_emotion": "wary",
    "exit_emotion": "resolved",
    "peak_moment": "The can moves.",
    "sensory_anchors": ["smell: lamp oil", "the cold iron"],
    "dialogue_goals": ["Joss wants her to leave"],
    "transition_from": "the stairs",
    "transition_to": "the letter",
    "exemplar_tags": ["dialogue"],
    "emotional_tone": "tense",
    "style_override": {"pacing": "slow", "scene_type": "dialogue"},
    "target_length": 120,
    "when": "day 3 21:00",
    "flashback": True,
}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A novel whose first chapter has a scene that says everything, and a plain one."""
    scenes = [WHOLE, {"number": 2, "purpose": "Joss comes up the stairs"}]
    return make_novel(tmp_path / "novel", contract={**CONTRACT, "scenes": scenes})


def contract(book: Path) -> dict[str, object]:
    path = book / "volumes/vol-01/chapter-contracts/chapter-001.json"
    value = json.loads(path.read_text("utf-8"))
    assert isinstance(value, dict)
    return value


# req: H1
def test_every_field_of_a_scene_goes_through_the_form_and_scenes_move(book: Path) -> None:
    store = ProjectStore(book)
    first, second = scenes_of(store, 1)
    form = form_of_scene(1, 1, plan_of_scene(store, first), people=(), places=(), unit="words")
    entry = scene_of_form(form.values)
    save_scene(store, "en", 1, 1, entry.plan, entry.number, first)
    assert scenes_of(store, 1)[0] == first
    assert not (book / "world").exists()
    made = save_scene(
        store, "en", 1, 1, scene_of_form({**form.values, "place": "등탑"}).plan, 2, first
    )
    assert made == ["Among the places now: 등탑."]
    moved = scenes_of(store, 1)
    assert [scene.purpose for scene in moved] == [second.purpose, first.purpose]
    assert moved[1].location == "deungtap"
    gone = scene_of_form({**form.values, "purpose": ""})
    save_scene(store, "en", 1, 2, gone.plan, None, moved[1])
    assert [scene.number for scene in scenes_of(store, 1)] == [1]
    with pytest.raises(StudioError, match="changed by someone else"):
        save_scene(store, "en", 1, 1, entry.plan, None, first)
    undo(store)
    assert scenes_of(store, 1) == moved
    for field, words in (("style", "mood: odd"), ("number", "first"), ("length", "long")):
        with pytest.raises(StudioError):
            scene_of_form({**form.values, field: words})


# req: H1
@pytest.mark.sweep
async def test_a_scene_is_added_in_the_app(book: Path) -> None:
    async with opened(book, os.environ, notifications=True) as studio:
        await studio.on_chapter(1)
        await studio.press("p")
        await studio.sees(FormScreen, "Plan of chapter 1")
        await studio.press("f8")
        await studio.sees(Choose, "Scenes of chapter 1")
        await studio.press("end", "enter")
        await studio.sees(FormScreen, "A new scene of chapter 1")
        form = studio.app.screen
        form.query_one("#field-purpose", FormInput).load_text("She hides the key")
        form.query_one("#field-tone", FormInput).load_text("hushed")
        await studio.press("ctrl+s")
        await studio.sees(Choose, "She hides the key")
        scenes = contract(book)["scenes"]
        assert isinstance(scenes, list)
        assert scenes[2] == {
            "number": 3,
            "purpose": "She hides the key",
            "emotional_tone": "hushed",
        }
        assert scenes[0] == WHOLE
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")


# req: H1
@pytest.mark.sweep
async def test_all_that_a_plan_brings_into_the_book_is_one_message(book: Path) -> None:
    async with opened(book, os.environ, notifications=True) as studio:
        await studio.on_chapter(1)
        await studio.press("p")
        await studio.sees(FormScreen, "Plan of chapter 1")
        form = studio.app.screen
        form.query_one("#field-people", FormInput).load_text("Edwin\n민아\n乔斯")
        form.query_one("#field-line", FormInput).load_text("The shaft")
        await studio.press("ctrl+s")
        await studio.until(lambda: "The shaft" in studio.told, "what was made")
        (message,) = studio.app._notifications
        first, second, *_planned = message.message.splitlines()
        assert first == "Among the people now: Edwin, 민아, 乔斯."
        assert second == "Among the storylines now: The shaft."
