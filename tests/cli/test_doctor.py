"""`studio doctor`: a line for each thing, and what trying a model shows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from studio.config.load import load_settings, probes
from tests.cli.conftest import Typed
from tests.fake_messages import FakeMessages, Rule


def named(ended: Any, name: str) -> list[dict[str, str]]:
    return [check for check in ended.json["checks"] if check["name"] == name]


def test_a_machine_in_order_ends_with_0(typed: Typed, tmp_path: Path) -> None:
    ended = typed("doctor", "--project", tmp_path, "--json")
    assert ended.code == 0
    assert {check["status"] for check in ended.json["checks"]} <= {"ok", "note"}
    assert {"python", "packages", "agents", "config", "model"} <= {
        check["name"] for check in ended.json["checks"]
    }


def test_lines_say_what_to_do(typed: Typed, novel: Path) -> None:
    (novel / ".checkpoint.json").write_text("{")
    ended = typed("doctor")
    assert ended.code == 1
    (line,) = [line for line in ended.out.splitlines() if line.startswith("problem")]
    assert ".checkpoint.json" in line


def test_the_source_of_the_key_is_named_and_the_key_is_not(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: S11
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-canary-0123456789")
    ended = typed("doctor", "--json")
    (anthropic,) = named(ended, "anthropic")
    assert anthropic["message"].startswith(
        "Its server is https://api.anthropic.com. Its key is from environment. It takes 200,000"
    )
    assert named(ended, "openai")[0]["message"] == "No address is set."
    assert named(ended, "embedded")
    assert "canary" not in ended.out
    assert "6789" not in ended.out


def test_settings_that_cannot_be_read_are_a_problem_and_no_end(
    typed: Typed, own_home: Path
) -> None:
    config = own_home / "config" / "studio" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("theme = [")
    ended = typed("doctor", "--json")
    assert ended.code == 1
    assert named(ended, "config")[0]["status"] == "problem"
    assert named(ended, "novel")


def test_a_provider_that_cannot_be_had_is_a_problem(typed: Typed) -> None:
    ended = typed("doctor", "--provider", "anthropic", "--json")
    assert ended.code == 1
    assert named(ended, "model")[0]["status"] == "problem"


def test_an_interrupted_chapter_is_pointed_out(typed: Typed, novel: Path) -> None:
    (novel.parent / "own.md").write_text("# Night\n\nThe rain had stopped.\n")
    typed("write", "--draft", novel.parent / "own.md")
    (work,) = named(typed("doctor", "--json"), "work")
    assert work["status"] == "note"
    assert "studio resume" in work["hint"]


def tried(typed: Typed, *rules: Rule) -> Any:
    with FakeMessages(*rules) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_BASE_URL", server.url)
        return typed("doctor", "--probe", "--json", "--model", "qwen3"), server.url


def test_an_endpoint_that_keeps_to_a_form_is_remembered_as_fit(typed: Typed) -> None:
    ended, url = tried(typed)
    assert ended.code == 0
    assert "keeps to a given form, even where" in named(ended, "probe")[0]["message"]
    assert probes(os.environ)[url]["facts"] == {}


def test_an_endpoint_that_keeps_to_no_form_is_not_asked_to_judge(typed: Typed) -> None:
    ended, url = tried(typed, Rule(text="A ripe tomato is red."))
    (probe,) = named(ended, "probe")
    assert (ended.code, probe["status"]) == (0, "note")
    known = load_settings(None, os.environ).provider.endpoints[url]
    assert (known.judges, known.extracts) == (False, False)


def test_a_form_kept_when_told_twice_is_enough(typed: Typed) -> None:
    ended, _ = tried(typed, Rule(text="Red.", times=2))
    assert "told a second time" in named(ended, "probe")[0]["message"]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("own", "cost"),
    [
        ("", "its cost is unknown"),
        ("[prices.qwen3]\ninput = 1000.0\noutput = 1000.0\n", "it cost $"),
        ("[prices.qwen3]\ninput = 0.0001\noutput = 0.0001\n", "it cost less than $0.0001"),
        ("[prices.qwen3]\ninput = 0.0\noutput = 0.0\n", "it cost nothing"),
    ],
    ids=["no price", "her price", "a little", "nothing"],
)
def test_the_cost_of_trying_is_that_of_the_prices_in_force(
    typed: Typed, own_home: Path, own: str, cost: str
) -> None:  # req: I4
    config = own_home / "config" / "studio" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(own, "utf-8")
    ended, _ = tried(typed)
    assert cost in named(ended, "probe")[0]["message"]
    assert "$0.0000" not in named(ended, "probe")[0]["message"]


def test_an_endpoint_that_refuses_the_key_ends_with_6(typed: Typed) -> None:
    refusing = Rule(mode="status", status=401, error_type="authentication_error")
    ended, url = tried(typed, refusing)
    assert ended.code == 6
    assert named(ended, "probe")[0]["status"] == "problem"
    assert url not in probes(os.environ)


def test_what_was_found_is_shown_the_next_time(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, url = tried(typed)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    (probe,) = named(typed("doctor", "--json"), "probe")
    assert "qwen3 writes prose" in probe["message"]


def test_a_probe_file_that_is_broken_counts_as_none(own_home: Path) -> None:
    folder = own_home / "state" / "studio"
    folder.mkdir(parents=True)
    for content in (b"{", b"[]", b'{"probes": {"u": 1}}', b"\xff"):
        (folder / "probes.json").write_bytes(content)
        assert probes(os.environ) == {}
