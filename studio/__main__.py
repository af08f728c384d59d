"""The `studio` command: a command goes to the command line, a path to the app."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn


def main() -> None:
    """Runs what the arguments ask for and exits with its code (DESIGN section 11)."""
    _occupy_standard_streams()
    try:
        from studio.cli.program import caught, command_line, names_a_command

        arguments = sys.argv[1:]
        action = command_line if names_a_command(arguments) else open_app
        code = caught(action, arguments)
    except KeyboardInterrupt:
        code = 130
    _leave(code)


def open_app(arguments: Sequence[str]) -> int:
    """Opens a novel in the app; the launcher where no folder is named and this one is no novel."""
    from studio.cli.program import folder_argument
    from studio.project.layout import is_novel
    from studio.tui.quiet import calm

    calm()
    from studio.tui.app import run

    folder = folder_argument(arguments)
    return run(folder if arguments or is_novel(folder) else None)


def _leave(code: int) -> NoReturn:
    """Exits at once where a thread is left: it may be inside a model's library, which the
    orderly end of the interpreter would tear down under it."""
    if threading.active_count() > 1:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, AttributeError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _occupy_standard_streams() -> None:
    """Takes the numbers 0 to 2 where the caller closed them (T7): a file of the novel that
    got one of them would be written to by whatever prints."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, os.O_RDONLY)


if __name__ == "__main__":
    main()
