"""A planned novel of several chapters before a server that drafts, judges and summarizes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.cli.command import Ended, studio
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import Model, judged, make_novel, put, scene_number

STEPS = (
    "She counted the steps of the tower.",
    "The oil smelled of fish.",
    "Joss called from the quay below.",
    "Rain ran down the glass on the outside of the lamp.",
    "Nobody rang the bell.",
    "A gull sat on the rail with its back to the sea.",
)


def outline(*titles: str, first: int = 1) -> str:
    """An outline with one section a title, each of one sentence."""
    sections = (
        f"## Chapter {number}: {title}\n\nMara climbs the tower on night {number}.\n"
        for number, title in enumerate(titles, first)
    )
    return "# Volume\n\n" + "\n".join(sections)


def drafted(asked: Asked) -> Rule:
    """A short scene that names its chapter's night, so that no two are alike."""
    night = asked.prompt.count("night") + scene_number(asked)
    return Rule(text="\n\n".join(f"{step} It was turn {night}." for step in STEPS))


class Life:
    """The novel, its server, and the commands of its writer."""

    def __init__(self, folder: Path, model: Model, *titles: str) -> None:
        self.folder = make_novel(folder, contract=None)
        self.fake = FakeMessages(answering=model)
        put(folder, "volumes/vol-01/outline.md", outline(*titles))

    def __call__(self, *words: object) -> Ended:
        """Runs the installed command in the novel's folder."""
        environ = {"ANTHROPIC_BASE_URL": self.fake.url, "ANTHROPIC_API_KEY": "k"}
        return studio(*words, cwd=self.folder, environ=environ)

    @property
    def checkpoint(self) -> dict[str, Any]:
        """What the checkpoint says."""
        return self.read(".checkpoint.json")

    def read(self, path: str) -> dict[str, Any]:
        """A JSON file of the novel."""
        value: dict[str, Any] = json.loads((self.folder / path).read_text("utf-8"))
        return value


def opened(folder: Path, *titles: str, **answers: Any) -> Iterator[Life]:
    """A novel whose server is up; `answers` as `Model` takes them."""
    life = Life(folder, Model(**{"draft": drafted, "judge": judged(4.4), **answers}), *titles)
    with life.fake:
        yield life
