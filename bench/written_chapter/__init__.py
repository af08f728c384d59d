"""The chapter that W1 and W2 are measured on: its scenes, and what a model answers about it (see
README.md)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from studio.project.create import copy_sample
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import block, kind_of, scene_number

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WRITER = HERE.parent / "chapter_writer.py"
TREE = "BENCH_TREE"
"""The variable that names the tree of another version of the studio, which is then measured."""
CHAPTER = 3
FIRST_TOKEN, TOKENS_A_SECOND = 1.0, 60
LENGTHS = {"draft": 1200, "summary": 700, "refine": 400, "judge": 1000, "scenes": 300}
"""How many tokens long the server takes over an answer (W2)."""
_PARAGRAPH = re.compile(r"^\[(\d+)\.(\d+)\] (.+)$", re.MULTILINE)
_FINDING = re.compile(r"^(\d+)\. ([a-z-]+),", re.MULTILINE)


@dataclass
class Answering:
    """A model that has written this chapter before: each answer is the one in the repository."""

    speed: float | None = None
    """How many times faster than W2's server it speaks; None for at once."""
    kinds: dict[int, str] = field(default_factory=dict)
    """What each request was for, by its number."""

    def __post_init__(self) -> None:
        self._data: dict[str, Any] = tomllib.loads((HERE / "answers.toml").read_text("utf-8"))
        self._fixes = {d["currentText"]: d.pop("after") for d in self._data["judge"]["directives"]}

    def __call__(self, asked: Asked) -> Rule:
        """Returns the rule for a request."""
        kind = str(kind_of(asked))
        if asked.schema is None and block(asked, "scene"):
            kind = "refined scene"  # as before line edits
        self.kinds[asked.index] = kind
        rule = self._rule(kind, asked)
        if self.speed is None:
            return rule
        length = LENGTHS["draft"] if kind == "refined scene" else LENGTHS.get(kind, 200)
        pace = (FIRST_TOKEN / self.speed, length / TOKENS_A_SECOND / self.speed)
        return replace(rule, mode="paced", pace=pace)

    def _rule(self, kind: str, asked: Asked) -> Rule:
        if kind == "draft":
            return Rule(text=scene(scene_number(asked)))
        if kind == "surgery":
            return Rule(text=self._fixed(block(asked, "passage")))
        if kind == "refined scene":
            return Rule(text=self._edited(block(asked, "scene")))
        if kind == "bridge":
            return Rule(text="NONE")
        if kind == "summary":
            return Rule(value=self._data["summary"])
        if kind == "refine":
            return Rule(value={"edits": list(self._edits(block(asked, "chapter")))})
        if kind == "judge":
            answers = list(_answered(block(asked, "findings")))
            return Rule(value={**self._judgement(block(asked, "chapter")), "findings": answers})
        if kind == "scenes":
            return Rule(value={"scenes": [_planned(number) for number in (1, 2, 3)]})
        if kind == "questions":
            return Rule(value={"questions": []})
        raise AssertionError(f"nobody expected a call of the kind {kind}")

    def _fixed(self, passage: str) -> str:
        return next(str(after) for words, after in self._fixes.items() if words in passage)

    def _edited(self, text: str) -> str:
        paragraphs = text.strip().split("\n\n")
        for edit in self._data["edits"]["edits"]:
            paragraphs = [
                edit["after"] if edit["before_words"] in paragraph else paragraph
                for paragraph in paragraphs
            ]
        return "\n\n".join(paragraphs)

    def _edits(self, chapter: str) -> Iterator[dict[str, str]]:
        for edit in self._data["edits"]["edits"]:
            at, number = _place(chapter, edit["before_words"])
            yield {"label": f"{at}.{number}", **edit}

    def _judgement(self, chapter: str) -> dict[str, Any]:
        judge = self._data["judge"]
        placed = []
        for directive in judge["directives"]:
            at, number = _place(chapter, directive["currentText"])
            location = {"sceneNumber": at, "paragraphStart": number, "paragraphEnd": number}
            placed.append({**directive, "location": location})
        return {**judge, "directives": placed}


def scene(number: int) -> str:
    """Returns the text of one of the three scenes."""
    return (HERE / f"scene-{number}.md").read_text("utf-8").strip()


def _place(chapter: str, words: str) -> tuple[int, int]:
    return next((int(at), int(n)) for at, n, text in _PARAGRAPH.findall(chapter) if words in text)


def _answered(findings: str) -> Iterator[dict[str, Any]]:
    """Yields the judge's answer to each finding of code's: it confirms those it saw itself."""
    for number, kind in _FINDING.findall(findings):
        seen = kind == "filter-word-removal"
        reason = "" if seen else "One is told what she does, and perceives enough of it."
        answer = "confirm" if seen else "refuse"
        yield {"finding": int(number), "answer": answer, "reason": reason}


def _planned(number: int) -> dict[str, Any]:
    purpose = (
        "Mara counts the tallies and finds that 41 is gone, and its lamp warm.",
        "Mara tries whether Joss hears; they speak of wind and leeks.",
        "Mara finds the key in lamp 41, and the report it is wrapped in.",
    )[number - 1]
    return {"units": [1], "purpose": purpose, "pov": "mara", "location": "lamp-room",
            "characters": ["mara"]}  # fmt: skip


@dataclass(frozen=True)
class Written:
    """A run of a writer: what happened when, and what was asked of the model."""

    rows: tuple[Mapping[str, Any], ...]
    asked: tuple[Asked, ...]
    kinds: Mapping[int, str]
    usages: tuple[Mapping[str, int], ...]
    """The tokens of each prompt as the server counts them: new, read from its cache, kept."""
    outputs: tuple[int, ...]
    """The tokens of each answer."""

    def at(self, clock: str = "at", **wanted: str) -> float:
        """Returns the seconds at which something was first heard, by the clock or by the
        processor (`cpu`)."""
        return next(float(row[clock]) for row in self.rows if wanted.items() <= dict(row).items())


@contextmanager
def _novel(plan: bool) -> Iterator[Path]:
    """Yields a copy of the sample novel; without the scenes in its plan unless `plan`."""
    with TemporaryDirectory() as place:
        novel = copy_sample(Path(place, "novel"))
        path = novel / f"volumes/vol-01/chapter-contracts/chapter-{CHAPTER:03d}.json"
        contract = json.loads(path.read_text("utf-8"))
        if plan:
            contract["scenes"] = [{**s, "target_length": 750} for s in contract["scenes"]]
        else:
            contract |= {"scenes": [], "objectives": contract["objectives"][:1]}
            contract["target_length"] = 2250
        path.write_text(json.dumps(contract), "utf-8")
        yield novel


def write(until: str, *, speed: float | None = None, plan: bool = True) -> Written:
    """Has the chapter written until the `review`, the first word of `text`, or in the `book`; at
    once, or at so many times the speed of W2's server, by a program that has loaded everything."""
    model = Answering(speed)
    with _novel(plan) as novel, _novel(plan) as other, FakeMessages(answering=model) as server:
        environ = {
            **{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
            **{f"XDG_{name}_HOME": str(novel.parent / name) for name in ("CONFIG", "STATE")},
            "HOME": str(novel.parent),
            "PYTHONPATH": os.environ.get(TREE, str(ROOT)),
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "key-of-the-writer",
        }
        program = [sys.executable, "-P", str(WRITER), str(novel), str(CHAPTER), until]
        program += [] if speed is None else [str(other)]
        done = subprocess.run(
            program, env=environ, cwd=novel.parent, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(done.stderr)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        loaded = [n for n, row in enumerate(rows, 1) if row["what"] == "loaded"]
        rows = rows[loaded[0] if loaded else 0 :]
        usages = tuple(server.usages[asked.index] for asked in server.asked)
        outputs = tuple(server.outputs.get(asked.index, 0) for asked in server.asked)
        return Written(tuple(rows), tuple(server.asked), model.kinds, usages, outputs)
