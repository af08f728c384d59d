"""JSON that nobody would write who means well, from a model, a server and a plugin: no traceback,
the exit code of a model's fault where there is one, and no word lost."""

from __future__ import annotations

import json

import pytest

from studio.pipeline.outcome import Committed
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    Desk,
    Model,
    Ran,
    asked_for,
    directive,
    drafted,
    judged,
    with_ops,
)
from tests.pipeline.look_ups import ALL, BRIEF, PREWRITING
from tests.pipeline.plugins import HEAD, with_plugins

NESTED = "[" * 60 + "]" * 60
BLOCKS = {
    "hidden thoughts with half a character": r'{"type": "redacted_thinking", "data": "\ud800"}',
    "hidden thoughts in digits": f'{{"type": "redacted_thinking", "data": {"9" * 40}}}',
    "hidden thoughts in brackets": f'{{"type": "redacted_thinking", "data": {NESTED}}}',
    "hidden thoughts that are no number": '{"type": "redacted_thinking", "data": NaN}',
    "thoughts in a list": r'{"type": "thinking", "thinking": [["\ud83d"]], "signature": {"a": 1}}',
    "a signature with half a character": (
        r'{"type": "thinking", "thinking": "Hm.", "signature": "\udc00"}'
    ),
    "words that are no words": '{"type": "text", "text": {"text": [NaN]}}',
    "look-up with half a character": (
        r'{"type": "tool_use", "id": "t9", "name": "find_character", "input": {"name": "\ud800"}}'
    ),
    "look-up for 40 digits": (
        '{"type": "tool_use", "id": "t9", "name": "find_character",'
        f' "input": {{"name": {"9" * 40}}}}}'
    ),
    "look-up for no number": (
        '{"type": "tool_use", "id": "t9", "name": "find_character", "input": {"name": NaN}}'
    ),
    "look-up without end": (
        '{"type": "tool_use", "id": "t9", "name": "find_character",'
        f' "input": {{"name": {NESTED}}}}}'
    ),
    "look-up in a list": '{"type": "tool_use", "id": "t9", "name": "find_world", "input": [1]}',
}


def ending(desk_: Desk) -> Ran | str:
    """How a chapter ends; the name of an exception that no face of the studio expects."""
    try:
        return desk_.write()
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]


def asking_oddly(block: str) -> Model:
    def answer(asked: Asked) -> Rule:
        if len(asked.body["messages"]) > 1 or not asked.tools:
            return Rule(text=BRIEF)
        return Rule(uses=(("find_character", {"name": "Mara"}),), blocks=(block,))

    return Model(brief=answer)


BREAKING = (
    "hidden thoughts with half a character",
    "hidden thoughts in digits",
    "hidden thoughts that are no number",
    "a signature with half a character",
    "look-up for no number",
)
"""The blocks that once ended a chapter in an exception."""


def assert_looked_up_and_written(desk_: Desk) -> None:
    ran = ending(desk_)
    assert isinstance(ran, Ran)
    assert isinstance(ran.outcome, Committed), ran.outcome
    second = asked_for(desk_, "brief")[1]
    assert "Mara" in second.results[0]
    for record in (desk_.folder / "logs/generations").glob("gen-*.json"):
        assert json.loads(record.read_bytes())


@pytest.mark.sweep
@pytest.mark.repairs("T20")
@pytest.mark.parametrize("name", BREAKING)
def test_a_look_up_among_blocks_that_cannot_be_kept_is_made(desk: OpenDesk, name: str) -> None:
    assert_looked_up_and_written(desk(asking_oddly(BLOCKS[name]), settings=PREWRITING))


@pytest.mark.sweep
@pytest.mark.parametrize("name", sorted(BLOCKS.keys() - {*BREAKING}))
def test_a_look_up_among_odd_blocks_is_made(desk: OpenDesk, name: str) -> None:
    assert_looked_up_and_written(desk(asking_oddly(BLOCKS[name]), settings=PREWRITING))


ANSWERS = {
    "100,000 brackets": "[" * 100_000,
    "100,000 objects": '{"a":' * 100_000,
    "100,000 brackets after a word": "Here: " + "{" * 100_000,
    "a number that is none": '{"scenes": NaN, "violations": NaN, "summary": -Infinity}',
    "5,000 digits": '{"scenes": ' + "9" * 5000 + "}",
    "half a character": '{"scenes": [], "\\ud800": "\\udfff"}',
    "a key twice": '{"scenes": [], "scenes": [1]}',
    "a list": "[[1, 2], null]",
    "a number": "7",
    "nothing": "null",
}


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["scenes", "judge", "summary"])
@pytest.mark.parametrize("text", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_that_cannot_be_used_is_told_and_keeps_the_chapter(
    desk: OpenDesk, text: str, kind: str
) -> None:
    desk_ = desk(Model(**{kind: Rule(text=text)}))
    ran = ending(desk_)
    assert isinstance(ran, Ran)
    assert ran.exit_code in (0, 4, 6), ran.outcome
    assert "Traceback" not in b"".join(event.line() for event in ran.events).decode()
    if kind != "scenes":
        files = [*(desk_.folder / "staging").rglob("*.md"), *(desk_.folder / "chapters").rglob("*")]
        assert any("oil cans" in file.read_text("utf-8") for file in files if file.is_file())


DIGITS = "".join(map(str, range(1000, 2300)))
"""More digits than Python reads as a number."""
LABELLED = {
    "the refiner's label": ("refine", {"edits": [{"label": f"{DIGITS}.1", "after": "A hat."}]}),
    "the planner's places": ("scenes", {"scenes": [{"units": [f"1-{DIGITS}", "1-9" + "9" * 20]}]}),
    "the judge's place": (
        "judge",
        {"directives": [{"location": {"paragraphStart": f"1.{DIGITS}"}}]},
    ),
    "the judge's quote": ("judge", {"violations": [{"rule": "r", "quote": f"recited {DIGITS}"}]}),
}


@pytest.mark.parametrize(("kind", "answer"), LABELLED.values(), ids=LABELLED)
def test_a_number_too_long_to_be_read_stops_no_chapter(
    desk: OpenDesk, kind: str, answer: dict[str, object]
) -> None:
    desk_ = desk(Model(**{kind: Rule(text=json.dumps(answer))}))
    for ran in (ending(desk_), desk_.resume()):
        assert isinstance(ran, Ran), ran
        assert ran.exit_code in (0, 4, 6), ran.outcome


def test_a_number_of_5000_digits_in_the_prose_is_read_as_words(desk: OpenDesk) -> None:
    def draft(asked: Asked) -> Rule:
        return Rule(text=f"{drafted(asked).text}\n\nHe recited it: {DIGITS}, and stopped.")

    judge = judged(directives=[directive(1, 1)])
    ran = ending(desk(Model(draft=draft, judge=judge)))
    assert isinstance(ran, Ran), ran
    assert isinstance(ran.outcome, Committed)


def test_a_change_to_no_number_is_left_out_in_a_sentence(desk: OpenDesk) -> None:
    change = with_ops({"op": "set", "path": "items.purse.coins", "value": 7.5})

    def summary(asked: Asked) -> Rule:
        return Rule(text=json.dumps(change(asked).value).replace("7.5", "1e999"))

    ran = desk(Model(summary=summary)).write()
    assert isinstance(ran.outcome, Committed)
    assert "purse: coins: inf: coins would be a number too large to be kept" in ran.warnings
    assert "pydantic" not in ran.warnings


EVENTS = {
    "100,000 brackets": "data: " + "[" * 100_000 + "\n\n",
    "a number that is none": 'data: {"type": "ping", "usage": NaN}\n\n',
    "5,000 digits": 'data: {"type": "ping", "index": ' + "9" * 5000 + "}\n\n",
    "a key twice": 'data: {"type": "ping", "type": "error"}\n\n',
    "a list": "data: [[]]\n\n",
    "a word": 'data: "ping"\n\n',
}


@pytest.mark.sampled
@pytest.mark.parametrize("head", EVENTS.values(), ids=EVENTS)
def test_a_stream_that_begins_oddly_is_read_or_told(desk: OpenDesk, head: str) -> None:
    desk_ = desk(Model(draft=Rule(text="She counted the oil cans.", head=head)))
    ran = ending(desk_)
    assert isinstance(ran, Ran)
    assert ran.exit_code in (0, 6), ran.outcome
    if ran.exit_code == 6:
        (error,) = ran.of("error")
        assert "does not answer like a Messages server" in error.message, error


# req: C3
DEEP = "value = 'end'\nfor _ in range(300): value = [value]\n"
WILD = {
    "deep": f"{DEEP}@hookimpl\ndef detect(context, chapter):\n    return [{{'message': value}}]\n",
    "long": "@hookimpl\ndef detect(context, chapter):\n    return [{'message': 10 ** 40}]\n",
    "halved": "@hookimpl\ndef after_generation(context, text):\n    return text + '\\ud800'\n",
    "unsure": (
        "@hookimpl\ndef tools(context):\n"
        "    return [{'name': 'find', 'description': 'd', 'schema': {'type': 5}}]\n"
    ),
    "listing": (
        "@hookimpl\ndef tools(context):\n"
        "    return [{'name': 'find', 'description': 'd', 'schema': {'type': 'array'}}]\n"
    ),
    "endless": (
        f"{DEEP}@hookimpl\ndef tools(context):\n    return [{{'name': 'find', 'description': 'd',"
        " 'schema': {'type': 'object', 'default': value}}]\n"
    ),
    "digits": (
        "@hookimpl\ndef tools(context):\n    return [{'name': 'find', 'description': 'd',"
        " 'schema': {'type': 'object', 'maximum': 10 ** 40}}]\n"
    ),
    "raw": (
        "import gc, io\n@hookimpl\ndef detect(context, chapter):\n"
        "    for f in gc.get_objects():\n"
        "        if isinstance(f, io.FileIO) and f.writable() and f.fileno() > 2:\n"
        "            f.write(b'[' * 100000 + b'\\n')\n"
        "    return []\n"
    ),
}


def assert_off_and_written(desk_: Desk, name: str) -> None:
    ran = ending(desk_)
    assert isinstance(ran, Ran)
    assert isinstance(ran.outcome, Committed), ran.outcome
    assert f"The plugin {name} is off for this run" in ran.warnings
    assert "find" not in asked_for(desk_, "draft")[0].tools
    assert "\ufffd" not in desk_.text()


@pytest.mark.sweep
@pytest.mark.repairs("T20")
@pytest.mark.parametrize("name", ["halved", "unsure", "listing", "endless", "digits", "raw"])
def test_a_plugin_whose_answer_cannot_be_kept_is_off(desk: OpenDesk, name: str) -> None:
    desk_ = with_plugins(desk(settings=ALL), **{name: HEAD + WILD[name]})
    assert_off_and_written(desk_, name)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["deep", "long"])
def test_a_plugin_with_an_odd_finding_is_off(desk: OpenDesk, name: str) -> None:
    desk_ = with_plugins(desk(settings=ALL), **{name: HEAD + WILD[name]})
    assert_off_and_written(desk_, name)


def test_a_mark_before_a_stream_costs_no_word(desk: OpenDesk) -> None:
    text = "She counted the oil cans.\n\nThere were nine."
    desk_ = desk(Model(draft=Rule(text=text, head="\ufeff")))
    ran = ending(desk_)
    assert isinstance(ran, Ran)
    assert isinstance(ran.outcome, Committed), ran.outcome
    assert "There were nine." in desk_.text()
