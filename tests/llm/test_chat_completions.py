"""A server of OpenAI's kind: chosen in the writer's own file alone, and asked like any other."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from studio.config.load import load_settings
from studio.errors import Exit, StudioError
from studio.llm.choose import choose_provider
from studio.llm.errors import ModelError
from studio.llm.provider import AnswerDelta, PromptPart, Request, ToolSpec, uses_in
from studio.llm.providers.chat_completions import ChatChunks, chat_body
from studio.llm.providers.messages import StreamedAnswer
from studio.llm.providers.profiles import UNKNOWN
from studio.llm.providers.server_models import ListedModel, models_in
from tests.cli.command import studio
from tests.fake_answers import from_schema, prose

MODEL, KEY = "qwen3-8b", "sk-local-0123456789"


class Server(ThreadingHTTPServer):
    """Answers chat completions in three pieces, and lists one model."""

    asked: list[tuple[str, str, dict[str, Any]]]
    look_up: list[dict[str, Any]]
    """Pieces of look-ups that it asks for where it may, before it answers."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        rows = [
            {"id": MODEL, "meta": {"n_ctx_train": 32768}},
            {"id": "tiny", "context_length": 512},
        ]
        self._whole(200, {"object": "list", "data": rows})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append((self.path, self.headers.get("authorization", ""), body))
        if body["model"] != MODEL:
            self._whole(404, {"error": {"message": f"model {body['model']} not found"}})
            return
        form = body.get("response_format", {}).get("json_schema", {}).get("schema")
        text = json.dumps(from_schema(form)) if form else prose("en", len(self.server.asked))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        if self.server.look_up and body.get("tools") and body["messages"][-1]["role"] != "tool":
            self._look_up(self.server.look_up)
            return
        third = len(text) // 3
        for piece in (text[:third], text[third : 2 * third], text[2 * third :]):
            self._event({"choices": [{"delta": {"content": piece}}]})
        self._event({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        usage = {"prompt_tokens": 100, "completion_tokens": 50}
        self._event(
            {"choices": [], "usage": {**usage, "prompt_tokens_details": {"cached_tokens": 40}}}
        )
        self.wfile.write(b"data: [DONE]\n\n")

    def _look_up(self, chunks: list[dict[str, Any]]) -> None:
        self._event({"choices": [{"delta": {"content": "Let me see. "}}]})
        for calls in chunks:
            self._event({"choices": [{"delta": {"tool_calls": [calls]}}]})
        self._event({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})
        self._event({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 7}})
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, value: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(value).encode() + b"\n\n")

    def _whole(self, status: int, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def server() -> Iterator[Server]:
    """The server, on loopback."""
    with Server(("127.0.0.1", 0), Handler) as http:
        http.asked, http.look_up = [], []
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield http
        http.shutdown()
        thread.join()


def own_config(home: Path, url: str, model: str = MODEL, more: str = "") -> dict[str, str]:
    """The writer's own file with this server in it; the environment that finds it."""
    file = home / "config" / "studio" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(
        f'[provider]\nname = "openai"\nbase_url = "{url}"\n{more}\n'
        f'[models]\ndeep = "{model}"\nstandard = "{model}"\nfast = "{model}"\n',
        "utf-8",
    )
    return {"XDG_CONFIG_HOME": str(home / "config"), "HOME": str(home)}


def request_of(text: str, schema: dict[str, Any] | None = None) -> Request:
    return Request("c", "draft", "drafter", "deep", (PromptPart("user", text),), schema=schema)


async def test_an_answer_streams_and_is_counted(server: Server, own_home: Path) -> None:
    # req: I4
    settings = load_settings(None, own_config(own_home, server.url, more=f'api_key = "{KEY}"'))
    provider = choose_provider(settings).provider
    assert provider is not None
    deltas: list[AnswerDelta] = []
    reply = await provider.stream(request_of("Go on."), deltas.append)
    await provider.close()
    assert (reply.finish_reason, reply.text) == ("end", prose("en", 1))
    assert "".join(delta.text for delta in deltas) == reply.text
    assert (reply.usage.input_tokens, reply.usage.cache_read_tokens) == (60, 40)
    assert reply.usage.output_tokens == 50
    ((path, authorization, _),) = server.asked
    assert (path, authorization) == ("/v1/chat/completions", f"Bearer {KEY}")


async def test_a_model_there_is_not_is_answered_with_those_there_are(
    server: Server, own_home: Path
) -> None:  # req: I4
    environ = own_config(own_home, f"{server.url}/v1", "claude-opus-5-5")
    provider = choose_provider(load_settings(None, environ)).provider
    assert provider is not None
    with pytest.raises(ModelError) as caught:
        await provider.stream(request_of("Go on."), lambda delta: None)
    await provider.close()
    problem = caught.value.problem
    assert "claude-opus-5-5 not found" in problem.message
    assert f"it has: {MODEL}, tiny." in problem.hint
    assert problem.exit_code == Exit.MODEL


def test_no_key_of_the_environment_leads_there_or_is_sent(server: Server, own_home: Path) -> None:
    # req: I4, S11
    stray = {"ANTHROPIC_API_KEY": "sk-ant-0123456789", "OPENAI_API_KEY": "sk-0123456789"}
    assert load_settings(None, {**stray, "HOME": str(own_home)}).provider.name is None
    only_key = load_settings(None, {"OPENAI_API_KEY": "sk-01234567", "HOME": str(own_home)})
    assert choose_provider(only_key).reason.find("openai") == -1
    other = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    own = load_settings(None, {**stray, **other, **own_config(own_home, server.url)}).provider
    assert (own.openai.api_key, own.openai.base_url) == (None, server.url)


def test_without_an_address_of_her_own_nothing_is_asked(own_home: Path) -> None:  # req: I4
    environ = {"HOME": str(own_home), "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    settings = load_settings(None, environ, {"provider.name": "openai"})
    with pytest.raises(StudioError, match="needs an address in your own") as caught:
        choose_provider(settings)
    assert caught.value.problem.exit_code == Exit.USAGE


@pytest.mark.sweep
def test_a_chapter_is_drafted_and_committed(
    server: Server, own_home: Path, project: Path
) -> None:  # req: I4
    environ = own_config(own_home, server.url)
    with (own_home / "config/studio/config.toml").open("a", encoding="utf-8") as file:
        file.write(f"[prices.{MODEL}]\ninput = 0.2\noutput = 0.6\n")  # under the novel's cap
    listed = studio("models", "--model", MODEL, "--json", environ=environ, cwd=project).json
    assert [(row["id"], row["fits"], row["roles"]) for row in listed["models"]] == [
        (MODEL, True, ["deep", "standard", "fast"]),
        ("tiny", False, []),
    ]
    assert listed["missing"] == []
    ended = studio(
        "write", "--model", MODEL, "--review", "reject", "--quiet", environ=environ, cwd=project
    )
    assert server.asked, (ended.code, ended.out, ended.err)
    assert ended.code in (Exit.DONE, Exit.DECIDE), ended.err
    assert (project / "staging/chapters/chapter-003.md").exists() or (
        project / "chapters/chapter-003.md"
    ).exists()


# req: C11 C6 I4
@pytest.mark.sweep
def test_a_writer_looks_things_up_on_such_a_server(
    server: Server, own_home: Path, project: Path
) -> None:
    """Where her own file says that it can: each step is a call of its own, and the answer to a
    look-up goes back under its id."""
    begun = {"index": 0, "id": "c1", "function": {"name": "find_character", "arguments": '{"na'}}
    server.look_up = [begun, {"index": 0, "function": {"arguments": 'me": "Mara"}'}}]
    environ = own_config(own_home, server.url)
    with (own_home / "config/studio/config.toml").open("a", encoding="utf-8") as file:
        file.write(f'[provider.endpoints."{server.url}"]\ntools = true\nwindow = 60000\n')
        file.write(f"[prices.{MODEL}]\ninput = 0.2\noutput = 0.6\n")
    own = project / "studio.toml"
    own.write_text(own.read_text("utf-8").replace("[generation]", '[generation]\ntools = "all"'))
    ended = studio(
        "write", "--model", MODEL, "--review", "reject", "--quiet", environ=environ, cwd=project
    )
    assert ended.code in (Exit.DONE, Exit.DECIDE), ended.err
    first, second = (body for _, _, body in server.asked[:2])
    names = [tool["function"]["name"] for tool in first["tools"]]
    assert names[:2] == ["find_character", "find_world"]
    words, answer = second["messages"][-2:]
    assert (words["role"], words["content"]) == ("assistant", "Let me see. ")
    assert words["tool_calls"][0]["function"]["arguments"] == '{"name":"Mara"}'
    assert (answer["role"], answer["tool_call_id"]) == ("tool", "c1")
    assert 'name="find_character"' in answer["content"]
    (text,) = project.rglob("chapter-003.md")
    assert "Let me see" not in text.read_text("utf-8")


@pytest.mark.parametrize(
    "calls",
    [
        [
            {"index": 0, "id": "a", "function": {"name": "one", "arguments": '{"x":'}},
            {"index": 0, "id": "a", "function": {"name": "one", "arguments": "1}"}},
            {"index": 1, "id": "b", "function": {"name": "two", "arguments": "{}"}},
        ],
        [
            {"index": 0, "id": "a", "function": {"name": "one", "arguments": '{"x":1}'}},
            {"index": 0, "id": "b", "function": {"name": "two", "arguments": ""}},
        ],
        [
            {"index": 0, "id": None, "function": {"name": "one", "arguments": '{"x":1}'}},
            {"index": 1, "function": {"name": "two", "arguments": "{"}},
        ],
    ],
    ids=["name with every piece", "all of one number", "without ids"],
)
@pytest.mark.parametrize("finish", ["tool_calls", "stop"])
def test_look_ups_are_read_in_every_servers_manner(
    calls: list[dict[str, Any]], finish: str
) -> None:
    chunks, answer = ChatChunks(), StreamedAnswer(MODEL)
    for call in calls:
        for event in chunks.as_events({"choices": [{"delta": {"tool_calls": [call]}}]}):
            list(answer.take(event))
    for event in chunks.as_events({"choices": [{"delta": {}, "finish_reason": finish}]}):
        list(answer.take(event))
    reply = answer.reply()
    assert reply.finish_reason == "tool_use"
    uses = uses_in(reply.content)
    assert [(use.name, use.args) for use in uses] == [("one", {"x": 1}), ("two", {})]
    assert len({use.id for use in uses}) == 2


def test_the_last_step_forbids_look_ups() -> None:
    tool = ToolSpec("find_state", "What is true.", {"type": "object"})
    last = replace(request_of("Go on."), tools=(tool,), must_answer=True)
    assert chat_body(last, MODEL, UNKNOWN)["tool_choice"] == "none"
    assert "tool_choice" not in chat_body(replace(last, must_answer=False), MODEL, UNKNOWN)
    assert "tools" not in chat_body(request_of("Go on."), MODEL, UNKNOWN)


def test_a_structured_answer_asks_for_its_form_in_both_ways() -> None:
    sent = chat_body(request_of("Judge.", {"type": "object"}), MODEL, UNKNOWN)
    assert sent["response_format"]["json_schema"]["schema"] == {"type": "object"}
    (message,) = sent["messages"]
    assert message["content"].startswith("Judge.\n\nAnswer with one JSON object")


@pytest.mark.parametrize(
    ("finish", "reason"),
    [("stop", "end"), ("length", "length"), ("content_filter", "refusal"), ("odd", "other")],
)
def test_each_end_is_known(finish: str, reason: str) -> None:
    answer = StreamedAnswer(MODEL)
    chunk = {"choices": [{"delta": {"content": "물"}, "finish_reason": finish}]}
    for event in ChatChunks().as_events(chunk):
        list(answer.take(event))
    assert (answer.reply().finish_reason, answer.reply().text) == (reason, "물")
    assert StreamedAnswer(MODEL).reply().finish_reason == "cut"


@pytest.mark.parametrize(
    "chunk",
    [
        {},
        {"choices": 3},
        {"choices": [3]},
        {"choices": [{"delta": 1}]},
        {"choices": [{"delta": {"tool_calls": 3}}]},
        {"choices": [{"delta": {"tool_calls": [3, {"function": 4}, {"index": "x"}]}}]},
    ],
)
def test_a_chunk_of_another_form_says_nothing(chunk: dict[str, Any]) -> None:
    answer = StreamedAnswer(MODEL)
    for event in ChatChunks().as_events(chunk):
        list(answer.take(event))
    assert answer.text == ""


def test_lists_of_every_form_are_read() -> None:
    assert models_in({"models": [{"name": "a"}, {"id": 3}, "x", {"id": "a"}]}) == (
        ListedModel("a"),
    )
    assert models_in({"data": [{"id": "b", "max_input_tokens": 9000}]})[0].fits is True
    assert models_in(None) == models_in({"data": 4}) == ()
