"""A server on loopback that answers every request with given bytes, valid or not.

The answers of `tests.fake_messages` are always HTTP and nearly always JSON; this server is for
answers that are neither, and for bodies without an end.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

Answer = Callable[[], Iterable[bytes]]
STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"


class RawServer:
    """Sends the pieces of `answer()` to each client until they end or the client hangs up."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.requests: list[bytes] = []
        """Each request, head and body, as it arrived."""
        self.sent = 0
        """The number of bytes accepted by the sockets, over all answers."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def url(self) -> str:
        """The base URL for the SDK."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(client,), daemon=True).start()

    def _talk(self, client: socket.socket) -> None:
        with client:
            try:
                self.requests.append(_request(client))
                for piece in self.answer():
                    client.sendall(piece)
                    self.sent += len(piece)
            except OSError:
                return


def _request(client: socket.socket) -> bytes:
    """Reads one request with a body of the announced length, if there is one."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(client)
    head, _, _ = data.partition(b"\r\n\r\n")
    lengths = (
        int(line.split(b":")[1])
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length:")
    )
    length = next(lengths, 0)
    while len(data) < len(head) + 4 + length:
        data += _more(client)
    return data


def _more(client: socket.socket) -> bytes:
    piece = client.recv(65_536)
    if not piece:
        raise ConnectionResetError
    return piece
