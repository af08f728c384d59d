"""Stop, change a word, go on: the words of a scene stand, and it goes on from the last of them, as
often as she likes, however it broke off (WRITING 3)."""

from __future__ import annotations

import asyncio
import random
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from studio.llm.gateway import Gateway
from studio.pipeline.chapter.own_text import save_own_text, scenes_so_far
from studio.pipeline.chapter.scene_in_progress import scene_in_progress
from studio.pipeline.events import Event
from studio.pipeline.outcome import Committed, Outcome
from studio.session import WriteOrder
from studio.story.chapter import Chapter
from studio.text.language.packs import load_pack
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.forking import in_child
from tests.pipeline.flows import (
    CONTRACT,
    SETTINGS,
    Desk,
    Model,
    asked_for,
    block,
    make_novel,
    scene_number,
    unrefined,
)
from tests.pipeline.killing import die
from tests.pipeline.scenes import SCENES
from tests.small_novels import NOVELS

LANGUAGES = ("en", "ko", "zh")


def told_in(language: str) -> dict[int, str]:
    """What the model tells in the two scenes: real prose of each language."""
    if language == "en":
        return {1: "\n\n".join((*SCENES[1], *SCENES[3])), 2: "\n\n".join((*SCENES[2], *SCENES[4]))}
    text = Chapter((NOVELS / language / "chapters/chapter-001.md").read_text("utf-8"))
    paragraphs = [p.text for p in text.paragraphs]
    half = len(paragraphs) // 2
    return {1: "\n\n".join(paragraphs[:half]), 2: "\n\n".join(paragraphs[half:])}


class Teller:
    """A model that tells each scene from its store of prose: from its beginning, or from where the
    words that stand leave off; it may first repeat the end of what stands, as models do."""

    def __init__(self, language: str, draws: random.Random) -> None:
        self.language, self.scenes = language, told_in(language)
        self.draws = draws
        self.count = 0
        self.last = ""
        """The last answer that was to break off."""
        self.breaks: tuple[str, int] | None = None
        """How the next answer breaks off, and after how many deltas."""

    def __call__(self, asked: Asked) -> Rule:
        """The answer to a request for a scene, or for the rest of one."""
        number = scene_number(asked)
        text = self.scenes[number]
        stands = standing_in(asked, number)
        rest = text if not stands else text[self._end_in(text, stands) :].lstrip()
        self.count += 1
        more = {"en": f"She counted to {self.count}.", "ko": f"그녀는 {self.count}까지 셌다."}
        rest = rest or more.get(self.language, f"她数到{self.count}。")  # there is always more
        if stands and self.draws.random() < 0.4:
            again = re.split(r"(?<=[.!?。！？”])", stands.strip())[-1][-200:]
            rest = f"{again} {rest}" if len(again) > 12 else rest
        head = "## Pre-Writing\n\nThe key. The bell. Nobody says it.\n\n" if not stands else ""
        headed = f"{head}## Prose\n\n{rest}\n\n## Hints\n\nA key."
        answer = self.draws.choice((rest, headed))
        if self.breaks is None:
            return Rule(text=answer)
        mode, after = self.breaks
        if mode == "notes":
            answer = headed
        self.last = answer
        if mode != "cut":
            self.breaks = None
        return Rule(text=answer, mode="cut" if mode == "cut" else "hold", after=after)

    def _end_in(self, text: str, stands: str) -> int:
        for length in (40, 20, 8, 4):
            at = text.rfind(stands.rstrip()[-length:])
            if at >= 0:
                return at + len(stands.rstrip()[-length:])
        return min(len(stands), len(text) - 300)


def standing_in(asked: Asked, number: int) -> str:
    """The words of the scene in progress, as a request holds them."""
    head = r"(?:\A|\n\n)\[(?:Scene|장면|第) ?(\d+)场?\]\n\n"
    scenes = re.split(head, block(asked, "chapter-so-far"))
    by_number = dict(zip(scenes[1::2], scenes[2::2], strict=True))
    return by_number.get(str(number), "").strip() if "from its last word" in asked.prompt else ""


class Evening(NamedTuple):
    """A novel, its model and its language."""

    desk: Desk
    teller: Teller
    language: str

    @property
    def words(self) -> str:
        """What stands of the scene in progress."""
        staged, pack = self.desk.store.staging_of(1), load_pack(self.language)
        words = scene_in_progress(staged, self.desk.checkpoint, pack)
        return words.text if words is not None else ""

    @property
    def number(self) -> int:
        """The number of that scene."""
        staged, pack = self.desk.store.staging_of(1), load_pack(self.language)
        words = scene_in_progress(staged, self.desk.checkpoint, pack)
        return words.number if words is not None else 0

    @property
    def arrived(self) -> str:
        """What has come of the answer that a draft waits for."""
        answers = sorted(self.desk.folder.glob("staging/partial/*draft*"))
        return answers[-1].read_text("utf-8") if answers else ""

    def run(
        self,
        when: Callable[[Event], bool] = lambda event: False,
        until: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Writes on, and stops as Esc does at the first event that `when` picks, or as soon as
        `until` holds."""

        async def run() -> Outcome:
            def listen(event: Event) -> None:
                if when(event):
                    task.cancel()

            order = WriteOrder(review="accept")
            task = asyncio.create_task(self.desk.session().write(order, listen))
            while until is not None and not task.done():
                await asyncio.wait({task}, timeout=0.01)
                if until():
                    task.cancel()
                    break
            return await task

        return asyncio.run(run())


def evening(folder: Path, server: FakeMessages, language: str, mode: str, seed: int) -> Evening:
    settings = SETTINGS.replace('"en"', f'"{language}"')
    make_novel(folder, settings=settings, contract=CONTRACT)
    teller = Teller(language, random.Random(seed))
    server.answering = Model(draft=teller, refine=unrefined)
    return Evening(Desk(folder, server, {"generation.mode": mode}), teller, language)


@pytest.fixture(autouse=True)
def saved_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What arrives is on disk at the next turn of the loop, as it is after a second."""
    defaults = Gateway.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "save_every", 0.0)


def texts_of(events: int) -> Callable[[Event], bool]:
    """Picks the n-th piece of prose."""
    count = 0

    def when(event: Event) -> bool:
        nonlocal count
        count += event.type == "text"
        return event.type == "text" and count == events

    return when


def at_the_scene_file(event: Event) -> bool:
    return event.type == "saved" and "/scenes/" in getattr(event, "path", "")


def broken_off(there: Evening, draws: random.Random) -> Outcome | None:
    """Has the draft broken off in one of the ways there are; None where it was killed."""
    way = draws.choice(("esc", "esc", "cut", "kill", "between", "begun", "notes"))
    pieces = draws.randint(1, 18)
    if way == "cut":
        there.teller.breaks = ("cut", draws.randint(0, 30))
        outcome: Outcome = there.run()
        there.teller.breaks = None
        return outcome
    if way == "begun":  # before anything of the answer came
        return there.run(lambda event: event.type == "scene" and event.status != "finished")  # type: ignore[attr-defined]
    if way == "notes":  # inside its notes, before the first word of the scene
        number, stood = there.number, there.words
        there.teller.breaks = ("notes", 2)
        outcome = there.run(until=lambda: bool(there.arrived))
        if "## Pre-Writing" in there.teller.last:
            is_the_same = there.number == number  # a killed run may have told its scene whole
            assert there.words == (stood if is_the_same else ""), "no word of the scene had come"
        return outcome
    if way == "esc":
        return there.run(texts_of(pieces))
    picks = texts_of(pieces)

    def in_a_child() -> None:
        if way == "kill":
            there.run(lambda event: picks(event) and bool(die()))
        else:
            there.run(lambda event: (at_the_scene_file(event) and bool(die())) or picks(event))

    in_child(in_a_child)
    return None


def edited(there: Evening, draws: random.Random) -> str:
    """Changes a word of what stands, in the studio or in another program; or saves in the middle
    of a word. Returns what stands now."""
    words = there.words
    kind = draws.choice(("none", "word", "mid-word", "elsewhere"))
    if not words or kind == "none":
        return words
    places = [m.span() for m in re.finditer(r"\w{2,}", words)]
    start, end = draws.choice(places)
    own = {"en": "tallow", "ko": "기름종이를", "zh": "油纸"}[there.language]
    fresh = words[:start] + own + words[end:]
    if kind == "mid-word":
        fresh = words[: places[-1][1] - 1] if places else words
    if kind == "elsewhere":
        folder = there.desk.folder / "staging/scenes/chapter-001"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"scene-{there.number:02d}.md").write_text(fresh, "utf-8")
        return there.words
    so_far = scenes_so_far(there.desk.store, 1, there.language)
    assert so_far is not None
    text = so_far.text.replace(words, fresh)
    save_own_text(there.desk.store, 1, text, so_far.sha256, there.language)
    return there.words


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(200))
def test_every_word_that_stood_is_in_the_book_however_the_draft_broke_off(
    tmp_path: Path, seed: int
) -> None:  # req: J3
    draws = random.Random(seed)
    language, mode = LANGUAGES[seed % 3], ("standard", "prewriter")[seed // 3 % 2]
    with FakeMessages() as server:
        there = evening(tmp_path / "novel", server, language, mode, seed)
        stood: dict[int, str] = {}
        outcome: Outcome | None = None
        for _ in range(draws.randint(2, 6)):
            asked = len(server.asked)
            outcome = broken_off(there, draws)
            number, words = there.number, there.words
            check_the_requests(there, asked, stood)
            if number:
                assert words.startswith(stood.get(number, "")), "a word that stood is gone"
                stood[number] = edited(there, draws)
                assert str(number) not in drafted(there.desk)
            if there.desk.checkpoint.last_completed_chapter:
                break
        else:
            asked = len(server.asked)
            outcome = there.run()
            check_the_requests(there, asked, stood)
            assert isinstance(outcome, Committed), outcome
        text = Chapter(there.desk.text())
        assert len(text.scenes) == 2
        for number, words in stood.items():
            assert text.scene_text(number).startswith(words.rstrip()), (number, words)
        for scene in text.scenes:
            assert "## " not in text.scene_text(scene.number)
            assert "Nobody says it" not in text.scene_text(scene.number)
        assert there.desk.checkpoint.open_scene is None


# req: J3
@pytest.mark.sampled
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kill_between_the_words_of_a_scene_and_their_record_loses_and_doubles_none(
    tmp_path: Path, language: str, mode: str
) -> None:
    """Esc saves the words first and says then that they stand."""
    with FakeMessages() as server:
        there = evening(tmp_path / "novel", server, language, mode, 7)
        picks = texts_of(5)

        def in_a_child() -> None:
            there.run(lambda event: (at_the_scene_file(event) and bool(die())) or picks(event))

        assert in_child(in_a_child) == -signal.SIGKILL
        saved = there.desk.folder / "staging/scenes/chapter-001/scene-01.md"
        stood = saved.read_text("utf-8")
        assert stood
        assert there.desk.checkpoint.open_scene is None
        assert there.words == stood
        asked = len(server.asked)
        assert isinstance(there.run(), Committed)
        check_the_requests(there, asked, {1: stood})
        scene = Chapter(there.desk.text()).scene_text(1)
        assert scene.startswith(stood.rstrip())
        assert scene.count(stood[:40]) == 1


def drafted(desk: Desk) -> set[str]:
    records = desk.checkpoint.stage_records
    return {number for record in records if record.stage == "scenes" for number in record.scenes}


def check_the_requests(there: Evening, first: int, stood: dict[int, str]) -> None:
    """The first request for a scene that stands holds exactly what stood of it, and nothing asks
    for a scene that stands as if it were not begun."""
    seen: set[int] = set()
    for asked in asked_for(there.desk, "draft"):
        number = scene_number(asked)
        if asked.index < first or number in seen:
            continue
        seen.add(number)
        if words := stood.get(number, ""):
            assert standing_in(asked, number) == words.strip()
            assert "Begin the answer with a section" not in asked.prompt
