"""A novel whose every text of a model, a file or the author reads like a sentence of ours.

The sentences are made from the catalogue's own, with words of a novel in their fields. Each holds a
token of its own, so that it is found again wherever it is printed, however it was changed there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from studio.messages import Said
from studio.story.review.evaluation import SCORE_NAMES
from tests.catalogues import messages
from tests.tui.three_novels import Novel, with_proposals

MADE = 500
HARMFUL = (
    "{token} is alive in chapter 2.",
    "Then silence, {token}.",
    "lost: the {token}",
    "renamed: {token} to alive",
    "It costs nothing, {token}. Nothing was changed.",
)
"""Sentences of the kind that did harm: a finished sentence was taken for one of ours."""
TOKEN = re.compile(r"Zq\d{4}")
_NAMES = ("Joss", "the lamp", "윤서", "灯塔", "2", "chapter 3")
_FIELD = re.compile(r"\{(\w+)(?:!r)?\}")
_PLAIN = re.compile(r"^(?:[^{}\[\]|`#*_<>\\\"\n]|\{\w+\})+$")
"""Without what has a meaning of its own in Markdown and TOML."""
_LONGEST, _SHORTEST = 90, 12
_WRITTEN = frozenset(
    (
        *("name", "title", "description", "summary", "about", "issue", "instruction"),
        *("rationale", "reason", "reasons", "rule", "explanation", "reader_experience"),
        *("voice", "wants", "fears", "role", "objectives", "beats", "must_not", "purpose"),
        *("setup", "trigger", "payoff", "note", "notes", "tense", "sentence_rhythm"),
        *("diction", "dialogue", "imagery", "do", "avoid", "phrase", "instead", "always"),
        *("never", "why", "options", "warnings", "value", "meaning", "resolution", "genre"),
        *("entry_emotion", "exit_emotion", "transition_to", "transition_from", "scene_type"),
    )
)
"""The keys of JSON files whose values are words of an author or a model."""
_OURS = frozenset({"said", "op", "path", "id", "kind", "type", "status"})
_FILES = (
    *("characters/active/*.json", "characters/relationships.json", "storylines/*.json"),
    *("foreshadowing/*.json", "volumes/*/*.json", "volumes/*/chapter-contracts/*.json"),
    *("world/*.json", "style-profile.json", "ai-blacklist.json", "evaluations/*-eval.json"),
    *("staging/**/*.json", "variations/**/*.json", ".checkpoint.json"),
)
_PAGES = (
    *("brief.md", "world/*.md", "characters/active/*.md", "storylines/*/memory.md"),
    *("summaries/*.md", "style-library/*.md", "volumes/*/outline.md"),
)


def made() -> Iterator[str]:
    """Yields `MADE` sentences and then the harmful ones again and again, each with a token."""
    random = Random(7)
    ids = sorted(
        one
        for one in messages()
        if _SHORTEST < len(one) < _LONGEST and _PLAIN.match(one) and _FIELD.search(one)
    )
    number = 0
    while True:
        for sentence in (*HARMFUL, *random.sample(ids, min(MADE, len(ids)))):
            fields = [*dict.fromkeys(_FIELD.findall(sentence))]
            values = {name: random.choice(_NAMES) for name in fields}
            values[fields[0]] = f"Zq{number:04d}"
            yield " ".join(Said(sentence, values).english.split())  # lines are wrapped anew
            number += 1


class ForeignNovel:
    """A novel that is full of such sentences, by default one in review, and which sentence stands
    where."""

    def __init__(self, folder: Path, begun: Novel = with_proposals) -> None:
        self.folder = begun("en", folder)
        self._supply = made()
        self.sentences: dict[str, str] = {}
        """The sentences by their token."""
        self.fields: dict[str, str] = {}
        """The field that each stands in, by token."""
        self._judge()
        self._know()
        for pattern in _FILES:
            for file in sorted(self.folder.glob(pattern)):
                self._fill(file)
        for pattern in _PAGES:
            for file in sorted(self.folder.glob(pattern)):
                self._write(file)
        self._set()

    def sentence(self, field: str) -> str:
        """Takes a fresh sentence for a field."""
        words = next(self._supply)
        token = TOKEN.search(words)
        assert token is not None
        self.sentences[token[0]], self.fields[token[0]] = words, field
        return words

    def _judge(self) -> None:
        """Has a judge say something of every kind."""
        for file in sorted(self.folder.glob("evaluations/*-eval.json")):
            data = json.loads(file.read_bytes())
            data["overall"] = 3.9
            data["judge_model"] = "claude-opus-5-5"
            data["scores"] = {
                name: {"score": 3.9, "reason": "so far", "scene": None} for name in SCORE_NAMES
            }
            data["violations"] = [
                {"layer": "L2", "confidence": sure, "rule": "a rule", "explanation": "a breach"}
                for sure in ("high", "medium")
            ]
            data["counsel"] = [
                {"kind": "decide", "issue": "an issue", "options": ["one way", "another way"]},
                {"kind": "advice", "issue": "an issue"},
            ]
            data["reader_experience"] = "an experience"
            data["warnings"] = ["a warning"]
            data["gate"]["reasons"] = ["a reason"]
            data.pop("said", None)
            file.write_text(json.dumps(data), "utf-8")

    def _know(self) -> None:
        """Has the author know something of everybody and everything."""
        facts = self.folder / "world/facts.json"
        data = json.loads(facts.read_bytes())
        for path in ("items.the-book.state", "locations.shop.state", "characters.mara.mood"):
            data["facts"].append({"from": 1, "path": path, "value": "a fact of hers"})
        facts.write_text(json.dumps(data), "utf-8")
        log = self.folder / "logs/pipeline.log"
        line = f"2026-11-21T09:12:00Z chapter 2 {self.sentence('logs/pipeline.log')}\n"
        log.write_text(log.read_text("utf-8") + line, "utf-8")

    def _set(self) -> None:
        file = self.folder / "studio.toml"
        text = file.read_text("utf-8")
        for key in ("title", "genre", "point_of_view"):
            value = self.sentence(f"studio.toml {key}").replace("'", "’")
            self.sentences[TOKEN.findall(value)[0]] = value
            line = f'{key} = "{value}"'
            text = re.sub(rf'(?m)^{key} = ".*"$', lambda _, line=line: line, text)  # type: ignore[misc]
        file.write_text(text, "utf-8")

    def _fill(self, file: Path) -> None:
        """Puts a sentence into every field of a JSON file that holds somebody's words."""
        data = json.loads(file.read_bytes())
        name = re.sub(r"\d+", "N", file.relative_to(self.folder).as_posix())
        name = re.sub(r"(?<=active/)[\w-]+(?=\.)", "SLUG", name)
        if isinstance(data, dict):
            data.pop("said", None)
        file.write_text(json.dumps(self._filled(data, name, ""), ensure_ascii=False), "utf-8")

    def _filled(self, data: Any, where: str, key: str) -> Any:
        if isinstance(data, dict):
            left_alone = {*_OURS, *(("options",) if "rationale" in data else ())}
            inner = "rationale" if key == "options" else ""
            return {
                k: v if k in left_alone else self._filled(v, where, inner or k)
                for k, v in data.items()
            }
        if isinstance(data, list):
            return [self._filled(value, where, key) for value in data]
        if isinstance(data, str) and data and key in _WRITTEN:
            return self.sentence(f"{where} {key}")
        return data

    def _write(self, file: Path) -> None:
        """Puts a sentence in place of every line of a page."""
        name = re.sub(r"\d+", "N", file.relative_to(self.folder).as_posix())
        name = re.sub(r"(?<=/)[\w-]+(?=\.md|/memory)", "SLUG", name) if "N" not in name else name
        front, lines = 0, []
        for number, line in enumerate(file.read_text("utf-8").split("\n")):
            if line == "---" and (number == 0 or front == 1):
                front += 1
            elif front == 1 or not line.strip():
                pass
            elif (head := re.match(r"(#+ (?:Chapter \d+: )?)\S", line)) is not None:
                line = head[1] + self.sentence(f"{name} heading")
            elif not line.startswith("<!--"):
                line = self.sentence(f"{name} text")
            lines.append(line)
        file.write_text("\n".join(lines), "utf-8")


def faults(printed: str, novel: ForeignNovel, is_end: Callable[[str], bool]) -> list[str]:
    """Returns where a sentence of the novel stands changed in what was printed.

    From its token outwards each has to stand as it is, up to its own ends, or to where `is_end`
    says that what is displayed was cut. The first word of somebody's name may stand alone: it is
    taken for the given name. What closes a Chinese sentence of the studio has its stop.
    """
    sentences, wrong = novel.sentences, []
    names = {token for token, field in novel.fields.items() if field.endswith("json name")}
    for match in TOKEN.finditer(printed):
        sentence = sentences.get(match[0])
        if sentence is None:
            continue
        left = sentence.index(match[0])
        right = left + len(match[0])
        start, end = match.span()
        while left and start and printed[start - 1] == sentence[left - 1]:
            left, start = left - 1, start - 1
        while right < len(sentence) and end < len(printed) and printed[end] == sentence[right]:
            right, end = right + 1, end + 1
        if sentence[left:right] == match[0] and match[0] in names:
            continue
        if sentence[right:] == "." and printed[end : end + 1] == "。":
            right += 1
        if (left and start and not is_end(printed[:start][-2:])) or (
            right < len(sentence) and end < len(printed) and not is_end(printed[end : end + 2])
        ):
            wrong.append(f"{sentence!r} in {printed[max(0, start - 30) : end + 40]!r}")
    return wrong
