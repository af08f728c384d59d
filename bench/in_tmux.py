"""`python -m bench.in_tmux MODULE ARGUMENTS`: runs a measured program inside tmux, which keeps its
screen and draws it on the given terminal."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.terminal import RESULT, report


def main(module: str, *arguments: str) -> None:
    """Passes on the program's report; the user's own tmux configuration is not read."""
    with TemporaryDirectory() as place:
        socket, result = Path(place, "socket"), Path(place, "result")
        command = shlex.join([sys.executable, "-m", module, *arguments])
        inside = f"{RESULT}=3 exec {command} 3>{shlex.quote(str(result))}"
        tmux = ["tmux", "-S", str(socket), "-f", os.devnull]
        subprocess.run([*tmux, "new-session", inside], check=True)
        report(json.loads(result.read_text("utf-8")))


if __name__ == "__main__":
    main(*sys.argv[1:])
