"""How she writes stands among the notes: it is read whole, changed in place, and taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.project.create import create_novel
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes
from studio.story.novel import StyleProfile
from studio.tui.desk.parts.book_notes import NOTES
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.form import FormInput, FormScreen
from tests.project.novels import put
from tests.tui.environs import environ_of
from tests.tui.pilot import opened

TAKEN = StyleProfile(
    voice="Dry, close to Mara",
    tense="past",
    sentence_rhythm="Short, then one long one",
    diction="Words of the harbour",
    imagery=("salt", "rope"),
    dialogue="Half of it unsaid",
    do=("Count things",),
    avoid=("Weather as a mood",),
    sample="The lamp had been out for an hour.\n\nNobody said so.",
)


def novel_with_a_style(folder: Path) -> ProjectStore:
    create_novel(folder, "Salt", "en")
    put(folder, "style-profile.json", to_bytes(TAKEN).decode())
    return ProjectStore(folder)


# req: J7
@pytest.mark.parametrize("way", ["row", "palette"])
async def test_the_style_is_read_whole_changed_and_taken_back(tmp_path: Path, way: str) -> None:
    store = novel_with_a_style(tmp_path / "novel")
    async with opened(tmp_path / "novel", environ_of(tmp_path), (80, 24)) as studio:
        if way == "row":
            await studio.press("1")
            outline = studio.desk.painter.outline_list
            rows = range(len(outline.outline))
            titles = [row.title for y in rows if (row := outline.outline.row(y))]
            outline.cursor = titles.index("Style")
            await studio.press("enter")
        else:
            await studio.ask_for("desk.style")
        await studio.sees(FormScreen, "Every chapter is held to this page.")
        words_there = {field.field.key: field.text for field in studio.app.screen.query(FormInput)}
        assert words_there == {
            "voice": TAKEN.voice,
            "tense": TAKEN.tense,
            "sentence_rhythm": TAKEN.sentence_rhythm,
            "diction": TAKEN.diction,
            "imagery": "salt\nrope",
            "dialogue": TAKEN.dialogue,
            "do": "Count things",
            "avoid": "Weather as a mood",
            "sample": TAKEN.sample,
        }
        await studio.press("comma", "space", *"dry", "ctrl+s")
        await studio.sees(DeskScreen)
        changed = TAKEN.model_copy(update={"voice": "Dry, close to Mara, dry"})
        await studio.until(lambda: store.style_profile() == changed, "what she typed")
        await studio.press("1", "u")
        await studio.until(lambda: store.style_profile() == TAKEN, "the undo")


def test_a_style_that_was_changed_by_hand_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    store = novel_with_a_style(tmp_path / "novel")
    note = NOTES["Style"]
    form = note.form(store, "")
    elsewhere = to_bytes(TAKEN.model_copy(update={"tense": "present"})).decode()
    put(tmp_path / "novel", "style-profile.json", elsewhere)
    with pytest.raises(Exception, match="meanwhile"):
        note.save(store, "", {**form.values, "voice": "Warm"}, form)
    assert ProjectStore(tmp_path / "novel").style_profile().tense == "present"


def test_the_reason_for_a_law_is_read_changed_and_taken_out_below_it(tmp_path: Path) -> None:
    """What the beginning saved of a law beside its words stood nowhere."""
    create_novel(tmp_path / "novel", "Salt", "en")
    rules = [
        {"id": "tide", "rule": "The tide turns at six.", "reason": "The clock stopped."},
        {"id": "lamp", "rule": "灯不能灭。", "reason": "答应过的。"},
        {"id": "salt", "rule": "소금은 두 번 단다."},
    ]
    put(tmp_path / "novel", "world/rules.json", {"schema_version": 1, "rules": rules})
    store = ProjectStore(tmp_path / "novel")
    note = NOTES["Rules"]
    form = note.form(store, "")
    assert form.values["rules"].splitlines() == [
        "The tide turns at six.",
        "    The clock stopped.",
        "灯不能灭。",
        "    答应过的。",
        "소금은 두 번 단다.",
    ]
    note.save(store, "", form.values, form)
    assert [r.model_dump() for r in store.world_rules().rules] == [
        {"reason": "", **r} for r in rules
    ]
    words = "The tide turns at seven.\n    The clock stopped.\n灯不能灭。"
    words += "\n소금은 두 번 단다.\n    세금."
    note.save(store, "", {**form.values, "rules": words}, form)
    assert [(r.id, r.reason) for r in store.world_rules().rules] == [
        ("tide", "The clock stopped."),
        ("lamp", ""),
        ("salt", "세금."),
    ]


@pytest.mark.parametrize("margin", ["", "  ", "\u3000\u3000", "\t"])
def test_laws_with_one_margin_are_all_laws(tmp_path: Path, margin: str) -> None:
    """Pasted with a margin, all but the first became reasons of it, and held no more."""
    create_novel(tmp_path / "novel", "Salt", "en")
    store, note = ProjectStore(tmp_path / "novel"), NOTES["Rules"]
    laws = ("The tide turns at six.", "灯不能灭。", "소금은 두 번 단다.")
    words = "\n".join(f"{margin}{law}" for law in laws)
    note.save(store, "", {"rules": words}, note.form(store, ""))
    assert tuple(rule.rule for rule in store.world_rules().rules) == laws


def test_what_is_left_empty_is_empty_and_lists_lose_their_empty_lines(tmp_path: Path) -> None:
    store = novel_with_a_style(tmp_path / "novel")
    note = NOTES["Style"]
    form = note.form(store, "")
    note.save(store, "", {**form.values, "do": "\n - 숨을 세다 \n\n数绳子\n", "sample": " "}, form)
    assert store.style_profile().do == ("숨을 세다", "数绳子")
    assert store.style_profile().sample == ""
    Plans(store, "en").undo()
    assert store.style_profile() == TAKEN
