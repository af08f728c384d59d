"""What a writer sees while a run goes on: all of the text, and no card over what she reads."""

from __future__ import annotations

import asyncio
import re

import pytest

from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Confirm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.help import HelpScreen
from tests.fake_messages import Rule
from tests.fake_stream import Asked
from tests.pipeline.flows import SCENES, Model, scene_number
from tests.project.novels import put
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened


def held_in_the_second(asked: Asked) -> Rule:
    """The first scene; the second waits in its middle."""
    number = scene_number(asked)
    text = "\n\n".join(SCENES[number])
    return Rule(mode="hold", after=8, text=text) if number == 2 else Rule(text=text)


@pytest.mark.sweep
async def test_a_resumed_chapter_streams_behind_the_scenes_it_has(desk: OpenDesk) -> None:
    there = desk(Model(draft=held_in_the_second))
    first = SCENES[1][0].split(".")[0]
    begun = " ".join(SCENES[2][0].split()[:4])
    async with opened(there.folder, there.environ, (120, 60)) as studio:
        await studio.start_writing(begun)
        await studio.stop()
        await studio.start_writing(begun)
        prose = studio.desk.state.run
        await studio.until(lambda: 1 in studio.desk.state.run.texts, "the first scene")
        assert first in studio.desk.state.run.prose
        await studio.until(lambda: "2.1 " in studio.screen, "the second scene as the second")
        assert "1.1 " in studio.screen
        assert prose.running
        await studio.stop()


@pytest.mark.sweep
async def test_a_chapter_that_broke_off_has_the_title_of_its_heading_in_the_outline(
    desk: OpenDesk,
) -> None:
    there = desk(Model(draft=held_in_the_second))
    (there.folder / "volumes/vol-01/chapter-contracts/chapter-001.json").unlink()
    outline = "## Chapter 1: Oil and Water\n\n- Mara lifts the oil cans.\n- Joss lies.\n"
    put(there.folder, "volumes/vol-01/outline.md", outline)
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.press("w")
        await studio.until(lambda: 2 in studio.desk.state.run.texts, "the second scene")
        await studio.stop()
        await studio.until(lambda: "broke off" in studio.screen, "the end of it")
        assert "›  1 Oil and Water" in studio.screen


@pytest.mark.sweep
async def test_the_chapter_that_is_written_is_on_the_screen_before_its_first_word(
    desk: OpenDesk,
) -> None:
    there = desk(Model())
    await asyncio.to_thread(there.write)
    outline = "## Chapter 2: Oil and Water\n\n- Mara lifts the oil cans.\n- Joss lies.\n"
    put(there.folder, "volumes/vol-01/outline.md", outline)
    there.server.answering = Model(draft=Rule(mode="hold", after=0, text="\n\n".join(SCENES[1])))
    async with opened(there.folder, there.environ) as studio:
        await studio.on_chapter(1)
        former = studio.desk.state.current
        assert former is not None
        assert former.text is not None
        words = former.text.paragraphs[0].text[:20]
        await studio.until(lambda: words in studio.screen, "the former chapter")
        await studio.press("w")
        await studio.until(lambda: "›  2 Oil and Water" in studio.screen, "the header")
        assert not studio.desk.state.run.prose
        assert words not in studio.screen
        place = studio.desk.painter.outline_list.place
        assert place is not None
        assert place.chapter == 2
        await studio.stop()


@pytest.mark.sweep
async def test_where_one_pane_has_room_the_text_comes_into_sight(desk: OpenDesk) -> None:
    there = desk(Model(draft=Rule(mode="hold", after=8, text="\n\n".join(SCENES[1]))))
    async with opened(there.folder, there.environ, (60, 15)) as studio:
        assert studio.desk.state.pane == "outline"
        await studio.press("w")
        await studio.until(lambda: "oil cans" in studio.desk.state.run.prose, "the stream")
        assert studio.desk.state.pane == "text"
        assert "1.1 Mara lifted" in studio.screen
        await studio.stop()


# req: N11
@pytest.mark.sweep
async def test_the_place_of_a_stop_is_in_sight_after_it_and_when_the_app_opens_again(
    desk: OpenDesk,
) -> None:
    there = desk(Model(draft=held_in_the_second))
    begun = " ".join(SCENES[2][0].split()[:4])
    async with opened(there.folder, there.environ, (80, 15)) as studio:
        await studio.start_writing(begun)
        await studio.stop()
        stands = studio.store.staging_of(1).scene(2)
        assert stands is not None
        end = stands.split()[-1]
        assert SCENES[1][0][:12] not in studio.screen
        await studio.until(lambda: f" {end}\n" in studio.screen, "the place of the stop")
        await studio.on_chapter(1)
        await studio.app.leave(0)
    async with opened(there.folder, there.environ, (80, 15)) as studio:
        await studio.until(lambda: studio.desk.is_prepared, "the desk")
        await studio.until(lambda: f" {end}\n" in studio.screen, "the place of the stop again")


@pytest.mark.sweep
async def test_a_draft_that_broke_off_by_itself_says_why_and_w_goes_on(desk: OpenDesk) -> None:
    text = "\n\n".join(SCENES[1])
    cut, whole = Rule(mode="cut", after=20, text=text), Rule(text=text)
    there = desk(Model(draft=[cut, cut, cut, whole]))
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.press("w")
        await studio.sees(DecisionScreen, "The answer was cut off.")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        line = "Scene 1 broke off. The answer was cut off.  [w] Go on  [d] Other ways"
        await studio.until(lambda: line in studio.screen, "the reason")
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.until(lambda: line in studio.screen, "the reason, after a while")
        stood = studio.store.staging_of(1).scene(1)
        assert stood
        await studio.press("w")
        await studio.until(lambda: studio.desk.state.run.outcome is not None, "the end, unasked")
        await studio.until(lambda: studio.desk.state.settled, "the desk")
        text_now = studio.store.staging_of(1).text()
        assert text_now is not None
        assert stood[:40] in text_now.text


@pytest.mark.sweep
async def test_who_reads_above_while_a_scene_is_written_stays_there_after_a_stop(
    desk: OpenDesk,
) -> None:
    there = desk(Model(draft=held_in_the_second))
    begun = " ".join(SCENES[2][0].split()[:4])
    async with opened(there.folder, there.environ, (80, 15)) as studio:
        await studio.start_writing(begun)
        await studio.press("2", "home")
        first = SCENES[1][0][:12]
        await studio.until(lambda: first in studio.screen, "the beginning")
        await studio.stop()
        await studio.until(lambda: "broke off" in studio.screen, "the end of the run")
        assert first in studio.screen


@pytest.mark.sweep
async def test_a_card_waits_until_what_she_reads_is_put_away(desk: OpenDesk) -> None:
    there = desk(Model())
    async with opened(there.folder, there.environ) as studio:
        await studio.press("w", "f1")
        await studio.sees(HelpScreen)
        await studio.until(lambda: studio.desk.state.run.outcome is not None, "the outcome")
        await studio.until(lambda: studio.desk.state.settled, "the desk")
        assert type(studio.app.screen) is HelpScreen
        await studio.press("escape")
        await studio.sees(DecisionScreen)
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.press("f1", "escape")
        await studio.sees(DeskScreen)


@pytest.mark.sweep
async def test_the_hints_are_those_of_the_direction_while_it_is_typed(desk: OpenDesk) -> None:
    there = desk(Model())
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.press("i")
        hints = "Enter Keep it  Esc Leave it  Ctrl+Z Take it back"
        await studio.until(lambda: hints in studio.screen, "its hints")
        assert "w Write" not in studio.screen
        await studio.type("Let it rain.")
        await studio.pilot.click("#hints", offset=(4, 0))
        await studio.until(lambda: "w Write" in studio.screen, "the desk's hints")
        assert studio.desk.state.direction == "Let it rain."
        await studio.press("i")
        await studio.type("No rain.")
        await studio.press("escape")
        assert studio.desk.state.direction == "Let it rain."
        await studio.press("i")
        await studio.type("")
        await studio.press("enter")
        assert studio.desk.state.direction == ""
        await studio.app.action_perform("direction.keep")
        await studio.until(lambda: "Open the line" in studio.told, "the reason")


@pytest.mark.sweep
async def test_a_direction_is_taken_back_by_one_key_also_once_its_chapter_is_begun(
    desk: OpenDesk,
) -> None:  # req: H4
    there = desk(Model())
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.press("i")
        await studio.type("Let it rain.")
        await studio.press("enter", "i", "ctrl+z")
        assert studio.desk.state.direction == ""
        assert "is taken back" in studio.told
        await studio.press("i")
        await studio.type("Let it snow.")
        await studio.press("enter", "w")
        await studio.until(
            lambda: studio.store.checkpoint().direction == "Let it snow.", "the chapter begun"
        )
        await studio.stop()
        await studio.press("i")
        await studio.until(lambda: "Let it snow." in studio.screen, "the direction in force")
        await studio.press("ctrl+z")
        await studio.until(lambda: not studio.store.checkpoint().direction, "it taken back")
        await studio.settled()


async def test_esc_closes_the_line_for_a_direction_also_where_a_click_took_its_keys(
    desk: OpenDesk,
) -> None:  # req: H4
    there = desk(Model())
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.press("i")
        await studio.pilot.click("#outline")
        await studio.until(lambda: not studio.desk.features.direction.has_keys, "the keys gone")
        assert studio.desk.features.direction.is_open
        assert "Esc Leave it" in studio.screen
        await studio.press("escape")
        assert not studio.desk.features.direction.is_open
        assert "Nothing is running" not in studio.told
        await studio.press("escape")
        assert "Nothing is running" in studio.told


@pytest.mark.sweep
async def test_the_end_of_the_volume_is_asked_about_before_the_next_chapter_is_planned(
    desk: OpenDesk,
) -> None:  # req: D2
    there = desk(Model())
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.to_review()
        await studio.decide("commit")
        behind_a_brief = studio.store.checkpoint().copy_with(planned_to=1)
        studio.store.save_checkpoint(behind_a_brief)
        await studio.press("w")
        await studio.sees(DecisionScreen)
        question = studio.store.checkpoint().pending_decision
        assert question is not None
        assert question.options == ("plan-more", "end-volume")
        assert question.recommendation == "plan-more"


@pytest.mark.sweep
async def test_a_key_in_the_editor_goes_on_behind_the_cursor_and_keeps_what_stood_there(
    desk: OpenDesk,
) -> None:
    there = desk(Model(draft=held_in_the_second))
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.start_writing(" ".join(SCENES[2][0].split()[:4]))
        await studio.stop()
        stands = studio.store.staging_of(1).scene(2)
        assert stands is not None
        asked = len(there.server.asked)
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        await studio.press("ctrl+end", "ctrl+left", "ctrl+left", "ctrl+left", "f8")
        await studio.until(lambda: "It costs about" in studio.screen, "the price")
        await studio.press("y")
        await studio.until(lambda: len(there.server.asked) > asked, "the rest is asked for")
        await studio.stop()
    request = there.server.asked[asked].prompt
    assert stands.rsplit(None, 5)[0] in request
    assert stands not in request
    assert stands.strip() in [text.text.strip() for text in there.session().kept_texts(1)]


@pytest.mark.sweep
async def test_the_question_says_what_is_put_away_before_it_is_and_a_no_leaves_all_as_it_was(
    desk: OpenDesk,
) -> None:
    there = desk(Model(draft=held_in_the_second))
    own = "Her hands shook as she set the lamp down."
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.start_writing(" ".join(SCENES[2][0].split()[:4]))
        await studio.stop()
        broken = studio.store.staging_of(1).scene(2)
        assert broken is not None
        asked = len(there.server.asked)
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        await studio.press("enter")
        await studio.press(*own)
        await studio.press("home", "f8")
        await studio.sees(Confirm, "It costs about")
        words = " ".join(studio.screen.replace("│", " ").split())
        assert "“Her hands shook as she set…” (9 words)" in words
        assert "The Variations tab keeps the scene" in words
        await studio.press("n")
        await studio.sees(EditorScreen)
        hers = studio.store.staging_of(1).scene(2)
        assert hers is not None
        assert hers.endswith(own), "a no changes nothing"
        await studio.press("f8")
        await studio.sees(Confirm, "It costs about")
        await studio.press("y")
        await studio.until(lambda: len(there.server.asked) > asked, "the rest is asked for")
        await studio.stop()
        stands = studio.store.staging_of(1).scene(2)
        assert stands is not None
        assert stands.startswith(broken.rstrip())
        assert not stands.removeprefix(broken.rstrip()).startswith("\n"), "it is not parted"
    assert any(own in text.text for text in there.session().kept_texts(1))


@pytest.mark.sweep
async def test_where_nothing_stands_behind_the_cursor_nothing_is_said_of_it(
    desk: OpenDesk,
) -> None:
    there = desk(Model(draft=held_in_the_second))
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.start_writing(" ".join(SCENES[2][0].split()[:4]))
        await studio.stop()
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        await studio.press("ctrl+end", "f8")
        await studio.sees(Confirm, "It costs about")
        assert "Variations" not in studio.screen
        await studio.press("n")


@pytest.mark.sweep
async def test_what_is_typed_after_a_stop_goes_on_with_the_sentence_that_broke_off(
    desk: OpenDesk,
) -> None:
    there = desk(Model(draft=held_in_the_second))
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.start_writing(" ".join(SCENES[2][0].split()[:4]))
        await studio.stop()
        broken = studio.store.staging_of(1).scene(2)
        assert broken is not None
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        await studio.press("ctrl+end")
        await studio.press(*" and stopped.")
        await studio.press("ctrl+s")
        await studio.until(
            lambda: studio.store.staging_of(1).scene(2) == f"{broken.rstrip()} and stopped.",
            "her words behind the last one",
        )


async def test_after_a_kill_too_the_line_says_how_far_the_scene_came(desk: OpenDesk) -> None:
    """A kill leaves the words of a scene, and no record of the length it was to have."""
    there = desk(Model(draft=held_in_the_second))
    begun = " ".join(SCENES[2][0].split()[:4])
    far = re.compile(r"Scene 2 broke off at \d+ of about \d+ words\.")
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.start_writing(begun)
        await studio.stop()
        await studio.until(lambda: far.search(studio.screen), "how far it came")
        said = far.findall(studio.screen)
        assert "[d] Other ways" in studio.screen
        assert "d Other ways" in studio.screen.splitlines()[-1], "one name for one key"
        assert "d Decide" not in studio.screen
    there.store.save_checkpoint(there.store.checkpoint().copy_with(open_scene=None))
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.until(lambda: "Scene 2 broke off" in studio.screen, "the line")
        assert far.findall(studio.screen) == said
