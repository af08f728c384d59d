"""What every scene of a random chapter is told: the chapter so far, the pages before it, its place,
its people and its plan, each once (WRITING 1)."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from studio.pipeline.drafting.scene_plans import plan_units
from studio.pipeline.orders import PassageMode, PassageOrder
from studio.pipeline.outcome import Committed
from studio.story.contract import ChapterContract
from studio.story.review.passage import read_place
from studio.text.language.packs import worn_phrases
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SCENES,
    Desk,
    Model,
    asked_for,
    block,
    directive,
    judged,
    kind_of,
    scene_number,
    unrefined,
)
from tests.pipeline.random_plans import Book, empty_or_bare
from tests.project.novels import put

PLAN = ("scene-plan", "must-not", "contract", "outline", "scene-list")
"""The blocks that say what is planned, for any agent."""


def made(book: Book, desk: OpenDesk) -> Desk:
    """The novel on disk, its first chapter written by hand with an end of its own."""
    settings = (
        f'[novel]\ntitle = "N"\nlanguage = "{book.language}"\n[targets]\nscene_length = 240\n'
        f'chapter_length = 480\n[generation]\nmode = "{book.mode}"\ntools = "off"\n'
    )
    scenes = {number: book.prose(f"first{number}x", f"last{number}x") for number in range(1, 9)}

    def draft(asked: Asked) -> Rule:
        number = scene_number(asked)
        return Rule(text=f"## Prose\n\n{scenes[number]}\n\n## Hints\n\nhint{number}x")

    desk_ = desk(Model(draft=draft, refine=unrefined), settings=settings)
    outlines = []
    for chapter in (1, 2):
        contract = book.contract(chapter)
        name = f"volumes/vol-01/chapter-contracts/chapter-{chapter:03d}.json"
        put(desk_.folder, name, contract)
        beats = contract.get("beats") or [scene["purpose"] for scene in contract["scenes"]]
        lines = [*beats, book.sentence(f"outline{chapter}x")]
        outlines.append(f"## Chapter {chapter}: T{chapter}\n\n{' '.join(lines)}\n")
    put(desk_.folder, "volumes/vol-01/outline.md", "\n".join(outlines))
    put(desk_.folder, "world/quay.md", f"# Quay\n\n{book.sentence('placex')}\n")
    put(desk_.folder, "characters/active/mara.md", f"{book.sentence('marax')}\n")
    style = {"schema_version": 1, "voice": book.sentence("stylex")}
    put(desk_.folder, "style-profile.json", style)
    own = f"# T1\n\n{book.prose('older', 'nearlyx')}\n\n{book.sentence('lastpagex')}\n"
    draft_file = desk_.folder.parent / "own.md"
    draft_file.write_text(own, "utf-8")
    assert isinstance(desk_.write(chapter=1, draft=draft_file).outcome, Committed)
    desk_.server.asked.clear()
    return desk_


# req: J1 A1 A5 C13
@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
@pytest.mark.parametrize("seed", range(6))
def test_every_scene_is_told_what_it_has_to_know_and_nothing_twice(
    desk: OpenDesk, seed: int, language: str, tmp_path: Path
) -> None:
    book = Book(seed, language)
    desk_ = made(book, desk)
    wish = book.sentence("wishx")
    one = f"scene 1: {book.sentence('onlyx')}"
    ran = desk_.write(chapter=2, direction=f"{wish}\n{one}")
    assert isinstance(ran.outcome, Committed), ran.outcome
    drafts = asked_for(desk_, "draft")
    assert [scene_number(asked) for asked in drafts] == list(range(1, book.scenes + 1))
    briefs = dict(enumerate(asked_for(desk_, "brief"), start=1))
    assert len(briefs) == (book.scenes if book.mode == "prewriter" else 0)
    for number, asked in enumerate(drafts, start=1):
        for request in filter(None, (asked, briefs.get(number))):
            prompt = request.prompt
            for earlier in range(1, number):
                assert prompt.count(f"first{earlier}x") == prompt.count(f"last{earlier}x") == 1
                assert f"hint{earlier}x" in block(request, "chapter-so-far")
            assert f"first{number}x" not in prompt, "what it has yet to write"
            assert "lastpagex" in block(request, "previous-tail")
            assert "nearlyx" in block(request, "previous-tail")
            assert "stylex" in block(request, "style")
            assert "marax" in block(request, "people")
            assert ("placex" in block(request, "place")) == (not book.in_beats)
            assert "never" in block(request, "must-not")
            empty_or_bare(prompt)
        planned = briefs.get(number, asked)
        assert wish in block(planned, "direction")
        assert ("onlyx" in planned.prompt) == (number == 1)
        assert f"beat2x{number}x" in block(planned, "scene-plan")
    (judge,) = asked_for(desk_, "judge")
    assert wish in block(judge, "direction")
    for asked in desk_.server.asked:
        said_once(asked)


def said_once(asked: Asked) -> None:
    """No run of sixty characters stands twice among the blocks of a plan."""
    texts = [block(asked, name) for name in PLAN]
    words = "\n".join(texts)
    runs = Counter(words[at : at + 60] for at in range(max(0, len(words) - 59)))
    assert [run for run, times in runs.items() if times > 1] == []


# req: J1
@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
def test_no_agent_is_told_a_craft_rule_that_her_sample_breaks(desk: OpenDesk, mode: str) -> None:
    desk_ = desk(Model(judge=judged(directives=[directive(1, 1)])))
    desk_.overrides["generation.mode"] = mode
    sample = "She rowed out—nobody had asked her to—and sold the fish on the way back."
    put(desk_.folder, "style-profile.json", {"schema_version": 1, "sample": sample})
    desk_.write(review="accept")
    requests = [asked for asked in desk_.server.asked if block(asked, "craft")]
    assert {kind_of(asked) for asked in requests} >= {"draft", "judge", "surgery"}
    for asked in requests:
        assert "No dash" not in block(asked, "craft")
        assert "participle" in block(asked, "craft"), "the rest holds"


# req: C9 J1
@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
@pytest.mark.parametrize("mode", ["regenerate", "refine"])
@pytest.mark.parametrize("writer", ["standard", "prewriter"])
def test_another_version_is_told_its_plan_and_her_wish_once(
    desk: OpenDesk, writer: str, mode: PassageMode, language: str
) -> None:
    book = Book(3, language)
    desk_ = made(book, desk)
    assert isinstance(desk_.write(chapter=2).outcome, Committed)
    desk_.server.asked.clear()
    desk_.overrides["generation.mode"] = writer
    wish = book.sentence("wishx")
    order = PassageOrder(2, read_place("1.2"), mode, wish, 1)
    asyncio.run(desk_.session().passages().write(order, lambda event: None))
    briefed = writer == "prewriter" and mode == "regenerate"  # a change of one paragraph is not
    assert len(desk_.server.asked) == (2 if briefed else 1)
    for asked in desk_.server.asked:
        assert asked.prompt.count(wish) == 1
        assert ("`passage`" in asked.prompt) == (mode == "refine")
        said_once(asked)
        empty_or_bare(asked.prompt)


@pytest.mark.sweep
@pytest.mark.parametrize("count", [0, 3, 12])
def test_her_phrases_come_first_and_the_studios_fill_up_to_ten(desk: OpenDesk, count: int) -> None:
    # req: D6
    hers = [f"the {n}th lamp" for n in range(count)]
    desk_ = desk(Model(refine=unrefined))
    entries = [{"phrase": phrase} for phrase in hers]
    put(desk_.folder, "ai-blacklist.json", {"schema_version": 1, "entries": entries})
    desk_.write(review="accept")
    drafting, judging = (block(asked_for(desk_, k)[0], "blacklist") for k in ("draft", "judge"))
    rows = [row.removeprefix("- ") for row in drafting.splitlines() if row.startswith("- ")]
    assert rows[: len(hers)] == hers[:10]
    assert len(rows) == 10
    ours = [phrase.words for phrase in worn_phrases("en")][: max(0, 10 - len(hers))]
    assert rows[len(hers) :] == ours
    assert ("Not the author's" in drafting) == bool(ours)
    assert all(phrase in judging for phrase in (*hers, *ours))


BARE = '[novel]\ntitle = "The Lamp Room"\nlanguage = "en"\n'
"""The settings of a novel that names no lengths."""
LENGTH = "Two short scenes only, 60 words each."


# req: J1 A4
@pytest.mark.sweep
def test_her_own_length_goes_before_the_computed_one(desk: OpenDesk) -> None:
    """The drafter was told “250 words each” and, in the last line, “1125-1875 words”."""
    desk_ = desk(Model(refine=unrefined))
    desk_.write(review="accept", direction=f"{LENGTH} Begin with ink.")
    for asked in asked_for(desk_, "draft"):
        assert asked.prompt.rstrip().endswith(f"Length: as the author says (“{LENGTH}”).")


# req: J1 A4
@pytest.mark.sampled
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
def test_a_scene_is_told_how_long_it_is_in_the_words_of_the_brief(
    desk: OpenDesk, mode: str
) -> None:
    """The brief said “scenes of 150 words”, and each request 450-750."""
    desk_ = desk(Model(refine=unrefined), settings=BARE)
    desk_.overrides["generation.mode"] = mode
    put(desk_.folder, "brief.md", "A lighthouse. Scenes of about 150 words.\n")
    desk_.write(review="accept")
    for asked in asked_for(desk_, "draft"):
        assert asked.prompt.rstrip().endswith("Length: 112-188 words.")


# req: J1 A4
@pytest.mark.sweep
def test_of_a_length_for_the_chapter_each_scene_is_told_its_share(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=unrefined))
    desk_.write(review="accept", direction="500 words.")
    for asked in asked_for(desk_, "draft"):
        assert asked.prompt.rstrip().endswith(
            "Length: as the author says (“500 words.”), of the whole chapter, which has 2 scenes;"
            " this scene has about 250 words of it."
        )


# req: A4
def test_a_length_in_a_plan_is_nothing_that_happens(desk: OpenDesk) -> None:
    note = "One short scene, 90 words."
    plan = {key: value for key, value in CONTRACT.items() if key not in ("scenes", "beats")}
    plan |= {"objectives": [f"Mara searches the lamp room and finds the key. {note}"]}
    assert plan_units(ChapterContract.model_validate(plan)) == (
        "Mara searches the lamp room and finds the key.",
    )
    desk_ = desk(Model(refine=unrefined))
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-001.json", plan)
    desk_.write(review="accept")
    for asked in asked_for(desk_, "draft"):
        assert note not in block(asked, "scene-plan")
        assert f"Length: as the author says (“{note}”)" in asked.prompt
    (judge,) = asked_for(desk_, "judge")
    assert note not in block(judge, "contract"), "it is no promise that a chapter can break"


# req: A4 J1
@pytest.mark.sweep
@pytest.mark.parametrize("thinks", [True, False])
def test_notes_before_the_prose_are_asked_of_models_that_do_not_think_by_themselves(
    desk: OpenDesk, thinks: bool
) -> None:
    desk_ = desk(Model(refine=unrefined))
    profile = {"window": 32_768, "max_output": 4000, "thinks": thinks}
    desk_.overrides["provider.endpoints"] = {desk_.server.url: profile}
    assert isinstance(desk_.write(review="accept").outcome, Committed)
    for asked in asked_for(desk_, "draft"):
        assert ("`## Pre-Writing`" in asked.prompt) is not thinks
        assert ("Think first, briefly" in asked.prompt) is not thinks


# req: C9
@pytest.mark.sweep
@pytest.mark.parametrize("place", ["2.2", "2.2-2.3"])
def test_a_change_of_one_paragraph_costs_one_call_and_no_brief(desk: OpenDesk, place: str) -> None:
    desk_ = desk(Model(refine=unrefined))
    desk_.overrides["generation.mode"] = "prewriter"
    desk_.write(review="accept")
    desk_.server.asked.clear()
    order = PassageOrder(1, read_place(place), "refine", "Colder.", 1)
    session = desk_.session()
    calls = session.passages().price(order).calls
    asyncio.run(session.passages().write(order, lambda event: None))
    kinds = [kind_of(asked) for asked in desk_.server.asked]
    assert kinds == (["changed"] if place == "2.2" else ["brief", "changed"])
    assert calls == len(kinds), "and its price is that of what is asked"
    (drafting,) = asked_for(desk_, "changed")
    assert "Colder." in block(drafting, "direction") or "Colder." in drafting.prompt
    if place == "2.2":
        assert SCENES[2][1] in block(drafting, "passage")
        assert block(drafting, "scene-plan"), "nothing stands for the plan"
