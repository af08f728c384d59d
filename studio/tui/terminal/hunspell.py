"""The spelling program of the system, asked in a child process. Called in a thread, never in the
loop.

Hunspell with `-l` prints the words it does not know, with `-a` what they could be. It runs
outside the novel, for it also looks for dictionaries where it is started, and for as long as an
answer takes.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from shutil import which

from studio.text.spelling import dictionary_for, plain_word
from studio.tui.terminal.capabilities import inherited

AUTO, OFF = "auto", "off"
_PATIENCE = 10.0
"""Seconds after which it will not answer any more; the Korean dictionary takes one to load."""


class SpellingError(Exception):
    """The program failed, or took too long."""


@dataclass(frozen=True, slots=True)
class Hunspell:
    """The program with a dictionary."""

    program: str
    dictionary: str
    environ: Mapping[str, str]

    def unknown(self, words: Collection[str]) -> frozenset[str]:
        """Those of the words, as `plain_word` spells them, that the dictionary does not have.

        SpellingError if there is no answer.
        """
        question = frozenset(map(plain_word, words))
        if not question:
            return frozenset()
        answer = self._asked("-l", "\n".join(sorted(question)))
        return question.intersection(line.strip() for line in answer.splitlines())

    def suggestions(self, word: str, most: int = 6) -> list[str]:
        """What a word could be instead, the likeliest first. SpellingError as in `unknown`."""
        for line in self._asked("-a", f"^{plain_word(word)}").splitlines():
            if line.startswith("&"):
                return [w.strip() for w in line.partition(": ")[2].split(",") if w.strip()][:most]
        return []

    def _asked(self, way: str, words: str) -> str:
        command = [self.program, way, "-i", "utf-8", "-d", self.dictionary]
        return _run(command, f"{words}\n", self.environ).stdout


def spelling_program(language: str, wish: str, environ: Mapping[str, str]) -> Hunspell | None:
    """The program with the dictionary for a language, or with the one that is wished for by its
    name; None where either is missing, or spelling is off.

    SpellingError if the program is there and does not answer.
    """
    if wish == OFF:
        return None
    program = which("hunspell", path=environ.get("PATH", ""))
    if program is None:
        return None
    # Its list goes to stderr, one path a line, and one line with all folders it looked into.
    lines = _run([program, "-D"], "", environ).stderr.splitlines()
    paths = (line.strip() for line in lines if os.sep in line and os.pathsep not in line)
    names = {PurePath(path).name for path in paths if not path.endswith((".aff", ".dic"))}
    locale = environ.get("LC_ALL") or environ.get("LANG") or ""
    name = dictionary_for(language, names, locale) if wish == AUTO else wish
    return Hunspell(program, name, environ) if name in names else None


def _run(
    command: list[str], words: str, environ: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            input=words,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_PATIENCE,
            cwd=os.path.abspath(os.sep),
            env={**inherited(environ), "LC_ALL": "C"},
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise SpellingError(str(error)) from error
