"""Lines of prompts that the writer pins, mutes and swaps, and rules that nothing takes away."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.pipeline.prompting import lines as line_choices
from studio.pipeline.prompting.agent_question import Occasion
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract
from studio.story.prompt_config import ContextLines
from studio.text.language.packs import load_pack
from tests.project.novels import make_novel, put

BLOCKS = ("people", "world", "summaries", "foreshadowing", "storyline", "world-rules")
DRAFTER = "scene-drafter"


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    put(tmp_path, "characters/active/mara.md", "# 마라\n\n등대지기다. 왼손이 없다. 밤에만 말한다.")
    put(tmp_path, "characters/active/mara.json", {"id": "mara", "name": "마라"})
    put(tmp_path, "characters/active/joss.md", "# 조스\n\n뱃사람이다. 말이 없다.")
    put(tmp_path, "characters/active/joss.json", {
        "id": "joss", "name": "조스", "role": "뱃사람", "never": ["거짓말"],
    })  # fmt: skip
    put(tmp_path, "world/tides.md", "# Tides\n\nTwice a day. The cellar floods. Nobody sleeps.")
    put(tmp_path, "world/rules.json", {"rules": [{"id": "fog", "rule": "No fog by night."}]})
    put(tmp_path, "storylines/storyline-spec.json", {"rules": [{"id": "a", "rule": "Apart."}]})
    put(tmp_path, "foreshadowing/global.json", {
        "promises": [{"id": "bell", "description": "The bell", "status": "planned"}],
    })  # fmt: skip
    for chapter in range(1, 7):
        words = f"---\nchapter: {chapter}\n---\nDay {chapter}."
        put(tmp_path, f"summaries/chapter-{chapter:03d}-summary.md", words)
    return make_novel(tmp_path)


def lines(
    store: ProjectStore, agent: str = DRAFTER, chapter: int = 6
) -> dict[str, tuple[str, str]]:
    """Every line by its name: why it is there, and its words."""
    plan = ChapterContract(
        chapter=chapter,
        volume=1,
        title="Night",
        storyline_id="main",
        characters=("mara",),
        objectives=("She climbs",),
    )
    prompt_blocks = PromptBlocks(store, plan, load_pack("en"))
    made = prompt_blocks.lines(BLOCKS, Occasion(scene=1, present=("mara",), agent=agent))
    return {f"{b}/{x.id}": (x.why, x.text) for b, rows in made.items() for x in rows}


def test_what_is_pinned_is_told_although_nothing_names_it(store: ProjectStore) -> None:
    # req: G4
    assert not {"people/joss", "world/tides", "summaries/chapter-001"} & set(lines(store))
    for line in ("people/joss", "world/tides", "summaries/chapter-001"):
        line_choices.pin(store, line, DRAFTER)
    context = lines(store)
    assert context["people/joss"][0] == context["world/tides"][0] == "pinned"
    assert context["summaries/chapter-001"] == ("pinned", "Chapter 1: Day 1.")
    assert "people/joss" not in lines(store, "quality-oracle"), "for that agent alone"
    line_choices.pin(store, "summaries/chapter-006")
    assert "summaries/chapter-006" not in lines(store), "a pin opens no later chapter"


def test_what_is_muted_is_left_out_where_it_was_said_to_be(store: ProjectStore) -> None:
    # req: G4
    line_choices.mute(store, "people/mara", None, 6)
    line_choices.mute(store, "summaries/chapter-005", "quality-oracle")
    assert "people/mara" not in lines(store)
    assert "people/mara" in lines(store, chapter=5)
    assert "summaries/chapter-005" in lines(store)
    assert "summaries/chapter-005" not in lines(store, "quality-oracle")
    line_choices.reset(store, "people/mara")
    assert "people/mara" in lines(store)


def test_a_swap_tells_a_line_shortly_or_whole(store: ProjectStore) -> None:  # req: G4
    line_choices.pin(store, "world/tides")
    line_choices.swap(store, "world/tides", "one_line")
    line_choices.swap(store, "people/mara", "one_line", 6)
    context = lines(store)
    assert context["world/tides"][1] == "## Tides\nTwice a day. The cellar floods."
    assert context["people/mara"][1] == "마라: 등대지기다. 왼손이 없다."
    assert "밤에만 말한다" in lines(store, chapter=5)["people/mara"][1]


@pytest.mark.parametrize(
    "line", ["world-rules/world-rules", "storyline/rules", "contract/contract", "direction/x"]
)
def test_rules_plans_and_own_words_cannot_be_muted(store: ProjectStore, line: str) -> None:
    with pytest.raises(StudioError) as caught:
        line_choices.mute(store, line)
    assert caught.value.problem.exit_code == 2
    by_hand = {"mutes": [{"line": line}, {"line": "people/joss-rules"}]}
    put(store.layout.folder, "context/lines.json", by_hand)
    context = lines(store)
    assert context["storyline/rules"][1] == "Rule: Apart."
    assert context["world-rules/world-rules"][1] == "- No fog by night."


def test_a_name_that_is_no_line_is_refused_and_a_bad_file_named(store: ProjectStore) -> None:
    for word in ("mara", "Characters/mara", "people/", "people/a b"):
        with pytest.raises(StudioError) as caught:
            line_choices.pin(store, word)
        assert caught.value.problem.exit_code == 2
    put(store.layout.folder, "context/lines.json", {"pins": [{"line": "nothing"}]})
    with pytest.raises(StudioError) as caught:
        lines(store)
    assert caught.value.problem.exit_code == 5
    assert "context/lines.json" in str(caught.value.problem)


def test_the_last_word_about_a_line_counts(store: ProjectStore) -> None:
    line_choices.mute(store, "world/tides")
    line_choices.pin(store, "world/tides")
    assert line_choices.mute(store, "world/tides").pins == ()
    assert line_choices.pin(store, "world/tides").mutes == ()
    line_choices.reset(store, "world/tides")
    assert not (store.layout.folder / "context/lines.json").exists()
    assert store.context_lines() == ContextLines()
