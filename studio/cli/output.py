"""What reaches the terminal: results on stdout, messages on stderr, all of it made harmless.

Foreign text (models, files, paths, arguments) passes `safe_text` here, so no
command can forget it (reliability S7). Sentences of the studio are said in the
writer's language here too; text of the novel goes through `show`, which leaves
it as it is. Colour only where a person looks.
"""

from __future__ import annotations

import errno
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TextIO

from click.exceptions import Exit as Leave

from studio.errors import Problem, failed
from studio.i18n import translated
from studio.text.safe import safe_json, safe_text

Tone = Literal["plain", "strong", "quiet", "good", "bad"]
NOBODY_LISTENS = 128 + 13
"""Exit code when the reader of our output has gone: 128 and the number of SIGPIPE."""

_CODES: dict[Tone, str] = {"plain": "", "strong": "1", "quiet": "2", "good": "32", "bad": "31"}
_COMMAND = re.compile(
    r"`(studio (?:write|resume|decide|directives|status|verify|repair|rebuild|history|log)"
    r"(?: [^`]*)?)`"
)
_novel = ""
_is_quiet = False
_GONE = (errno.EPIPE, errno.EIO, errno.EBADF, errno.ECONNRESET)


def prepare_streams() -> None:
    """What a terminal's encoding cannot hold becomes `?` instead of an error (T7)."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def be_quiet(quiet: bool = True) -> None:
    """From now on only results and errors are printed (`--quiet`)."""
    global _is_quiet
    _is_quiet = quiet


def is_quiet() -> bool:
    """Whether nothing but results and errors is wanted."""
    return _is_quiet


def report(text: str) -> None:
    """Says on stdout that something was done, where that is all there is to say."""
    if not _is_quiet:
        say(text, "good")


def say(text: str = "", tone: Tone = "plain", end: str = "\n") -> None:
    """Prints a sentence or a row of the result on stdout, as far in as it begins."""
    words = text.lstrip(" ")
    show(text[: len(text) - len(words)] + translated(words), tone, end)


def show(text: str, tone: Tone = "plain", end: str = "\n") -> None:
    """Prints text of the novel, of a page or of a prompt on stdout, in the words it has."""
    _write(sys.stdout, _toned(safe_text(text), tone, sys.stdout) + end)


def say_pieces(pieces: Sequence[tuple[str, Tone]]) -> None:
    """Prints one line of the result, each of its pieces in a tone of its own."""
    toned = (_toned(safe_text(text), tone, sys.stdout) for text, tone in pieces)
    _write(sys.stdout, "".join(toned) + "\n")


def tell(text: str, tone: Tone = "plain") -> None:
    """Prints a message on stderr, unless only results and errors are wanted."""
    if not _is_quiet:
        _tell(text, tone)


def _tell(text: str, tone: Tone = "plain") -> None:
    _write(sys.stderr, _toned(safe_text(translated(text)), tone, sys.stderr) + "\n")


def draws_in_place() -> bool:
    """Whether a line on stderr can be drawn anew where it stands."""
    return is_terminal(sys.stderr) and os.environ.get("TERM", "dumb") != "dumb"


def show_passing(text: str) -> None:
    """A message on stderr that the next one takes the place of, where a person looks."""
    if not draws_in_place():
        tell(text)
    elif not _is_quiet:
        _write(sys.stderr, f"\r{safe_text(translated(text), keep_newlines=False)}\x1b[K")


def clear_passing() -> None:
    """Takes a passing message away."""
    if draws_in_place():
        _write(sys.stderr, "\r\x1b[K")


def warn(text: str) -> None:
    """Prints a message about something that stopped nothing."""
    tell(f"Note: {text}")


def say_json(data: Any) -> None:
    """A result for programs: UTF-8 whatever the terminal's encoding."""
    from studio.story.form.document import encode

    put_json(encode(data))


def put_json(data: bytes) -> None:
    """JSON on stdout, at once; a control character in its texts stands there as an escape."""
    put_bytes(safe_json(data))


def put_bytes(data: bytes) -> None:
    """Bytes on stdout as they are: a file that goes to `-`."""
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
    """From now on commands in hints name this novel, where it is not the current folder."""
    global _novel
    _novel = "" if project == Path(".") else f" --project {shlex.quote(str(project))}"


def show_problem(problem: Problem) -> None:
    """Prints on stderr what went wrong and what to do about it."""
    _tell(problem.message, "bad")
    for line in problem.details.splitlines():
        _tell(f"    {line}")
    if problem.hint:
        _tell(_of_novel(translated(problem.hint)))


def _of_novel(hint: str) -> str:
    """A hint with its commands for the novel at hand; what has options of its own is complete."""
    return (
        hint if "--project" in hint else _COMMAND.sub(lambda match: f"`{match[1]}{_novel}`", hint)
    )


def one_line(text: str) -> str:
    """Foreign text as a single line, to be quoted in the middle of another."""
    return safe_text(" ".join(text.split()), keep_newlines=False)


def in_words(*cells: str) -> tuple[str, ...]:
    """Cells in the writer's language: heads, kinds and amounts, no names and no text of hers."""
    return tuple(map(translated, cells))


def columns(rows: Sequence[tuple[str, ...]], indent: str = "") -> Iterator[str]:
    """Rows with their cells under each other, the last cell as long as it likes."""
    widths = [max(map(width_of, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        *cells, last = (one_line(cell) for cell in row)
        padded = (
            cell + " " * (width - width_of(cell))
            for cell, width in zip(cells, widths, strict=False)
        )
        yield indent + "  ".join([*padded, last]).rstrip()


def width_of(text: str) -> int:
    """Columns a terminal needs: Korean and Chinese characters take two."""
    import unicodedata

    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in one_line(text)
    )


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person sees this stream."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def shows_colour(stream: TextIO | None) -> bool:
    """Whether escape sequences are wanted there (NO_COLOR, TERM=dumb)."""
    environ = os.environ
    plain = environ.get("NO_COLOR") or environ.get("TERM", "dumb") == "dumb"
    return is_terminal(stream) and not plain


def _toned(text: str, tone: Tone, stream: TextIO | None) -> str:
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
    """Ends the command quietly when its reader has gone; a full disk is said."""
    try:
        yield
    except OSError as error:
        hush()
        if error.errno in _GONE:
            raise Leave(NOBODY_LISTENS) from error
        raise failed(f"Could not write the output: {error.strerror or error}.") from error


def hush() -> None:
    """Nothing more is written to streams that failed, not even what they still hold at the end."""
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
