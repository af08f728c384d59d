"""What a writer keeps under context/: blocks.toml, and what it makes of the prompts (BOOK 6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.pipeline.outcome import Committed, Failed
from studio.pipeline.previews.preview import Pending, Preview
from studio.project.verify import verify
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SETTINGS,
    Desk,
    Model,
    asked_for,
    block,
    directive,
    judged,
)
from tests.pipeline.previews import every_call_is_shown_as_it_is_sent
from tests.project.novels import put

PREWRITER = SETTINGS + '[generation]\nmode = "prewriter"\n'
BLOCKS = """
[agents.scene-drafter]
order = ["scene-plan", "blacklist"]
disable = ["anti-exemplar"]
override = {craft = "craft.md"}
prepend = {instructions = "first.md"}
append = {storyline = "more/line.md"}

[[agents.scene-drafter.blocks]]
id = "voices"
role = "user"
order = 50
file = "voices.md"

[[agents.scene-drafter.blocks]]
id = "house"
role = "system"
file = "house.md"

[[agents.prewriter.blocks]]
id = "shape"
file = "shape.md"

[agents.quality-oracle]
disable = ["exemplars"]
"""
FILES = {
    "craft.md": "짧게 쓴다. 끝맺음을 바꾼다.",
    "first.md": "You work on {{title}} in {{language}}.",
    "more/line.md": "The main line is slow. <!-- ask Jo about this -->",
    "voices.md": "Joss of {{title}} never ends a sentence.",
    "house.md": "不写梦。",
    "shape.md": "End the brief with a picture.",
}


def with_blocks(desk_: Desk, blocks: str = BLOCKS) -> Desk:
    put(desk_.folder, "context/blocks.toml", blocks)
    for name, text in FILES.items():
        put(desk_.folder, f"context/{name}", text)
    put(desk_.folder, "ai-blacklist.json", {"schema_version": 1, "entries": [{"phrase": "shiver"}]})
    return desk_


def shown(desk_: Desk, agent: str = "scene-drafter") -> Preview:
    ahead = desk_.session().previews().of_agent(agent)
    assert isinstance(ahead, Preview), ahead
    return ahead


# req: C2
# req: G9
@pytest.mark.sweep
def test_blocks_are_ordered_left_out_replaced_and_added_for_one_agent(desk: OpenDesk) -> None:
    desk_ = with_blocks(desk())
    ahead = shown(desk_)
    names = [piece.name for piece in ahead.blocks]
    system = [piece.name for piece in ahead.blocks if piece.role == "system"]
    user = [piece.name for piece in ahead.blocks if piece.role == "user"]
    assert system == [
        "blacklist",
        "the agent's own text",
        "brief",
        "craft",
        "house",
    ]
    assert user[:2] == ["scene-plan", "voices"]
    assert user[-1] == "the task"
    assert "anti-exemplar" not in names
    assert desk_.write().exit_code == 0
    draft = asked_for(desk_, "draft")[0]
    assert block(draft, "craft") == FILES["craft.md"]
    assert block(draft, "voices") == "Joss of The Lamp Room never ends a sentence."
    assert block(draft, "house") == "不写梦。"
    assert block(draft, "storyline").endswith("The main line is slow.")
    assert "You work on The Lamp Room in English." in draft.prompt
    assert "wishes and notes about the book are in `voices`, `house`" in draft.prompt
    assert "ask Jo" not in draft.prompt
    judge = asked_for(desk_, "judge")[0]
    assert not block(judge, "voices")
    assert block(judge, "craft") != FILES["craft.md"]


# req: C2
def test_each_block_says_whose_it_is_and_where_it_stands(desk: OpenDesk) -> None:
    places = {place.id: place for place in shown(with_blocks(desk())).places}
    assert places["voices"].source == "custom"
    assert places["voices"].order == 50
    assert places["craft"].source == "override"
    assert places["storyline"].source == places["instructions"].source == "edited"
    assert places["scene-plan"].source == "default"


# req: C2
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("toml", "place"),
    [
        ('override = {style = "../studio.toml"}', "override.style"),
        ('append = {style = "/etc/passwd"}', "append.style"),
        ('override = {style = "a/../../brief.md"}', "override.style"),
        ('override = {style = "linked.md"}', "override.style"),
        ('override = {style = "folder/inside.md"}', "override.style"),
        ('override = {style = "nowhere.md"}', "override.style"),
        ('override = {style = "large.md"}', "large.md"),
        ('override = {style = "slots.md"}', "{{password}}"),
        ('override = {style = "binary.md"}', "override.style"),
        ('override = {world-rules = "voices.md"}', "'world-rules'"),
        ('disable = ["contract"]', "'contract'"),
        ('disable = ["characters-contract"]', "'characters-contract'"),
        ('disable = ["storyline"]', "'storyline'"),
        ('disable = ["direction"]', "'direction'"),
        ('disable = ["notes"]', "'notes'"),
        ('override = {task = "voices.md"}', "'task'"),
        ('override = {instructions = "voices.md"}', "'instructions'"),
        ('disable = ["stile"]', "Did you mean style?"),
        ('colour = "red"', "colour"),
        ('[[agents.scene-drafter.blocks]]\nid = "contract"\nfile = "voices.md"', "'contract'"),
        ('[[agents.scene-drafter.blocks]]\nid = "../x"\nfile = "voices.md"', "id"),
        ("order = [", "not TOML"),
    ],
)
def test_what_may_not_be_sent_stops_the_run_before_anything_is(
    desk: OpenDesk, tmp_path: Path, toml: str, place: str
) -> None:
    desk_ = with_blocks(desk(), f"[agents.scene-drafter]\n{toml}\n")
    put(desk_.folder, "context/large.md", "a" * 64_001)
    put(desk_.folder, "context/slots.md", "{{password}}")
    put(desk_.folder, "context/binary.md", b"\xff\xfe\x00")
    (desk_.folder / "context/linked.md").symlink_to(desk_.folder / "brief.md")
    put(tmp_path / "outside", "inside.md", "a secret")
    (desk_.folder / "context/folder").symlink_to(tmp_path / "outside")
    ran = desk_.write()
    assert isinstance(ran.outcome, Failed)
    assert ran.exit_code == 5
    assert not desk_.server.asked
    problem = ran.outcome.problem
    assert "context/" in problem.message
    assert place in problem.message
    with pytest.raises(StudioError) as refused:
        desk_.session().preview()
    assert refused.value.problem == problem
    assert desk_.checkpoint.inflight_chapter is None


def test_an_agent_that_does_not_exist_is_named(desk: OpenDesk) -> None:
    desk_ = with_blocks(desk(), "[agents.scene-drafer]\n")
    outcome = desk_.write().outcome
    assert isinstance(outcome, Failed)
    assert "Did you mean scene-drafter?" in outcome.problem.message


# req: C2
def test_a_block_of_hers_goes_before_the_rules_where_the_window_is_small(desk: OpenDesk) -> None:
    desk_ = with_blocks(desk())
    put(desk_.folder, "context/voices.md", "Long talk. " * 4000)
    rules = {"schema_version": 1, "rules": [{"id": "bell", "rule": "No bell rings."}]}
    put(desk_.folder, "world/rules.json", rules)
    desk_.overrides["provider.endpoints"] = {desk_.server.url: {"window": 12_000}}
    ahead = shown(desk_)
    assert "voices" in ahead.request.dropped_blocks
    assert "world-rules" in [piece.name for piece in ahead.blocks]


# req: C2
@pytest.mark.sweep
@pytest.mark.parametrize("settings", [SETTINGS, PREWRITER])
@pytest.mark.parametrize("blocks", ["", BLOCKS])
def test_every_agent_is_shown_what_it_is_then_sent(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, settings: str, blocks: str
) -> None:
    first = judged(3.2, directives=[directive(1, 2)])
    model = Model(judge=[first, judged(directives=[directive(1, 2)])])
    desk_ = with_blocks(desk(model, settings=settings), blocks)
    put(desk_.folder, "context/guidelines/tides.md", "---\nsticky: true\n---\nCount the tides.")
    put(desk_.folder, "context/guidelines/gulls.md", "---\nname: Gulls\n---\nThey are loud.")
    calls = every_call_is_shown_as_it_is_sent(desk_, monkeypatch)
    assert isinstance(desk_.write(direction="비가 오게 해 줘.").outcome, Committed)
    wanted = {"scene-drafter", "summarizer", "style-refiner", "quality-oracle", "prose-surgeon"}
    assert wanted <= set(calls)
    assert ("prewriter" in calls) == (settings is PREWRITER)


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("summarizer", "no text yet"),
        ("quality-oracle", "no text yet"),
        ("style-refiner", "no text yet"),
        ("prose-surgeon", "no directive"),
        ("second-reader", "surgeon"),
        ("plot-architect", "names the scenes itself"),
        ("world-builder", "nothing in the line of a chapter"),
        ("style-analyzer", "`studio start`"),
        ("continuity-checker", "no chapter up to this one is in the book"),
    ],
)
def test_what_does_not_exist_yet_says_why(desk: OpenDesk, agent: str, reason: str) -> None:
    ahead = desk().session().previews().of_agent(agent)
    assert isinstance(ahead, Pending)
    assert reason in ahead.reason


def test_the_words_that_are_not_there_yet_are_named(desk: OpenDesk) -> None:
    ahead = desk(settings=PREWRITER).session().previews().of_agent("scene-drafter", 1, 2)
    assert isinstance(ahead, Preview)
    assert set(ahead.pending) == {"chapter-so-far", "writing-brief"}


def test_verify_names_what_could_not_be_sent(desk: OpenDesk) -> None:
    desk_ = with_blocks(desk(), '[agents.scene-drafter]\noverride = {style = "../brief.md"}\n')
    messages = [f.message for f in verify(desk_.folder).findings]
    assert any("override.style" in message for message in messages), messages
