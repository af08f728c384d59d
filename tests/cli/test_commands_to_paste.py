"""Commands that the studio prints can be pasted into a shell, whatever words of others are in
them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import studio
from tests.cli.conftest import Typed
from tests.fake_messages import FakeMessages, Rule

WORDS = [
    "x && touch pwned #",
    "$(touch pwned)",
    "qwen3; touch pwned #",
    "a'$(touch pwned)'b",
    "-rf\ntouch pwned\n",
    "모델 & touch pwned #",
]


def is_harmless(output: str, folder: Path) -> bool:
    """Whether every command in the output runs nothing but the studio itself."""
    at = re.compile(
        r"`(studio config set .*?--user|studio usage allow .*?)` (?:ch|lets)", re.DOTALL
    )
    commands = at.findall(output)
    assert commands, output
    for command in commands:
        script = f"studio() {{ :; }}\n{command}\n"
        subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, timeout=30)
    return not (folder / "pwned").exists()


@pytest.mark.sampled
@pytest.mark.parametrize("words", WORDS[:3])
@pytest.mark.repairs("T9")
def test_the_names_of_a_servers_models_are_quoted(tmp_path: Path, words: str) -> None:
    unknown = Rule(mode="status", status=404, error_type="not_found_error")
    with FakeMessages(unknown) as server:
        server.pages["/v1/models"] = {"data": [{"id": words}]}
        environ = {"ANTHROPIC_BASE_URL": server.url}
        ended = studio("doctor", "--probe", "--json", "--model", "m", cwd=tmp_path, environ=environ)
    (probe,) = [check for check in ended.json["checks"] if check["name"] == "probe"]
    assert "config set models.deep" in probe["hint"]
    assert is_harmless(probe["hint"], tmp_path)


@pytest.mark.sampled
@pytest.mark.parametrize("words", WORDS[:2])
@pytest.mark.repairs("T9")
def test_the_name_of_a_novels_model_is_quoted(novel: Path, typed: Typed, words: str) -> None:
    outline = novel / "volumes/vol-01/outline.md"
    outline.write_text("## Chapter 1: Night\n\nMara counts the boats.\n", "utf-8")
    toml = novel / "studio.toml"
    models = f"[models]\ndeep = '{words}'\nstandard = '{words}'\nfast = '{words}'\n"
    capped = f"{models}[budget]\nday_usd = 5.0\n"
    toml.write_text(f'[novel]\ntitle = "Night"\nlanguage = "en"\n{capped}', "utf-8")
    with FakeMessages() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_BASE_URL", server.url)
        ended = typed("rebuild", "--all", "--json", "--yes")
        if ended.code == 2:
            ended = typed("plan", "propose", "1")
    assert ended.code == 4, ended.err
    assert "usage allow" in ended.err
    assert is_harmless(ended.err, novel)
