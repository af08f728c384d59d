"""A serial: its scenes join without a break, and no model divides a chapter unasked."""

from __future__ import annotations

import pytest

from studio.story.chapter import SCENE_BREAK
from tests.fake_messages import Asked
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, SETTINGS, Model, asked_for, judged, unrefined
from tests.pipeline.joined_scenes import BARE, GOOD, SERIAL


def task(asked: Asked) -> str:
    """What the closing block asks for."""
    return str(asked.blocks[-1]["text"])


@pytest.mark.sweep
def test_the_scenes_of_a_serial_join_without_a_break(desk: OpenDesk) -> None:
    desk_ = desk(Model(), settings=SERIAL)
    assert desk_.write().exit_code == 0
    chapter = desk_.store.chapter(1)
    assert chapter is not None
    assert SCENE_BREAK not in chapter.text
    assert len(chapter.scenes) == 1
    assert all(paragraphs[0] in chapter.text for paragraphs in [*SCENES.values()][:2])
    first, second = map(task, asked_for(desk_, "draft"))
    assert "without a break" in second
    assert "after a break" not in first + second
    assert "bridge" not in desk_.calls()


@pytest.mark.sweep
def test_a_literary_book_keeps_its_breaks(desk: OpenDesk) -> None:
    desk_ = desk(Model())
    assert desk_.write().exit_code == 0
    chapter = desk_.store.chapter(1)
    assert chapter is not None
    assert len(chapter.scenes) == 2
    assert "after a break" in task(asked_for(desk_, "draft")[1])


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("settings", "calls"),
    [(SERIAL, 0), (SERIAL + '[generation]\nscenes = "model"\n', 1), (SETTINGS, 1)],
)
def test_a_model_divides_the_chapter_of_a_serial_only_where_the_novel_says_so(
    desk: OpenDesk, settings: str, calls: int
) -> None:
    desk_ = desk(Model(scenes=GOOD), contract=BARE, settings=settings)
    assert desk_.write().exit_code == 0
    assert desk_.calls().count("scenes") == calls


@pytest.mark.sweep
def test_a_serial_chapter_that_is_sent_back_for_no_scene_is_told_anew_as_a_whole(
    desk: OpenDesk,
) -> None:
    desk_ = desk(Model(refine=unrefined, judge=(judged(3.2), judged(4.5))), settings=SERIAL)
    assert desk_.write().exit_code == 0
    assert desk_.calls().count("draft") == 4
    chapter = desk_.store.chapter(1)
    assert chapter is not None
    assert len(chapter.scenes) == 1
    assert SCENE_BREAK not in chapter.text


# req: K3
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("settings", "words", "others"),
    [
        (SERIAL, ("last five lines break off", "Never sum up the last episode"), ("stay there.",)),
        (SETTINGS, ("stay there.", "something other than sight"), ("last five lines",)),
    ],
)
def test_the_drafter_is_told_what_the_form_asks(
    desk: OpenDesk, settings: str, words: tuple[str, ...], others: tuple[str, ...]
) -> None:
    desk_ = desk(Model(), settings=settings)
    assert desk_.write().exit_code == 0
    prompt = "\n".join(str(block["text"]) for block in asked_for(desk_, "draft")[0].blocks)
    assert all(one in prompt for one in words)
    assert not any(one in prompt for one in others)
