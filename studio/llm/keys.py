"""The key of a server: set as text, or printed by a program of the writer's."""

from __future__ import annotations

import shlex
import subprocess

from studio.config.masking import remember_secret
from studio.llm.errors import ModelError
from studio.messages import said

SECONDS = 60.0
"""How long a program may take to print the key; it may have to ask for a passphrase first."""
_printed: dict[str, str] = {}
"""The keys that were printed, by command: each program runs once a process, not once a call."""


class Key:
    """A key, or the command that prints it. Its text shows neither."""

    def __init__(self, value: str = "", *, command: str = "") -> None:
        self._value = value
        self._command = command

    def __repr__(self) -> str:
        return "Key(...)"

    @property
    def known(self) -> str:
        """The key as far as it is known: empty before `reveal` has run its command."""
        return self._value or _printed.get(self._command, "")

    def reveal(self) -> str:
        """Returns the key; runs its command the first time, which may block for a minute.

        Raises ModelError (exit 6) if the command fails or prints nothing.
        """
        if not self.known and self._command:
            _printed[self._command] = _first_line(self._command)
        remember_secret(self.known)
        return self.known

    def forget(self) -> None:
        """Lets the command run again, for a key that the server no longer accepts."""
        _printed.pop(self._command, None)


def _first_line(command: str) -> str:
    try:
        done = subprocess.run(
            shlex.split(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ModelError(
            "key", said("it took more than {seconds} seconds", SECONDS=f"{SECONDS:g}")
        ) from error
    except (OSError, ValueError) as error:
        raise ModelError("key", str(error)) from error
    lines = done.stdout.decode("utf-8", "replace").split("\n")
    key = lines[0].strip()
    if done.returncode:
        raise ModelError("key", said("it ended with {returncode}", returncode=done.returncode))
    if not key or not key.isprintable():
        raise ModelError("key", said("its first line of output is no key"))
    return key
