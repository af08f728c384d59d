"""Every shell block of README and docs is typed, line by line, where a reader would type it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.documented import (
    ROOT,
    Block,
    at_the_gate,
    blocks,
    documents,
    empty,
    from_a_vault,
    new,
    planned,
    run,
    sample,
    started,
    twelve_chapters,
    with_a_third_chapter,
)
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import Model, judged

ASKED = 4
"""How a command ends that asks something."""
APP = "opens the app, which needs a terminal: tests/tui"
SERVER = "asks a server at a port of hers: tests/llm/test_chat_completions.py asks one"
PROPOSED = "takes what a model proposed of a text of hers: tests/cli/test_promises_suggest.py"
MESSAGES = "asks a server at a port of hers: tests/cli/test_doctor.py asks one"

PAGES: Mapping[str, list[Block]] = {
    "README.md": [
        Block(empty, left={"studio try": "opens the app, or writes with a model: tests/flows"}),
        Block(empty, left={"studio": APP}),
    ],
    "docs/command-line.md": [
        Block(planned, ends={"studio write": ASKED}),
        Block(new, ends={"studio write": ASKED, "studio resume": ASKED}),
    ],
    "docs/first-book.md": [
        Block(empty),
        Block(new),
        Block(planned),
        Block(started),
    ],
    "docs/how-a-chapter-travels.md": [
        Block(at_the_gate, ends={"studio resume": ASKED}, scores=1.5)
    ],
    "docs/import-and-export.md": [
        Block(documents),
        Block(documents),
        Block(from_a_vault, each_anew=True),
        Block(twelve_chapters, left={"studio promises suggest": PROPOSED}),
        Block(twelve_chapters),
        Block(twelve_chapters),
        Block(twelve_chapters),
        Block(twelve_chapters),
        Block(with_a_third_chapter),
    ],
    "docs/models-and-cost.md": [
        Block(
            planned,
            ends={"studio write": ASKED},
            left={
                "studio write --model ~/": "reads a model file of hers: tests/llm/test_embedded.py"
            },
        ),
        Block(
            new,
            left={"studio models": SERVER, "studio doctor --probe": SERVER, "studio write": SERVER},
        ),
        Block(new, left={"studio doctor --probe": MESSAGES}),
    ],
    "docs/recipes.md": [
        Block(documents),
        Block(sample, ends={"studio write": ASKED, "studio resume": ASKED}),
        Block(sample),
        Block(sample),
        Block(sample),
        Block(sample),
        Block(
            with_a_third_chapter,
            left={"studio history restore": "4fc1 is of her own list: tests/cli/test_history.py"},
        ),
        Block(sample),
        Block(with_a_third_chapter),
        Block(sample),
        Block(sample),
    ],
    "docs/recovery.md": [
        Block(
            sample,
            left={"studio history restore-backup": "of a day long ago: tests/flows/test_copies.py"},
        )
    ],
}
ROWS = [(page, at) for page, stands in PAGES.items() for at in range(len(stands))]


def by_beginning(line: str, rows: Mapping[str, object]) -> object | None:
    """What is said of the longest beginning of a line; `studio` alone is the line itself."""
    fits = [key for key in rows if line == key or (key != "studio" and line.startswith(key))]
    return rows[max(fits, key=len)] if fits else None


def test_every_shell_block_has_a_place_to_run_in() -> None:
    """A new block needs a row in PAGES, in the place it has on its page."""
    paths = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    pages = [path.relative_to(ROOT).as_posix() for path in paths]
    counts = {page: len(blocks(page)) for page in pages}
    assert {page: count for page, count in counts.items() if count} == {
        page: len(stands) for page, stands in PAGES.items()
    }


@pytest.mark.sweep
@pytest.mark.parametrize(("page", "at"), ROWS, ids=[f"{page}-{at + 1}" for page, at in ROWS])
def test_what_a_page_says_to_type_runs(
    page: str, at: int, own_home: Path, tmp_path: Path
) -> None:  # req: I5
    block = PAGES[page][at]
    lines = blocks(page)[at]
    sessions = [[line] for line in lines] if block.each_anew else [lines]
    with FakeMessages(answering=Model(judge=judged(block.scores))) as server:
        key = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k"}
        environ = {"HOME": str(own_home), **key}
        for number, session in enumerate(sessions):
            here = tmp_path / str(number) / "salt"
            here.mkdir(parents=True)
            block.ready(here, environ)
            typed(session, block, here, environ)


def typed(session: list[str], block: Block, here: Path, environ: Mapping[str, str]) -> None:
    """One line after the other; AssertionError where one ends otherwise than it should."""
    for line in session:
        if line.startswith("cd "):
            here /= line.removeprefix("cd ")
        elif by_beginning(line, block.left) is None:
            ended = run(line, here, environ)
            wanted = by_beginning(line, block.ends) or 0
            assert ended.code == wanted, f"{line}\n{ended.out}{ended.err}"
