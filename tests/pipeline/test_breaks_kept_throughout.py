"""Wherever a draft is stopped, and whatever mark its model writes, no scene break is lost or
doubled on the way through going on, commit, a hand edit and a rebuild."""

from __future__ import annotations

import asyncio
import random

import pytest

from studio.pipeline.rebuild import RebuildOrder, Rebuilt
from studio.project.verify import verify
from studio.story.chapter import SCENE_BREAK
from tests.fake_messages import Asked, Rule
from tests.fake_stream import PIECE
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, scene_number, unrefined
from tests.pipeline.joined_scenes import TEXTS
from tests.pipeline.scenes_with_breaks import FORMS, LANGUAGES, opened

MARKS = (SCENE_BREAK, "***", "⁂", "###", "◇", "---", "※", "＊＊＊")


def told(language: str, draws: random.Random) -> list[str]:
    """The scenes of a chapter, with breaks wherever a paragraph begins within one."""
    return [
        "".join(
            ("" if not n else f"\n\n{SCENE_BREAK}\n\n" if draws.random() < 0.5 else "\n\n") + row
            for n, row in enumerate(text.split("\n\n"))
        )
        for text in TEXTS[language]
    ]


class Teller:
    """A model that tells a scene from its beginning, or from where its words leave off; it may say
    again the break behind which it goes on. Its breaks are marks of every kind."""

    def __init__(self, scenes: list[str], draws: random.Random) -> None:
        self.scenes, self.draws = scenes, draws
        self.desk: Desk | None = None
        self.cuts = 4
        """How many more of its answers are cut off."""
        self.tries: dict[tuple[int, str], list[Rule]] = {}
        """The answer to a request, as often as it is sent anew before its scene breaks off."""
        self.broke_off_behind: set[int] = set()
        """The scenes whose last answer was cut off right behind a break."""
        self.faults: list[tuple[str, str]] = []
        """What a scene tells, and what stood of it otherwise when it was to go on."""

    def __call__(self, asked: Asked) -> Rule:
        number = scene_number(asked)
        stands = self._stands(number)
        if not (left := self.tries.get((number, stands))):
            left = self.tries[number, stands] = [self._answer(number, stands)] * 3
        return left.pop()

    def _answer(self, number: int, stands: str) -> Rule:
        whole = self.scenes[number - 1]
        is_behind = number not in self.broke_off_behind or stands.endswith(SCENE_BREAK)
        self.broke_off_behind.discard(number)
        if not bare(whole).startswith(bare(stands)) or not is_behind:
            self.faults.append((whole, stands))
            return Rule(text=whole)
        rest = whole[_behind(whole, len(bare(stands))) :].lstrip()
        if stands.endswith(SCENE_BREAK) and self.draws.random() < 0.5:
            rest = f"{SCENE_BREAK}\n\n{rest}"
        mark = self.draws.choice(MARKS)
        rest = rest.replace(SCENE_BREAK, mark)
        head, _, behind = rest.partition(f"\n\n{mark}\n")
        pieces = len(rest) // PIECE
        if not self.cuts or pieces < 2:
            return Rule(text=rest)
        self.cuts -= 1
        if behind and head and self.draws.random() < 0.5:
            self.broke_off_behind.add(number)
            head = rest[: len(rest) - len(behind)]
            rest = "\n" * (-len(head) % PIECE) + rest
            return Rule(text=rest, mode="cut", after=(len(rest) - len(behind)) // PIECE)
        rest = "\n" * self.draws.randrange(PIECE) + rest  # a cut in every place of a mark
        return Rule(text=rest, mode="cut", after=self.draws.randint(1, pieces))

    def _stands(self, number: int) -> str:
        assert self.desk is not None
        file = self.desk.folder / f"staging/scenes/chapter-001/scene-{number:02d}.md"
        return file.read_text("utf-8") if file.exists() else ""


def _behind(text: str, letters: int) -> int:
    """The place in a text behind so many of its letters and marks."""
    places = [at for at, letter in enumerate(text) if not letter.isspace()]
    return places[letters - 1] + 1 if letters else 0


def bare(text: str) -> str:
    """A text without its blanks: how the words of a stop are joined is tested elsewhere."""
    return "".join(text.split())


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(len(LANGUAGES) * len(FORMS)))
def test_no_break_is_lost_or_doubled_from_the_first_word_to_a_rebuild(
    desk: OpenDesk, seed: int
) -> None:  # req: J3 E10
    draws = random.Random(seed)
    language, form = LANGUAGES[seed % len(LANGUAGES)], FORMS[seed // len(LANGUAGES)]
    scenes = told(language, draws)
    teller = Teller(scenes, draws)
    there = opened(desk, language, form, teller)
    teller.desk = there
    there.server.answering = Model(draft=teller, refine=unrefined)
    run = there.write(review="accept")
    for _ in range(10):
        if there.checkpoint.last_completed_chapter or teller.faults:
            break
        run = there.resume(review="accept")
    assert teller.faults == []
    assert there.checkpoint.last_completed_chapter == 1, run.exit_code
    between = f"\n\n{SCENE_BREAK}\n\n" if form == "literary" else "\n\n"
    story = there.text().partition("\n\n")[2]
    assert bare(story) == bare(between.join(scenes))
    hers = story.replace(f"{SCENE_BREAK}\n\n", "", 1) + f"\n{SCENE_BREAK}\n\n{scenes[0]}\n"
    path = there.folder / "chapters/chapter-001.md"
    path.write_text(there.text().replace(story, hers), "utf-8")
    outcome = asyncio.run(there.session().rebuilder().run(RebuildOrder(), lambda event: None))
    assert isinstance(outcome, Rebuilt), outcome
    assert there.text().partition("\n\n")[2] == hers
    assert not verify(there.folder).is_damaged
