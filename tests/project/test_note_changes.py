"""H1: notes written from a form are the files a hand would write, each one step that undo takes
back."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.book.bible import read_bible
from studio.errors import StudioError
from studio.project.commit.placement import Placement
from studio.project.commit.transaction import CommitPlan
from studio.project.planning.chapter_plan import ChapterPlan, save_plan
from studio.project.planning.note_changes import NoteChanges
from studio.project.planning.plan_change import undo
from studio.story.novel import CharacterContract, Promise, Storyline
from studio.tui.desk.parts.book_notes import NOTES
from tests.project.novels import put
from tests.project.plans import assert_clean, planned_book, plans, read


def test_each_kind_of_note_is_written_and_taken_back(tmp_path: Path) -> None:  # req: H1
    store = planned_book(tmp_path / "n")
    put(tmp_path / "n", "brief.md", "# T\n")
    notes = NoteChanges(store)
    states = [plans(tmp_path / "n")]
    person = CharacterContract(id="x", name="민아", aliases=("미나",), voice="조용하다.")
    deeds = (
        lambda: notes.person("", person, "등대지기.", ""),
        lambda: notes.entry("", "place", "灯塔", ("灯楼",), "海边。", ""),
        lambda: notes.rules(("물은 기억한다.", "No bell rings twice.")),
        lambda: notes.line("", Storyline(id="x", title="Nebenlinie")),
        lambda: notes.promise("bell", Promise(id="x", description="The bell rings", due=6)),
        lambda: notes.secret({"fact": "조스가 했다", "phrases": ["lamp"], "known_by": []}),
    )
    written = []
    for deed in deeds:
        written.append(deed())
        assert_clean(store)
        states.append(plans(tmp_path / "n"))
    assert written == ["mina", "world/places/deng-ta.md", "", "nebenlinie", "bell", "secret-1"]
    assert {e.name for e in read_bible(store).entries.values()} == {"Mara", "민아", "灯塔"}
    assert next(p.description for p in store.foreshadowing().promises) == "The bell rings"
    assert [s["id"] for s in read(store, "world/secrets.json")["secrets"]] == ["who", "secret-1"]
    for state in reversed(states[:-1]):
        undo(store)
        assert plans(tmp_path / "n") == state


# req: H1
@pytest.mark.sampled
@pytest.mark.parametrize("name", ["灯" * 201, "마라 " * 1000])
def test_a_passage_in_the_place_of_a_name_is_refused_and_nothing_written(
    tmp_path: Path, name: str
) -> None:
    store = planned_book(tmp_path / "n")
    before = plans(tmp_path / "n")
    notes, people = NoteChanges(store), NOTES["People"]
    form = people.form(store, "")
    deeds = (
        lambda: notes.entry("", "place", name, (), "海边。", ""),
        lambda: notes.entry("", "place", "灯塔", ("灯楼", name), "海边。", ""),
        lambda: save_plan(store, "en", 3, ChapterPlan(happens=("Fog",), people=(name,))),
        lambda: people.save(store, "", {**form.values, "name": name}, form),
    )
    for deed in deeds:
        with pytest.raises(StudioError, match="characters; at most 200 are allowed") as refused:
            deed()
        assert refused.value.problem.exit_code == 2
        assert len(refused.value.problem.message) < 200
    assert plans(tmp_path / "n") == before


def test_a_changed_note_keeps_what_the_form_does_not_show(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    notes = NoteChanges(store)
    path = tmp_path / "n/characters/active/mara.md"
    body = path.read_text("utf-8").partition("---\n\n")[2].strip()
    person = store.characters()["mara"].contract
    assert person is not None
    notes.person("mara", person.model_copy(update={"role": "keeper"}), f"{body}\n\nAnd more.", body)
    assert "gone_from: 6" in path.read_text("utf-8")
    assert path.read_text("utf-8").endswith("And more.\n")
    put(tmp_path / "n", "world/items/bell.md", "---\nname: Bell\ntags: [sea]\n---\n\nGreen.\n")
    notes.entry("world/items/bell.md", "item", "The Bell", (), "Green, and cracked.", "Green.")
    text = (tmp_path / "n/world/items/bell.md").read_text("utf-8")
    assert "tags:" in text
    assert text.endswith("Green, and cracked.\n")


def test_a_text_somebody_else_changed_meanwhile_stays(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    put(tmp_path / "n", "brief.md", "By hand.\n")
    with pytest.raises(StudioError, match="changed by someone else meanwhile"):
        NoteChanges(store).brief("Mine.\n", "As it was.\n")
    assert (tmp_path / "n/brief.md").read_text("utf-8") == "By hand.\n"
    person = CharacterContract(id="mara", name="Mara")
    with pytest.raises(StudioError, match="changed by someone else meanwhile"):
        NoteChanges(store).person("mara", person, "New.", "Another text.")


def test_a_rule_keeps_its_reason_with_its_words(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    rules = [{"id": "tide", "rule": "The tide turns at six.", "reason": "The clock stopped."}]
    put(tmp_path / "n", "world/rules.json", {"schema_version": 1, "rules": rules})
    NoteChanges(store).rules(("灯不能灭。", "The tide turns at six."))
    assert [(r.id, r.reason) for r in store.world_rules().rules] == [
        ("rule-1", ""),
        ("tide", "The clock stopped."),
    ]


def test_no_two_laws_are_one_however_the_list_was_changed(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    bell, dead, swim = "No bell rings here.", "The dead are silent.", "Nobody swims."
    reasons = {bell: "It sank.", dead: "They are gone."}
    NoteChanges(store).rules((bell, dead), reasons=reasons)
    _first, second = (rule.id for rule in store.world_rules().rules)
    NoteChanges(store).rules((dead, swim))
    rules = store.world_rules().rules
    assert [(r.rule, r.reason) for r in rules] == [(dead, "They are gone."), (swim, "")]
    assert (rules[0].id, len({r.id for r in rules})) == (second, 2)
    NoteChanges(store).rules((dead, dead))
    assert len({r.id for r in store.world_rules().rules}) == 2
    NoteChanges(store).rules((dead, "Nobody swims here."))
    assert store.world_rules().rules[0].id == second, "reworded in its place, a law stays itself"


# req: B2
@pytest.mark.parametrize("dst", ["brief.md", "volumes/vol-01/outline.md", "world/rules.json"])
def test_a_chapter_that_is_committed_changes_no_plan(dst: str) -> None:
    plan = Placement(dst=dst, sha256="0" * 64, expected=None, content="x")
    with pytest.raises(ValueError, match="a commit puts nothing at"):
        CommitPlan(commit_id="c001-0", chapter=1, ts="", placements=(plan,))
    assert CommitPlan(commit_id="w0", chapter=1, ts="", placements=(plan,)).placements == (plan,)
