"""A provider that the settings name and that cannot be had: what needs no model goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Typed, own_chapter


@pytest.fixture(autouse=True)
def named_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the shell of a writer who forgot her key there."""
    monkeypatch.setenv("STUDIO_PROVIDER", "anthropic")


def test_a_draft_of_ones_own_is_measured_reviewed_and_committed(
    novel: Path, tmp_path: Path, typed: Typed
) -> None:  # req: H1 U3
    ran = typed("write", "--draft", own_chapter(tmp_path), "--review", "reject", "--json")
    assert ran.code == 0, ran.err
    assert '"status":"completed"' in ran.out.replace(" ", "")
    assert "There is no key for the anthropic provider." in ran.err
    evaluation = json.loads((novel / "evaluations/chapter-001-eval.json").read_bytes())
    assert evaluation["judged_sha256"] is None
    assert typed("rebuild", "--all").code == 0


def test_what_a_model_is_to_write_waits_for_its_key(
    novel: Path, tmp_path: Path, typed: Typed
) -> None:  # req: U3
    outline = novel / "volumes/vol-01/outline.md"
    outline.write_text("## Chapter 1: Night\n\nMara counts the boats.\n", "utf-8")
    ran = typed("write")
    assert ran.code == 2
    assert "There is no key for the anthropic provider." in ran.err
    named_now = typed("write", "--provider", "anthropic", "--draft", own_chapter(tmp_path))
    assert named_now.code == 2
    assert not (novel / "staging/chapters").exists()


def test_a_book_is_begun_in_ones_own_words(
    novel: Path, tmp_path: Path, typed: Typed
) -> None:  # req: U3
    premise = tmp_path / "premise.md"
    premise.write_text("A keeper's daughter counts boats.\n", "utf-8")
    ran = typed("start", "--premise", premise, "--trials", 0)
    assert ran.code == 4, ran.err
    assert "There is no key" in ran.err


@pytest.mark.sampled
@pytest.mark.parametrize("provider", ["anthropic", "openai", "embedded"])
def test_what_would_be_sent_is_shown_without_a_key(
    novel: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch, provider: str
) -> None:  # req: T6
    outline = novel / "volumes/vol-01/outline.md"
    outline.write_text("## Chapter 1: 조수\n\nMara counts the boats.\n", "utf-8")
    monkeypatch.setattr("studio.llm.choose.is_available", lambda: False)
    monkeypatch.delenv("STUDIO_PROVIDER")
    without = typed("context", "--full")
    assert without.code == 0, without.err
    monkeypatch.setenv("STUDIO_PROVIDER", provider)
    named = typed("context", "--full")
    assert named.code == 0, named.err
    assert named.out == without.out
    assert "Mara counts the boats." in named.out
    reason = {
        "anthropic": "There is no key for the anthropic provider.",
        "openai": "The openai provider needs an address",
        "embedded": "The embedded model needs the library that runs it.",
    }
    assert reason[provider] in named.err
    assert "This is what claude-opus-5-5 would be given." in named.err
    assert typed("context", "--json").json["blocks"]
    assert typed("context", "--agent", "quality-oracle").code == 0
    assert "Model: my-own" in typed("context", "--model", "my-own").out
