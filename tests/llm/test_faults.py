"""Every fault of the wire: its kind, how often it is tried, what is kept of it."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from studio import i18n
from studio.errors import Exit
from studio.llm.errors import FAULTS, ModelError
from studio.llm.providers.anthropic import warm_up
from studio.llm.providers.http import http_client
from studio.llm.providers.messages import StreamedAnswer
from studio.llm.providers.server_models import list_models, stated_window
from studio.llm.providers.wire_errors import from_exception
from studio.llm.stream import Deadlines
from tests.fake_messages import Rule
from tests.llm.asking import Ear, MemoryJournal, Waits, asked, gateway_at
from tests.llm.conftest import Serve


@dataclass(frozen=True)
class Case:
    """A fault and what must come of it."""

    name: str
    rule: Rule
    kind: str
    requests: int
    has_text: bool = False
    """Whether text came that must not be lost."""


ONCE, THRICE = 1, 3
CASES = [
    Case("400", Rule(mode="status", status=400), "bad_request", ONCE),
    Case(
        "prompt too long",
        Rule(mode="status", status=400, text="prompt is too long: 210000 tokens"),
        "too_large",
        ONCE,
    ),
    Case("401", Rule(mode="status", status=401), "auth", ONCE),
    Case("402", Rule(mode="status", status=402), "payment", ONCE),
    Case("403", Rule(mode="status", status=403), "forbidden", ONCE),
    Case("404", Rule(mode="status", status=404), "not_found", ONCE),
    Case("408", Rule(mode="status", status=408), "timeout", THRICE),
    Case("409", Rule(mode="status", status=409), "server", THRICE),
    Case("413", Rule(mode="status", status=413), "too_large", ONCE),
    Case("422", Rule(mode="status", status=422), "bad_request", ONCE),
    Case("429", Rule(mode="status", status=429), "rate_limit", THRICE),
    Case("500", Rule(mode="status", status=500), "server", THRICE),
    Case("502", Rule(mode="status", status=502), "server", THRICE),
    Case("529", Rule(mode="status", status=529), "overloaded", THRICE),
    Case("html page", Rule(mode="html"), "protocol", ONCE),
    Case("empty stream", Rule(mode="blank_stream"), "cut", THRICE),
    Case("connection closed", Rule(mode="cut"), "cut", THRICE, has_text=True),
    Case("clean end of file", Rule(mode="eof"), "cut", THRICE, has_text=True),
    Case("error event", Rule(mode="error_event"), "overloaded", THRICE, has_text=True),
    Case("broken JSON event", Rule(mode="bad_json"), "cut", THRICE, has_text=True),
    Case("broken UTF-8", Rule(mode="bad_utf8"), "cut", THRICE, has_text=True),
    Case("max_tokens", Rule(stop_reason="max_tokens"), "cut", ONCE, has_text=True),
    Case("window", Rule(stop_reason="model_context_window_exceeded"), "cut", ONCE, has_text=True),
    Case("unknown reason", Rule(stop_reason="solar_flare"), "cut", ONCE, has_text=True),
    Case("no reason", Rule(stop_reason=None), "cut", THRICE, has_text=True),
    Case("refusal", Rule(stop_reason="refusal"), "refusal", ONCE, has_text=True),
    Case("empty refusal", Rule(stop_reason="refusal", text=""), "refusal", ONCE, has_text=True),
    Case("empty", Rule(text=""), "empty", THRICE),
    Case("white space", Rule(text=" \n\n "), "empty", THRICE),
    Case("only thinking", Rule(mode="thinking_only"), "empty", THRICE),
]


@pytest.mark.sweep
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_a_fault_has_its_kind_its_tries_and_its_remains(  # req: E3 M1 M2 M3 M7 M8 M10
    case: Case, serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(case.rule)
    with pytest.raises(ModelError) as caught:
        await gateway_at(server.url, journal).prose(asked())
    error = caught.value
    assert (error.error_kind, len(server.asked)) == (case.kind, case.requests)
    assert error.problem.exit_code == Exit.MODEL
    assert error.problem.hint
    assert len(journal.aside()) == (case.requests if case.has_text else 0)
    assert {record.finish_reason for record in journal.aside()} <= {case.kind}
    if case.has_text:
        assert journal.aside()[-1].generated_text == error.partial
    assert journal.partials == {}
    assert asked().generation_id not in journal.records


@pytest.mark.sweep
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_every_attempt_is_reserved_before_and_settled_after(  # req: N7
    case: Case, serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(case.rule)
    with pytest.raises(ModelError):
        await gateway_at(server.url, journal).prose(asked())
    money = [step for step in journal.story if step in ("reserve", "settle")]
    assert money == ["reserve", "settle"] * case.requests


async def test_what_came_before_a_cut_is_in_the_error(serve: Serve, journal: MemoryJournal) -> None:
    server = serve(Rule(mode="cut", text="비가 그쳤다. " * 30, after=4))
    ear = Ear()
    with pytest.raises(ModelError, match="the connection was lost after 96 characters") as caught:
        await gateway_at(server.url, journal, waits=()).prose(asked(), ear)
    assert caught.value.partial == ear.text == ("비가 그쳤다. " * 30)[:96]


async def test_the_second_try_may_succeed(serve: Serve, journal: MemoryJournal, ear: Ear) -> None:
    server = serve(Rule(mode="cut", times=1), Rule(text="The lamp was lit."))
    heard: list[tuple[str, int, float]] = []
    gateway = gateway_at(server.url, journal, on_retry=lambda *retry: heard.append(retry))
    record = await gateway.prose(asked(), ear)
    assert record.generated_text == "The lamp was lit."
    assert record.attempts == 2
    assert heard == [("cut", 1, 1.0)]
    assert len(journal.aside()) == 1


async def test_a_reset_connection_is_tried_again(serve: Serve, journal: MemoryJournal) -> None:
    server = serve(Rule(mode="reset", times=2), Rule(text="The lamp was lit."))
    record = await gateway_at(server.url, journal).prose(asked())
    assert (record.generated_text, record.attempts) == ("The lamp was lit.", 3)


@pytest.mark.sweep
@pytest.mark.alone
async def test_a_stall_ends_at_the_idle_deadline(serve: Serve, journal: MemoryJournal) -> None:
    server = serve(Rule(mode="stall"))
    gateway = gateway_at(server.url, journal, waits=(), deadlines=Deadlines(180, 1, 180))
    with pytest.raises(ModelError) as caught:
        await gateway.prose(asked())
    assert caught.value.error_kind == "timeout"
    assert caught.value.partial == journal.aside()[0].generated_text != ""


async def test_no_first_byte_ends_at_its_own_deadline(  # req: E3
    serve: Serve, journal: MemoryJournal
) -> None:
    warm_up()  # what is measured is the server's silence, not the first import of the SDK
    server = serve(Rule(mode="slow"))
    gateway = gateway_at(server.url, journal, deadlines=Deadlines(0.5, 180, 180))
    with pytest.raises(ModelError) as caught:
        await gateway.prose(asked())
    tries = [entry.event for entry in journal.usage].count("reserve")
    assert (caught.value.error_kind, tries) == ("timeout", 3)


async def test_a_trickle_ends_at_the_total_deadline(serve: Serve, journal: MemoryJournal) -> None:
    server = serve(Rule(mode="trickle", delay=0.002))
    gateway = gateway_at(server.url, journal, waits=(), deadlines=Deadlines(180, 180, 0.3))
    with pytest.raises(ModelError) as caught:
        await gateway.prose(asked())
    assert caught.value.error_kind == "timeout"


async def test_characters_split_between_packets_arrive_whole(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(mode="split", text="“돌아왔구나.” 灯亮了。"))
    record = await gateway_at(server.url, journal).prose(asked())
    assert record.generated_text == "“돌아왔구나.” 灯亮了。"


@pytest.mark.parametrize("mode", ["out_of_order", "duplicate_start"])
async def test_events_out_of_order_do_no_harm(
    mode: str, serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(mode=mode, text="The lamp was lit."))
    record = await gateway_at(server.url, journal).prose(asked())
    assert record.generated_text == "The lamp was lit."


async def test_a_model_that_says_one_word_for_ever_is_stopped(  # req: M14
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(mode="loop"))
    with pytest.raises(ModelError, match="over and over") as caught:
        await gateway_at(server.url, journal, waits=()).prose(asked())
    assert caught.value.error_kind == "runaway"
    assert len(caught.value.partial) < 10_000


async def test_an_answer_without_end_is_stopped_at_the_size_limit(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(paragraphs=400))
    with pytest.raises(ModelError, match="more than 9,000 characters"):
        await gateway_at(server.url, journal, waits=(), largest_answer=9000).prose(asked())
    assert journal.aside()[0].finish_reason == "runaway"


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("header", "waited"),
    [
        ("7", [7.0, 7.0]),
        ("-5", [1.0, 4.0]),
        ("soon", [1.0, 4.0]),
        (None, [1.0, 4.0]),
        ("Sat, 21 Nov 2020 12:00:00 GMT", [1.0, 4.0]),
    ],
)
async def test_what_the_service_asks_to_wait_comes_first(  # req: M8
    header: str | None, waited: list[float], serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(mode="status", status=429, retry_after=header))
    sleep = Waits()
    with pytest.raises(ModelError):
        await gateway_at(server.url, journal, sleep=sleep).prose(asked())
    assert sleep.seconds == waited


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("rule", "waited"),
    [
        (Rule(mode="status", status=529), [30.0, 30.0]),
        (Rule(mode="error_event"), [30.0, 30.0]),
        (Rule(mode="status", status=408), [30.0, 30.0]),
        (Rule(mode="stall"), [30.0, 30.0]),
        (Rule(mode="status", status=529, retry_after="7"), [7.0, 7.0]),
        (Rule(mode="status", status=503), [1.0, 4.0]),
        (Rule(mode="cut"), [1.0, 4.0]),
    ],
)
async def test_a_service_without_time_is_left_alone_for_longer(  # req: F8
    rule: Rule, waited: list[float], serve: Serve, journal: MemoryJournal
) -> None:
    server, sleep = serve(rule), Waits()
    with pytest.raises(ModelError):
        await gateway_at(server.url, journal, sleep=sleep, deadlines=Deadlines(20, 0.2, 20)).prose(
            asked()
        )
    assert sleep.seconds == waited


async def test_an_hour_is_not_waited_for(serve: Serve, journal: MemoryJournal) -> None:
    server = serve(Rule(mode="status", status=429, retry_after="3600"))
    with pytest.raises(ModelError) as caught:
        await gateway_at(server.url, journal).prose(asked())
    assert "60 minutes" in caught.value.problem.hint
    assert caught.value.retryable
    assert len(server.asked) == 1


async def test_a_wait_can_be_cancelled(serve: Serve, journal: MemoryJournal) -> None:  # req: M15
    server = serve(Rule(mode="status", status=529))
    waiting = asyncio.Event()

    async def sleep(_: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(gateway_at(server.url, journal, sleep=sleep).prose(asked()))
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(server.asked) == 1


async def test_nothing_listening_is_said_in_words(  # req: M9
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve()
    server.__exit__(None, None, None)
    with pytest.raises(ModelError, match=r"127\.0\.0\.1:\d+: nothing answers there") as caught:
        await gateway_at(server.url, journal).prose(asked())
    assert caught.value.error_kind == "connection"
    assert [entry.usd for entry in journal.usage if entry.event == "settle"] == [0.0] * 3


async def test_certificates_that_are_not_there_are_said_in_words(  # req: M9
    journal: MemoryJournal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "nowhere.pem"))
    address = "https://models.invalid"
    with pytest.raises(ModelError, match="certificates of this machine cannot be read") as caught:
        await gateway_at(address, journal).prose(asked())
    assert caught.value.error_kind == "connection"
    assert [entry.usd for entry in journal.usage if entry.event == "settle"] == [0.0]
    with pytest.raises(ModelError, match="certificates of this machine cannot be read"):
        await list_models(f"{address}/v1/models", address, {})
    assert await stated_window(f"{address}/v1/models", address, {}, ["m"]) is None


async def test_a_model_on_this_machine_waits_for_no_certificates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[object] = []
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", lambda *_, **__: read.append(1))
    await http_client("http://127.0.0.1:1", Deadlines()).aclose()
    assert not read
    await http_client("https://127.0.0.1:1", Deadlines()).aclose()
    assert read, "a certificate is shown there"


async def test_an_address_that_no_client_takes_is_said_in_words(  # req: M9
    journal: MemoryJournal,
) -> None:
    with pytest.raises(ModelError, match="ａ．ｂ: this is not the address of a server") as caught:
        await gateway_at("http://ａ．ｂ", journal).prose(asked())
    assert caught.value.error_kind == "connection"


BROKEN = "the connection was broken off"
NO_ADDRESS = "this is not the address of a server"


def chained(outer: Exception, inner: Exception) -> Exception:
    outer.__cause__ = inner
    return outer


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (httpx2.RemoteProtocolError("Server disconnected."), BROKEN),
        (chained(httpx2.ReadError("read"), ConnectionResetError(104, "Reset by peer")), BROKEN),
        (httpx2.ReadError("read"), BROKEN),
        (httpx2.WriteError("write"), BROKEN),
        (chained(httpx2.ConnectError("no"), OSError(101, "unreachable")), "the connection failed"),
        (
            chained(httpx2.ConnectError("no"), ssl.SSLError(1, "[SSL] wrong version number")),
            "the secure connection failed",
        ),
        (chained(httpx2.ConnectError("no"), socket.gaierror(-2, "x")), "no such name is known"),
        (httpx2.ProxyError("403 by the hotel"), "the proxy does not let it through"),
        (httpx2.UnsupportedProtocol("Request URL is missing an 'http://' protocol."), NO_ADDRESS),
        (httpx2.PoolTimeout("pool"), "it does not answer"),
        (httpx2.InvalidURL("Invalid port: 'x'"), NO_ADDRESS),
        (ValueError("Port could not be cast to integer value as 'x'"), NO_ADDRESS),
        (
            UnicodeEncodeError("ascii", "é", 0, 1, "ordinal not in range(128)"),
            "the key or the address has characters that cannot be sent",
        ),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("language", ["ko", "zh"])
def test_why_a_connection_failed_is_said_in_words_of_ours(
    error: Exception,
    reason: str,
    language: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # req: M9
    monkeypatch.setattr(logging.getLogger("studio"), "propagate", True)  # `--debug` takes it away
    caplog.set_level("DEBUG", "studio.llm")
    said = from_exception(error, "http://[::1]:8080", StreamedAnswer("")).problem.message
    assert f": {reason}" in said
    i18n.use(language)
    words = i18n.translate(said)
    assert re.findall("[A-Za-z]{2,}", words.replace("HTTP", "")) == []
    assert str(error) in caplog.text or repr(error) in caplog.text


async def test_the_key_does_not_follow_a_redirect(  # req: M9
    serve: Serve, journal: MemoryJournal
) -> None:
    other = serve()
    server = serve(Rule(mode="redirect", location=f"{other.url}/v1/messages"))
    with pytest.raises(ModelError) as caught:
        await gateway_at(server.url, journal).prose(asked())
    assert caught.value.error_kind == "protocol"
    assert other.asked == []


async def test_a_proxy_is_not_used_for_this_machine(  # req: M9
    serve: Serve, journal: MemoryJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    server = serve(Rule(text="The lamp was lit."))
    assert (await gateway_at(server.url, journal).prose(asked())).generated_text


def test_every_kind_says_what_happened_and_what_to_do() -> None:
    for fault in FAULTS.values():
        assert fault.sentence[0].isupper()
        assert fault.hint.endswith(".")
