"""A kill right after any file is saved while a scene with breaks is drafted, breaks off behind one
and goes on: nothing is lost, nothing stands twice, no break is added (C16)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from studio.pipeline.outcome import Committed
from studio.project.verify import verify
from studio.story.chapter import SCENE_BREAK
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.fake_stream import PIECE
from tests.pipeline.flows import Desk, Model, block, make_novel, scene_number, unrefined
from tests.pipeline.joined_scenes import serial
from tests.pipeline.killing import killed_at_saved
from tests.pipeline.scenes_with_breaks import FORMS, breaks_in, scenes_now, with_breaks

pytestmark = pytest.mark.crash
LANGUAGES = ("en", "ko", "zh")
"""They take the saved files in turns, so that together they are killed after every one."""
MOMENTS = 8
"""Files that are saved until the first two scenes are there, at the least."""


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    with FakeMessages() as server:
        yield server


def drafting(language: str) -> object:
    """Answers of a drafter whose first one breaks off right behind a break."""

    def answer(asked: Asked) -> Rule:
        number = scene_number(asked)
        text = with_breaks(language)[number - 1]
        if number != 1:
            return Rule(text=text)
        head, _, rest = text.partition(f"{SCENE_BREAK}\n")
        head = f"{head}{SCENE_BREAK}\n"
        if head.split("\n")[0] in block(asked, "chapter-so-far"):
            return Rule(text=rest.strip())
        head = "\n" * (-len(head) % PIECE) + head
        return Rule(mode="cut", after=len(head) // PIECE, text=head + rest)

    return answer


# req: J3
@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.long
def test_a_kill_between_a_scene_and_its_record_loses_and_doubles_nothing(
    language: str, form: str, server: FakeMessages, tmp_path: Path
) -> None:
    about = serial(language)
    if form != "serial":
        about["settings"] = about["settings"].replace('form = "serial"\n', "")
    start = make_novel(tmp_path / "start", **about)
    server.answering = Model(draft=drafting(language), refine=unrefined)  # type: ignore[arg-type]
    for number in count(1 + LANGUAGES.index(language), len(LANGUAGES)):
        novel = tmp_path / f"novel-{number}"
        shutil.copytree(start, novel)
        there = Desk(novel, server)
        if not killed_at_saved(there, number):
            break
        if not (novel / "chapters/chapter-001.md").exists():
            assert isinstance(there.resume(review="accept").outcome, Committed), number
        first, second, third = scenes_now(there)
        assert (second, third) == tuple(with_breaks(language)[1:]), number
        assert first is not None
        assert first.startswith(with_breaks(language)[0]), number
        assert first.count(with_breaks(language)[0].split("\n")[0]) == 1, number
        assert breaks_in(there.text()) == (4 if form == "literary" else 2), number
        assert not verify(novel).is_damaged, number
    assert number > MOMENTS
