"""What depends on a plan that was changed by hand is named, until it is dealt with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.pipeline.prompting.lines import mute, swap
from studio.project.commit.new_wording import accept_edit
from studio.project.commit.plan import plan_commit
from studio.project.commit.transaction import commit
from studio.project.lock.lock import ProjectLock
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from studio.project.watch import plan_changes as plans
from studio.project.watch.plan_changes import PlanChange, keep_plans, let_stand, plan_changes
from studio.story.state import StateOp
from tests.project.novels import CHINESE, ENGLISH, KOREAN, make_novel, put, stage
from tests.project.plans import planned_book

CONTRACT = "volumes/vol-01/chapter-contracts/chapter-001.json"
OUTLINE = "volumes/vol-01/outline.md"
MARA = "characters/active/mara.md"


def written(store: ProjectStore, chapter: int, text: str, who: str) -> None:
    """A chapter as a run commits it: its plans are kept first."""
    with ProjectLock(store.layout.folder) as lock:
        keep_plans(store, chapter)
        op = StateOp(op="set", path=f"characters.{who}.place", value="lamp-room")
        after = stage(store, chapter, text, (op,))
        commit(store.layout, plan_commit(store, chapter, after), lock)


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    """Three chapters: the first from a contract, the others from the outline."""
    made = make_novel(tmp_path / "novel")
    folder = made.layout.folder
    put(folder, CONTRACT, {"chapter": 1, "objectives": ["Mara finds the key"]})
    put(folder, OUTLINE, "# One\n\n## Chapter 2\n\nJoss lies.\n\n## Chapter 3\n\nIce.\n")
    put(folder, MARA, "Mara keeps the light.\n")
    put(folder, "brief.md", "A lighthouse in winter.\n")
    written(made, 1, ENGLISH, "mara")
    written(made, 2, KOREAN, "joss")
    written(made, 3, CHINESE, "mara")
    return made


def test_a_book_written_from_its_plans_has_nothing_to_tell(store: ProjectStore) -> None:
    assert plan_changes(store) == []


# req: U5
def test_a_changed_contract_marks_its_chapter(store: ProjectStore) -> None:
    put(store.layout.folder, CONTRACT, {"chapter": 1, "objectives": ["Joss finds the key"]})
    assert plan_changes(store) == [PlanChange(CONTRACT, (1,), False, "its plan was changed")]


def test_an_entry_is_called_by_its_name(store: ProjectStore) -> None:
    put(store.layout.folder, MARA, "# Mara Vance\n\nMara sells the light.\n")
    (change,) = plan_changes(store)
    assert change.sentence == "the entry on Mara Vance was changed"
    put(store.layout.folder, MARA, "---\nname: Mara\n---\nMara sells the light.\n")
    (change,) = plan_changes(store)
    assert change.sentence == "the entry on Mara was changed"


def test_a_contract_laid_out_otherwise_says_the_same(store: ProjectStore) -> None:
    same = {"objectives": ["Mara finds the key"], "chapter": 1}
    put(store.layout.folder, CONTRACT, json.dumps(same, indent=4))
    assert plan_changes(store) == []


def test_a_changed_section_marks_the_chapter_that_is_written_from_it(store: ProjectStore) -> None:
    text = "# One\n\n## Chapter 2\n\nJoss lies.\n\n## Chapter 3\n\nThe ice breaks.\n"
    put(store.layout.folder, OUTLINE, text)
    (change,) = plan_changes(store)
    assert (change.chapters, change.sentence) == ((3,), "its section of the outline was changed")


def test_a_changed_person_marks_the_chapters_she_appears_in(store: ProjectStore) -> None:
    put(store.layout.folder, MARA, "Mara fears the light.\n")
    assert plan_changes(store) == [PlanChange(MARA, (1, 3), False, "the entry on mara was changed")]


def test_what_concerns_the_whole_book_is_told_once(store: ProjectStore) -> None:
    put(store.layout.folder, "brief.md", "등대의 여름.\n")
    (change,) = plan_changes(store)
    assert change.whole_book
    assert change.chapters == (1, 2, 3)


def test_a_deleted_plan_is_a_change(store: ProjectStore) -> None:
    (store.layout.folder / CONTRACT).unlink()
    (change,) = plan_changes(store)
    assert change.sentence == "its plan was deleted"


def test_a_chapter_written_again_is_up_to_date(store: ProjectStore) -> None:
    put(store.layout.folder, MARA, "Mara fears the light.\n")
    written(store, 3, CHINESE + "\n海风很冷。\n", "mara")
    (change,) = plan_changes(store)
    assert change.chapters == (1,)


def test_an_edit_of_the_style_leaves_the_mark(store: ProjectStore) -> None:
    put(store.layout.folder, CONTRACT, {"chapter": 1, "objectives": ["Joss finds the key"]})
    put(store.layout.folder, "chapters/chapter-001.md", ENGLISH + "\nIt rained.\n")
    with ProjectLock(store.layout.folder) as lock:
        keep_plans(store)
        accept_edit(store, lock, 1)
    (change,) = plan_changes(store)
    assert change.chapters == (1,)


def test_the_writer_lets_a_chapter_stand_until_the_plan_changes_again(store: ProjectStore) -> None:
    put(store.layout.folder, MARA, "Mara fears the light.\n")
    let_stand(store, [1])
    assert [change.chapters for change in plan_changes(store)] == [(3,)]
    let_stand(store, [3])
    assert plan_changes(store) == []
    put(store.layout.folder, MARA, "Mara sells the light.\n")
    assert [change.chapters for change in plan_changes(store)] == [(1, 3)]


def test_what_concerns_the_book_is_let_stand_with_the_whole_book(store: ProjectStore) -> None:
    put(store.layout.folder, "brief.md", "A lighthouse in summer.\n")
    assert let_stand(store, [1]) == []
    assert [change.path for change in let_stand(store, None)] == ["brief.md"]
    assert plan_changes(store) == []


def test_a_plan_put_back_as_it_was_marks_nothing(store: ProjectStore) -> None:
    put(store.layout.folder, MARA, "Mara fears the light.\n")
    with ProjectLock(store.layout.folder):
        assert keep_plans(store) == [MARA]
    put(store.layout.folder, MARA, "Mara keeps the light.\n")
    assert plan_changes(store) == []


# req: C12
def test_every_version_of_a_plan_is_in_history(store: ProjectStore) -> None:
    put(store.layout.folder, MARA, "Mara fears the light.\n")
    with ProjectLock(store.layout.folder):
        keep_plans(store)
        assert keep_plans(store) == []
    texts = [store.history.blob(v.sha).decode() for v in store.history.versions(MARA)]
    assert texts == ["Mara keeps the light.\n", "Mara fears the light.\n"]


def test_an_old_book_gets_its_contracts_kept_a_part_at_a_time(
    store: ProjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "_AT_ONCE", 1)
    for number in (2, 3):
        put(store.layout.folder, CONTRACT.replace("001", f"00{number}"), {"chapter": number})
    with ProjectLock(store.layout.folder):
        assert keep_plans(store) == [CONTRACT.replace("001", "003")]
        assert keep_plans(store) == [CONTRACT.replace("001", "002")]


@pytest.mark.repairs("T24")
def test_what_was_left_out_of_one_chapter_is_left_out_of_it_when_the_plan_moves(
    tmp_path: Path,
) -> None:
    store = planned_book(tmp_path / "book")
    mute(store, "world/lamp", None, 4)
    mute(store, "world/lamp", None, 5)
    swap(store, "world/bell", "one_line", 6)
    Plans(store, "en").move(6, 4)
    lines = store.context_lines()
    assert [(entry.line, entry.chapter) for entry in (*lines.mutes, *lines.swaps)] == [
        ("world/lamp", 5),
        ("world/lamp", 6),
        ("world/bell", 4),
    ]
    Plans(store, "en").take_out(4)
    assert [entry.chapter for entry in store.context_lines().mutes] == [4, 5]
    assert store.context_lines().swaps == ()
