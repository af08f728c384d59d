"""A kill, a full disk or a broken one while a scene is stopped and gone on with, and while a
decision is recorded: every word and every decision is there or was not made yet (C16, J3, J4)."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.pipeline.author import WaiveOrder
from studio.pipeline.chapter.own_text import save_own_text, scenes_so_far
from studio.pipeline.outcome import Committed
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.story.chapter import Chapter
from studio.story.review.stale_directives import placed_in
from tests.fake_messages import FakeMessages, Rule
from tests.faults import tally
from tests.faults.invariants import assert_nothing_is_lost, recover
from tests.faults.moments import moments
from tests.faults.tracing import unavailable
from tests.pipeline.at_a_decision import with_directives
from tests.pipeline.flows import SCENES, Desk, Model, make_novel, stop_in_the_scene

pytestmark = [
    pytest.mark.crash,
    pytest.mark.sweep,
    pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "strace works here"),
]
OLD, HERS = SCENES[1][0], "마라는 기름통을 하나씩 들어 올렸다."
WORDS = f"{OLD}\n\n{SCENES[1][1]}\n\nShe counted them twice and set the last one down."


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    with FakeMessages() as server:
        yield server


def desk_at(folder: Path, server: FakeMessages) -> Desk:
    return Desk(folder, server)


def copied(start: Path, novel: Path) -> None:
    shutil.rmtree(novel, ignore_errors=True)
    shutil.copytree(start, novel)


def is_over(there: Desk) -> bool:
    return isinstance(there.resume().outcome, Committed)


def begins_with(there: Desk, stood: str) -> bool:
    """Whether the chapter in the book begins with the words that stood."""
    return Chapter(there.text()).scene_text(1).startswith(stood.strip())


# req: J3
@pytest.mark.parametrize("share", tally.SHARES)
def test_a_stop_loses_no_word_whatever_happens_in_it(
    share: int, server: FakeMessages, tmp_path: Path
) -> None:
    start, novel = make_novel(tmp_path / "start"), tmp_path / "novel"
    held = Model(draft=Rule(mode="hold", after=9, text=WORDS))
    there = desk_at(novel, server)

    def stop() -> None:
        stop_in_the_scene(there)

    server.answering = held
    copied(start, novel)
    stop()  # what it imports is in memory from here on: no fault hits an import
    copied(start, novel)
    for moment in moments(stop, share):
        server.answering = held
        moment.hit(stop, lambda: copied(start, novel))
        recover(novel)
        assert not verify(novel).is_damaged, moment
        so_far = scenes_so_far(ProjectStore(novel), 1, "en")
        stood = so_far.scene_text(1) if so_far is not None else ""
        assert WORDS.startswith(stood), moment
        server.answering = Model()
        ended = is_over(there) if there.checkpoint.inflight_chapter else there.write().committed
        assert ended, moment
        assert begins_with(there, stood), moment


# req: J3
@pytest.mark.parametrize("share", tally.SHARES)
def test_going_on_loses_no_word_of_hers_whatever_happens_in_it(
    share: int, server: FakeMessages, tmp_path: Path
) -> None:
    start, novel = make_novel(tmp_path / "start"), tmp_path / "novel"
    server.answering = Model(draft=Rule(mode="hold", after=9, text=WORDS))
    stop_in_the_scene(desk_at(start, server))
    store = ProjectStore(start)
    so_far = scenes_so_far(store, 1, "en")
    assert so_far is not None
    stood = so_far.scene_text(1)
    hers = stood.replace(stood.split()[0], HERS, 1)
    save_own_text(store, 1, so_far.text.replace(stood, hers), so_far.sha256, "en")
    server.answering = Model()
    there = desk_at(novel, server)

    def go_on() -> None:
        there.resume()

    copied(start, novel)
    go_on()  # what it imports is in memory from here on: no fault hits an import
    copied(start, novel)
    for moment in moments(go_on, share):
        moment.hit(go_on, lambda: copied(start, novel))
        recover(novel)
        assert not verify(novel).is_damaged, moment
        if not (novel / "chapters/chapter-001.md").exists():
            assert is_over(there), moment
        assert begins_with(there, hers), moment


HER_PASSAGE = "The key was cold, and she kept it."


def deciding(action: str, **more: object) -> Callable[[Desk, str], object]:
    return lambda there, one: there.session().change_directives(action, [one], **more)  # type: ignore[arg-type]


def waive(there: Desk, one: str) -> object:
    order = WaiveOrder(reason="그 말투는 일부러 그랬어요")
    return there.session().craft().waive([one], order)


DECISIONS: dict[str, tuple[Callable[[Desk, str], object], str]] = {
    "accept": (deciding("accept"), "accepted"),
    "reject": (deciding("reject", reason="그 말투는 일부러 그랬어요"), "rejected"),
    "waive": (waive, "waived"),
    "edit": (deciding("edit", instruction="Let the key be cold."), "edited"),
    "write": (deciding("edit", text=HER_PASSAGE), "kept"),
}


# req: J4
@pytest.mark.parametrize("share", tally.SHARES)
@pytest.mark.parametrize("name", DECISIONS)
def test_a_decision_is_made_or_not_and_no_other_is_touched(
    name: str, share: int, server: FakeMessages, tmp_path: Path
) -> None:
    decide, wanted = DECISIONS[name]
    start, novel = make_novel(tmp_path / "start"), tmp_path / "novel"
    server.answering = with_directives()
    first = desk_at(start, server)
    assert first.write(review="ask").decision.kind == "review"
    one, other = (d.id for d in sheet_of(start))
    first.session().change_directives("reject", [other], reason="as it is")
    text = first.staged().read_bytes()
    there = desk_at(novel, server)

    def step() -> None:
        decide(there, one)

    copied(start, novel)
    for moment in moments(step, share):
        moment.hit(step, lambda: copied(start, novel))
        recover(novel)
        statuses = {d.id: d.status.value for d in sheet_of(novel)}
        assert statuses[one] in ("pending", wanted), moment
        assert statuses[other] == "rejected", moment
        with suppress(StudioError):  # it is decided already
            step()
        assert {d.id: d.status.value for d in sheet_of(novel)}[one] == wanted, moment
        if name == "write":
            assert HER_PASSAGE in there.staged().read_text("utf-8"), moment
        if name == "waive":
            assert ProjectStore(novel).waivers().waivers, "it silences what it is to silence"
        assert_nothing_is_lost(novel, [text])
        assert not verify(novel).is_damaged, moment


# req: J6
@pytest.mark.parametrize("share", tally.SHARES)
@pytest.mark.parametrize("action", ["accept", "undo"])
def test_a_line_edit_is_in_the_text_or_not_and_her_draft_is_kept(
    action: str, share: int, server: FakeMessages, tmp_path: Path
) -> None:
    start, novel = make_novel(tmp_path / "start"), tmp_path / "novel"
    server.answering = Model()
    first = desk_at(start, server)
    assert first.write(review="ask").decision.kind == "review"
    draft = first.staged().read_bytes()
    if action == "undo":
        first.session().proposals().change("accept", ("prop_0001",))
    before = first.staged().read_bytes()
    there = desk_at(novel, server)

    def step() -> None:
        there.session().proposals().change(action, ("prop_0001",))  # type: ignore[arg-type]

    copied(start, novel)
    step()
    after = there.staged().read_bytes()
    assert after != before
    copied(start, novel)
    for moment in moments(step, share):
        moment.hit(step, lambda: copied(start, novel))
        recover(novel)
        assert there.staged().read_bytes() in (before, after), moment
        with suppress(StudioError):  # it is in the text already, or out of it
            step()
        assert there.staged().read_bytes() == after, moment
        assert_nothing_is_lost(novel, [draft])
        assert not verify(novel).is_damaged, moment


# req: J4
@pytest.mark.parametrize("share", tally.SHARES)
def test_a_fix_is_taken_back_in_sheet_and_text_or_in_neither(
    share: int, server: FakeMessages, tmp_path: Path
) -> None:
    start, novel = make_novel(tmp_path / "start"), tmp_path / "novel"
    server.answering = with_directives()
    first = desk_at(start, server)
    assert first.write(review="ask").decision.kind == "review"
    draft = first.staged().read_bytes()
    one, other = (d.id for d in sheet_of(start))
    first.session().change_directives("accept", [one, other])
    assert first.resume(review="ask").decision.kind == "review"
    with_fix = first.staged().read_bytes()
    there = desk_at(novel, server)

    def step() -> None:
        deciding("undo")(there, one)

    copied(start, novel)
    step()
    without = there.staged().read_bytes()
    assert without not in (with_fix, draft)
    copied(start, novel)
    for moment in moments(step, share):
        moment.hit(step, lambda: copied(start, novel))
        recover(novel)
        now = there.staged().read_bytes()
        assert now in (with_fix, without), moment
        status = statuses_in_text(novel)[one]
        assert status == ("applied" if now == with_fix else "undone"), moment
        with suppress(StudioError):  # it is taken back already
            step()
        assert there.staged().read_bytes() == without, moment
        assert statuses_in_text(novel) == {one: "undone", other: "applied"}, moment
        assert_nothing_is_lost(novel, [draft, with_fix])
        assert not verify(novel).is_damaged, moment


def statuses_in_text(folder: Path) -> dict[str, str]:
    """The status of each directive, as the app and the commands read it with the present text."""
    staged = ProjectStore(folder).staging_of(1)
    sheet, text = staged.sheet(), staged.text()
    assert sheet is not None
    assert text is not None
    return {d.id: d.status.value for d in placed_in(sheet, text).directives}


def sheet_of(folder: Path):  # type: ignore[no-untyped-def]
    sheet = ProjectStore(folder).staging_of(1).sheet()
    assert sheet is not None
    return sheet.directives
