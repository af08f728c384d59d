"""A model with a small window: what it is told, what it is not, and that this is said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Ended, studio
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import CONTRACT, SETTINGS, make_novel
from tests.project.novels import put
from tests.sweeps import swept

LOCAL = "local-8b"
"""A model nobody knows: it is believed to take 8,192 tokens."""
WORLD_RULE = "The fog here does not come and go at the story's convenience."


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    with FakeMessages(Rule(paragraphs=5)) as running:
        yield running


def write(project: Path, server: FakeMessages, *arguments: object, window: int = 0) -> Ended:
    config = project.parent / "config"
    (config / "studio").mkdir(parents=True)
    own = f'[prices."{LOCAL}"]\ninput = 0\noutput = 0\n'  # or the writer is asked about it first
    if window:
        own += f'[provider.endpoints."{server.url}"]\nwindow = {window}\n'
    (config / "studio/config.toml").write_text(own, "utf-8")
    environ = {
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "k",
        "XDG_CONFIG_HOME": str(config),
    }
    typed = ("write", "--review", "reject", "--events", "--model", LOCAL, *arguments)
    return studio(*typed, cwd=project, environ=environ)


def drafts(server: FakeMessages) -> list[Asked]:
    return [asked for asked in server.asked if '"scene-plan"' in asked.prompt]


def judgements(server: FakeMessages) -> list[Asked]:
    return [a for a in server.asked if a.schema and "scores" in a.schema["properties"]]


def with_rule(project: Path, rule: str) -> None:
    rules = {"schema_version": 1, "rules": [{"id": "fog", "rule": rule}]}
    (project / "world/rules.json").write_text(json.dumps(rules), "utf-8")


def left_out(ended: Ended) -> list[str]:
    warnings = [e["message"] for e in ended.events if e["type"] == "warning"]
    return [message for message in warnings if "left out" in message.lower()]


@pytest.mark.sweep
def test_an_8k_model_writes_the_sample_by_its_rules(project: Path, server: FakeMessages) -> None:
    with_rule(project, WORLD_RULE)
    ended = write(project, server)
    assert ended.code == 0, ended.events[-1]
    law = json.loads((project / "storylines/storyline-spec.json").read_text("utf-8"))
    mara = json.loads((project / "characters/active/mara.json").read_text("utf-8"))
    assert len(drafts(server)) >= 3
    for asked in drafts(server):
        assert WORLD_RULE in asked.prompt
        assert law["rules"][0]["rule"] in asked.prompt
        assert mara["never"][0] in asked.prompt
        assert "previous-tail" in asked.prompt or "chapter-so-far" in asked.prompt
    (message,) = left_out(ended)
    assert "summaries" in message


@pytest.mark.sweep
def test_who_did_not_see_the_rules_does_not_judge(project: Path, server: FakeMessages) -> None:
    with_rule(project, " ".join([WORLD_RULE] * 600))
    own = project / "own.md"
    own.write_text("# Own\n\nMara wrote it down.\n\nThe pit was quiet.\n", "utf-8")
    ended = write(project, server, "--draft", own, window=12_000)
    assert ended.code == 0, ended.events[-1]
    blind = [asked for asked in judgements(server) if WORLD_RULE not in asked.prompt]
    assert not blind, "a judge was asked without the rules"
    evaluation = json.loads((project / "evaluations/chapter-003-eval.json").read_text("utf-8"))
    assert (evaluation["overall"], evaluation["judged_sha256"]) == (None, None)
    assert evaluation["gate"]["verdict"] == "unjudged"
    assert studio("status", "--json", cwd=project).json["chapters"][2]["badges"] == ["not judged"]


def test_who_cannot_be_told_the_rules_does_not_write(project: Path, server: FakeMessages) -> None:
    # req: G4
    with_rule(project, " ".join([WORLD_RULE] * 600))
    ended = write(project, server, window=12_000)
    assert ended.code == 6
    assert ended.events[-1]["kind"] == "too_large"
    assert not drafts(server), "a drafter was asked without the rules"


@pytest.mark.sweep
def test_small_blocks_come_back_when_a_large_one_went(project: Path, server: FakeMessages) -> None:
    island = "---\ninclude: always\n---\n" + "The island has seventeen chapels. " * 3000
    (project / "world/island.md").write_text(island, "utf-8")
    assert write(project, server, window=20_000).code == 0
    for asked in drafts(server):
        assert "seventeen chapels" not in asked.prompt
        assert '"brief"' in asked.prompt, "it fits beside the rest, and was left out"
        assert '"previous-tail"' in asked.prompt


WISH = "Let nobody say the word tide, not even on the Hollin Steps."
"""What she asks for; it names one entry of the many."""
_ENTRIES = 120


def with_entries(project: Path) -> None:
    """Many entries of 400 words, `entry7x` in the seventh; the first is named by the wish."""
    for number in range(_ENTRIES):
        name = f"Old Quay {number}" if number else "Hollin Steps"
        text = f"---\nname: {name}\n---\n" + f"entry{number}x has wet stones here. " * 80
        (project / f"world/quay-{number}.md").write_text(text, "utf-8")


@pytest.mark.sweep
@pytest.mark.parametrize("window", [8192, swept(32_000), swept(200_000)])
def test_the_rules_the_plan_and_the_wish_are_told_in_every_window(
    project: Path, server: FakeMessages, window: int
) -> None:  # req: G4
    with_rule(project, WORLD_RULE)
    with_entries(project)
    ended = write(project, server, "--direction", WISH, window=window)
    assert ended.code == 0, ended.events[-1]
    law = json.loads((project / "storylines/storyline-spec.json").read_text("utf-8"))
    plan = "volumes/vol-01/chapter-contracts/chapter-003.json"
    contract = json.loads((project / plan).read_text("utf-8"))
    mara = json.loads((project / "characters/active/mara.json").read_text("utf-8"))
    lines = (WORLD_RULE, law["rules"][0]["rule"], mara["never"][0], contract["must_not"][0])
    assert len(drafts(server)) >= 3
    for asked in drafts(server):
        assert all(words in asked.prompt for words in (*lines, WISH))
        assert not [n for n in range(1, _ENTRIES) if f"entry{n}x" in asked.prompt], "unasked"
        assert "entry0x" in asked.prompt or window == 8192
    for asked in judgements(server):
        assert all(words in asked.prompt for words in lines)


LEDGER = {
    "en": "The keeper's ledger lists each lamp by its number and the oil it drank that winter. ",
    "ko": "등대지기의 장부에는 등불마다 번호와 그해 겨울에 마신 기름이 적혀 있었다. ",
    "zh": "守塔人的账本按号码记着每一盏灯和它那年冬天喝掉的油。",
}
SECRET, HELD_BACK = "SECRET-OF-THE-BELL", "SECRET-OF-THE-LETTER"
LOCALES = {"en": "C", "ko": "ko_KR.UTF-8", "zh": "zh_CN.UTF-8"}


def crowded(folder: Path, language: str) -> Path:
    """A novel with more of everything than fits into 8,192 tokens, and a short scene to write."""
    settings = SETTINGS.replace('language = "en"', f'language = "{language}"')
    contract = {**CONTRACT, "foreshadowing": [], "must_not": [f"MUST-NOT {LEDGER[language]}"]}
    scene = {"number": 1, "purpose": LEDGER[language], "pov": "mara", "target_length": 300}
    make_novel(folder, settings, {**contract, "scenes": [scene]})
    put(folder, "brief.md", "BRIEF " + LEDGER[language] * 8)
    secrets = [
        {"id": "bell", "fact": SECRET, "known_by": [{"who": "mara", "from": 1}], "reader_from": 1},
        {"id": "letter", "fact": HELD_BACK, "known_by": [{"who": "mara", "from": 1}]},
    ]
    put(folder, "world/secrets.json", {"schema_version": 1, "secrets": secrets})
    for number in range(12):
        note = f"---\nname: Note {number}\ninclude: always\n---\n{LEDGER[language] * 30}"
        put(folder, f"world/lore/note{number}.md", note)
        put(
            folder, f"style-library/ex{number}.md", f"---\nkind: good\n---\n{LEDGER[language] * 20}"
        )
    return folder


@pytest.mark.sampled
@pytest.mark.repairs("S5")
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_what_is_known_and_what_must_not_happen_is_told_in_8192_tokens(
    tmp_path: Path, server: FakeMessages, language: str, mode: str
) -> None:  # req: G4
    folder = crowded(tmp_path / "novel", language)
    ended = write(folder, server, "--mode", mode, window=8192)
    assert ended.code == 0, ended.events[-1]
    first = [a for a in server.asked if '"scene-plan"' in a.prompt and a.schema is None]
    assert first
    for asked in first:
        assert asked.body["max_tokens"] < 8192 / 3
        needed = (SECRET, HELD_BACK, "MUST-NOT", "BRIEF")
        assert [words for words in needed if words not in asked.prompt] == []
        assert '"exemplars"' in asked.prompt
    (message,) = left_out(ended)
    assert "notes on the world" in message


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["ko", "zh"])
def test_what_went_is_said_once_in_the_writers_language_also_of_another_version(
    tmp_path: Path, server: FakeMessages, language: str
) -> None:
    folder = crowded(tmp_path / "novel", language)
    environ = {"LANG": LOCALES[language]}
    assert write(folder, server, window=8192).code == 0
    environ |= {
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "k",
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    typed = ("rewrite", 1, "--passage", "1.2", "--mode", "regenerate", "--model", LOCAL)
    ended = studio(*typed, cwd=folder, environ=environ)
    assert ended.code == 0, ended.err
    (line,) = [row for row in ended.err.splitlines() if "8,192" in row]
    assert {"ko": "세계 메모", "zh": "世界设定笔记"}[language] in line
    assert not re.search("[a-z]{3,}", line.replace(LOCAL, "")), line
