"""The sieve of a scene knows who is in it and where it is (PROSE 5)."""

from __future__ import annotations

from typing import Any

import pytest

from studio.llm.provider import Request
from studio.llm.providers.anthropic import AnthropicProvider
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SETTINGS


@pytest.fixture
def drafts(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """Every request for a scene that reaches the provider."""
    asked: list[Request] = []
    plain = AnthropicProvider.stream

    async def stream(self: AnthropicProvider, request: Request, listen: Any) -> Any:
        if request.agent == "scene-drafter":
            asked.append(request)
        return await plain(self, request, listen)

    monkeypatch.setattr(AnthropicProvider, "stream", stream)
    return asked


def test_a_small_models_sentences_pass_the_plan_of_their_scene(
    desk: OpenDesk, drafts: list[Request]
) -> None:
    desk_ = desk()
    desk_.overrides["provider.endpoints"] = {desk_.server.url: {"short_prompts": True}}
    desk_.write(review="reject")
    sieve = drafts[0].sieve
    assert sieve is not None
    assert sieve.objection("", "Mara lit the lamp and sat down by the cans.") == ""
    assert sieve.objection("", "“Late,” said Bartholomew at the door.")
    assert sieve.objection("", "Certainly! Here is the next scene of the story.")
    assert drafts[0].sampling.repeat_penalty


@pytest.mark.sweep
def test_a_model_that_follows_a_page_is_not_sieved(desk: OpenDesk, drafts: list[Request]) -> None:
    desk().write(review="reject")
    assert {request.sieve for request in drafts} == {None}


def test_repeated_particles_are_not_punished(desk: OpenDesk, drafts: list[Request]) -> None:
    desk(settings=SETTINGS.replace('"en"', '"ko"')).write(review="reject")
    assert {request.sampling.repeat_penalty for request in drafts} == {None}
