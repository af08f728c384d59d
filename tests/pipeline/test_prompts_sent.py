"""The requests of a chapter are the ones in tests/data/prompts, so that none changes unread."""

from __future__ import annotations

import difflib

import pytest

from tests.prompts_sent import LANGUAGES, PROMPTS, pages

_LINES_SHOWN = 60


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_request_is_sent_as_it_was_read_the_last_time(language: str) -> None:
    before = {
        path.relative_to(PROMPTS).as_posix(): path.read_text("utf-8")
        for path in PROMPTS.joinpath(language).rglob("*.*")
    }
    now = pages(language)
    changes = [line for path in sorted({*before, *now}) if before.get(path) != now.get(path)
               for line in difflib.unified_diff(
                   before.get(path, "").splitlines(), now.get(path, "").splitlines(),
                   f"{path} as it is kept", f"{path} as it is sent", n=1, lineterm="")]  # fmt: skip
    diff = "\n".join(changes[:_LINES_SHOWN])
    assert not changes, (
        f"{len(changes)} lines of the requests differ from tests/data/prompts. Run `python3 dev.py"
        f" prompts` and read what git shows as changed.\n{diff}"
    )


def test_every_agent_of_a_chapter_is_among_them() -> None:
    for language in LANGUAGES:
        names = {path.stem for path in PROMPTS.joinpath(language).glob("*/[0-9]*.txt")}
        for agent in (
            *("plot-architect", "prewriter", "scene-drafter", "assembly", "summarizer"),
            *("style-refiner", "quality-oracle", "prose-surgeon", "second-reader"),
            "continuity-checker",
        ):
            assert any(agent in name for name in names), (language, agent)
