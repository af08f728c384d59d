"""Which model is asked, and what it is believed to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studio.config.endpoints import is_loopback
from studio.config.schema import ROLES, Settings
from studio.errors import Exit, StudioError
from studio.llm import choose
from studio.llm.choose import choose_provider
from studio.llm.provider import high_estimate
from studio.llm.providers.profiles import profile_for
from studio.llm.stream import deadlines_for, is_looping


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "find_bundled_model", lambda: None)


def settings(provider: dict[str, Any] | None = None, model: str = "") -> Settings:
    models = dict.fromkeys(ROLES, model) if model else {}
    return Settings.model_validate({"provider": provider or {}, "models": models})


def at(address: str, model: str = "", **more: Any) -> Settings:
    """Settings of a server that speaks the Messages API."""
    return settings({"anthropic": {"base_url": address}, **more}, model)


def test_a_key_means_claude_with_a_model_for_each_role() -> None:
    choice = choose_provider(settings({"anthropic": {"api_key": "k"}}))
    assert choice.provider is not None
    assert {role: choice.provider.model_for(role) for role in ROLES} == dict(Settings().models)
    assert choice.provider.profile.judges
    assert choice.deadlines.first_byte == 30.0
    assert "a key is set" in choice.reason


def test_an_address_needs_no_key() -> None:
    choice = choose_provider(at("http://localhost:11434", "qwen3-8b"))
    assert choice.provider is not None
    assert choice.provider.model_for("deep") == "qwen3-8b"
    assert choice.provider.profile.window == 8192
    assert choice.deadlines.first_byte == 600.0


def test_the_reason_shows_no_login_of_an_address() -> None:  # reliability S11
    choice = choose_provider(at("http://mara:CANARY@localhost:9/v1?key=CANARY"))
    assert "at http://...@localhost:9/v1?..., because" in choice.reason
    assert "CANARY" not in choice.reason


def test_what_is_known_of_an_endpoint_wins() -> None:
    facts = {"http://localhost:1/": {"window": 32768, "judges": False, "thinks": True}}
    provider = choose_provider(at("http://localhost:1", "qwen3", endpoints=facts)).provider
    assert provider is not None
    profile = provider.profile
    assert (profile.window, profile.judges, profile.thinks) == (32768, False, True)


def test_the_embedded_model_is_taken_when_nothing_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "small.gguf"
    file.touch()
    monkeypatch.setattr(choose, "find_bundled_model", lambda: file)
    choice = choose_provider(settings())
    assert choice.provider is not None
    assert choice.provider.profile.provider == "embedded"
    assert not choice.provider.profile.judges
    assert choice.provider.profile.note


@pytest.mark.usefixtures("nothing_installed")
def test_nothing_at_all_is_no_error() -> None:
    choice = choose_provider(settings())
    assert choice.provider is None
    assert "ANTHROPIC_API_KEY" in choice.reason


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize(
    "provider",
    [
        {"name": "anthropic"},
        {"name": "openai"},
        {"name": "embedded"},
        {"name": "embedded", "embedded": {"model_file": Path("nowhere.gguf")}},
    ],
)
def test_a_named_provider_that_cannot_be_had_is_a_mistake(provider: dict[str, Any]) -> None:
    with pytest.raises(StudioError) as caught:
        choose_provider(settings(provider))
    assert caught.value.problem.exit_code == Exit.USAGE
    assert caught.value.problem.hint


def test_one_model_that_is_not_claude_makes_the_profile_careful() -> None:
    mixed = profile_for({"deep": "claude-opus-5-5", "standard": "qwen3", "fast": "qwen3"})
    assert (mixed.window, mixed.cache, mixed.thinks) == (8192, False, True)
    opus = profile_for({"deep": "claude-opus-5-5"})
    assert opus.window == 1_000_000
    assert profile_for({"deep": "claude-opus-5-5", "fast": "claude-haiku-5-5"}).window == 200_000


def test_only_the_vendors_host_is_hurried() -> None:  # req: E3
    assert deadlines_for("https://api.anthropic.com").first_byte == 30.0
    assert deadlines_for("https://api.anthropic.com.evil.example").first_byte == 600.0
    assert deadlines_for(None, 5.0).first_byte == 5.0


@pytest.mark.parametrize("url", ["http://127.0.0.1:80", "http://localhost", "http://[::1]:8080"])
def test_this_machine_is_recognised(url: str) -> None:
    assert is_loopback(url)
    assert not is_loopback("http://192.0.2.1")


def test_a_loop_is_told_from_prose() -> None:
    assert is_looping("She lit the lamp. " * 100)
    assert is_looping(" " * 1200)
    assert not is_looping("She lit the lamp. " * 20)
    assert not is_looping("".join(f"그녀는 {n}번째 계단을 셌다. " for n in range(300)))


@pytest.mark.parametrize(
    ("text", "least"),
    [("She lit the lamp and waited.", 7), ("등대에 불이 들어왔다.", 10), ("灯亮了。", 4), ("", 0)],
)
def test_tokens_are_estimated_on_the_high_side(text: str, least: int) -> None:
    assert high_estimate(text) >= least
