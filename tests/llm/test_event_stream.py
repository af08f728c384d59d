"""Reading a stream within limits."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable

import pytest

from studio.llm.providers import event_stream
from studio.llm.providers.event_stream import (
    DEEPEST,
    LARGEST_EVENT,
    LONGEST_PREFACE,
    StreamEvent,
    StreamLimitError,
    TooLongError,
    stream_events,
)


async def read(*pieces: bytes) -> list[tuple[str, str]]:
    return [(event.name, event.data) async for event in stream_events(each(pieces))]


async def each(pieces: Iterable[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
async def test_an_event_is_the_same_however_it_is_cut(end: bytes, size: int) -> None:
    lines = [b": hello", b"event: ping", b"data: {}", b"", b"data: one", b"data:  two", b"", b""]
    whole = end.join(lines)
    pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
    assert await read(*pieces) == [("ping", "{}"), ("", "one\n two")]


@pytest.mark.repairs("T20")
@pytest.mark.parametrize("size", [1, 2, 4, 1000])
async def test_a_mark_before_the_first_event_does_not_cost_it(size: int) -> None:
    whole = "\ufeffdata: 비가 그쳤다.\n\n\ufeffdata: no field\n\ndata: \ufeff둘\n\n".encode()
    pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
    assert await read(*pieces) == [("", "비가 그쳤다."), ("", "\ufeff둘")]


async def test_a_long_first_event_after_a_mark_is_an_event() -> None:
    words = b"x" * (2 * LONGEST_PREFACE)
    assert await read(b"\xef\xbb\xbfdata: ", words, b"\n\n") == [("", words.decode())]


async def test_characters_cut_between_pieces_and_halves_of_pairs_come_through() -> None:
    text = "data: 灯\n\n".encode()
    assert await read(text[:7], text[7:]) == [("", "灯")]
    assert await read(b"data: \xed\xa0\xbd\n\n") == [("", "\ud83d")]
    with pytest.raises(UnicodeDecodeError):
        await read(b"data: \xff\n\n")


async def test_an_event_that_has_not_ended_is_none() -> None:
    assert await read(b"data: {}\n") == []


@pytest.mark.parametrize("line", [b"data: ", b": ", b"x"])
async def test_a_line_without_an_end_is_left(line: bytes) -> None:
    taken = 0

    async def dripping() -> AsyncIterator[bytes]:
        nonlocal taken
        yield b"event: ping\n\n" + line
        while True:
            taken += 1
            yield b"x" * 65_536

    with pytest.raises(StreamLimitError, match="without an end"):
        async for _ in stream_events(dripping()):
            pass
    assert taken <= LARGEST_EVENT // 65_536 + 2


async def test_a_page_that_is_no_stream_is_left_soon() -> None:
    with pytest.raises(StreamLimitError, match="something else than events"):
        await read(*[b"<p>Welcome to the hotel</p>\n" * 100] * (LONGEST_PREFACE // 2000))


@pytest.mark.sweep
async def test_events_without_end_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "LARGEST_STREAM", 5_000_000)
    with pytest.raises(TooLongError, match="more than 5 MB came"):
        await read(*[b"event: ping\n\n" * 1000] * 1000)


@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_brackets_nest_as_deep_as_a_message_needs(bracket: str) -> None:
    closing = "]" if bracket == "[" else "}"
    allowed = '{"a":' + bracket * (DEEPEST - 1) + "0" + closing * (DEEPEST - 1) + "}"
    assert StreamEvent("", allowed).value == json.loads(allowed)
    with pytest.raises(StreamLimitError, match="brackets"):
        StreamEvent("", bracket * 200_000).value  # noqa: B018


def test_brackets_in_the_words_of_a_story_do_not_count() -> None:
    text = 'She wrote "[[[{{{" \\ ' * 40
    assert StreamEvent("", json.dumps({"text": text})).value == {"text": text}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("end", ["", "\\"], ids=["open", "in an escape"])
def test_a_string_that_nothing_closes_is_passed_in_good_time(end: str) -> None:
    data = "[" * 65 + '{"' + '\\"' * 100_000 + end
    with pytest.raises(StreamLimitError):
        StreamEvent("", data).value  # noqa: B018
