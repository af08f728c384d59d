"""The book led by commands alone."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cli.command import Ended, studio
from tests.whole_book.story import PREMISE, SAMPLE, TITLE, Memory
from tests.whole_book.writer import OLD, Move, Writer


@dataclass
class Commands:
    """The installed program, a command a move."""

    writer: Writer
    environ: Mapping[str, str]
    memory: Memory
    trials: int = 3
    fault: str = field(default="", init=False)

    def does(self, move: Move, fault: str = "") -> bool:
        """Carries a move out; False where the command was killed. AssertionError where it ended
        as none should."""
        self.fault = fault
        if move.act == "retire":
            refused = self._run("retire", OLD[1])
            assert refused.code in (2, -signal.SIGKILL), refused.err
            if refused.code != 2:
                return False
            assert "A promise still needs them" in refused.err, refused.err
        if move.act == "visit":
            self.writer.makes_a_page()
            return True
        self.memory.mended |= move.act == "read"
        ended = self._run(*self._words(move))
        # a kill behind the point of no return: the answer is carried out before it is given again
        carried_out = ended.code == 2 and "Finished the interrupted change" in ended.err
        assert carried_out or ended.code in (0, 4, -signal.SIGKILL), (
            f"{move} ended with {ended.code}: {ended.err}"
        )
        return ended.code >= 0

    def _words(self, move: Move) -> list[Any]:
        if move.act == "begin":
            return self._beginning()
        words: dict[str, list[Any]] = {
            "write": ["write"],
            "decide": ["decide", move.option, "--note", move.note],
            "accept": ["directives", "accept", "--all"],
            "plan": ["volume", "plan"],
            "look-back": ["volume", "review"],
            "retire": ["retire", OLD[0]],
            "read": ["rebuild", "4", "6", "7"],
        }
        return words[move.act]

    def _beginning(self) -> list[Any]:
        folder = self.writer.folder
        words = ["start", folder, "--title", TITLE, "--language", "en"]
        words += ["--trials", self.trials]
        for name, text in (("premise", PREMISE), ("sample", SAMPLE)):
            file = folder.parent / f"{name}.md"
            file.write_text(text, "utf-8")
            words += [f"--{name}", file]
        return words

    def _run(self, *words: Any) -> Ended:
        cwd = self.writer.folder if self.writer.folder.exists() else self.writer.folder.parent
        environ = {**self.environ, **({"STUDIO_FAULT": self.fault} if self.fault else {})}
        return studio(*words, cwd=cwd, environ=environ)


def environ_of(folder: Path, url: str) -> dict[str, str]:
    """A writer with a server of her own and a home beside the novel."""
    homes = {f"XDG_{n.upper()}_HOME": str(folder.parent / n) for n in ("config", "state", "cache")}
    model = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "k"} if url else {}
    return {**homes, "HOME": str(folder.parent), **model}
