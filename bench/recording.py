"""A model that answers at once, for benchmarks of the requests sent; the server records them.

It drafts seeded prose, and at the first judgement of a chapter proposes the configured number of
fixes; each fix adds three words to its passage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from studio.project.create import copy_sample
from tests.fake_answers import from_schema, prose
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import Desk, block, kind_of, scene_number

_PARAGRAPH = re.compile(r"^\[(\d+)\.(\d+)\] (.+)$", re.MULTILINE)

_CHAPTER = re.compile(r"^Write scene \d+ of chapter (\d+)", re.MULTILINE)


class Writing:
    """Answers according to the kind of request."""

    def __init__(self, fixes: int = 0) -> None:
        self._fixes = fixes
        self._judged: set[str] = set()

    def __call__(self, asked: Asked) -> Rule:
        """Returns the rule for a request."""
        kind = kind_of(asked)
        if asked.schema is not None:
            value = from_schema(asked.schema, number=4.2, items=0)
            if kind == "judge":
                value["directives"] = self._directives(block(asked, "chapter"))
            return Rule(value=value)
        if kind == "draft":
            return Rule(text=prose("en", _seed(asked), 8))
        if kind == "surgery":
            return Rule(text=f"{block(asked, 'passage')} It held there.")
        return Rule(text=block(asked, "scene") if kind == "refine" else "NONE")

    def _directives(self, chapter: str) -> list[dict[str, Any]]:
        """Returns one directive for each of the first paragraphs, alternating between scenes."""
        places = _PARAGRAPH.findall(chapter)
        name = "".join(words[:9] for *_, words in places)[:40]
        if name in self._judged:
            return []
        self._judged.add(name)
        places.sort(key=lambda place: (int(place[1]), int(place[0])))
        return [_directive(*place) for place in places[: self._fixes]]


def is_draft(asked: Asked, chapter: int) -> bool:
    """Whether the request is for a scene of that chapter."""
    return kind_of(asked) == "draft" and _chapter_of(asked) == chapter


def _chapter_of(asked: Asked) -> int:
    chapter = _CHAPTER.search(asked.prompt)
    assert chapter is not None, asked.prompt[-200:]
    return int(chapter[1])


def _seed(asked: Asked) -> int:
    """Returns a seed that depends only on scene and chapter, not on the wording of the prompt, so
    that a figure changes only with what is sent."""
    return 10 * _chapter_of(asked) + scene_number(asked)


def _directive(scene: str, number: str, words: str) -> dict[str, Any]:
    place = {
        "sceneNumber": int(scene),
        "paragraphStart": int(number),
        "paragraphEnd": int(number),
    }
    return {
        "type": "show-not-tell",
        "priority": 2,
        "location": place,
        "issue": "It tells what could be seen.",
        "currentText": words,
        "instruction": "Show it.",
        "maxScope": 1,
    }


@contextmanager
def sample_with(model: Writing) -> Iterator[Desk]:
    """Yields a copy of the sample novel, which has two chapters and
    plans for more, with its model."""
    with TemporaryDirectory() as place, FakeMessages(answering=model) as server:
        novel = copy_sample(Path(place, "novel"))
        yield Desk(novel, server)
