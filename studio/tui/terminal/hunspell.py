"""The system's spelling checker, run as a child process. Call it in a thread, never on the loop.

Hunspell prints unknown words with `-l` and suggestions with `-a`. It runs outside the novel's
folder, because it also looks for dictionaries in the folder where it is started, and it lives only
as long as one answer takes.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from shutil import which

from studio.text.spelling import dictionary_for, plain_word
from studio.tui.terminal.capabilities import environment_for_children

AUTO, OFF = "auto", "off"
_PATIENCE = 10.0
"""The number of seconds to wait for an answer; loading the Korean dictionary takes one."""


class SpellingError(Exception):
    """Raised if the spelling checker fails or takes too long."""


@dataclass(frozen=True, slots=True)
class Hunspell:
    """The spelling checker with one dictionary."""

    program: str
    dictionary: str
    environ: Mapping[str, str]

    def unknown(self, words: Collection[str]) -> frozenset[str]:
        """Returns the words, spelled as by `plain_word`, that the dictionary does not contain.

        Raises SpellingError if there is no answer.
        """
        question = frozenset(map(plain_word, words))
        if not question:
            return frozenset()
        answer = self._ask("-l", "\n".join(sorted(question)))
        return question.intersection(line.strip() for line in answer.splitlines())

    def suggestions(self, word: str, most: int = 6) -> list[str]:
        """Returns suggestions for a word, the most likely first. Raises SpellingError as `unknown`
        does."""
        for line in self._ask("-a", f"^{plain_word(word)}").splitlines():
            if line.startswith("&"):
                return [w.strip() for w in line.partition(": ")[2].split(",") if w.strip()][:most]
        return []

    def _ask(self, way: str, words: str) -> str:
        command = [self.program, way, "-i", "utf-8", "-d", self.dictionary]
        return _run(command, f"{words}\n", self.environ).stdout


def spelling_program(language: str, wish: str, environ: Mapping[str, str]) -> Hunspell | None:
    """Returns the checker with the dictionary for a language, or with the one the writer named;
    None if either is missing or spelling is off.

    Raises SpellingError if the program is installed and does not answer.
    """
    if wish == OFF:
        return None
    program = which("hunspell", path=environ.get("PATH", ""))
    if program is None:
        return None
    # The list goes to stderr: one path per line, and a line with all folders that were searched.
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
            env={**environment_for_children(environ), "LC_ALL": "C"},
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise SpellingError(str(error)) from error
