"""What is refused of a chapter in the book is said without a word of English."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from studio import i18n
from studio.errors import StudioError
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from tests.small_novels import copied_sample

DEEDS: dict[str, Callable[[Plans], object]] = {
    "add": lambda plans: plans.add("X", after=0),
    "retitle": lambda plans: plans.retitle(1, "X"),
    "move": lambda plans: plans.move(1, to=4),
    "move_before": lambda plans: plans.move(4, to=1),
    "step": lambda plans: plans.step(1, by=1),
    "split": lambda plans: plans.split(1),
    "merge": lambda plans: plans.merge(1),
    "take_out": lambda plans: plans.take_out(1),
}


@pytest.mark.parametrize("language", ["ko", "zh"])
@pytest.mark.parametrize("deed", DEEDS)
def test_no_english_is_left_in_it(tmp_path: Path, language: str, deed: str) -> None:
    plans = Plans(ProjectStore(copied_sample(tmp_path / "novel")), "en")
    with pytest.raises(StudioError) as refused:
        DEEDS[deed](plans)
    i18n.use(language)
    assert not re.search("[a-z]", i18n.translate(str(refused.value.problem)))
