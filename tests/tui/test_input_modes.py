"""Keys in any input mode: what a Korean or Chinese keyboard sends means its place on it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from unicodedata import normalize

import pytest
from textual import events
from textual.keys import _character_to_key

from studio.tui.action_dispatch import ActionDispatch
from studio.tui.actions import ACTIONS, Action
from studio.tui.desk.screen import PLACES as DESK
from studio.tui.terminal.input_modes import as_commands, at_their_place
from studio.tui.terminal.streams import PasteParser, take_pastes_whole
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import Desk as NovelAndServer
from tests.pipeline.flows import Model, judged, make_novel
from tests.sweeps import swept
from tests.tui.environs import environ_of
from tests.tui.pilot import StudioPilot, opened
from tests.tui.terminals import Terminal

ROWS = (
    "qㅂ wㅈ eㄷ rㄱ tㅅ yㅛ uㅕ iㅑ oㅐ pㅔ",
    "aㅁ sㄴ dㅇ fㄹ gㅎ hㅗ jㅓ kㅏ lㅣ",
    "zㅋ xㅌ cㅊ vㅍ bㅠ nㅜ mㅡ",
)
TWO_SETS = {pair[0]: pair[1] for row in ROWS for pair in row.split()}
"""The jamo of each letter, row by row as they stand on a Korean keyboard."""
SHIFTED = dict(zip("QWERTOP", "ㅃㅉㄸㄲㅆㅒㅖ", strict=True))


def in_hangul(key: str) -> str | None:
    """What a terminal sends for a key with the input in Hangul; None if there is no way."""
    if len(key) == 1 and key.isalpha():
        return TWO_SETS.get(key) or (SHIFTED.get(key) if key not in "ARCX" else None)
    return key


def read(sent: str) -> list[events.Key]:
    """The keys that one read of the terminal's bytes gives."""
    return [event for event in PasteParser().feed(sent) if isinstance(event, events.Key)]


def meant(sent: str) -> list[str]:
    """The commands of what is sent in one read."""
    return [key.key for event in read(sent) for key in as_commands(event)]


@pytest.mark.parametrize(("letter", "jamo"), TWO_SETS.items())
def test_a_jamo_is_the_letter_it_lies_on(letter: str, jamo: str) -> None:  # req: K1
    assert meant(jamo) == [letter]
    assert meant(normalize("NFKD", jamo)) == [letter]


def test_a_shifted_jamo_is_the_capital_unless_that_does_more_than_the_small_letter() -> None:
    assert meant("".join(SHIFTED.values())) == ["Q", "W", "E", "r", "T", "O", "P"]


@pytest.mark.parametrize(
    ("syllable", "letters"),
    [("아", "dk"), ("왜", "dho"), ("값", "rkqt"), ("의", "dml"), ("뷁", "qnpfr"), ("쟤", "wO")],
)
def test_a_syllable_is_its_letters_in_order(syllable: str, letters: str) -> None:  # req: K1
    assert meant(syllable) == list(letters)
    assert meant(normalize("NFD", syllable)) == list(letters)


def test_full_width_and_chinese_signs_are_those_they_replace() -> None:  # req: K1
    assert at_their_place("：？／【】＋｜《》ａＡ１、「」。\u3000") == ":?/[]+|<>aA1/[]. "
    assert meant("：？【") == ["colon", "question_mark", "left_square_bracket"]
    assert at_their_place("é漢かЖ…😀") == "é漢かЖ…😀"


def test_a_modifier_stays_with_the_letter_of_a_jamo() -> None:
    (key,) = as_commands(events.Key("ctrl+ㄴ", None))
    assert (key.key, key.character) == ("ctrl+s", None)
    assert [key.key for key in as_commands(events.Key("alt+ㅁ", "ㅁ"))] == ["alt+a"]


@pytest.mark.sweep
@pytest.mark.parametrize("action", [a for a in ACTIONS if a.keys], ids=lambda action: action.id)
def test_every_action_has_a_key_that_hangul_can_type(action: Action) -> None:  # req: K1
    keys = action.keys.split(",")
    sent = [(key, in_hangul(key)) for key in keys]
    typed = [meant(jamo) if len(jamo) == 1 else [key] for key, jamo in sent if jamo]
    assert any([key] in typed for key in keys), action.keys
    if any(len(key) == 1 and key.isupper() for key in keys):
        assert any(not (len(key) == 1 and key.isalpha()) for key in keys), action.keys


def test_no_capital_that_does_more_is_reached_by_a_jamo() -> None:
    everything = "".join(chr(code) for code in range(0xAC00, 0xD7A4))
    assert not set(at_their_place(everything)) & set("ACRX")


async def type_hangul(studio: StudioPilot, sent: str) -> None:
    """Types as a terminal sends it, in one read."""
    for event in PasteParser().feed(sent):
        studio.app.post_message(event)
    await studio.pilot.pause()


def of_the_desk() -> Iterable[tuple[str, Action, str]]:
    """Every action of the desk: the pane that has the focus, and its key with the input in
    Hangul."""
    panes = {"outline": "1", "text": "2", "directives": "3"}
    for action in ACTIONS:
        if action.where in DESK and action.where != "direction" and action.keys:
            sent = (jamo for key in action.keys.split(",") if (jamo := in_hangul(key)))
            yield panes.get(action.where, "1"), action, next(sent)


@pytest.mark.sweep
async def test_every_action_of_the_desk_is_asked_for_by_hangul_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: K1
    asked: list[str] = []

    async def note(_dispatch: ActionDispatch, action_id: str) -> None:
        asked.append(action_id)

    async with opened(make_novel(tmp_path / "novel"), environ_of(tmp_path)) as studio:
        await studio.until(lambda: studio.desk.is_prepared, "the desk")
        perform = ActionDispatch.perform
        for pane, action, sent in of_the_desk():
            await studio.press(pane)
            monkeypatch.setattr(ActionDispatch, "perform", note)
            if len(sent) == 1:
                name = sent if sent.isalnum() else _character_to_key(sent)
                studio.app.post_message(events.Key(name, sent))
                await studio.pilot.pause()
            else:
                await studio.press(sent)
            monkeypatch.setattr(ActionDispatch, "perform", perform)
            assert asked, action.id
            assert asked.pop() == action.id
            asked.clear()


async def test_the_input_mode_is_said_once(tmp_path: Path) -> None:
    novel = make_novel(tmp_path / "novel")
    async with opened(novel, environ_of(tmp_path), notifications=True) as studio:
        await type_hangul(studio, "ㅓ")
        await studio.until(lambda: "ㅓ = j" in studio.told, "the sentence")
        studio.app.clear_notifications()
        await type_hangul(studio, "ㅏ")
        assert "ㅏ = k" not in studio.told


@pytest.mark.sweep
async def test_hangul_is_text_where_a_field_has_the_focus(tmp_path: Path) -> None:
    async with opened(make_novel(tmp_path / "novel"), environ_of(tmp_path)) as studio:
        await studio.press("slash")
        await type_hangul(studio, "램프：")
        assert studio.desk.painter.outline_list.prompt.words == "램프："
        await studio.press("escape", "i")
        await type_hangul(studio, "천천히，\u3000ㅈ")
        await studio.press("enter")
        assert studio.desk.state.direction == "천천히，\u3000ㅈ"


# On a terminal.


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    with FakeMessages(answering=Model(judge=judged(3.7))) as there:  # a question of the gate
        yield there


def at_the_desk(novel: Path, server: FakeMessages) -> Terminal:
    """The novel on a terminal, with a model."""
    environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "key-of-the-writer"}
    there = Terminal(["-m", "studio", str(novel)], environ, size=(120, 36))
    there.sees("Outline")
    there.sees("What happens", "Mara")
    return there


def question(novel: Path) -> dict[str, object]:
    """What the novel waits for, as it is on disk."""
    checkpoint = json.loads((novel / ".checkpoint.json").read_text("utf-8"))
    pending: dict[str, object] = checkpoint["pending_decision"]
    return pending


@pytest.mark.sweep
@pytest.mark.pty
@pytest.mark.parametrize("typed", ["ㅈ\r", swept("w\r"), swept("ㅈ\r\r"), swept("ㅈ\ry1")])
def test_what_is_read_with_a_command_answers_nothing_it_opens(
    tmp_path: Path, server: FakeMessages, typed: str
) -> None:  # req: K1
    novel = make_novel(tmp_path / "novel")
    NovelAndServer(novel, server).write(review="ask")
    before = question(novel)
    assert before is not None
    there = at_the_desk(novel, server)
    asked = len(server.asked)
    there.types(typed)
    there.sees("recommended")
    there.types("\x1bOP")  # a key of its own comes after all of them
    there.sees("On a decision")
    there.types("\x1b")
    there.sees("recommended")
    assert question(novel) == before
    assert len(server.asked) == asked
    there.child.sendcontrol("q")
    assert there.ends() == 0


@pytest.mark.sweep
@pytest.mark.pty
def test_what_is_read_with_write_answers_no_question_of_the_run(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: K1
    novel = make_novel(tmp_path / "novel")
    there = at_the_desk(novel, server)
    there.types("ㅈ\ry")
    there.sees("recommended")
    before = question(novel)
    there.types("\x1bOP")
    there.sees("On a decision")
    assert question(novel) == before
    assert before is not None
    there.child.sendcontrol("q")
    assert there.ends() == 0


def answer(there: Terminal, words: str) -> str:
    """The row of the card with an answer."""
    return next(line for line in there.screen.display if words in line)


@pytest.mark.sweep
@pytest.mark.pty
def test_movement_behind_a_command_is_kept(tmp_path: Path, server: FakeMessages) -> None:
    novel = make_novel(tmp_path / "novel")
    NovelAndServer(novel, server).write(review="ask")
    there = at_the_desk(novel, server)
    there.types("ㅈㅓ")
    there.sees("recommended")
    there.until(lambda: " › " not in answer(there, "recommended"), "the mark on another answer")
    there.drop()


def test_alt_with_every_letter_that_an_action_has_comes_from_a_terminal_as_that_key() -> None:
    """A terminal sends Alt with a letter as Esc and the letter in one read."""  # req: K1
    take_pastes_whole()
    keys = {key for action in ACTIONS for key in action.keys.split(",") if key.startswith("alt+")}
    letters = {key.removeprefix("alt+") for key in keys}
    assert "b" in letters
    for letter in sorted(letters & set("abcdefghijklmnopqrstuvwxyz") | {"f"}):
        parser = PasteParser()
        typed = [*parser.feed(f"\x1b{letter}"), *parser.feed("")]
        assert [key.key for key in typed if isinstance(key, events.Key)] == [f"alt+{letter}"]


@pytest.mark.sweep
@pytest.mark.pty
def test_alt_b_acts_on_the_desk_and_goes_back_by_a_word_in_a_text(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: K1
    novel = make_novel(tmp_path / "novel")
    there = at_the_desk(novel, server)
    there.types("\x1bb")
    there.sees("This chapter is not in the book yet.")
    there.types("i")
    there.sees("Enter keeps it")
    there.types("colder water")
    there.sees("colder water")
    there.types("\x1bb")
    there.types("x")
    there.sees("colder xwater")
    there.drop()
