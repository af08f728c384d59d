"""H1: planned chapters change places, and everything that names one by its number follows."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from studio.errors import StudioError
from studio.fsio import fault_points
from studio.project.author.book_length import keep_length, name_among_days, writing_days
from studio.project.commit.transaction import pending
from studio.project.planning.chapter_plan import ChapterPlan, plan_of_contract, save_plan
from studio.project.planning.plan_change import last_change, undo
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from studio.project.unsaved import unsaved_of
from studio.project.verify import verify
from studio.story.checkpoint import WaitingOrder
from tests.faults import tally
from tests.faults.invariants import assert_invariants, recover
from tests.forking import in_child
from tests.project.novels import put
from tests.project.plans import (
    OUTLINE,
    assert_clean,
    contract,
    outlined,
    planned_book,
    plans,
    read,
    titles,
)


def test_a_chapter_added_between_moves_all_that_names_the_later_ones(tmp_path: Path) -> None:
    # req: H1
    store = planned_book(tmp_path / "n")
    number = Plans(store, "en").add("Low Tide", after=3)
    assert number == 4
    assert outlined(store) == [
        "## Chapter 1: Slack Water",
        "## Chapter 2",
        "## Chapter 3: The Bell",
        "## Chapter 4: Low Tide",
        "## 제5장 편지",
        "## 第六章 灯",
    ]
    assert titles(store) == {3: "The Bell", 7: "Payment"}
    assert [(s.chapter, s.note) for s in store.schedule(1).chapters] == [
        (1, "was 1"),
        (5, "was 4"),
        (7, "was 6"),
    ]
    assert [p.due for p in store.foreshadowing().promises] == [7, None]
    assert store.foreshadowing().promises[1].planted == 1
    secret = read(store, "world/secrets.json")["secrets"][0]
    assert (secret["known_by"][0]["from"], secret["reader_from"]) == ("5.2", 7)
    profile = (tmp_path / "n/characters/active/mara.md").read_text("utf-8")
    assert "gone_from: 7" in profile
    assert "## From chapter 6.2" in profile
    assert "## 从第六章起" in profile
    assert "## 7장부터" in profile
    assert not (tmp_path / "n/imports/chapter-005.md").exists()
    assert (tmp_path / "n/imports/chapter-006.md").read_text("utf-8").startswith("# 灯")
    assert_clean(store)


@pytest.mark.sweep
def test_what_was_done_can_be_taken_back_to_the_byte(tmp_path: Path) -> None:  # req: H1
    store = planned_book(tmp_path / "n")
    states = [plans(tmp_path / "n")]
    deeds: list[Callable[[], object]] = [
        lambda: Plans(store, "en").add("Low Tide", after=3),
        lambda: Plans(store, "en").retitle(4, "Ebb"),
        lambda: Plans(store, "en").move(7, 3),
        lambda: Plans(store, "en").split(4),
        lambda: Plans(store, "en").merge(4),
        lambda: Plans(store, "en").take_out(3),
        lambda: save_plan(store, "en", 4, ChapterPlan(happens=("She leaves.",), people=("민아",))),
    ]
    for deed in deeds:
        deed()
        assert_clean(store)
        states.append(plans(tmp_path / "n"))
    assert len({str(state) for state in states}) == len(states)
    for state in reversed(states[:-1]):
        undo(store)
        assert plans(tmp_path / "n") == state
    assert last_change(store) is None
    with pytest.raises(StudioError, match="no change of the plans"):
        undo(store)
    assert (tmp_path / "n/volumes/vol-01/outline.md").read_text("utf-8") == OUTLINE
    assert_invariants(tmp_path / "n")


def test_undo_does_not_lose_what_was_changed_by_hand_since(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    Plans(store, "en").retitle(4, "Ebb")
    outline = tmp_path / "n/volumes/vol-01/outline.md"
    outline.write_text(outline.read_text("utf-8") + "\nBy hand.\n", "utf-8")
    with pytest.raises(StudioError, match=r"outline\.md was changed since"):
        undo(store)
    assert "By hand." in outline.read_text("utf-8")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("deed", "words"),
    [
        (lambda s: Plans(s, "en").retitle(2, "Other"), "Chapter 2 is in the book and keeps"),
        (lambda s: Plans(s, "en").move(2, 4), "Chapter 2 is in the book and keeps its number"),
        (lambda s: Plans(s, "en").move(4, 1), "Chapter 1 is in the book and keeps its number"),
        (lambda s: Plans(s, "en").add("X", after=1), "Chapter 2 is in the book and keeps"),
        (lambda s: Plans(s, "en").add("X", after=40), "There is no planned chapter 4"),
        (
            lambda s: Plans(s, "en").split(1),
            "Chapter 1 is in the book and keeps its number",
        ),
        (lambda s: Plans(s, "en").merge(2), "Chapter 2 is in the book and keeps its number"),
        (lambda s: Plans(s, "en").merge(6), "No planned chapter follows chapter 6"),
        (lambda s: Plans(s, "en").step(3, -1), "Chapter 2 before it keeps its number"),
        (lambda s: Plans(s, "en").step(6, 1), "Chapter 6 is already the last one"),
        (lambda s: Plans(s, "en").take_out(5), "Chapter 5 already has a text"),
        (lambda s: Plans(s, "en").split(6), "has 1 step; it cannot be split in two"),
        (lambda s: Plans(s, "en").retitle(9, "X"), "There is no planned chapter 9"),
        (lambda s: save_plan(s, "en", 4, ChapterPlan(title="X")), "This plan says nothing yet"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    tmp_path: Path, deed: Callable[[ProjectStore], Any], words: str
) -> None:  # req: H1
    store = planned_book(tmp_path / "n")
    before = plans(tmp_path / "n")
    with pytest.raises(StudioError) as refusal:
        deed(store)
    assert words in str(refusal.value.problem)
    assert refusal.value.problem.exit_code == 2
    assert plans(tmp_path / "n") == before


def test_a_chapter_in_work_keeps_its_number(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    store.save_checkpoint(store.checkpoint().copy_with(inflight_chapter=3))
    with pytest.raises(StudioError, match="Chapter 3 is being written and cannot be moved"):
        Plans(store, "en").move(3, 5)
    assert Plans(store, "en").step(5, -1) == 4


def test_a_moved_chapter_takes_its_plan_its_text_and_its_wish_along(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    wish = WaitingOrder(chapter=5, direction="Slower.")
    store.save_checkpoint(store.checkpoint().with_order(wish))
    assert Plans(store, "en").move(5, 3) == 3
    assert outlined(store)[2:] == ["## 第三章 灯", "## Chapter 4: The Bell", "## 제5장 편지"]
    assert titles(store) == {4: "The Bell", 6: "Payment"}
    assert store.checkpoint().order_for(3).words == "Slower."
    assert (tmp_path / "n/imports/chapter-003.md").exists()
    undo(store)
    assert store.checkpoint().order_for(5).words == "Slower."


def test_at_a_border_of_volumes_a_step_goes_into_the_next_one(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    put(tmp_path / "n", "volumes/vol-02/outline.md", "# Volume 2\n\n## Chapter 7: Ice\n\nCold.\n")
    plan = {**contract(7, "Ice"), "volume": 2}
    put(tmp_path / "n", "volumes/vol-02/chapter-contracts/chapter-007.json", plan)
    assert Plans(store, "en").step(7, -1) == 7
    assert store.contract_in(1, 7) is not None
    assert store.contract_in(2, 7) is None
    assert outlined(store)[-1] == "## Chapter 7: Ice"
    assert "Chapter 7" not in (tmp_path / "n/volumes/vol-02/outline.md").read_text("utf-8")
    assert_clean(store)
    undo(store)
    assert store.contract_in(2, 7) is not None


def test_split_and_merged_a_plan_says_what_it_said(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    assert Plans(store, "en").split(3, title="The Count") == 4
    first, second = store.contract(3), store.contract(4)
    assert second is not None
    assert (first.beats, second.beats) == (("One",), ("Two",))
    assert second.title == "The Count"
    assert [t.action for t in first.foreshadowing] == ["plant"]
    assert Plans(store, "en").merge(3) == 3
    merged = store.contract(3)
    assert merged is not None
    assert (merged.title, merged.beats) == ("The Bell", ("One", "Two"))
    assert titles(store) == {3: "The Bell", 6: "Payment"}
    assert Plans(store, "en").split(4) == 5
    assert store.outline_section(4, 1) == ("편지", "- 에드윈이 편지를 읽는다.")
    assert store.outline_section(5, 1) == ("", "- 조스가 웃는다.")


def test_the_form_of_a_plan_writes_the_contract_a_hand_would(tmp_path: Path) -> None:  # req: H1
    store = planned_book(tmp_path / "n")
    plan = ChapterPlan(
        title="편지",
        happens=("에드윈이 편지를 읽는다.", "조스가 웃는다."),
        people=("마라", "에드윈"),
        seen_by="Mara",
        must_not=("등불을 누가 가져갔는지 말하지 않는다",),
        ends=("서명.",),
        promises=(("resolve", "the drowned BELL"), ("plant", "灯为什么灭了")),
        line="Nebenlinie Süd",
        length=2400,
        scenes=("편지", "웃음"),
    )
    made = save_plan(store, "ko", 4, plan)
    assert made == [
        "Among the people now: 에드윈.",
        "Among the storylines now: Nebenlinie Süd.",
        "Among the promises now: “灯为什么灭了”.",
    ]
    contract = store.contract(4)
    assert contract is not None
    assert contract.characters == ("mara", "edeuwin")
    assert contract.pov == "mara"
    assert contract.objectives == ("서명.",)
    assert contract.storyline_id == "nebenlinie-sud"
    assert [(t.id, t.action) for t in contract.foreshadowing] == [
        ("bell", "resolve"),
        ("deng-wei-shen-me-mie-le", "plant"),
    ]
    form = plan_of_contract(store, contract)
    assert (form.happens, form.ends, form.scenes) == (plan.happens, plan.ends, plan.scenes)
    assert form.people == ("Mara", "에드윈")
    before = plans(tmp_path / "n")
    save_plan(store, "ko", 4, form)
    assert plans(tmp_path / "n") == before
    assert_clean(store)


@pytest.mark.parametrize(
    ("purposes", "places_after"),
    [
        (("They talk", "They talk"), ("lamp-room", "quay")),
        (("They part", "They talk"), ("lamp-room", "quay")),
        (("They talk",), ("lamp-room",)),
        (("They wake", "They talk", "They talk"), (None, "quay", "lamp-room")),
    ],
)
def test_two_scenes_of_one_purpose_keep_what_each_has(
    tmp_path: Path, purposes: tuple[str, ...], places_after: tuple[str | None, ...]
) -> None:
    store = planned_book(tmp_path / "n")
    save_plan(store, "en", 4, ChapterPlan(title="T", happens=("It rains.",), scenes=("They talk",)))
    (path,) = (tmp_path / "n").glob("volumes/*/chapter-contracts/chapter-004.json")
    there = ("lamp-room", "quay")
    scenes = [
        {"number": n, "purpose": "They talk", "location": place} for n, place in enumerate(there, 1)
    ]
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "scenes": scenes}), "utf-8")
    contract = store.contract(4)
    assert contract is not None
    form = plan_of_contract(store, contract)
    save_plan(store, "en", 4, replace(form, scenes=purposes))
    after = store.contract(4)
    assert after is not None
    assert tuple(scene.location for scene in after.scenes) == places_after


def test_a_plan_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    path = store.layout.contract(1, 3)
    data = store.root.read(path)
    put(tmp_path / "n", path, contract(3, "By hand"))
    with pytest.raises(StudioError, match="changed by someone else"):
        save_plan(store, "en", 3, ChapterPlan(happens=("X",)), data)


def test_a_chapter_with_two_contracts_is_named_by_verify(tmp_path: Path) -> None:  # req: H1
    store = planned_book(tmp_path / "n")
    plan = {**contract(6, "Again"), "volume": 2}
    put(tmp_path / "n", "volumes/vol-02/chapter-contracts/chapter-006.json", plan)
    messages = [finding.message for finding in verify(store.layout.folder).findings]
    assert "Chapter 6 is planned in volume 1 and in volume 2." in messages


def test_a_chapter_planned_twice_is_named_and_nothing_is_moved(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    put(tmp_path / "n", "volumes/vol-02/outline.md", "# 2\n\n## Chapter 4: Again\n\nText.\n")
    with pytest.raises(StudioError, match="planned in volume 1 and in volume 2"):
        Plans(store, "en").add("X", after=3)


# fault: C1
@pytest.mark.sweep
def test_killed_at_any_write_the_plans_are_the_old_or_the_new_ones(tmp_path: Path) -> None:
    # req: H1
    planned_book(tmp_path / "n")

    def work(folder: Path) -> None:
        Plans(ProjectStore(folder), "en").add("Low Tide", after=3)

    spare = tmp_path / "spare"
    shutil.copytree(tmp_path / "n", spare)
    work(spare)
    either = (plans(tmp_path / "n"), plans(spare))
    killed_at, number = 0, 0
    while True:
        number += 1 if tally.FULL else 9
        left = tmp_path / f"left-{number}"
        shutil.copytree(tmp_path / "n", left)

        def cut(left: Path = left, number: int = number) -> None:
            fault_points.arm(f"fsio.any:kill:{number}")
            work(left)

        if in_child(cut) != -signal.SIGKILL:
            break
        recover(left)
        assert plans(left) in either, number
        assert pending(ProjectStore(left).layout) is None
        assert_invariants(left)
        if plans(left) == either[1]:
            undo(ProjectStore(left))
            assert plans(left) == either[0]
        killed_at = number
        shutil.rmtree(left)
    assert killed_at > 20


def test_ids_stay_with_their_chapters_and_labels_too(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "novel")
    before = {n: store.chapter_list().id_of(n) for n in range(1, 7)}
    put(store.layout.folder, "state/chapters.json", LABELLED)
    assert Plans(store, "en").move(6, 4) == 4
    moved = store.chapter_list()
    assert {n: moved.id_of(n) for n in range(1, 7)} == {
        1: before[1],
        2: before[2],
        3: before[3],
        4: before[6],
        5: before[4],
        6: before[5],
    }
    labels = {chapter.number: chapter.label for chapter in moved.chapters if chapter.label}
    assert labels == {1: "프롤로그", 4: "楔子"}
    Plans(store, "en").add("새 장", after=4)
    added = store.chapter_list()
    assert added.id_of(5) not in before.values()
    assert added.number_of(before[4]) == 6
    Plans(store, "en").take_out(6)
    assert store.chapter_list().number_of(before[4]) is None
    undo(store)
    assert store.chapter_list() == added


LABELLED = {
    "schema_version": 1,
    "chapters": [
        {"id": "c001", "number": 1, "volume": 1, "label": "프롤로그"},
        {"id": "c006", "number": 6, "volume": 1, "label": "楔子"},
    ],
}
"""Labels in a list that does not name every chapter."""


def test_a_chapter_with_unsaved_text_is_not_taken_out_or_joined(tmp_path: Path) -> None:
    folder = planned_book(tmp_path / "novel").layout.folder
    store = ProjectStore(folder, tmp_path / "state")
    typed = unsaved_of(store, 6)
    typed.keep("비가 그쳤다. 雨停了。")
    for change in (lambda: Plans(store, "en").take_out(6), lambda: Plans(store, "en").merge(5)):
        with pytest.raises(StudioError, match="Chapter 6 has unsaved text"):
            change()
    typed.forget()
    assert Plans(store, "en").take_out(6) == 5


def test_what_was_written_in_a_day_is_counted_for_the_chapter_that_moved(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "novel")
    day = date(2026, 3, 1)
    keep_length(store, day, name_among_days(store, 5), 100, 400)
    Plans(store, "en").move(6, 4)
    keep_length(store, day, name_among_days(store, 5), 0, 50)
    keep_length(store, day, name_among_days(store, 6), 400, 450)
    assert writing_days(store).growth_on(day) == (450 - 100) + 50


def test_a_plan_is_shown_while_the_state_of_the_story_is_damaged(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "novel")
    first = next(filter(None, map(store.contract, store.planned_chapters())))
    whole = plan_of_contract(store, first)
    put(store.layout.folder, "state/current-state.json", "{")
    assert plan_of_contract(store, first) == whole


def test_a_title_is_one_line_of_bounded_length_without_what_steers_a_terminal(
    tmp_path: Path,
) -> None:
    store = planned_book(tmp_path / "n")
    Plans(store, "en").retitle(4, "\x1b]0;x\x07Salt\u202e\n and  灯")
    outline = store.root.read(store.layout.outline(1)).decode()
    assert "]0;xSalt and 灯" in outline
    assert not {"\x1b", "\x07", "\u202e"} & set(outline)
    plans = Plans(store, "en")
    for change in (partial(plans.retitle, 4), plans.add):
        with pytest.raises(StudioError, match="300,000 characters") as refused:
            change("x" * 300_000)
        assert refused.value.problem.exit_code == 2


def test_the_second_half_of_a_chapter_takes_no_longer_title_than_any(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    with pytest.raises(StudioError, match="300,000 characters"):
        Plans(store, "en").split(3, title="x" * 300_000)
    Plans(store, "en").split(3, title="\x1b]0;x\x07Salt\u202e\n and  灯")
    second = store.contract(4)
    assert second is not None
    assert second.title == "]0;xSalt and 灯"
