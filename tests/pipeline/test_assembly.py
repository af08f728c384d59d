"""What the seed says each agent is given, a row a test (seed 003, 8.3 and 8.5): every row has its
block in what was sent, with words of the file it comes from."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.pipeline.book_runs.volume_desk import VolumeOrder
from tests.fake_messages import Asked, FakeMessages
from tests.pipeline.flows import Desk, Kind, Model, block, judged, kind_of
from tests.pipeline.volume_plan import PLAN
from tests.small_novels import copied_sample

REVIEW = "The middle of the volume sags."
SCHEDULE = "volumes/vol-01/storyline-schedule.json"
BASE = [
    ("brief", "In 1962 the sea broke into the Harriet Pit"),
    ("style", "Close third person with a dry narrator"),
    ("blacklist", "a testament to"),
]
"""What every agent is given: brief.md, style-profile.json, ai-blacklist.json."""
WRITER = [
    ("volume-outline", "Fifteen Nights"),
    ("scene-plan", "There have been eighteen tallies on the board"),
    ("storyline", "Mara has fifteen nights between a false entry"),
    ("neighbours", "The Cap"),
    ("summaries", "Chapter 1: It had left the bottom"),
    ("summaries", "Chapter 2: "),
    ("state", "Edwin Quaye:\n- location: sea"),
    ("foreshadowing", "- plant: "),
]
JUDGE = [
    ("chapter", "Mara lifted the oil cans one after another"),
    ("contract", "What she says to his back, he should have"),
    ("people", "Forty-four, tall, hair scraped back"),
    ("characters-contract", "Mara Stobbs: "),
    ("summaries", "Chapter 2: "),
    ("storyline", "Chapters of the line main are in Mara’s point of view"),
    ("schedule", "Chapter 2: The Cap, beside it The Book"),
]
ARCHITECT = [
    ("world", "Kettle Staithe"),
    ("world-rules", "Every sound made in the Harriet"),
    ("people", "Edwin Quaye"),
    ("previous-review", REVIEW),
    ("foreshadowing", "drowned_bell"),
    ("storyline", "The Cap"),
]
ROWS: list[tuple[Kind, str, str]] = [
    *(("draft", *row) for row in [*BASE, *WRITER]),
    *(("judge", *row) for row in [*BASE, *JUDGE]),
    *(("volume", *row) for row in [*BASE, *ARCHITECT]),
]


@pytest.fixture(scope="module")
def asked(homes: Iterator[Path]) -> Iterator[dict[Kind, Asked]]:
    """The first question to each agent, of the third chapter of the sample and the plan of its
    second volume."""
    folder = next(homes)
    copied_sample(folder)
    (folder / "volumes/vol-01/review.md").write_text(f"# Review\n\n{REVIEW}\n", "utf-8")
    _lines_meet(folder)
    with FakeMessages(answering=Model(judge=judged(4.4), volume=PLAN)) as server:
        desk = Desk(folder, server)
        assert desk.write(review="reject").exit_code == 0
        volumes = desk.session().volumes()
        asyncio.run(volumes.plan(VolumeOrder(volume=2), lambda _: None))
        yield {kind_of(one): one for one in reversed(server.asked)}


def _lines_meet(folder: Path) -> None:
    schedule = json.loads((folder / SCHEDULE).read_text("utf-8"))
    schedule["chapters"][2]["concurrent"] = ["the-cap"]
    (folder / SCHEDULE).write_text(json.dumps(schedule), "utf-8")


# req: D6
@pytest.mark.sweep
@pytest.mark.parametrize(("agent", "name", "words"), ROWS)
def test_an_agent_is_given_what_the_table_says(
    asked: dict[Kind, Asked], agent: Kind, name: str, words: str
) -> None:
    assert words in block(asked[agent], name)


# req: D7
def test_contract_and_last_words_say_which_profiles_are_told(asked: dict[Kind, Asked]) -> None:
    profiles = block(asked["draft"], "people")
    assert "Forty-four" in profiles
    assert "Twenty-nine, slight" not in profiles, "no scene puts him there"
    assert "Edwin Quaye: " in profiles, "the chapter before ends with him"
    assert "Edwin Quaye:\n" in block(asked["draft"], "state"), "the state is never cut down"
