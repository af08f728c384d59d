"""Words replaced over the book: one transaction, undone as one, nothing of the state touched."""

from __future__ import annotations

import dataclasses
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.fsio import fault_points
from studio.project.commit.transaction import roll_forward
from studio.project.lock.lock import ProjectLock
from studio.project.progress import Progress
from studio.project.search.replacement import (
    ReplaceOrder,
    preview,
    replace_words,
    undo_newest,
)
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.project.watch.plan_changes import keep_plans, plan_changes
from tests.forking import in_child
from tests.project.novels import ENGLISH, KOREAN, commit_now, make_novel, put, tree

CONTRACT = "volumes/vol-01/chapter-contracts/chapter-001.json"
NORA = ReplaceOrder("Mara", "Nora")


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    """Two chapters in the book, a plan, and a person."""
    made = make_novel(tmp_path / "novel")
    folder = made.layout.folder
    objectives = {"objectives": ["Mara finds the key"], "pov": "mara", "storyline_id": "main"}
    contract = {"chapter": 1, "volume": 1, "title": "The Lamp Room", **objectives}
    put(folder, CONTRACT, contract)
    put(folder, "characters/active/mara.md", "# Mara\n\nMara is wary.\n")
    with ProjectLock(folder):
        keep_plans(made, 2)
    commit_now(made, 1, ENGLISH)
    commit_now(made, 2, "# Stairs\n\nMara’s lamp went out. Mara swore.\n")
    return made


def texts(store: ProjectStore) -> dict[str, str]:
    """What a person reads: every file but history, logs and the marks of which text made which."""
    kinds = ("chapters/", "summaries/", "volumes/", "characters/", "state/current")
    return {path: sha for path, sha in tree(store.layout.folder).items() if path.startswith(kinds)}


# req: H3
def test_a_name_changes_everywhere_and_the_book_stays_in_step(store: ProjectStore) -> None:
    state = store.state()
    done = replace_words(store, NORA)
    assert (len(done.findings.hits), done.files) == (6, 4)
    folder = store.layout.folder
    assert (folder / "chapters/chapter-002.md").read_text() == (
        "# Stairs\n\nNora’s lamp went out. Nora swore.\n"
    )
    contract = store.contract(1)
    assert contract is not None
    assert (contract.objectives, contract.pov) == (("Nora finds the key",), "mara")
    assert store.state() == state
    assert store.hand_edits() == []
    assert plan_changes(store) == []
    assert [
        finding for finding in verify(store.layout.folder).findings if finding.severity == "damage"
    ] == []


@pytest.mark.sweep
def test_an_undo_puts_every_text_back_and_a_second_has_nothing_left(store: ProjectStore) -> None:
    before = {path: sha for path, sha in texts(store).items() if "summaries" not in path}
    plan = (store.layout.folder / CONTRACT).read_bytes()
    replace_words(store, NORA)
    undone = undo_newest(store)
    assert (len(undone.paths), undone.changed_since) == (4, ())
    assert {path: sha for path, sha in texts(store).items() if "summaries" not in path} == before
    assert (store.layout.folder / CONTRACT).read_bytes() == plan
    assert store.hand_edits() == []
    with pytest.raises(StudioError, match="no replacement to undo"):
        undo_newest(store)
    replace_words(store, NORA)
    replace_words(store, ReplaceOrder("Nora", "Wren"))
    undo_newest(store)
    assert "Nora’s lamp" in (store.layout.folder / "chapters/chapter-002.md").read_text()
    undo_newest(store)
    assert "Mara’s lamp" in (store.layout.folder / "chapters/chapter-002.md").read_text()


def test_what_was_written_since_is_left_alone_by_an_undo(store: ProjectStore) -> None:
    replace_words(store, NORA)
    put(store.layout.folder, "chapters/chapter-002.md", "# Stairs\n\nMine.\n")
    assert undo_newest(store).changed_since == ("chapters/chapter-002.md",)
    assert (store.layout.folder / "chapters/chapter-002.md").read_text() == "# Stairs\n\nMine.\n"


def test_summaries_follow_and_the_text_in_work_changes_too(store: ProjectStore) -> None:
    summary = store.layout.folder / "summaries/chapter-001-summary.md"
    summary.write_text(summary.read_text().replace("What happens", "Mara digs"))
    put(store.layout.folder, "staging/chapters/chapter-003.md", "# Ice\n\nMara fell.\n")
    done = replace_words(store, NORA)
    assert done.followers == 1
    assert store.summary(1) == "Nora digs in chapter 1.\n"
    staged = store.staging_of(3).text()
    assert staged is not None
    assert staged.text == "# Ice\n\nNora fell.\n"


def test_a_chapter_edited_by_hand_stays_to_be_settled(store: ProjectStore) -> None:
    put(store.layout.folder, "chapters/chapter-001.md", ENGLISH + "\nMara slept.\n")
    replace_words(store, NORA)
    assert [edit.chapter for edit in store.hand_edits()] == [1]


def test_a_preview_changes_nothing(store: ProjectStore) -> None:
    before = tree(store.layout.folder)
    effect = preview(store, NORA)
    assert (effect.files, tree(store.layout.folder)) == (4, before)


def test_korean_particles_follow_when_they_are_asked_to(store: ProjectStore) -> None:
    commit_now(store, 3, KOREAN)
    order = ReplaceOrder("마라", "서윤")
    assert "는/은" in " ".join(preview(store, order).remarks)
    replace_words(store, ReplaceOrder("마라", "서윤", particles=True))
    chapter = store.chapter(3)
    assert chapter is not None
    assert "서윤은 계단을 올랐다." in chapter.text


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("수지", "수지는 등대로 갔다. 수지가 문을 열었다."),
        ("강", "강은 등대로 갔다. 강이 문을 열었다."),
    ],
)
def test_a_name_that_is_its_own_particle_is_put_in_once(
    store: ProjectStore, name: str, after: str
) -> None:
    text = "# 등대\n\n은은 등대로 갔다. 은이 문을 열었다.\n"
    commit_now(store, 3, text)
    replace_words(store, ReplaceOrder("은", name, particles=True))
    chapter = store.chapter(3)
    assert chapter is not None
    assert chapter.paragraphs[0].text == after


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("order", "says"),
    [
        (ReplaceOrder("Mara", "Mara"), "the same words"),
        (ReplaceOrder("Mara", "No\nra"), "line break"),
        (ReplaceOrder("Mara finds the key", ""), "would be empty"),
        (ReplaceOrder("Joss lied.", "* * *"), "other paragraphs"),
    ],
)
def test_what_would_break_a_text_is_refused(
    store: ProjectStore, order: ReplaceOrder, says: str
) -> None:
    before = tree(store.layout.folder)
    with pytest.raises(StudioError, match=says):
        replace_words(store, order)
    after = {p: s for p, s in tree(store.layout.folder).items() if not p.startswith("history")}
    assert after == {p: s for p, s in before.items() if not p.startswith("history")}


def killed_at(fault: str, work: Callable[[], object]) -> int:
    """How work ends in a child that fails at a named point."""

    def armed() -> None:
        fault_points.arm(fault)
        work()

    return in_child(armed)


@pytest.mark.sampled
@pytest.mark.crash
@pytest.mark.parametrize(
    ("at", "done"),
    [
        ("commit.before_manifest", False),
        ("commit.after_manifest", True),
        ("commit.after_placement:kill:2", True),
        ("commit.after_versions", True),
        ("commit.after_changelog", True),
    ],
)
def test_a_kill_leaves_all_of_it_or_nothing(store: ProjectStore, at: str, done: bool) -> None:
    before = texts(store)
    fault = at if ":" in at else f"{at}:kill"
    assert killed_at(fault, lambda: replace_words(store, NORA)) == -signal.SIGKILL
    with ProjectLock(store.layout.folder):
        roll_forward(store.layout)
    present = texts(store)
    assert (present != before) is done
    assert store.hand_edits() == []
    if done:
        assert preview(store, NORA).findings.hits == ()
        assert len(undo_newest(store).paths) == 4


class _Stop(Exception):
    """The writer does not wait."""


# req: H3
@pytest.mark.sampled
@pytest.mark.parametrize("phase", ["reading", "changing"])
def test_who_waits_may_leave_until_the_texts_are_saved(store: ProjectStore, phase: str) -> None:
    before = tree(store.layout.folder)

    def leave(progress: Progress) -> None:
        if progress.phase == phase:
            raise _Stop

    with pytest.raises(_Stop):
        replace_words(store, NORA, leave)
    assert tree(store.layout.folder) == before
    steps: list[Progress] = []
    replace_words(store, NORA, steps.append)
    phases = list(dict.fromkeys(step.phase for step in steps))
    assert phases == ["reading", "changing", "saving"]
    assert steps[-1].done == steps[-1].of >= 4
    undone: list[Progress] = []
    undo_newest(store, undone.append)
    assert [undone[0].phase, undone[-1].phase] == ["reading", "saving"]


def test_places_in_other_capitals_stay_and_are_counted(store: ProjectStore) -> None:
    put(store.layout.folder, "staging/chapters/chapter-003.md", "# Ice\n\nMARA fell. Mara rose.\n")
    (remark,) = (r for r in preview(store, NORA).remarks if "capitals" in r)
    assert remark == "1 place stays as written, with other capitals."
    any_case = dataclasses.replace(NORA, any_case=True)
    assert not any("capitals" in r for r in preview(store, any_case).remarks)
