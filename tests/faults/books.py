"""Novels in the middle of something, and the step that a fault will hit."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from studio.fsio import fault_points, sha256_hex
from studio.project.commit.new_wording import accept_edit
from studio.project.commit.plan import plan_commit
from studio.project.commit.rebuilt import Renewal, renew
from studio.project.commit.transaction import CommitPlan, commit, pending, roll_forward
from studio.project.commit.versions import Versions
from studio.project.lock.lock import ProjectLock
from studio.project.repair import repair
from studio.project.store import ProjectStore
from studio.project.watch.moved_chapters import put_back
from studio.story.records import Crossref
from studio.story.review.evaluation import Evaluation
from studio.story.state import Delta, StateOp
from tests.faults.invariants import book, recover
from tests.forking import in_child
from tests.project.novels import CHINESE, ENGLISH, KOREAN, commit_now, make_novel, put, stage

EDITED = KOREAN.replace("비가", "눈이")
FOURTH = "# 종\n\n종은 물속에서 세 번 울렸다.\n"


def repair_now(folder: Path) -> None:
    """`studio repair`."""
    repair(folder)


@dataclass(frozen=True)
class Work:
    """One step of the studio on a novel of its own."""

    name: str
    folder: Path
    step: Callable[[Path], None]
    saved: tuple[str, ...]
    """Every text that was shown as saved before."""
    start: Callable[[Path], None] = recover
    """What the next start does: recovery, or the repair it asks for."""
    edited: str = "chapters/chapter-001.md"
    """The file somebody may be editing meanwhile: one the step replaces or reads."""

    def copy(self, target: Path) -> Path:
        """The novel anew, for one fault."""
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.folder, target, symlinks=True)
        return target

    def books(self, spare: Path) -> tuple[dict[str, object], dict[str, object]]:
        """The book as it is without the step, and with it."""
        states = []
        for step in (self.start, self.step):
            step(self.copy(spare))
            states.append(book(spare))
        return states[0], states[1]

    @property
    def texts(self) -> list[bytes]:
        """`saved` as bytes."""
        return [text.encode() for text in self.saved]


def two_chapters(folder: Path) -> ProjectStore:
    """A book of two chapters."""
    store = make_novel(folder)
    plant = StateOp(op="foreshadow", path="drowned_bell", value="plant")
    commit_now(store, 1, KOREAN, StateOp(op="inc", path="characters.mara.steps", value=1), plant)
    commit_now(store, 2, ENGLISH)
    return store


def commit_plan(folder: Path) -> CommitPlan:
    """The commit of what is staged; planned anew, as a run does."""
    store = ProjectStore(folder)
    chapter = store.checkpoint().inflight_chapter
    assert chapter is not None
    return plan_commit(store, chapter, store.checkpoint())


def commit_staged(folder: Path) -> None:
    """The commit of the chapter in work."""
    with ProjectLock(folder) as lock:
        layout = ProjectStore(folder).layout
        done = roll_forward(layout)
        if done is None and ProjectStore(folder).checkpoint().inflight_chapter is not None:
            commit(layout, commit_plan(folder), lock)


def rebuild_first(folder: Path) -> None:
    """Everything made from chapter 1, made anew from its present text."""
    with ProjectLock(folder) as lock:
        store = ProjectStore(folder)
        roll_forward(store.layout)
        text = store.chapter(1)
        assert text is not None
        sha = text.sha256
        delta = Delta(
            chapter=1,
            storyline_id="main",
            source_sha256=sha,
            ops=(StateOp(op="set", path="characters.mara.steps", value=5),),
        )
        renewal = Renewal(
            text=text,
            volume=1,
            delta=delta,
            summary="눈이 그친다.",
            memory="눈.",
            crossref=Crossref(chapter=1, storyline_id="main", source_sha256=sha),
            evaluation=Evaluation(chapter=1, source_sha256=sha),
            directives=None,
        )
        renew(store, lock, renewal, store.checkpoint())


def restore_first(folder: Path) -> None:
    """The committed text of chapter 1 over the edited one."""
    Versions(ProjectStore(folder)).restore("chapters/chapter-001.md", sha256_hex(KOREAN.encode()))


def put_back_now(folder: Path) -> None:
    """`studio history put-back`."""
    put_back(ProjectStore(folder))


def amend_first(folder: Path) -> None:
    """The edit of chapter 1 changed no events: the book takes its text for its own."""
    with ProjectLock(folder) as lock:
        store = ProjectStore(folder)
        roll_forward(store.layout)
        accept_edit(store, lock, 1)


def stage_again(folder: Path) -> None:
    """Another draft over the staged one."""
    with ProjectLock(folder):
        store = ProjectStore(folder)
        roll_forward(store.layout)
        store.staging_of(3).put_text(FOURTH)


def _first_commit(folder: Path) -> Work:
    store = make_novel(folder)
    stage(store, 1, KOREAN)
    return Work("the first commit", folder, commit_staged, (KOREAN,))


def _commit(folder: Path) -> Work:
    stage(two_chapters(folder), 3, CHINESE)
    texts = KOREAN, ENGLISH, CHINESE
    return Work("a commit", folder, commit_staged, texts, edited="chapters/chapter-003.md")


def _commit_again(folder: Path) -> Work:
    stage(two_chapters(folder), 1, CHINESE)
    return Work("a commit over a chapter", folder, commit_staged, (KOREAN, ENGLISH, CHINESE))


def _rebuild(folder: Path) -> Work:
    two_chapters(folder)
    put(folder, "chapters/chapter-001.md", EDITED)
    return Work("a rebuild", folder, rebuild_first, (KOREAN, ENGLISH, EDITED))


def _amend(folder: Path) -> Work:
    two_chapters(folder)
    put(folder, "chapters/chapter-001.md", EDITED)
    return Work("an edit accepted", folder, amend_first, (KOREAN, ENGLISH, EDITED))


def _put_back(folder: Path) -> Work:
    two_chapters(folder)
    chapters = folder / "chapters"
    (chapters / "chapter-001.md").rename(chapters / "away.md")
    (chapters / "chapter-002.md").rename(chapters / "chapter-001.md")
    (chapters / "away.md").rename(chapters / "chapter-002.md")
    return Work("chapters put back", folder, put_back_now, (KOREAN, ENGLISH))


def _restore(folder: Path) -> Work:
    two_chapters(folder)
    put(folder, "chapters/chapter-001.md", EDITED)
    return Work("a restore", folder, restore_first, (KOREAN, ENGLISH, EDITED))


def moved_chapters(folder: Path) -> Work:
    """One chapter renamed, with a new text at its place, and one deleted."""
    two_chapters(folder)
    (folder / "chapters/chapter-001.md").rename(folder / "chapters/the flood.md")
    put(folder, "chapters/chapter-001.md", EDITED)
    (folder / "chapters/chapter-002.md").unlink()
    return Work("a return to their places", folder, put_back_now, (KOREAN, ENGLISH, EDITED))


def _staging(folder: Path) -> Work:
    stage(two_chapters(folder), 3, CHINESE)
    return Work("a draft over a draft", folder, stage_again, (KOREAN, ENGLISH, CHINESE))


def _recovery(folder: Path) -> Work:
    work = _commit(folder)
    plan = commit_plan(folder)

    def cut() -> None:
        fault_points.arm("commit.after_manifest:kill")
        with ProjectLock(folder) as lock:
            commit(ProjectStore(folder).layout, plan, lock)

    assert in_child(cut) == -signal.SIGKILL
    assert pending(ProjectStore(folder).layout) == plan
    return Work("recovery", folder, recover, work.saved, edited=work.edited)


def _repair(folder: Path) -> Work:
    work = _recovery(folder)
    (folder / ".checkpoint.json").unlink()
    (folder / "state/current-state.json").write_text("{")
    texts, edited = work.saved, work.edited
    return Work("a repair", folder, repair_now, texts, start=repair_now, edited=edited)


MADE: dict[str, Callable[[Path], Work]] = {
    "first_commit": _first_commit,
    "commit": _commit,
    "commit_again": _commit_again,
    "rebuild": _rebuild,
    "restore": _restore,
    "staging": _staging,
    "recovery": _recovery,
    "repair": _repair,
}
"""Every step that faults are tried on."""
BESIDE_OTHERS = MADE | {"amend": _amend, "put_back": _put_back}
"""Those, and two more, on which they are tried beside another program that saves."""
