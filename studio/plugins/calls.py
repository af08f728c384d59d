"""The parent's end of the plugin process: starts it when needed, sends requests with a time limit,
and kills it on timeout.
"""

from __future__ import annotations

import json
import os
import secrets
import selectors
import signal
import subprocess
import sys
import time
import weakref
from contextlib import suppress
from typing import Any

from studio.foreign_json import JsonError, read_json
from studio.messages import said
from studio.plugins.bounds import MARK, end_marked, hide_this_process

LARGEST_ANSWER = 4_000_000
"""The maximum size of one answer in bytes."""
START = 30.0
"""Seconds that Python may take to start; no plugin has been loaded by then."""
_PASSED_ON = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "TMPDIR", "TZ")
"""The environment variables passed to plugins; no key is among them."""


class PluginFault(Exception):
    """Raised when a plugin fails to answer; its text completes a sentence about the plugin."""


class Child:
    """A plugin process. Used by one thread at a time."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._mark = ""
        """What the process and all that it starts are known by."""

    @property
    def is_running(self) -> bool:
        """Whether the process exists."""
        return self._process is not None

    def ask(self, order: dict[str, Any]) -> Any:
        """Returns the value of the answer; the process is killed if none arrives in time.

        Raises PluginFault.
        """
        line = json.dumps(order).encode() + b"\n"
        try:
            process = self._process or self._start()
            data = read_json(_exchange(process, line, time.monotonic() + self._patience), dict)
        except TimeoutError:
            self.stop()
            raise PluginFault(
                said("did not answer within {patience} seconds", patience=f"{self._patience:g}")
            ) from None
        except JsonError as error:
            self.stop()  # a plugin that writes past the host may have written more
            words = said("answered with JSON that cannot be kept: {why}", why=error.why)
            raise PluginFault(words) from None
        except OSError:
            self.stop()
            raise PluginFault(said("ended its process")) from None
        if "error" in data:
            raise PluginFault(said("failed ({words})", words=data["error"]))
        return data.get("value")

    def stop(self) -> None:
        """Ends the process and everything it has started."""
        process, self._process = self._process, None
        if process is not None:
            _end(process, self._mark)

    def _start(self) -> subprocess.Popen[bytes]:
        hide_this_process()
        mark = secrets.token_hex(16)
        process = subprocess.Popen(
            [sys.executable, "-I", "-B", "-m", "studio.plugins.host"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={MARK: mark, **{n: os.environ[n] for n in _PASSED_ON if n in os.environ}},
            cwd="/",
            start_new_session=True,
        )
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
        self._process, self._mark = process, mark
        weakref.finalize(self, _end, process, mark)
        _exchange(process, b'{"hello": true}\n', time.monotonic() + START)
        return process


def _end(process: subprocess.Popen[bytes], mark: str) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    end_marked(mark)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _exchange(process: subprocess.Popen[bytes], line: bytes, deadline: float) -> bytes:
    """Sends a line and returns the answering line. Raises TimeoutError, or OSError if the process
    ends."""
    assert process.stdin is not None
    assert process.stdout is not None
    sending, answer = memoryview(line), bytearray()
    with selectors.DefaultSelector() as ready:
        ready.register(process.stdin, selectors.EVENT_WRITE)
        ready.register(process.stdout, selectors.EVENT_READ)
        while not answer.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            for key, _ in ready.select(left):
                if key.fileobj is process.stdin:
                    sending = sending[process.stdin.write(sending[:65536]) or 0 :]
                    if not sending:
                        ready.unregister(process.stdin)
                    continue
                piece = os.read(key.fd, 65536)
                if not piece or len(answer) + len(piece) > LARGEST_ANSWER:
                    raise OSError(said("no answer"))
                answer += piece
    return bytes(answer)
