"""A heading that a drafter wrote within its scene is left out, and said to be; a break stays."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from studio.pipeline.events import Event, WarningEvent
from studio.project.scenes_of_chapter import scenes_of
from studio.session import WriteOrder
from studio.story.chapter import SCENE_BREAK, Chapter
from tests.fake_messages import Asked, Rule
from tests.fake_stream import PIECE
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, scene_number, unrefined
from tests.pipeline.joined_scenes import TEXTS, serial
from tests.pipeline.scenes_with_breaks import broken

LEFT_OUT = "heading before “"


def drafting(language: str, mark: str) -> Any:
    """Answers of a drafter: each scene, the second with a mark within it."""

    def answer(asked: Asked) -> Rule:
        text = TEXTS[language][(number := scene_number(asked)) - 1]
        return Rule(text=broken(text, mark) if number == 2 else text)

    return answer


def opened(desk: OpenDesk, language: str, draft: Any, *, is_serial: bool) -> Desk:
    about = serial(language)
    if not is_serial:
        about["settings"] = about["settings"].replace('form = "serial"\n', "")
    return desk(Model(draft=draft, refine=unrefined), **about)


def scenes_in_the_book(desk_: Desk) -> list[str | None]:
    scenes = scenes_of(desk_.store, 1, Chapter(desk_.text()))
    return [scenes.text_of(number) for number in range(1, scenes.count + 1)]


@pytest.mark.sampled
@pytest.mark.parametrize("mark", ["## 2", "### The stairs"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_heading_within_a_scene_of_a_serial_is_left_out_with_a_warning(
    desk: OpenDesk, language: str, mark: str
) -> None:
    desk_ = opened(desk, language, drafting(language, mark), is_serial=True)
    run = desk_.write()
    assert run.exit_code == 0
    assert scenes_in_the_book(desk_) == list(TEXTS[language])
    assert scenes_of(desk_.store, 1, Chapter(desk_.text())).are_planned
    behind = TEXTS[language][1].split("\n\n")[1]
    said = [line for line in run.warnings.splitlines() if LEFT_OUT in line]
    assert len(said) == 1
    assert said[0].startswith("Scene 2 came with a ")
    assert behind[1:12] in said[0]


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_heading_within_a_scene_of_a_literary_novel_is_left_out_as_well(
    desk: OpenDesk, language: str
) -> None:
    desk_ = opened(desk, language, drafting(language, "## 2"), is_serial=False)
    run = desk_.write()
    assert run.exit_code == 0
    assert len(Chapter(desk_.text()).scenes) == 3
    assert f"Scene 2 came with a {LEFT_OUT}" in run.warnings


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", "ko"])
def test_breaks_around_a_scene_are_no_loss(desk: OpenDesk, language: str) -> None:
    def draft(asked: Asked) -> Rule:
        text = TEXTS[language][scene_number(asked) - 1]
        return Rule(text=f"{SCENE_BREAK}\n\n{text}\n\n{SCENE_BREAK}\n")

    desk_ = opened(desk, language, draft, is_serial=True)
    run = desk_.write()
    assert scenes_in_the_book(desk_) == list(TEXTS[language])
    assert LEFT_OUT not in run.warnings


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_heading_in_an_answer_that_was_cut_off_is_said_as_well(
    desk: OpenDesk, language: str
) -> None:
    text = broken(TEXTS[language][0], "## 2")
    most = len(text) // PIECE - 1
    desk_ = opened(
        desk, language, lambda asked: Rule(text=text, mode="cut", after=most), is_serial=True
    )
    run = desk_.write(review="ask")
    assert run.exit_code == 4
    assert run.decision.kind == "cut_off"
    behind = TEXTS[language][0].split("\n\n")[1]
    assert f"Scene 1 came with a {LEFT_OUT}{behind[:20]}" in run.warnings


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_heading_in_an_answer_that_she_stopped_is_said_as_well(
    desk: OpenDesk, language: str
) -> None:
    text = broken(TEXTS[language][0], "## 2")
    behind, most = TEXTS[language][0].split("\n\n")[1], len(text) // PIECE - 1
    desk_ = opened(
        desk, language, lambda asked: Rule(text=text, mode="hold", after=most), is_serial=True
    )
    warnings, heard = list[str](), list[str]()

    async def run() -> None:
        def listen(event: Event) -> None:
            if isinstance(event, WarningEvent):
                warnings.append(str(event.message))
            elif event.type == "text":
                heard.append(event.model_dump()["text"])
                if behind[:20] in "".join(heard):
                    task.cancel()

        order = WriteOrder(review="accept")
        task = asyncio.create_task(desk_.session().write(order, listen))
        await task

    asyncio.run(run())
    assert any(f"Scene 1 came with a {LEFT_OUT}{behind[:20]}" in line for line in warnings)
