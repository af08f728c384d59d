from __future__ import annotations

import re
from pathlib import Path

import pytest

from studio.agent_pages import (
    BUILT_IN,
    KNOWN_BLOCKS,
    SHORT_SLOTS,
    SLOTS,
    STABLE_BLOCKS,
    agent_ids,
    list_agents,
    load_agent,
    of_what_is_there,
    render,
    slots_of,
)
from studio.errors import Exit, StudioError
from studio.resources import agents_dir
from studio.story.review.answers import JudgeAnswer, JudgedDirective, JudgedScores, SummaryAnswer
from studio.story.review.directive import DirectiveType
from studio.story.state import CATEGORIES

AGENTS = (
    "assembly",
    "character-weaver",
    "continuity-checker",
    "plot-architect",
    "prewriter",
    "prose-surgeon",
    "quality-oracle",
    "scene-drafter",
    "second-reader",
    "style-analyzer",
    "style-refiner",
    "summarizer",
    "world-builder",
)
VALUES = {name: f"<{name}>" for name in SLOTS}
SHORT_VALUES = VALUES | {name: f"<{name}>" for name in SHORT_SLOTS}


@pytest.fixture
def overrides(tmp_path: Path) -> Path:
    folder = tmp_path / "agents"
    folder.mkdir()
    return folder


def refused(folder: Path, text: str, agent: str = "style-refiner") -> str:
    """The whole complaint about an override, which is always exit 5 and names its file."""
    (folder / f"{agent}.md").write_text(text, encoding="utf-8")
    with pytest.raises(StudioError) as caught:
        load_agent(agent, folder)
    problem = caught.value.problem
    assert problem.exit_code is Exit.DAMAGED
    assert problem.message.startswith(f"agents/{agent}.md")
    assert problem.hint
    return f"{problem} {problem.details}"


# req: A23
def test_all_agents_are_shipped() -> None:
    assert agent_ids() == AGENTS


@pytest.mark.sweep
@pytest.mark.parametrize("agent", AGENTS)
def test_a_shipped_agent_loads_and_renders_completely(agent: str) -> None:
    spec = load_agent(agent, None)
    assert spec.id == agent
    assert spec.source == BUILT_IN
    text = render(spec.body, VALUES)
    assert "{{" not in text
    assert "<language>" in text
    assert len(" ".join((text, *spec.operations.values(), *spec.tasks.values())).split()) > 300


@pytest.mark.sweep
@pytest.mark.parametrize("agent", AGENTS)
def test_a_shipped_agent_reads_known_blocks_with_the_cacheable_ones_first(agent: str) -> None:
    blocks = load_agent(agent, None).blocks
    assert set(blocks) <= set(KNOWN_BLOCKS)
    assert blocks[-1] == "task"
    kinds = [block in STABLE_BLOCKS for block in blocks if block != "world"]
    assert kinds == sorted(kinds, reverse=True)


# Reliability row S10: a manuscript must not steer its reader.
@pytest.mark.sweep
@pytest.mark.parametrize("agent", AGENTS)
def test_a_shipped_agent_is_told_that_material_is_no_instruction(agent: str) -> None:
    text = render(load_agent(agent, None).body, VALUES)
    assert '`<<tag> name="...">` and `</<tag>>`' in text
    assert re.search(r"\b(never|no|none|nothing)\b[^.]{0,80}\b(instruct|orders)", text, re.I)


@pytest.mark.sweep
@pytest.mark.parametrize("agent", AGENTS)
def test_a_shipped_agent_leaves_language_craft_to_the_language_pack(agent: str) -> None:
    text = (agents_dir() / f"{agent}.md").read_text(encoding="utf-8")
    assert not re.search(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text)
    assert "http" not in text


@pytest.mark.parametrize("agent", ["scene-drafter", "prose-surgeon"])
def test_a_short_form_is_there_for_small_models(agent: str) -> None:
    short = load_agent(agent, None).short
    assert short
    assert set(slots_of(short)) <= set(SHORT_SLOTS)
    assert len(render(short, SHORT_VALUES).split()) < 20


def test_the_drafter_samples_as_was_found_to_work_on_local_models() -> None:
    sampling = load_agent("scene-drafter", None).sampling
    assert (sampling.temperature, sampling.top_p, sampling.repeat_penalty) == (0.8, 0.95, 1.1)


# req: A4
def test_the_drafter_is_asked_for_notes_prose_and_hints_that_can_be_told_apart() -> None:
    spec = load_agent("scene-drafter", None)
    text = spec.body + spec.pre_writing
    for heading in ("## Pre-Writing", "## Prose", "## Hints"):
        assert heading in text
    assert "{{target_length}}" not in text, "it differs by scene, and the prefix is to stay"
    assert "the length that the task asks for" in text


def test_the_judge_is_asked_for_exactly_the_fields_of_its_answer() -> None:
    spec = load_agent("quality-oracle", None)
    wanted = [
        name
        for kind in (JudgeAnswer, JudgedScores, JudgedDirective)
        for name in kind.model_json_schema()["properties"]
    ]
    assert spec.answer == "judge"
    page = "\n".join((spec.body, *spec.remarks.values()))
    assert [name for name in wanted if name not in page] == []
    assert [kind for kind in DirectiveType if f"| {kind.value} |" not in spec.body] == []


def test_the_summarizer_is_asked_for_exactly_the_fields_of_its_answer() -> None:
    spec = load_agent("summarizer", None)
    assert spec.answer == "summary"
    assert [name for name in SummaryAnswer.model_fields if f"**{name}**" not in spec.body] == []
    assert ", ".join(CATEGORIES) in spec.body


# req: E8
def test_the_summarizer_trusts_the_text_over_the_drafters_hints() -> None:
    spec = load_agent("summarizer", None)
    assert spec.blocks.index("chapter") < spec.blocks.index("hints")
    assert "the text wins" in spec.remarks["hints"]


def test_the_surgeon_knows_every_operation_and_its_bounds() -> None:
    spec = load_agent("prose-surgeon", None)
    assert set(spec.operations) == set(DirectiveType)
    assert set(slots_of(spec.remarks["directive"])) == {"directive_type", "operation"}


@pytest.mark.sweep
@pytest.mark.parametrize("agent", AGENTS)
def test_a_remark_is_about_a_block_of_its_agent_and_of_no_other(agent: str) -> None:
    spec = load_agent(agent, None)
    for name, words in spec.remarks.items():
        assert name in spec.blocks
        own = set(re.findall(r"`([a-z-]+)`", words)) & set(KNOWN_BLOCKS)
        assert own <= {name}
        assert name == "directive" or f"`{name}`" not in spec.body


def test_an_override_of_one_remark_leaves_the_others(overrides: Path) -> None:
    text = "---\nremarks:\n  hints: Believe `hints`.\n---\n"
    (overrides / "summarizer.md").write_text(text, encoding="utf-8")
    spec, shipped = load_agent("summarizer", overrides), load_agent("summarizer", None)
    assert spec.remarks == {**shipped.remarks, "hints": "Believe `hints`."}


@pytest.mark.parametrize("remark", ["hint: Look.", "hints: 'Look at {{this}}.'"])
def test_a_remark_about_no_block_or_with_an_unknown_slot_is_refused(
    overrides: Path, remark: str
) -> None:
    (overrides / "summarizer.md").write_text(f"---\nremarks:\n  {remark}\n---\n", "utf-8")
    with pytest.raises(StudioError, match=r"hint|this"):
        load_agent("summarizer", overrides)


def test_an_override_of_one_operation_leaves_the_others(overrides: Path) -> None:
    text = "---\noperations:\n  cut: Take out half.\n---\n"
    (overrides / "prose-surgeon.md").write_text(text, encoding="utf-8")
    spec, shipped = load_agent("prose-surgeon", overrides), load_agent("prose-surgeon", None)
    assert spec.operation("cut") == "Take out half."
    assert spec.operation("wording") == shipped.operation("wording") != ""


# req: A19
def test_the_judge_is_given_neither_the_drafters_notes_nor_tools() -> None:
    spec = load_agent("quality-oracle", None)
    assert not {"hints", "notes", "scene-plan"} & set(spec.blocks)
    assert spec.tools == ()


def test_the_assembly_agent_may_decline_with_the_word_the_engine_knows() -> None:
    assert "the single word NONE" in load_agent("assembly", None).body


def test_an_unknown_agent_is_named_with_its_nearest() -> None:
    with pytest.raises(StudioError, match=r"scene-draffter.*Did you mean scene-drafter") as caught:
        load_agent("scene-draffter", None)
    assert caught.value.problem.exit_code is Exit.USAGE


def test_an_agents_name_cannot_lead_out_of_the_folder(overrides: Path) -> None:
    (overrides.parent / "secret.md").write_text("key", encoding="utf-8")
    with pytest.raises(StudioError, match="no agent"):
        load_agent("../secret", overrides)


# req: A23
def test_a_projects_file_is_in_force_and_shown(overrides: Path) -> None:
    text = "---\neffort: high\nsampling: {temperature: 0.2}\n---\nLine edit in {{language}}.\n"
    (overrides / "style-refiner.md").write_text(text, encoding="utf-8")
    spec = load_agent("style-refiner", overrides)
    shipped = load_agent("style-refiner", None)
    assert (spec.source, spec.effort) == ("agents/style-refiner.md", "high")
    assert spec.body == "Line edit in {{language}}.\n"
    assert spec.sampling == shipped.sampling.model_copy(update={"temperature": 0.2})
    assert (spec.blocks, spec.role) == (shipped.blocks, shipped.role)
    in_force = {agent.id: agent.source for agent in list_agents(overrides)}
    assert in_force.pop("style-refiner") == "agents/style-refiner.md"
    assert set(in_force.values()) == {BUILT_IN}


def test_an_override_may_be_text_alone_in_any_language_and_line_ending(overrides: Path) -> None:
    korean = "\ufeff{{language}} 문장을 다듬되 대사는 건드리지 마세요.\r\n고치지 않아도 됩니다.\r\n"
    (overrides / "style-refiner.md").write_bytes(korean.encode())
    spec = load_agent("style-refiner", overrides)
    assert (
        spec.body == "{{language}} 문장을 다듬되 대사는 건드리지 마세요.\n고치지 않아도 됩니다.\n"
    )


def test_an_override_may_change_only_a_setting(overrides: Path) -> None:
    (overrides / "summarizer.md").write_text("---\nrole: fast\n---\n", encoding="utf-8")
    spec = load_agent("summarizer", overrides)
    assert spec.role == "fast"
    assert spec.body == load_agent("summarizer", None).body


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("efort: low", ["'efort'", "Did you mean effort?", "max_tokens"]),
        ("url: https://example.org", ["'url'", "not a key of a prompt"]),
        ("command: rm -r .", ["'command'", "not a key of a prompt"]),
        ("sampling: {temprature: 1}", ["sampling", "'temprature'", "Did you mean temperature?"]),
        ("sampling: {temperature: 9}", ["sampling.temperature", "less than or equal to 2"]),
        ("sampling: hot", ["sampling"]),
        ("role: writer", ["role", "'deep'"]),
        ("effort: max", ["effort", "'high'"]),
        ("blocks: [style, contarct]", ["'contarct' is not a block", "Did you mean contract?"]),
        ("blocks: [style, style]", ["'style' stands there twice"]),
        ("blocks: style", ["blocks"]),
        ("tools: ['rm -rf /']", ["tools.0"]),
        ("max_tokens: 0", ["max_tokens"]),
        ("answer: judge", ["answer must stay edits"]),
        ("id: summarizer", ["id must be style-refiner"]),
        ("short: 'Go on, {{siutation}}'", ["{{siutation}}", "Did you mean situation?"]),
        ("role: [deep", ["the front matter cannot be read: "]),
        ("when: 2026-13-45", ["the front matter cannot be read: "]),
        ("!!python/object/apply:os.getcwd []", ["the front matter cannot be read: "]),
        ("- just\n- a list", ["`key: value`"]),
        ("role: deep\nrole: fast", ["line 3 the key `role` stands there twice"]),
        ("? [a, b]\n: 1", ["the front matter cannot be read: "]),
    ],
)
def test_bad_front_matter_is_refused_with_its_reason(
    overrides: Path, front: str, said: list[str]
) -> None:
    complaint = refused(overrides, f"---\n{front}\n---\nText in {{{{language}}}}.\n")
    assert [part for part in said if part not in complaint] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Write in {{langage}}.", "{{langage}} is not a slot here. Did you mean language?"),
        ("Rewrite {{passage}}.", "{{passage}} is not a slot here."),
        ("Write in {{language}.", "A slot is opened and not closed at {{language}."),
    ],
)
def test_a_bad_text_is_refused_and_the_slots_are_listed(
    overrides: Path, text: str, said: str
) -> None:
    complaint = refused(overrides, text)
    assert said in complaint
    assert "paragraph_count" in complaint


def test_front_matter_without_an_end_is_refused(overrides: Path) -> None:
    complaint = refused(overrides, "---\nrole: deep\nNo end in sight.\n")
    assert "opened with --- and not closed" in complaint


def test_what_is_no_text_file_is_refused(overrides: Path) -> None:
    path = overrides / "style-refiner.md"
    path.mkdir()
    with pytest.raises(StudioError, match=r"agents/style-refiner\.md is not a file"):
        load_agent("style-refiner", overrides)
    path.rmdir()
    path.write_bytes("다듬는다".encode("euc-kr"))
    with pytest.raises(StudioError, match="is not UTF-8 text"):
        load_agent("style-refiner", overrides)
    path.write_bytes(b"a" * 300_000)
    with pytest.raises(StudioError, match="larger than 200 kB"):
        load_agent("style-refiner", overrides)


def test_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "credentials.txt"
    secret.write_text("top secret", encoding="utf-8")
    folder = tmp_path / "novel" / "agents"
    folder.mkdir(parents=True)
    (folder / "summarizer.md").symlink_to(secret)
    with pytest.raises(StudioError, match="leads out of the project") as caught:
        load_agent("summarizer", folder)
    assert caught.value.problem.exit_code is Exit.DAMAGED


def test_a_broken_link_is_refused_and_not_passed_over(overrides: Path) -> None:
    (overrides / "summarizer.md").symlink_to(overrides / "gone.md")
    with pytest.raises(StudioError, match="is not a file"):
        load_agent("summarizer", overrides)


def test_a_file_named_after_no_agent_is_not_overlooked(overrides: Path) -> None:
    (overrides / "README.md").write_text("Our own prompts.", encoding="utf-8")
    assert len(list_agents(overrides)) == len(AGENTS)
    (overrides / "style-refinr.md").write_text("Edit.", encoding="utf-8")
    with pytest.raises(StudioError, match=r"agents/style-refinr\.md.*Did you mean style-refiner"):
        list_agents(overrides)


def test_a_project_without_the_folder_uses_the_built_in_prompts(tmp_path: Path) -> None:
    assert list_agents(tmp_path / "agents") == list_agents(None)


def test_a_value_is_filled_in_as_it_is() -> None:
    odd = {"title": "{{tag}} \\1 등대", "tag": "x"}
    assert render("“{{ title }}” {{title}}", odd) == "“{{tag}} \\1 등대” {{tag}} \\1 등대"


def test_a_slot_without_a_value_names_file_slot_and_choices() -> None:
    with pytest.raises(StudioError) as caught:
        render("{{directive_type}}", {"language": "Chinese"}, "agents/summarizer.md")
    problem = caught.value.problem
    assert problem.exit_code is Exit.DAMAGED
    assert "agents/summarizer.md: {{directive_type}} has no value" in problem.message
    assert "language" in problem.hint


def test_an_unknown_slot_of_a_built_in_prompt_is_the_programs_own_fault() -> None:
    with pytest.raises(StudioError, match=r"tagg.*Did you mean tag") as caught:
        render("<{{tagg}}>", {"tag": "x"})
    assert caught.value.problem.exit_code is Exit.FAILED


# req: J1
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("page", "absent", "left"),
    [
        ("Learn from `exemplars`. Obey `craft`.", {"exemplars"}, "Obey `craft`."),
        ("`a` shows what to stay away from; use nothing of `b`.", {"a"}, "Use nothing of `b`."),
        ("Go on from `a`; `b` says why. You know.", {"b"}, "Go on from `a`. You know."),
        ("`direction` says what; `notes` why.", {"notes"}, "`direction` says what."),
        ("Never: `a`, `b`, and `c`. Go on.", {"b"}, "Never: `a` and `c`. Go on."),
        ("Never: `a`, `b` and `c`.", {"c"}, "Never: `a` and `b`."),
        ("What `a`, `b`, `c` or `d` tell.", {"c", "d"}, "What `a` or `b` tell."),
        ("What `a`, `b`, and `c` tell.", {"a", "b"}, "What `c` tell."),
        ("You know from `a` and `b` where it goes.", {"b"}, "You know from `a` where it goes."),
        ("- `a`: a thing.\n- `b`: another.", {"a"}, "- `b`: another."),
        ("Nothing is named here.", {"a"}, "Nothing is named here."),
        ("`a` is the past, `b` the ids that are.", {"b"}, "`a` is the past, `b` the ids that are."),
        (
            "The changes to `a`, one a row, with `op`.",
            {"a"},
            "The changes to `a`, one a row, with `op`.",
        ),
        ("- `a`: a list. Use it as one.\n- `b`: b.", {"a"}, "- `b`: b."),
        ("`a` gives it, and `b` says why.", {"b"}, "`a` gives it, and `b` says why."),
    ],
)
def test_a_page_speaks_only_of_what_is_there(page: str, absent: set[str], left: str) -> None:
    assert of_what_is_there(page, absent) == left
