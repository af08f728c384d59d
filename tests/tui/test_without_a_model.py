"""With no model nothing that only a model can do is priced, or offered as if there were one."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from studio import i18n
from studio.i18n import Language, translate
from studio.story.decision_words import NEEDS_A_MODEL
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.decision import DecisionScreen
from tests.tui.pilot import opened
from tests.tui.three_novels import LANGUAGES, in_review

PRICE = re.compile(r"\bcents?\b|\$\d+\.\d\d(?!\d)")
"""The amounts of every offer; what a call of the past has cost has four places after its point."""
NO_MODEL = {"ANTHROPIC_API_KEY": "", "ANTHROPIC_BASE_URL": "", "OPENAI_API_KEY": ""}


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Language:
    """The language of the interface, on a machine without a model."""
    names = {"en": "en_US.UTF-8", "ko": "ko_KR.UTF-8", "zh": "zh_CN.UTF-8"}
    monkeypatch.setenv("LC_ALL", names[request.param])
    monkeypatch.setattr("studio.llm.choose.is_available", lambda: False)
    i18n.use(request.param)
    return request.param


def there() -> dict[str, str]:
    """An environment without a model."""
    return {**os.environ, **NO_MODEL}


@pytest.mark.sampled
async def test_what_only_a_model_can_do_says_so_on_the_card_and_is_not_done(
    tmp_path: Path, language: Language
) -> None:  # req: J8
    folder = in_review(language, tmp_path / "novel")
    async with opened(folder, there(), notifications=True) as studio:
        assert not studio.desk.state.has_model
        studio.desk.features.decisions.decide()
        await studio.sees(DecisionScreen)
        words = " ".join(studio.screen.split())
        assert not PRICE.search(words), words
        assert translate(NEEDS_A_MODEL)[:8] in words
        before = studio.store.checkpoint()
        await studio.choose("draft-again")
        await studio.sees(DeskScreen)
        await studio.until(lambda: translate(NEEDS_A_MODEL) in studio.told, "why not")
        await studio.settled()
        assert studio.store.checkpoint() == before, "the question stays open"
