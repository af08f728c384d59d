"""The same book with no model: every chapter and every plan is the writer's own, by commands.

Its moves are chosen by what lies on disk as well; the steps of the beginning are answered in her
own words, and the outline of each volume is a file of hers.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.cli.command import studio
from tests.whole_book.story import BELL, PREMISE, SAMPLE, TITLE, WEAK
from tests.whole_book.writer import OLD, Move, Writer

_OWN_WORDS = {
    "start-premise": ("next", PREMISE.strip()),
    "start-style": ("next", ""),
    "start-world": ("next", "Tower\n\nNinety-one steps of slate."),
    "start-people": ("next", "Mara, the keeper's daughter"),
    "start-trials": ("by-hand", ""),
    "start-confirm": ("next", ""),
}


@dataclass
class Pen:
    """Chapters from files, answers in her own words."""

    writer: Writer
    environ: Mapping[str, str]
    fault: str = field(default="", init=False)

    def does(self, move: Move, fault: str = "") -> bool:
        """Carries a move out; False where the command was killed. AssertionError where it ended
        as none should."""
        self.fault = fault
        if move.act == "visit":
            self.writer.makes_a_page()
            return True
        codes = [self._run(*words) for words in self._commands(move)]
        return all(code >= 0 for code in codes)

    def _commands(self, move: Move) -> list[list[Any]]:
        now = self.writer.checkpoint
        question = now.get("pending_decision") or {}
        if move.act == "begin":
            sample = self._file("sample.md", SAMPLE)
            start = ["start", self.writer.folder, "--title", TITLE, "--language", "en"]
            own = (now.get("beginning") or {}).get("steps", {}).get("trials") == "by-hand"
            steps = [] if question else [[*start, "--sample", sample, "--trials", 2]]
            return [self._own_chapter(now)] if own and not self._has_trials(now) else steps
        if move.act == "decide" and question.get("kind") == "start":
            option, note = _OWN_WORDS[question["id"]]
            return [["decide", option, "--note", note]]
        if move.act == "write":
            return [["resume"] if now["inflight_chapter"] else self._own_chapter(now)]
        plain: dict[str, list[Any]] = {
            "decide": ["decide", move.option, "--note", move.note],
            "plan": ["volume", "plan", "--from", self._outline(now)],
            "look-back": ["volume", "review"],
            "retire": ["retire", OLD[0]],
        }
        return [plain[move.act]]

    def _has_trials(self, now: dict[str, Any]) -> bool:
        return bool(now["last_completed_chapter"] >= now["beginning"]["trials"])

    def _own_chapter(self, now: dict[str, Any]) -> list[Any]:
        number = now["last_completed_chapter"] + 1
        rows = (WEAK, BELL, "Mara went down to the quay and waited there until it was light.")
        text = "\n\n".join(f"{row} It was night {number}." for row in rows)
        path = self._file(f"own-{number}.md", f"# Night {number}\n\n{text}\n")
        return ["write", "--draft", path]

    def _outline(self, now: dict[str, Any]) -> Any:
        first = now["last_completed_chapter"] + 1
        last = first - 1 - (first - 1) % self.writer.chapters + self.writer.chapters
        sections = (
            f"## Chapter {number}: Night {number}\n\nMara climbs the tower on night {number}.\n"
            for number in range(first, last + 1)
        )
        return self._file(f"outline-{first}.md", "\n".join(sections))

    def _file(self, name: str, text: str) -> Any:
        path = self.writer.folder.parent / name
        path.write_text(text, "utf-8")
        return path

    def _run(self, *words: Any) -> int:
        cwd = self.writer.folder if self.writer.folder.exists() else self.writer.folder.parent
        environ = {**self.environ, **({"STUDIO_FAULT": self.fault} if self.fault else {})}
        ended = studio(*words, cwd=cwd, environ=environ)
        assert ended.code in (0, 4, -signal.SIGKILL), (
            f"{words} ended with {ended.code}: {ended.err}"
        )
        return ended.code
