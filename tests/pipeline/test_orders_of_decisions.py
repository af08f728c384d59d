"""Random orders of what a writer does in a review: every decision is what it was, whatever becomes
of the text beside it (WRITING 4)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import pytest

from studio.pipeline.author import WaiveOrder
from studio.pipeline.events import Event
from studio.project.history.variations import NO_TEXT, Variation, Variations
from studio.session import WriteOrder
from studio.story.chapter import Chapter, Paragraph, sha256_of
from studio.story.review.directive import Directive
from studio.story.review.passage import PassagePlace
from studio.story.status import DirectiveAction, allows
from tests.pipeline.at_a_decision import sheet_of
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, ask, directive, judged, unrefined

_STEPS = 14
_PROPOSALS = judged(
    directives=[
        directive(1, 2),
        directive(1, 4, type="specificity"),
        directive(2, 2, 3, type="dialogue-subtext"),
    ]
)
_ADDED = (
    "Nobody had swept the stairs since spring.",
    "바람이 북쪽으로 돌았다.",
    "灯油的味道还在。",
)
Known = tuple[str, str, str, str | None, str | None]
"""What a decision is: status, how its passage stands, the reason, who took it, her own words."""


def known(one: Directive) -> Known:
    return (one.status.value, one.stands, one.note, one.accepted_by, one.edited_text)


@dataclass
class Orders:
    """A review in which things are done in a random order."""

    desk: Desk
    dice: random.Random

    @property
    def text(self) -> Chapter:
        return Chapter(self.desk.staged().read_text("utf-8"))

    def decisions(self) -> dict[str, Known]:
        return {name: known(one) for name, one in sheet_of(self.desk).items()}

    def paragraphs(self, *, inside: bool) -> list[Paragraph]:
        """The paragraphs of decisions, or those that no decision is about."""
        held = {
            (d.location.scene_number, number)
            for d in sheet_of(self.desk).values()
            if d.stands != "gone"
            for number in range(d.location.paragraph_start, d.location.paragraph_end + 1)
        }
        return [p for p in self.text.paragraphs if ((p.scene, p.number) in held) is inside]

    def write(self, paragraph: Paragraph, *words: str) -> None:
        text = self.text.replace_passage((paragraph,), list(words)).text
        self.desk.staged().write_text(text, encoding="utf-8")

    # What she does; each returns the decisions that it may have touched

    def decide(self) -> set[str]:
        """Takes, puts aside, changes or takes back one."""
        every = sheet_of(self.desk)
        actions: tuple[DirectiveAction, ...] = ("accept", "reject", "edit", "undo")
        ways = [
            (action, one.id)
            for one in every.values()
            for action in actions
            if allows(one.status, action, one.stands)
            if not (action == "undo" and one.status.value in ("applied", "kept"))
        ]
        if not ways:
            return set()
        action, name = self.dice.choice(ways)
        words = {"instruction": "Leave the sea out."} if action == "edit" else {}
        self.desk.session().change_directives(action, [name], reason="그대로", **words)
        return {name}

    def waive(self) -> set[str]:
        """Says of one that it is meant as it is."""
        there = [d.id for d in sheet_of(self.desk).values() if d.status.value == "pending"]
        if not there:
            return set()
        name = self.dice.choice(there)
        self.desk.session().craft().waive([name], WaiveOrder("그대로", "here"))
        return {name}

    def take_back(self) -> set[str]:
        """Takes a fix out of the text again."""
        fixes = [
            d
            for d in sheet_of(self.desk).values()
            if d.status.value in ("applied", "kept") and d.stands == "same"
        ]
        if not fixes:
            return set()
        name = self.dice.choice(fixes).id
        self.desk.session().change_directives("undo", [name])
        return {name}

    def type_elsewhere(self) -> set[str]:
        """Types into a paragraph that no decision is about."""
        if free := self.paragraphs(inside=False):
            paragraph = self.dice.choice(free)
            self.write(paragraph, f"{paragraph.text} {self.dice.choice(_ADDED)}")
        return set()

    def split_elsewhere(self) -> set[str]:
        """Begins a new paragraph in one that no decision is about."""
        free = [p for p in self.paragraphs(inside=False) if ", " in p.text]
        if free:
            paragraph = self.dice.choice(free)
            head, _, tail = paragraph.text.partition(", ")
            self.write(paragraph, f"{head},", tail)
        return set()

    def split_inside(self) -> set[str]:
        """Begins a new paragraph in the middle of a passage, which has the same characters then."""
        held = [p for p in self.paragraphs(inside=True) if ", " in p.text]
        if held:
            paragraph = self.dice.choice(held)
            head, _, tail = paragraph.text.partition(", ")
            self.write(paragraph, f"{head},", tail)
        return set()

    def merge_elsewhere(self) -> set[str]:
        """Makes one paragraph of two that no decision is about."""
        free = self.paragraphs(inside=False)
        pairs = [
            (one, other)
            for one in free
            for other in free
            if (one.scene, one.number + 1) == (other.scene, other.number)
        ]
        if pairs:
            one, other = self.dice.choice(pairs)
            merged = self.text.replace_passage((one, other), [f"{one.text} {other.text}"])
            self.desk.staged().write_text(merged.text, encoding="utf-8")
        return set()

    def merge_inside(self) -> set[str]:
        """Makes one paragraph of the two of a passage, which has the same characters then."""
        every = [d.location for d in sheet_of(self.desk).values() if d.stands == "same"]
        wide = [at for at in every if at.paragraph_end == at.paragraph_start + 1]
        if wide:
            at = self.dice.choice(wide)
            pair = self.text.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
            words = " ".join(paragraph.text for paragraph in pair)
            merged = self.text.replace_passage(tuple(pair), [words])
            self.desk.staged().write_text(merged.text, encoding="utf-8")
        return set()

    def take_a_version(self) -> set[str]:
        """Takes another version of a paragraph that no decision is about."""
        if free := self.paragraphs(inside=False):
            self.take_version_of(self.dice.choice(free))
        return set()

    def take_version_of(self, paragraph: Paragraph) -> None:
        """Takes another version of a paragraph."""
        at = PassagePlace(paragraph.scene, paragraph.number, paragraph.number)
        store, session = self.desk.store, self.desk.session()
        version = Variation(
            file="",
            sha256=NO_TEXT,
            reason="another version",
            created_at="",
            generation_id="gen-001",
            passage=str(at),
            source_sha256=sha256_of(paragraph.text),
            mode="regenerate",
        )
        words = f"{paragraph.text} {self.dice.choice(_ADDED)}"
        offer = Variations(store.layout).keep_version(1, version, words, paragraph.scene)
        assert offer is not None
        session.passages().taker.take(1, paragraph.scene, offer.sha256, in_any_language=True)

    def propose(self) -> set[str]:
        """Puts other words in the place of a paragraph that no decision is about."""
        if free := self.paragraphs(inside=False):
            paragraph = self.dice.choice(free)
            at = PassagePlace(paragraph.scene, paragraph.number, paragraph.number)
            proposals = self.desk.session().proposals()
            words = f"{self.dice.choice(_ADDED)} {paragraph.text}"
            one = proposals.add(1, at, "replace", words)
            proposals.change("accept", [one.id])
        return set()

    def stop(self) -> set[str]:
        """Goes on, and presses Esc at once."""
        waiting = {d.id for d in sheet_of(self.desk).values() if d.status.value in _APPROVED}

        async def run() -> None:
            def listen(event: Event) -> None:
                if event.type == "stage":
                    task.cancel()

            order = WriteOrder(review="ask")
            task = asyncio.create_task(self.desk.session().resume(order, listen))
            with suppress(asyncio.CancelledError):
                await asyncio.wait_for(task, 60)

        asyncio.run(run())
        return waiting

    def come_back(self) -> set[str]:
        """Comes back tomorrow, and goes on to the next question."""
        waiting = {d.id for d in sheet_of(self.desk).values() if d.status.value in _APPROVED}
        assert ask(self.desk).decision.kind in ("review", "breaker")
        assert self.desk.session().pending() is not None
        return waiting

    def type_inside(self) -> None:
        """Types into the passage of a decision: it is asked again, and no other is touched."""
        self.change_inside(
            lambda paragraph: self.write(paragraph, f"{paragraph.text} {self.dice.choice(_ADDED)}")
        )

    def take_a_version_inside(self) -> None:
        """Takes another version of a paragraph of a decision, which is as if she had typed it."""
        self.change_inside(self.take_version_of)

    def change_inside(self, change: Callable[[Paragraph], None]) -> None:
        """Changes a paragraph of a decision: that is asked again, and no other is touched."""
        every = [d for d in sheet_of(self.desk).values() if d.stands == "same"]
        if not every:
            return
        one = self.dice.choice(every)
        at = one.location
        paragraph = self.text.passage(at.scene_number, at.paragraph_start, at.paragraph_start)[0]
        before = self.decisions()
        change(paragraph)
        after = self.decisions()
        assert self.without(before, {one.id}) == self.without(after, {one.id})
        status, stands, *_ = after[one.id]
        was_in_text = before[one.id][0] in ("applied", "kept")
        assert stands == "changed"
        assert status == ("kept" if was_in_text else before[one.id][0])
        assert sheet_of(self.desk)[one.id].is_open is (status in ("pending", *_APPROVED))

    @staticmethod
    def without(decisions: dict[str, Known], names: set[str]) -> dict[str, Known]:
        return {name: one for name, one in decisions.items() if name not in names}


_APPROVED = ("accepted", "edited")
_Deed = Literal[
    "decide",
    "waive",
    "take_back",
    "type_elsewhere",
    "split_elsewhere",
    "split_inside",
    "merge_elsewhere",
    "merge_inside",
    "take_a_version",
    "propose",
    "stop",
    "come_back",
    "type_inside",
    "take_a_version_inside",
]
_BORDERS = ("split_inside", "merge_inside")
"""What leaves a passage with the same characters between other borders."""
_DEEDS: tuple[_Deed, ...] = _Deed.__args__  # type: ignore[attr-defined]


# req: J4
@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(40))
def test_no_order_of_deeds_changes_a_decision_that_is_not_meant(desk: OpenDesk, seed: int) -> None:
    desk_ = desk(Model(refine=unrefined, judge=_PROPOSALS))
    assert desk_.write(review="ask").decision.kind == "review"
    orders, done = Orders(desk_, random.Random(seed)), list[str]()
    for _ in range(_STEPS):
        deed = orders.dice.choice(_DEEDS)
        before = orders.decisions()
        done.append(deed)
        if deed.endswith("_inside") and deed not in _BORDERS:
            getattr(orders, deed)()
            assert desk_.session().pending() is not None, " ".join(done)
            continue
        act: Callable[[], set[str]] = getattr(orders, deed)
        meant = act()
        after = orders.decisions()
        assert orders.without(after, meant) == orders.without(before, meant), " ".join(done)
        assert desk_.session().pending() is not None, " ".join(done)
    assert ask(desk_).decision.kind in ("review", "breaker")
    assert desk_.calls().count("judge") == 1, " ".join(done)
    assert desk_.calls().count("summary") == 1, done
