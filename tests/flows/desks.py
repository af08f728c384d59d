"""A small novel at the desk: made by the installed program, opened on a pseudo-terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.cli.command import PROGRAM, studio
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.tui.terminals import Terminal

OWN = """# The Salt Ledger

Mara saw the ledger. She saw that it was wet. She felt that it had been opened, and she \
noticed a thumbprint. She saw salt on it.

“You might have written,” Joss said.

She saw the cat on the sill. She felt that it was waiting, and she noticed the dish. She saw \
that the dish was empty.

* * *

The stove ticked as it cooled. She counted the steps down to the cellar and lost count.

She saw the lamp go out. She felt the cold come up, and she noticed the smell of tar. She saw \
nothing after that.
"""
"""A chapter with three passages full of filter words, which no model has to find."""


def new_novel(folder: Path, plan: str = "") -> Path:
    """A novel as `studio new` makes it, with what its author plans of volume 1."""
    made = studio("new", folder, "--title", "The Salt Ledger", "--language", "en")
    assert made.code == 0, made.err
    if plan:
        (folder / "volumes/vol-01/outline.md").write_text(plan, "utf-8")
    return folder


def under_review(folder: Path, text: str = OWN, server: FakeMessages | None = None) -> Path:
    """The same with the author's own chapter at its review."""
    new_novel(folder)
    draft = folder.with_suffix(".md")
    draft.write_text(text, "utf-8")
    ran = studio(
        "write", "--draft", draft, "--project", folder, environ=environ_of(server), cwd=folder
    )
    assert ran.code == 4, ran.err
    return folder


def environ_of(server: FakeMessages | None) -> dict[str, str]:
    """Whom the program asks; nobody where there is no server."""
    if server is None:
        return {}
    return {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "key-of-the-writer"}


def opened(
    folder: Path,
    server: FakeMessages | None = None,
    environ: Mapping[str, str] | None = None,
    size: tuple[int, int] = (120, 36),
) -> Terminal:
    """The app on a novel."""
    there = Terminal(
        [str(folder)],
        {**environ_of(server), **(environ or {})},
        program=str(PROGRAM),
        size=size,
        cwd=folder.parent,
    )
    there.sees("Outline")
    return there


def leaves(there: Terminal) -> None:
    """Ctrl+Q, and the end of the program with 0."""
    there.child.sendcontrol("q")
    assert there.ends() == 0


def committed(folder: Path, chapter: int = 1) -> bool:
    """Whether a chapter is in the book."""
    return (folder / f"chapters/chapter-{chapter:03d}.md").exists()


def directives(folder: Path) -> list[dict[str, Any]]:
    """Those that are shown, as `studio directives list --json` prints them."""
    answer: list[dict[str, Any]] = studio("directives", "list", "--json", "--project", folder).json[
        "directives"
    ]
    return answer


def question(folder: Path) -> dict[str, Any] | None:
    """The decision that waits, as `studio decide --json` prints it."""
    answer: dict[str, Any] | None = studio("decide", "--json", "--project", folder).json["decision"]
    return answer


Answer = Rule | Callable[[Asked], Rule]


def answering(**answers: Answer) -> Callable[[Asked], Rule | None]:
    """A model that answers by what it is asked: `draft`, `refine`, `surgery`, `judge`,
    `summary`; what is not named gets the fake server's own answer."""

    def answer(asked: Asked) -> Rule | None:
        chosen = answers.get(kind_of(asked))
        return chosen(asked) if callable(chosen) else chosen

    return answer


def kind_of(asked: Asked) -> str:
    """What a request is for, by the form of answer it wants and the first words of its task."""
    if asked.schema is not None:
        wanted = json.dumps(asked.schema)
        if "differences" in asked.schema["properties"]:
            return "reader"
        if "edits" in asked.schema["properties"]:
            return "refine"
        return "judge" if "reader_experience" in wanted else "summary"
    task = asked.blocks[-1]["text"]
    firsts = {"Write scene": "draft", "Bridge the": "bridge"}
    return next((kind for first, kind in firsts.items() if task.startswith(first)), "surgery")
