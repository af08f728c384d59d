"""A session of the installed command against the fake server, recorded so that two versions of the
program can be compared: what it writes, says and ends with.

    python -m tests.flows.recorded_session FOLDER [PROGRAM ...]

plays it with PROGRAM (by default the installed `studio`) and leaves in FOLDER a file for each
command, with its exit code and its output, and the novel as it is at the end. Fields named in
volatile.txt are blanked, and ids that are drawn anew in each session have the name of their
place in it; `diff -r` of two folders shows what a change of the program changed for others.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cli.command import PROGRAM
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import CONTRACT, Model, directive, judged, make_novel

VOLATILE = frozenset(
    line
    for line in Path(__file__).with_name("volatile.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
)
_BLANK = "..."
_DRAWN = re.compile(r"(?<![0-9a-zA-Z])m?[0-9a-f]{6,64}(?![0-9a-zA-Z])")
"""Tokens, commit ids, hashes of prompts and of texts: each is named by where it first stands."""
_PORT = re.compile(r"127\.0\.0\.1:\d+")
_TIMES = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|\+00:00)?|\d{8}T\d{6}Z?")
_DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
_BLOB = re.compile(r"^(history/)[0-9a-f]{2}/")
"""The folder of a version in history: the beginning of its hash."""
_MEASURED = re.compile(r'\{.*"scene": ?(\d+),.*"type": ?"metrics"')
_IMPORTED = "# The Quay\n\nThe ferry came in late.\n\n# The Stair\n\nNobody had swept the stair.\n"
_EDITED = ("The stove ticked as it cooled", "The stove creaked as it cooled")


@dataclass
class Recording:
    """The session as it is played, command by command."""

    program: list[str]
    novel: Path
    environ: Mapping[str, str]
    place: Path
    """Where the recording goes."""
    names: dict[str, str] = field(default_factory=dict)
    """What was drawn anew, with its name in the recording."""
    count: int = 0

    def play(self, *arguments: str) -> str:
        """Runs a command and records it; returns its output as it was."""
        ended = subprocess.run(
            [*self.program, *arguments],
            cwd=self.novel.parent if arguments[0] == "import" else self.novel,
            env=dict(self.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        self.count += 1
        self._learn_run()
        command = self._recorded(shlex.join(arguments))
        lines = [f"$ studio {command}", f"exit code {ended.returncode}", ""]
        lines += map(self._line, sorted(ended.stdout.splitlines(), key=_scene_measured))
        name = f"{self.count:02d}-{arguments[0]}.txt"
        (self.place / name).write_text("\n".join([*lines, ""]), "utf-8")
        return ended.stdout

    def _learn_run(self) -> None:
        """The token of the attempt under way, which may look like a number."""
        checkpoint = self.novel / ".checkpoint.json"
        run = json.loads(checkpoint.read_bytes()).get("run") if checkpoint.exists() else None
        if run:
            self.names.setdefault(run, f"run{len(self.names) + 1}")

    def keep(self, folder: Path, name: str) -> None:
        """Records the files of a folder, the versions of history behind all that names them."""
        for log in sorted(folder.rglob("*.jsonl")):
            self._file(log)  # names what was drawn in the order it was, not in that of its letters
        files = filter(Path.is_file, folder.rglob("*"))
        places = {self._place(path.relative_to(folder)): path for path in files}
        for place in sorted(places, key=lambda place: (place.startswith("history/"), place)):
            target = self.place / name / place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self._file(places[place]), "utf-8")

    def _place(self, path: Path) -> str:
        return self._recorded(_BLOB.sub(r"\1", path.as_posix()))

    def _file(self, path: Path) -> str:
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            return f"{path.suffix} of bytes\n"
        if path.suffix == ".json":
            return self._line(json.dumps(json.loads(text))) + "\n"
        return "\n".join(map(self._line, text.split("\n")))

    def _line(self, line: str) -> str:
        """A line without what is volatile: a JSON value field by field, else the times in it."""
        if line.lstrip().startswith(("{", "[")):
            try:
                value = json.loads(line)
            except ValueError:
                return self._recorded(line)
            return self._recorded(json.dumps(_blanked(value), ensure_ascii=False, indent=1))
        return self._recorded(line)

    def _recorded(self, words: str) -> str:
        words = _PORT.sub("SERVER", words.replace(str(self.novel.parent), "HERE"))
        words = _DAY.sub("DAY", _TIMES.sub("TIME", words))
        return _DRAWN.sub(self._name, words)

    def _name(self, match: re.Match[str]) -> str:
        token, before = match[0], match.string[: match.start()][-1:]
        if token.isdecimal() and token not in self.names and before != "-":
            return token
        return self.names.setdefault(token, f"id{len(self.names) + 1}")


def _scene_measured(line: str) -> int:
    """The scene of an event that is sent when its measuring in the background is done; else 0."""
    match = _MEASURED.match(line)
    return int(match[1]) if match else 0


def _blanked(value: Any) -> Any:
    if isinstance(value, list):
        return [_blanked(entry) for entry in value]
    if isinstance(value, dict):
        return {k: _BLANK if k in VOLATILE else _blanked(v) for k, v in value.items()}
    return value


def record(place: Path, program: list[str]) -> None:
    """Plays the session with `program` and leaves its recording in `place`."""
    place.mkdir(parents=True, exist_ok=True)
    proposals = [directive(1, 2), directive(2, 1), directive(2, 3)]
    model = Model(judge=(judged(directives=proposals), judged()))
    with tempfile.TemporaryDirectory() as here, FakeMessages(answering=model) as server:
        home = Path(here) / "home"
        novel = make_novel(Path(here) / "novel")
        second = {**CONTRACT, "chapter": 2, "title": "The Stair", "foreshadowing": []}
        contracts = novel / "volumes/vol-01/chapter-contracts"
        (contracts / "chapter-002.json").write_text(json.dumps(second), "utf-8")
        (Path(here) / "old.md").write_text(_IMPORTED, "utf-8")
        environ = {
            **{name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ},
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "key-of-the-writer",
        }
        recording = Recording(program, novel, environ, place)
        _play(recording)
        recording.keep(novel, "novel")


def _play(session: Recording) -> None:
    """Write, review, surgery, undo, commit, rebuild, import, verify."""
    play = session.play
    play("status", "--json")
    play("context", "--json")
    play("write", "--events")
    play("decide", "keep")
    play("resume", "--events")
    sheet = json.loads(play("directives", "list", "--json"))
    first, second, *rest = [entry["id"] for entry in sheet["directives"]]
    play("directives", "accept", first, second)
    for directive_id in rest:
        play("directives", "reject", directive_id, "--reason", "It is meant so.")
    play("resume", "--events")
    play("directives", "undo", second)
    play("directives", "list", "--json")
    play("status", "1", "--json")
    play("decide", "commit", "--note", "As it is.")
    play("resume", "--events")
    play("write", "--review", "accept", "--events")
    chapter = session.novel / "chapters/chapter-001.md"
    chapter.write_text(chapter.read_text("utf-8").replace(*_EDITED), "utf-8")
    play("status", "--json")
    play("rebuild", "--dry-run", "--json")
    play("rebuild", "--json")
    play("import", "old.md", "--into", "novel", "--as", "committed", "--yes", "--json")
    play("history", "list", "chapters/chapter-001.md", "--json")
    play("write", "2", "--again", "--review", "ask", "--events")
    play("resume")
    play("write", "9", "--events")
    play("decide", "keep", "--json")
    play("status", "--json")
    play("usage", "--json")
    play("verify", "--json")


if __name__ == "__main__":
    record(Path(sys.argv[1]), sys.argv[2:] or [str(PROGRAM)])
