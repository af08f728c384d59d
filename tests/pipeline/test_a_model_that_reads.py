"""What two evenings with a strong model found in the requests it was sent (WRITING 1 and 2)."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Typed
from tests.cli.conftest import typed as typed
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, SETTINGS, Model, asked_for, block, unrefined
from tests.project.novels import put

GOOSE = (
    "The goose has died laughing, or so the dealer says. He wants it carried over free as one of"
    " the dead. Nell holds that the Act means people. In the end the goose sneezes."
)
"""A comic chapter as a paragraph of the outline, with a word that code took for grief."""


@pytest.mark.sweep
@pytest.mark.repairs("W1")
def test_a_paragraph_of_the_outline_is_planned_once_in_its_own_words_and_no_more(
    desk: OpenDesk,
) -> None:
    settings = SETTINGS.replace("chapter_length = 240", "chapter_length = 480")
    settings += '[generation]\ndecompose = "contract"\n'
    desk_ = desk(Model(refine=unrefined), settings=settings)
    (desk_.folder / "volumes/vol-01/chapter-contracts/chapter-001.json").unlink()
    put(desk_.folder, "volumes/vol-01/outline.md", f"## Chapter 1: The Goose\n\n{GOOSE}\n")
    desk_.write()
    drafts = asked_for(desk_, "draft")
    prompts = [asked.prompt for asked in drafts]
    plans = {block(asked, "scene-plan").partition("Before it")[0] for asked in drafts}
    assert len(plans) == len(prompts) == 2, "no scene is planned twice"
    for word in ("griev", "uneasy", "sombre", "somber"):
        assert not any(word in prompt for prompt in prompts), f"nobody said {word}"


@pytest.mark.sweep
@pytest.mark.repairs("W2")
def test_the_second_scene_is_told_every_word_of_the_first(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=unrefined))
    desk_.write()
    second = asked_for(desk_, "draft")[1].prompt
    for paragraph in SCENES[1]:
        assert second.count(paragraph) == 1, paragraph[:30]


@pytest.mark.repairs("W4")
def test_what_nobody_said_of_the_book_is_not_sent(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=unrefined))
    desk_.write()
    for asked in desk_.server.asked:
        for words in ("not stated", "Genre:", "Point of view: .", "Narration:"):
            assert words not in asked.prompt


@pytest.mark.repairs("W23")
def test_the_answer_s_most_tokens_are_shown_as_they_are_asked_for(
    desk: OpenDesk, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk_ = desk(Model(refine=unrefined))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", desk_.server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    ended = typed("context", "1", "--scene", "1", "--json", "--project", desk_.folder)
    assert ended.code == 0
    most_tokens = ended.json["max_tokens"]
    desk_.write()
    assert most_tokens == asked_for(desk_, "draft")[0].body["max_tokens"]
