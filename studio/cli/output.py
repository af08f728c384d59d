"""Everything printed to the terminal: results on stdout, messages on stderr, all sanitized.

Untrusted text (from models, files, paths, arguments) passes `safe_text` here, so that no command
can forget it (reliability S7). The studio's own sentences are translated into the writer's language
here; text of the novel goes through `show`, which does not translate it. A whole text, which
somebody may keep, goes through `put_file`: sanitized on a terminal only. Colour is used only on a
terminal.
"""

from __future__ import annotations

import errno
import io
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TextIO

from click.exceptions import Exit as Leave

from studio.errors import Problem, failed
from studio.i18n import translate
from studio.messages import said
from studio.text.safe import safe_json, safe_text

TerminalTone = Literal["plain", "strong", "quiet", "good", "bad"]
NOBODY_LISTENS = 128 + 13
"""The exit code when the reader of our output is gone: 128 plus the number of SIGPIPE."""

_CODES: dict[TerminalTone, str] = {
    "plain": "",
    "strong": "1",
    "quiet": "2",
    "good": "32",
    "bad": "31",
}
_COMMAND = re.compile(
    r"`(studio (?:write|resume|decide|directives|status|verify|repair|rebuild|history|log)"
    r"(?: [^`]*)?)`"
)
_novel = ""
_is_quiet = False
_GONE = (errno.EPIPE, errno.EIO, errno.EBADF, errno.ECONNRESET)


def prepare_streams() -> None:
    """Replaces characters that the terminal's encoding lacks with `?` instead of failing (T7)."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def be_quiet(quiet: bool = True) -> None:
    """Suppresses everything but results and errors from now on (`--quiet`)."""
    global _is_quiet
    _is_quiet = quiet


def is_quiet() -> bool:
    """Whether only results and errors are printed."""
    return _is_quiet


def report(text: str) -> None:
    """Prints on stdout that something was done, where the command has no other result."""
    if not _is_quiet:
        say(text, "good")


def say(text: str = "", tone: TerminalTone = "plain", end: str = "\n") -> None:
    """Prints a message in the writer's language, or a row of the result, on stdout."""
    show(translate(text), tone, end)


def show(text: str, tone: TerminalTone = "plain", end: str = "\n") -> None:
    """Prints text of the novel, a page or a prompt on stdout as it is."""
    _write(sys.stdout, _tint(safe_text(text), tone, sys.stdout) + end)


def say_pieces(pieces: Sequence[tuple[str, TerminalTone]]) -> None:
    """Prints one line of the result, each piece in a separate tone."""
    toned = (_tint(safe_text(text), tone, sys.stdout) for text, tone in pieces)
    _write(sys.stdout, "".join(toned) + "\n")


def tell(text: str, tone: TerminalTone = "plain") -> None:
    """Prints a message on stderr, unless only results and errors are printed."""
    if not _is_quiet:
        _tell(text, tone)


def _tell(text: str, tone: TerminalTone = "plain") -> None:
    _write(sys.stderr, _tint(safe_text(translate(text)), tone, sys.stderr) + "\n")


def draws_in_place() -> bool:
    """Whether a line on stderr can be redrawn in place."""
    return is_terminal(sys.stderr) and os.environ.get("TERM", "dumb") != "dumb"


def show_passing(text: str) -> None:
    """Prints a message on stderr; on a terminal, the next one replaces it."""
    if not draws_in_place():
        tell(text)
    elif not _is_quiet:
        _write(sys.stderr, f"\r{safe_text(translate(text), keep_newlines=False)}\x1b[K")


def clear_passing() -> None:
    """Removes a passing message."""
    if draws_in_place():
        _write(sys.stderr, "\r\x1b[K")


def warn(text: str) -> None:
    """Prints a warning about something that did not stop the command."""
    tell(said("Note: {text}", text=text))


def say_json(data: Any) -> None:
    """Prints a result for programs, in UTF-8 whatever the terminal's encoding."""
    from studio.story.form.document import encode

    put_json(encode(data))


def put_json(data: bytes) -> None:
    """Writes JSON to stdout and flushes it; control characters in its strings are escaped."""
    _put_bytes(safe_json(data))


def put_file(data: bytes) -> None:
    """Writes a whole text to stdout, such as a file that goes to `-`: byte for byte where it is
    kept or passed on, harmless where a person looks (reliability S7)."""
    if not is_terminal(sys.stdout):
        _put_bytes(data)
        return
    text = data.decode("utf-8", "replace")
    show(text, end="" if text.endswith("\n") else "\n")


def put_sequence(sequence: str) -> bool:
    """Sends a control sequence of ours to the terminal; returns whether there is one."""
    for stream in (sys.stdout, sys.stderr):
        if is_terminal(stream):
            _write(stream, sequence)
            return True
    return False


def _put_bytes(data: bytes) -> None:
    if sys.stdout is None:
        return
    with _leaving_when_unheard():
        sys.stdout.flush()
        stream = getattr(sys.stdout, "buffer", None)
        if stream is None:
            sys.stdout.write(data.decode(errors="replace"))
        else:
            stream.write(data)
        sys.stdout.flush()


def name_novel(project: Path) -> None:
    """Makes commands in later hints name this novel, where it is not the current folder."""
    global _novel
    _novel = "" if project == Path(".") else f" --project {shlex.quote(str(project))}"


def show_problem(problem: Problem) -> None:
    """Prints on stderr what went wrong and how to fix it."""
    _tell(problem.message, "bad")
    for line in translate(problem.details).splitlines():
        _tell(f"    {line}")
    if problem.hint:
        _tell(_of_novel(translate(problem.hint)))


def _of_novel(hint: str) -> str:
    """Adds the current novel to a hint's commands, unless it contains `--project` already."""
    return (
        hint if "--project" in hint else _COMMAND.sub(lambda match: f"`{match[1]}{_novel}`", hint)
    )


def one_line(text: str) -> str:
    """Returns a message or untrusted text as a single line that can be quoted within another."""
    return safe_text(" ".join(translate(text).split()), keep_newlines=False)


def in_words(*cells: str) -> tuple[str, ...]:
    """Returns the cells of a row in the writer's language: those that are messages."""
    return tuple(map(translate, cells))


def columns(rows: Sequence[tuple[str, ...]], indent: str = "") -> Iterator[str]:
    """Yields rows with aligned columns; the last cell may have any length."""
    widths = [max(map(width_of, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        *cells, last = (one_line(cell) for cell in row)
        padded = (
            cell + " " * (width - width_of(cell))
            for cell, width in zip(cells, widths, strict=False)
        )
        yield indent + "  ".join([*padded, last]).rstrip()


def say_columns(rows: Iterable[tuple[str, ...]], indent: str = "") -> None:
    """Prints rows with aligned columns on stdout."""
    for line in columns(list(rows), indent):
        show(line)


def say_fields(fields: Iterable[tuple[str, str]]) -> None:
    """Prints the fields of one thing that are not empty, each with its name, a little set in."""
    say_columns((field for field in fields if field[1]), indent="  ")


def width_of(text: str) -> int:
    """Returns the width in terminal columns: Korean and Chinese characters take two."""
    import unicodedata

    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in one_line(text)
    )


def is_terminal(stream: TextIO | None) -> bool:
    """Whether this stream is a terminal."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed stream
        return False


def shows_colour(stream: TextIO | None) -> bool:
    """Whether escape sequences may be written to the stream (NO_COLOR, TERM=dumb)."""
    environ = os.environ
    plain = environ.get("NO_COLOR") or environ.get("TERM", "dumb") == "dumb"
    return is_terminal(stream) and not plain


def _tint(text: str, tone: TerminalTone, stream: TextIO | None) -> str:
    code = _CODES[tone]
    return f"\x1b[{code}m{text}\x1b[0m" if code and shows_colour(stream) else text


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:
        return
    with _leaving_when_unheard():
        stream.write(text)
        stream.flush()


@contextmanager
def _leaving_when_unheard() -> Iterator[None]:
    """Ends the command quietly when its reader is gone; a full disk is reported."""
    try:
        yield
    except OSError as error:
        hush()
        if error.errno in _GONE:
            raise Leave(NOBODY_LISTENS) from error
        raise failed(
            said("Could not write the output: {strerror}.", strerror=error.strerror or error)
        ) from error


def hush() -> None:
    """Discards all further output, including what failed streams still have buffered."""
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
