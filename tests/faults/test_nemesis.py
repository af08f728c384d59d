"""Everything at once: a writer at work, and somebody who kills, edits, fills and breaks.

A hypothesis state machine over Session. Its model is the set of texts that were
ever seen on the disk while the studio was at rest: none of them may be lost but
by the writer's own hand.
"""

from __future__ import annotations

import shutil
import signal
import tempfile
import time
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from studio.errors import Exit, StudioError
from studio.fsio import fault_points
from studio.llm.gateway import Gateway
from studio.project import clock
from studio.project.lock import holder
from studio.project.lock.lock import ProjectLock
from studio.project.repair import repair
from tests.fake_messages import FakeMessages
from tests.faults import tally
from tests.faults.invariants import (
    assert_every_call_is_paid,
    assert_invariants,
    recover,
    tree,
)
from tests.forking import in_child
from tests.pipeline.conftest import at_once
from tests.pipeline.flows import Desk, Model, directive, judged, make_novel
from tests.pipeline.korean_book import rebuild
from tests.project.novels import CHINESE, ENGLISH, KOREAN

pytestmark = [pytest.mark.crash, pytest.mark.usefixtures("no_syncing")]
MODES = st.sampled_from(["ask", "accept", "reject"])
STEPS = st.integers(min_value=1, max_value=160)
WORDS = st.sampled_from([KOREAN, ENGLISH, CHINESE])
BROKEN = (
    *(".checkpoint.json", "state/current-state.json", "state/changelog.jsonl"),
    *("evaluations/chapter-001-eval.json", "evaluations/chapter-001-directives.json"),
)
CODES = frozenset(Exit) - {Exit.MODEL, Exit.BUDGET}
"""How a run may end whose model is well and whose purse is full."""


class Shift:
    """How far the clock was moved."""

    by = timedelta()


class MovedClock(datetime):
    """The clock of the project's files."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) + Shift.by


class Novel(RuleBasedStateMachine):
    """One novel, its writer and her nemesis."""

    @initialize()
    def begin(self) -> None:
        """A novel with a plan for its first chapter."""
        self.home = Path(tempfile.mkdtemp())
        self.outside = self.home / "outside"
        self.outside.mkdir()
        (self.outside / "diary.md").write_text("Not yours.\n")
        proposing = judged(directives=[directive(1, 2), directive(2, 3)])
        self.server = FakeMessages(answering=Model(judge=proposing))
        self.server.__enter__()
        self.desk = Desk(make_novel(self.home / "novel"), self.server)
        self.folder = self.desk.folder
        self.saved: set[bytes] = set()
        self.by_hand: dict[Path, bytes] = {}
        self.texts = 0
        Shift.by = timedelta()

    def teardown(self) -> None:
        """The server goes, and the folder."""
        if hasattr(self, "server"):
            self.server.__exit__(None, None, None)
            shutil.rmtree(self.home)

    @invariant()
    def nothing_is_broken(self) -> None:
        """After the next start, whatever came before."""
        if not hasattr(self, "folder") or not (self.folder / ".checkpoint.json").exists():
            return
        recover(self.folder)
        self.see()
        assert_invariants(self.folder, self.saved, {self.outside: tree(self.outside)})
        assert_every_call_is_paid(self.folder, len(self.server.asked))

    def see(self) -> None:
        """Every text there is now has been shown as saved."""
        for path in (*self.prose("chapters"), *self.prose("staging/chapters")):
            if path.read_bytes().strip():
                self.saved.add(path.read_bytes())

    def prose(self, folder: str) -> list[Path]:
        return sorted((self.folder / folder).glob("*.md"))

    # The writer

    @rule(mode=MODES)
    def write(self, mode: str) -> None:
        """`studio write`."""
        assert self.desk.write(review=mode).exit_code in CODES

    @rule(mode=MODES)
    def resume(self, mode: str) -> None:
        """`studio resume`."""
        assert self.desk.resume(review=mode).exit_code in CODES

    @rule(words=WORDS, again=st.booleans())
    def bring_her_own(self, words: str, again: bool) -> None:
        """`studio write --draft`."""
        draft = self.home / "own.md"
        draft.write_text(self.different(words), "utf-8")
        chapter = 1 if again else None
        ended = self.desk.write(draft=draft, review="reject", again=again, chapter=chapter)
        assert ended.exit_code in CODES

    def different(self, words: str) -> str:
        """The same words with a number: no text comes twice."""
        self.texts += 1
        return f"{words}\n{self.texts}.\n"

    @rule(data=st.data())
    def decide(self, data: st.DataObject) -> None:
        """`studio decide`, if there is a question."""
        pending = self.desk.session().pending()
        if pending is not None:
            self.desk.decide(data.draw(st.sampled_from(list(pending.options))))

    @rule(action=st.sampled_from(["accept", "reject", "edit", "undo"]), data=st.data())
    def change_a_directive(self, action: Any, data: st.DataObject) -> None:
        """`studio directives`."""
        session = self.desk.session()
        sheet = session.directives()
        if sheet is None or not sheet.directives:
            return
        one = data.draw(st.sampled_from([d.id for d in sheet.directives]))
        instruction = "Shorter." if action == "edit" else None
        try:
            session.change_directives(action, [one], instruction=instruction)
        except StudioError as error:
            self.refusal(error)

    @rule()
    def give_up(self) -> None:
        """`studio discard`, in the app."""
        try:
            self.desk.session().discard()
        except StudioError as error:
            self.refusal(error)

    @rule()
    def rebuild_what_changed(self) -> None:
        """`studio rebuild`."""
        if (self.folder / "state").exists():
            rebuild(self.desk, listen=lambda event: None)

    @rule(data=st.data())
    def bring_back(self, data: st.DataObject) -> None:
        """`studio history restore`."""
        versions = self.desk.session().versions()
        history = versions.of("chapters/chapter-001.md")
        if not history:
            return
        try:
            one = data.draw(st.sampled_from(sorted({version.sha for version in history})))
            versions.restore("chapters/chapter-001.md", one)
        except StudioError as error:
            self.refusal(error)

    def refusal(self, error: StudioError) -> None:
        """What cannot be done is said so."""
        codes = Exit.USAGE, Exit.DAMAGED, Exit.FAILED
        assert error.problem.exit_code in codes, error.problem

    # The nemesis

    @rule(staged=st.booleans(), words=WORDS)
    def edit_by_hand(self, staged: bool, words: str) -> None:
        """Another editor."""
        for path in self.prose("staging/chapters" if staged else "chapters")[:1]:
            self.hers_no_more(path)
            path.write_text(self.different(words), "utf-8")
            self.by_hand[path] = path.read_bytes()
            tally.fault("edits by hand")

    @rule()
    def delete_a_chapter(self) -> None:
        """A file that is gone."""
        for path in self.prose("chapters")[:1]:
            self.hers_no_more(path)
            path.unlink()
            tally.fault("chapters deleted by hand")

    def hers_no_more(self, path: Path) -> None:
        """What she typed elsewhere and overwrites herself is hers to lose."""
        if path.read_bytes() == self.by_hand.get(path):
            self.saved.discard(path.read_bytes())

    @rule(step=STEPS, mode=MODES, verb=st.sampled_from(["write", "resume"]))
    def kill(self, step: int, mode: str, verb: str) -> None:
        """A run that dies at a change of a file."""

        def work() -> None:
            fault_points.arm(f"fsio.any:kill:{step}")
            getattr(self.desk, verb)(review=mode)

        assert in_child(work) in (0, -signal.SIGKILL)
        tally.fault("kills in the middle of anything")

    @rule(step=STEPS, error=st.sampled_from(["ENOSPC", "EIO"]), mode=MODES)
    def refuse(self, step: int, error: str, mode: str) -> None:
        """A disk that fails from some moment on."""
        fault_points.arm(f"fsio.any:{error}:{step}+")
        try:
            assert self.desk.write(review=mode).exit_code in CODES
        finally:
            fault_points.arm("")
        tally.fault("disks that refuse")

    @rule()
    def come_second(self) -> None:
        """Somebody else has the novel open."""
        with ProjectLock(self.folder) as lock:
            held = tree(self.folder)
            assert in_child(self.is_refused) == 0
            assert lock.holds()
            assert tree(self.folder) == held
        tally.fault("second writers")

    def is_refused(self) -> None:
        assert self.desk.write().exit_code == Exit.LOCKED

    @rule(days=st.sampled_from([-3650, -1, 1, 3650]))
    def move_the_clock(self, days: int) -> None:
        """Into another year, or back."""
        Shift.by += timedelta(days=days)
        if abs(Shift.by) > timedelta(days=3650):
            Shift.by = timedelta()
        tally.fault("jumps of the clock")

    @rule(path=st.sampled_from(BROKEN), keep=st.floats(min_value=0, max_value=0.95))
    def break_a_file(self, path: str, keep: float) -> None:
        """A file cut short; whatever is asked for then, and `studio repair`."""
        file = self.folder / path
        if not file.exists():
            return
        file.write_bytes(file.read_bytes()[: int(keep * file.stat().st_size)])
        chapters = {p: p.read_bytes() for p in self.prose("chapters")}
        assert self.desk.resume(review="ask").exit_code in CODES
        assert chapters.items() <= {p: p.read_bytes() for p in self.prose("chapters")}.items()
        repair(self.folder)
        tally.fault("files cut short")


@pytest.fixture
def moved_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks that jump, and retries that come at once."""
    monkeypatch.setattr(clock, "datetime", MovedClock)
    moved = SimpleNamespace(time=lambda: time.time() + Shift.by.total_seconds())
    monkeypatch.setattr(holder, "time", moved)
    defaults = Gateway.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "sleep", at_once)


@pytest.mark.sweep
@pytest.mark.timeout(1200)
@pytest.mark.long
def test_whatever_comes_nothing_is_lost(moved_clock: None) -> None:
    run_state_machine_as_test(
        Novel,
        settings=settings(
            max_examples=tally.sized(3, 15),
            stateful_step_count=tally.sized(10, 25),
            derandomize=not tally.FULL,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate,) if tally.FULL else tuple(Phase),
        ),
    )
