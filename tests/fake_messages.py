"""A Messages server on loopback for the real SDK, with every fault that a connection can have.

In a test: `with FakeMessages(Rule(mode="cut")) as server: ... server.url`. As a program: `python -m
tests.fake_messages --port-file F [--script RULES.json]`; GET /__requests returns the requests, POST
/__release releases held answers.
"""

from __future__ import annotations

import argparse
import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.fake_cache import PrefixCache
from tests.fake_stream import Asked, Rule, answer_tokens, events

Answering = Callable[[Asked], Rule | None]
"""Chooses a rule for a request; None leaves the choice to the rules of the server."""


class FakeMessages:
    """The server; `asked` holds its requests in the order of arrival."""

    def __init__(self, *rules: Rule, answering: Answering | None = None) -> None:
        self.rules = list(rules)
        self.answering = answering
        self.asked: list[Asked] = []
        self.usages: dict[int, dict[str, int]] = {}
        """The token counts of each prompt, by the number of its request."""
        self.outputs: dict[int, int] = {}
        """The token counts of the answers."""
        self.pages: dict[str, Any] = {}
        """The answers to GET requests by path; any other path is not found."""
        self.released = threading.Event()
        self._stepped = threading.Condition()
        self._used: dict[int, int] = {}
        self._cache = PrefixCache()
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.fake = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def port(self) -> int:
        """The port of the server."""
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """The base URL for the SDK."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.released.set()
        with self._stepped:
            self._stepped.notify_all()
        self._http.shutdown()
        self._http.server_close()

    def note(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Asked:
        """Records a request."""
        with self._lock:
            asked = Asked(len(self.asked), path, headers, body)
            self.asked.append(asked)
            return asked

    def step(self, asked: Asked) -> None:
        """Releases the next delta of an answer whose rule has the mode `step`."""
        with self._stepped:
            asked.allowed += 1
            self._stepped.notify_all()

    def wait_step(self, asked: Asked) -> None:
        """Waits until the next delta of an answer is released or the server ends."""
        with self._stepped:
            self._stepped.wait_for(
                lambda: asked.sent < asked.allowed or self.released.is_set(),
            )

    def rule_for(self, asked: Asked) -> Rule:
        """Returns the first matching rule."""
        chosen = self.answering(asked) if self.answering else None
        if chosen is not None:
            return chosen
        with self._lock:
            for number, rule in enumerate(self.rules):
                if self._matches(number, rule, asked):
                    self._used[number] = self._used.get(number, 0) + 1
                    return rule
        return Rule()

    def _matches(self, number: int, rule: Rule, asked: Asked) -> bool:
        if rule.index is not None and rule.index != asked.index:
            return False
        if rule.times is not None and self._used.get(number, 0) >= rule.times:
            return False
        return rule.contains in json.dumps(asked.body, ensure_ascii=False)

    def prompt_usage(self, asked: Asked) -> dict[str, int]:
        """Returns the token counts of a prompt."""
        with self._lock:
            self.usages[asked.index] = self._cache.usage(asked)
            return self.usages[asked.index]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    fake: FakeMessages

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores clients that hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server
    asked: Asked
    rule: Rule

    def log_message(self, format: str, *args: Any) -> None:
        """Suppresses the log."""

    def do_GET(self) -> None:
        if self.path != "/__requests":
            page = self.server.fake.pages.get(self.path.partition("?")[0])
            self._whole(404 if page is None else 200, json.dumps(page or {}).encode())
            return
        rows = [dict(vars(asked)) for asked in list(self.server.fake.asked)]
        self._whole(200, json.dumps(rows, ensure_ascii=False).encode())

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        raw = self.rfile.read(length)
        if self.path == "/__release":
            self.server.fake.released.set()
            self._whole(200, b"{}")
            return
        self.asked = self.server.fake.note(self.path, dict(self.headers), json.loads(raw))
        self.rule = self.server.fake.rule_for(self.asked)
        self._answer()
        self.asked.over = True

    def _answer(self) -> None:
        rule = self.rule
        if rule.mode == "status":
            self._refuse()
        elif rule.mode == "redirect":
            self._whole(307, b"", location=rule.location)
        elif rule.mode == "html":
            self._whole(200, b"<html><body>Welcome to the hotel</body></html>", kind="text/html")
        else:
            if rule.mode == "slow":
                self.server.fake.released.wait()
            self._stream()

    def _refuse(self) -> None:
        rule = self.rule
        said = {"type": rule.error_type, "message": rule.text or f"refused with {rule.status}"}
        body = json.dumps({"type": "error", "error": said}).encode()
        extra = {} if rule.retry_after is None else {"retry-after": rule.retry_after}
        self._whole(rule.status, body, **extra)

    def _whole(
        self, status: int, body: bytes, *, kind: str = "application/json", **headers: str
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        fake = self.server.fake
        usage = fake.prompt_usage(self.asked)
        fake.outputs[self.asked.index] = answer_tokens(self.asked, self.rule)
        for piece in events(self.asked, self.rule, usage, fake.released, fake.wait_step):
            if piece is None:
                self._reset()
                return
            if self.rule.mode in ("trickle", "split"):
                self._crumbs(piece)
            else:
                self._chunk(piece)
        self._chunk(b"")

    def _crumbs(self, piece: bytes) -> None:
        for at in range(len(piece)):
            self._chunk(piece[at : at + 1])
            if self.rule.mode == "trickle":
                self.server.fake.released.wait(self.rule.delay)

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _reset(self) -> None:
        """Cuts the connection without the last chunk; a reset may discard bytes that were not
        read."""
        if self.rule.mode == "reset":
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True
        if self.rule.mode == "cut":
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()


def main(arguments: list[str] | None = None) -> None:
    """Serves until the process is killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port-file", type=Path, required=True)
    parser.add_argument("--script", type=Path, help="a JSON list of rules")
    chosen = parser.parse_args(arguments)
    rows = json.loads(chosen.script.read_text("utf-8")) if chosen.script else []
    with FakeMessages(*(Rule(**row) for row in rows)) as server:
        waiting = chosen.port_file.with_suffix(".tmp")
        waiting.write_text(str(server.port))
        waiting.replace(chosen.port_file)
        while True:
            time.sleep(3600)


__all__ = ["Asked", "FakeMessages", "Rule"]

if __name__ == "__main__":
    main()
