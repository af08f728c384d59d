"""A model whose window nobody knows: its server is asked, then the writer, then 8,192 it is."""

from __future__ import annotations

import pytest

from studio.cli import keyboard
from studio.cli.paid_call import ask_for_window
from studio.config.load import load_settings, probes
from studio.pipeline.events import Emitter, Event
from studio.pipeline.outcome import Committed, Failed
from tests.fake_messages import Rule
from tests.pipeline.at_the_prompt import typing
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk

LOCAL = {f"models.{role}": "qwen3-8b" for role in ("deep", "standard", "fast")}


@pytest.fixture
def local(desk: OpenDesk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A novel whose model nobody knows."""
    desk_ = desk()
    desk_.overrides = dict(LOCAL)
    for name, value in desk_.environ.items():
        monkeypatch.setenv(name, value)
    return desk_


def states(desk_: Desk, window: int) -> None:
    """The server says how much its model takes."""
    desk_.server.pages["/v1/models"] = {"data": [{"id": "qwen3-8b", "max_model_len": window}]}


def warned(messages: list[str]) -> list[str]:
    return [message for message in messages if "is not known" in message and "at once" in message]


def test_what_the_server_says_holds_from_the_first_call_on(local: Desk) -> None:  # req: A3
    states(local, 48_000)
    said: list[Event] = []
    gateway = local.session().volumes().novel.gateway_for(Emitter(said.append))
    assert gateway is not None
    assert gateway.provider.profile.window == 48_000
    assert said == []
    states(local, 16_000)
    assert local.session().preview(1).window == 48_000, "who only looks asks nobody"


@pytest.mark.sweep
def test_where_nobody_says_it_the_run_says_what_it_assumes(local: Desk) -> None:
    ran = local.write()
    assert isinstance(ran.outcome, Committed), ran.outcome
    (message,) = warned([event.message for event in ran.of("warning")])
    assert "8,192 tokens are assumed" in message
    assert probes(local.environ) == {}


def test_her_own_word_is_not_asked_after(local: Desk) -> None:
    states(local, 48_000)
    local.overrides["provider.endpoints"] = {local.server.url: {"window": 20_000}}
    session = local.session()
    session.volumes().novel.gateway_for(_silent())
    assert session.settings.provider.endpoints[local.server.url].window == 20_000


def test_a_window_that_changed_is_learned_anew(local: Desk) -> None:
    for window in (48_000, 24_000):
        states(local, window)
        local.session().volumes().novel.gateway_for(_silent())
        settings = load_settings(None, local.environ)
        assert settings.provider.endpoints[local.server.url].window == window


def test_the_writer_is_asked_at_the_terminal_and_only_once(
    local: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typing(monkeypatch, "plenty", "100", "32,768")
    session = local.session()
    ask_for_window(session)
    out = capsys.readouterr().out
    assert "does not say how much qwen3-8b can read at once" in out
    assert out.count("A window is a whole number of tokens") == 2
    assert session.preview(1).window == 32_768
    monkeypatch.setattr(keyboard, "read_line", lambda: pytest.fail("asked again"))
    later = local.session()
    ask_for_window(later)
    assert later.preview(1).window == 32_768


def test_enter_takes_what_is_assumed(local: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "")
    ask_for_window(local.session())
    assert load_settings(None, local.environ).provider.endpoints[local.server.url].window == 8192


def test_a_chapter_is_not_written_by_who_read_half_of_what_was_asked(local: Desk) -> None:
    states(local, 200_000)
    counts = {"cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 9}
    rule = Rule(usage={"input_tokens": 512, **counts})
    local.server.answering = lambda asked: rule
    ran = local.write(direction="Let it snow. " * 600)
    assert isinstance(ran.outcome, Failed), ran.outcome
    assert "this server cuts prompts" in ran.outcome.problem.message
    assert (int(ran.outcome.exit_code), len(local.server.asked)) == (6, 1)
    assert not (local.folder / "chapters/chapter-001.md").exists()


def _silent() -> Emitter:
    return Emitter(lambda event: None)
