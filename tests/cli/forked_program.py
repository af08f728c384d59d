"""The `studio` command from a process that has loaded it already.

Four tenths of a second of every command go into loading Python and the program, and a tenth into
what it makes at its first use. The tests run some thousand commands, so one process does both once
and forks for each command: the same entry point, with arguments, environment, folder, streams and
exit code of its own. What depends on how the interpreter starts (a preloaded library, an encoding)
takes the installed program.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import TypeVar

from pydantic import BaseModel

import studio.__main__
from studio.fsio import fault_points
from studio.i18n import LANGUAGES
from studio.story.form.document import Document
from studio.story.form.validation import schema_faults
from studio.text.language.packs import load_pack

F = TypeVar("F")

STREAMS = 3
WITHOUT = ("studio.tui", "studio.llm.providers.embedded")
"""What no command of these tests runs in."""
_CAPABILITY_VERSION = 0x20080522
"""The version of the capset(2) call that takes 64 capabilities."""
READ_AT_START = ("LD_", "PYTHON", "LC_", "LANG", "MALLOC_")
"""Variables that count before a command does; a locale counts by its encoding only, because the
program reads its language itself."""


def can_run(environ: Mapping[str, str]) -> bool:
    """Whether a command with these variables comes out here as it would from a start."""
    return hasattr(socket, "recv_fds") and _at_start(environ) == _at_start(_loaded()[1])


def _at_start(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in environ.items()
        if name.startswith(READ_AT_START)
        and not (name.startswith(("LC_", "LANG")) and value.lower().endswith((".utf-8", ".utf8")))
    }


def run(
    program: Path,
    arguments: list[str],
    cwd: Path,
    environ: Mapping[str, str],
    streams: list[int],
    without_rights: bool = False,
) -> int:
    """Runs the command on these three descriptors, as somebody whom the modes of files bind even if
    the tests run as root, if so asked. Returns its exit code, or the negated number of the signal
    that ended it."""
    order = json.dumps(
        [[str(program), *arguments], str(cwd), dict(environ), without_rights]
    ).encode()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.connect(_loaded()[0])
        socket.send_fds(line, [len(order).to_bytes(4, "big")], streams)
        line.sendall(order)
        answer = line.recv(4)
    if not answer:
        raise RuntimeError("the loaded program ended without an exit code")
    return int.from_bytes(answer, "big", signed=True)


@cache
def _loaded() -> tuple[str, dict[str, str]]:
    """The address of this process's loaded program, and the variables it was started with."""
    folder = tempfile.mkdtemp(prefix="studio-loaded-")
    address = os.path.join(folder, "line")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(address)
    listener.listen(16)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.cli.forked_program", str(listener.fileno())],
        cwd=Path(__file__).resolve().parents[2],
        pass_fds=[listener.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    listener.close()

    def end() -> None:
        process.kill()
        process.wait()
        os.unlink(address)
        os.rmdir(folder)

    atexit.register(end)
    return address, dict(os.environ)


def _serve(listener: socket.socket) -> None:
    _load()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        line, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            _attend(line)
        line.close()


def _load() -> None:
    """What most commands import, and what they make of it once: the forms of files and the rules
    of the languages. No thread starts and nothing of the environment is read."""
    import_module("anthropic")
    for module in walk_packages(studio.__path__, "studio."):
        if not module.name.startswith(WITHOUT):
            import_module(module.name)
    for form in _below(BaseModel):
        form.model_rebuild()
    for document in _below(Document):
        schema_faults(document, {})
    for language in LANGUAGES:
        load_pack(language)
    gc.collect()
    gc.freeze()


def _below(base: type[F]) -> set[type[F]]:
    """Every class of ours that is made from this one."""
    forms = {form for one in base.__subclasses__() for form in ({one} | _below(one))}
    return {form for form in forms if form.__module__.startswith("studio.")}


def _attend(line: socket.socket) -> None:
    """Runs one command in a child of this child and says how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    length, streams, _, _ = socket.recv_fds(line, 4, STREAMS)
    order = b""
    while len(order) < int.from_bytes(length, "big"):
        order += line.recv(1 << 16)
    argv, cwd, environ, without_rights = json.loads(order)
    child = os.fork()
    if child == 0:
        line.close()
        if without_rights:
            _give_up_rights()
        _command(argv, cwd, environ, streams)
    for stream in streams:
        os.close(stream)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    line.sendall(code.to_bytes(4, "big", signed=True))
    os._exit(0)


def _give_up_rights() -> None:
    """Gives up every capability. Another user would do as well, but might not be able to read the
    Python that runs this."""
    if os.geteuid() != 0:
        return
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    if ctypes.CDLL(None, use_errno=True).capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "capset")


def _command(argv: list[str], cwd: str, environ: dict[str, str], streams: list[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    fault_points.arm(environ.get("STUDIO_FAULT", ""))
    sys.argv = argv
    random.seed()
    code: object = 1
    try:
        studio.__main__.main()
    except SystemExit as ended:
        code = ended.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code if isinstance(code, int) else 0 if code is None else 1)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
