"""What `--provider` and `--model` stand for."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

from studio.cli import commands
from studio.cli.options import ShowFirst, command, model_overrides
from studio.config.load import load_settings
from studio.errors import Exit, StudioError
from tests.cli.conftest import Typed


def test_a_model_id_is_used_for_every_role() -> None:
    settings = load_settings(None, {}, model_overrides("anthropic", "qwen3"))
    models = settings.models
    assert {models.deep, models.standard, models.fast} == {"qwen3"}
    assert settings.provider.name == "anthropic"
    assert settings.provenance("models.deep") == "command line"


def test_a_gguf_file_is_run_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings(None, {}, model_overrides(None, "small.GGUF"))
    assert settings.provider.name == "embedded"
    assert settings.provider.embedded.model_file == tmp_path / "small.GGUF"


def test_a_gguf_file_does_not_go_with_another_provider() -> None:
    with pytest.raises(StudioError) as caught:
        model_overrides("anthropic", "small.gguf")
    assert caught.value.problem.exit_code == Exit.USAGE


def test_nothing_typed_changes_nothing() -> None:
    assert load_settings(None, {}, model_overrides(None, None)) == load_settings(None, {})


def test_a_suggested_command_is_for_the_same_novel() -> None:
    assert command("resume", Path(".")) == "`studio resume`"
    assert command("resume", Path("a b")) == "`studio resume --project 'a b'`"


@pytest.mark.parametrize(
    "words",
    [
        "bible set items.bell.rung true --from {}",
        "promises add bell --about Rain. --due {}",
        "lines mute world/bell --chapter {}",
    ],
)
def test_a_chapter_that_no_book_has_is_refused(novel: Path, typed: Typed, words: str) -> None:
    refused = typed(*words.format("9" * 20).split())
    assert refused.code == Exit.USAGE
    assert "9" * 20 in refused.err


def test_a_group_without_a_command_shows_what_there_is_and_proposes_nothing() -> None:
    groups = {
        group.name: next(iter(group.commands))
        for module in pkgutil.iter_modules(commands.__path__)
        for group in vars(import_module(f"{commands.__name__}.{module.name}")).values()
        if isinstance(group, ShowFirst)
    }
    assert len(groups) >= 15
    assert {name: first for name, first in groups.items() if first not in ("list", "show")} == {}


def test_promises_alone_are_the_list_of_them(novel: Path, typed: Typed) -> None:
    there = ("--project", novel)
    assert typed("promises", *there).out == typed("promises", "list", *there).out
