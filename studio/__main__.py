"""The `studio` command: dispatches commands to the command line and paths to the app.

Imports are made inside `main`, where Ctrl+C is handled: an interrupt during a module import would
end in a traceback.
"""

from __future__ import annotations

import os
import sys

from studio.messages import said

TYPE_CHECKING = False
"""Replaces `typing.TYPE_CHECKING`: importing `typing` alone takes longer than the rest of this
module."""
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

WITHOUT_LOCKS = said(
    "The studio does not run on Windows itself, which lacks the file locks that keep a novel "
    "whole. It runs in WSL, the Linux inside Windows: `wsl --install`, then install the "
    "studio there."
)

COMPLETING = "_STUDIO_COMPLETE"
"""The completion variable of `studio.cli.program`, repeated here because that module is slow to
import."""


def main() -> None:
    """Runs what the arguments ask for and exits with its exit code (DESIGN section 11)."""
    try:
        code = _carried_out(sys.argv[1:]) if _system_has_locks() else _without_locks()
        _leave(code)
    except KeyboardInterrupt:
        sys.exit(130)


def open_app(arguments: Sequence[str], settings: Mapping[str, object] | None = None) -> int:
    """Opens a novel in the app, or the launcher if no folder is given and the current one is no
    novel."""
    from os.path import isdir
    from pathlib import Path

    from studio.errors import StudioError
    from studio.project.layout import is_novel, refuse_shut
    from studio.tui.runtime.garbage import calm

    calm()
    from studio.tui.start import run

    folder = Path(arguments[0] if arguments else ".")
    if not isdir(folder):
        from studio.cli.program import no_such_place

        raise StudioError(no_such_place(arguments[0]))
    refuse_shut(folder)
    return run(folder if arguments or is_novel(folder) else None, settings)


def _system_has_locks() -> bool:
    """Whether this is a POSIX system; Windows lacks every call that the file locks need."""
    try:
        import fcntl  # noqa: F401
    except ImportError:
        return False
    return True


def _without_locks() -> int:
    from studio.errors import Exit

    print(WITHOUT_LOCKS, file=sys.stderr)
    return Exit.USAGE


def _carried_out(arguments: Sequence[str]) -> int:
    """Runs the arguments and returns the exit code. The app is started without importing what only
    commands and refusals need (P5)."""
    from functools import partial

    from studio import i18n
    from studio.config.interface import interface_language

    _occupy_standard_streams()
    i18n.use(interface_language(os.environ))
    if os.environ.get(COMPLETING):
        from studio.cli.program import command_line

        return command_line(())
    if arguments and not _is_path(arguments[0]):
        from studio.cli.program import catch, command_line, names_a_command

        with_app = partial(command_line, open_app=open_app)
        return catch(with_app if names_a_command(arguments) else open_app, arguments)
    try:
        return open_app(arguments)
    except Exception as error:
        from studio.cli.program import catch

        return catch(partial(_raise, error), arguments)


def _is_path(argument: str) -> bool:
    """Whether the argument is spelled like a path and cannot be the name of a command."""
    return os.sep in argument or argument in (os.curdir, os.pardir)


def _raise(error: Exception, _: Sequence[str]) -> NoReturn:
    raise error


def _leave(code: int) -> NoReturn:
    """Exits immediately if a thread is still running: it may be inside a model's library, which an
    orderly shutdown of the interpreter would tear down under it."""
    import threading
    from contextlib import suppress

    if threading.active_count() > 1:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, AttributeError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _occupy_standard_streams() -> None:
    """Reopens descriptors 0 to 2 if the caller closed them (T7); otherwise a file of the novel
    could get one of these numbers, and anything that prints would write into it."""
    from contextlib import suppress

    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, os.O_RDONLY)


if __name__ == "__main__":
    main()
