"""The surgeon: whatever it is told, nothing outside the passage changes by a byte."""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.pipeline.prompting.fit_to_window import STABLE
from studio.pipeline.review.surgeon import ATTEMPTS
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, passage_text
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.operations import SLICE_PARAGRAPHS
from tests.pipeline.flows import SCENES
from tests.pipeline.surgery import at_work, outcome, proposal

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
EXAMPLES, SEEDED = (2000, 100_000) if LONG else (120, 250)
"""Operations that hypothesis makes up and shrinks, and such as a seed makes up, which is faster:
many with `HYPOTHESIS_PROFILE=long`, a few in CI."""
LINES = [
    "Mara lifted the oil cans one after another and set them on the sill.",
    "“Nobody sleeps in this house,” Joss said, and sat down on the top step.",
    "비가 그친 지 한 시간이 지나서야 배가 들어왔다. 아무도 말이 없었다.",
    "雨停了一个时辰，渡船才靠岸。码头上没有人说话，只有钟声。",
    "Nineteen steps, and then the door,\nwhich hung by habit alone.",
    "The lamp turned.",
    "[2.1] she read upon the door, and below it: * * *, and nothing more.",
]
GAPS = ["\n\n", "\n \n\n", "\n\n\n"]
TITLES = ["# The Lamp Room\n\n", "", "\ufeff# 등대\n\n", "\n\n"]
RESTS = ["\n", "", "\n\n  \n"]
BREAKS = ["\n\n* * *\n\n", "\n\n---\n\n", "\n\n***\n\n\n"]
PARAGRAPHS = st.sampled_from(LINES)


@st.composite
def chapters(draw: st.DrawFn) -> tuple[Chapter, tuple[int, int, int]]:
    """A chapter in one of many shapes, and the address of a passage in it."""
    scenes = draw(st.lists(st.lists(PARAGRAPHS, min_size=1, max_size=6), min_size=1, max_size=3))
    gap = draw(st.sampled_from(GAPS))
    title = draw(st.sampled_from(TITLES))
    rest = draw(st.sampled_from(RESTS))
    breaks = draw(st.sampled_from(BREAKS))
    text = title + breaks.join(gap.join(scene) for scene in scenes) + rest
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    chapter = Chapter(text)
    scene = draw(st.sampled_from(chapter.scenes))
    first = draw(st.integers(1, len(scene.paragraphs)))
    last = draw(st.integers(first, min(len(scene.paragraphs), first + 4)))
    return chapter, (scene.number, first, last)


Say = Callable[[Chapter, str, random.Random], str]


def parts(passage: str) -> list[str]:
    return passage.split("\n\n")


def noise(chapter: Chapter, passage: str, chance: random.Random) -> str:
    """Characters of all kinds, control characters among them."""
    return "".join(
        chr(chance.choice([chance.randrange(32), chance.randrange(0x20, 0xD7FF)]))
        for _ in range(chance.randint(0, 80))
    )


BAD: list[Say] = [
    lambda c, p, r: p,
    lambda c, p, r: c.text,
    lambda c, p, r: "I'm sorry, but I can't help with rewriting this passage.",
    lambda c, p, r: p + "\n\nAnd one more paragraph that nobody asked for.",
    lambda c, p, r: "\n\n".join(parts(p)[1:]),
    lambda c, p, r: "\n\n".join(f"[1.{n}] {t} It held." for n, t in enumerate(parts(p), 1)),
    lambda c, p, r: (
        "## Pre-Writing\n\nHm.\n\n## Prose\n\n" + "\n\n".join(f"{t} 끝." for t in parts(p))
    ),
    lambda c, p, r: "\n\n* * *\n\n".join(parts(p)),
    lambda c, p, r: "# A new title\n\n" + p.replace("Mara", "Lena").replace("Joss", "Tom"),
    lambda c, p, r: p + "\x1b[2J\u202e\x00",
    lambda c, p, r: p.replace("\n\n", "\r\n\r\n") + " Then.",
    lambda c, p, r: "",
    noise,
]
"""What a model might say to the surgeon's question about a passage."""


def answers(chapter: Chapter, passage: str) -> st.SearchStrategy[str]:
    fixed = [st.just(say(chapter, passage, random.Random(0))) for say in BAD]
    return st.one_of(*fixed, st.text(max_size=120))


@st.composite
def operations(draw: st.DrawFn) -> tuple[Chapter, Directive, list[str]]:
    chapter, (scene, first, last) = draw(chapters())
    kind = draw(st.sampled_from(DirectiveType))
    passage = passage_text(chapter.passage(scene, first, last))
    replies = draw(st.lists(answers(chapter, passage), min_size=1, max_size=6))
    return chapter, proposal(kind, scene, first, last, passage), replies


# req: A13
@pytest.mark.sweep
@settings(max_examples=EXAMPLES)
@pytest.mark.timeout(1200)
@given(operations())
def test_every_byte_outside_the_passage_stays(
    novel: ProjectStore, operation: tuple[Chapter, Directive, list[str]]
) -> None:
    held(novel, *operation)


# req: A13
@pytest.mark.sweep
@pytest.mark.timeout(7200)
def test_a_hundred_thousand_answers_change_nothing_outside_their_passage(
    novel: ProjectStore,
) -> None:
    for seed in range(SEEDED):
        chapter, wanted, replies = made_up(random.Random(seed))
        try:
            held(novel, chapter, wanted, replies)
        except BaseException as fault:
            fault.add_note(f"seed {seed}: {wanted.type}, {wanted.location}, {replies!r}")
            raise


def made_up(chance: random.Random) -> tuple[Chapter, Directive, list[str]]:
    """A chapter, a directive somewhere in it, and what a bad surgeon says to it."""
    scenes = [
        [chance.choice(LINES) for _ in range(chance.randint(1, 6))]
        for _ in range(chance.randint(1, 3))
    ]
    gap = chance.choice(GAPS)
    text = chance.choice(BREAKS).join(gap.join(scene) for scene in scenes)
    text = chance.choice(TITLES) + text + chance.choice(RESTS)
    chapter = Chapter(text.replace("\n", "\r\n") if chance.random() < 0.3 else text)
    scene = chance.choice(chapter.scenes)
    first = chance.randint(1, len(scene.paragraphs))
    last = chance.randint(first, min(len(scene.paragraphs), first + 4))
    passage = passage_text(chapter.passage(scene.number, first, last))
    kind = chance.choice(list(DirectiveType))
    replies = [chance.choice(BAD)(chapter, passage, chance) for _ in range(chance.randint(1, 6))]
    return chapter, proposal(kind, scene.number, first, last, passage), replies


def held(novel: ProjectStore, chapter: Chapter, wanted: Directive, replies: list[str]) -> None:
    """Whatever is told, every byte outside the passage stays."""
    work, gateway = at_work(novel, chapter, replies)
    after = outcome(work, wanted)
    assert work.run.current == chapter
    slices = -(-wanted.location.width // SLICE_PARAGRAPHS)
    assert len(gateway.asked) <= slices * ATTEMPTS
    if after is None:
        return
    at = wanted.location
    passage = chapter.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    head, rest = chapter.text[: passage[0].start], chapter.text[passage[-1].end :]
    if wanted.type is DirectiveType.CUT:
        assert after.text.startswith(head.rstrip())
        assert after.text.endswith(rest.lstrip())
        assert len(after.paragraphs) <= len(chapter.paragraphs)
        return
    assert after.text.startswith(head)
    assert after.text.endswith(rest)
    assert len(after.paragraphs) == len(chapter.paragraphs)
    assert [len(s.paragraphs) for s in after.scenes] == [len(s.paragraphs) for s in chapter.scenes]
    assert after.title == chapter.title
    inside = after.text[len(head) : len(after.text) - len(rest)]
    assert not any(mark in inside for mark in "\x1b\x00\u202e")
    if "\r\n" in chapter.text:
        assert "\n" not in inside.replace("\r\n", "")


# req: A13
@pytest.mark.sweep
@settings(max_examples=60)
@given(operations())
def test_no_call_holds_more_than_three_paragraphs_and_each_names_its_own(
    novel: ProjectStore, operation: tuple[Chapter, Directive, list[str]]
) -> None:
    chapter, wanted, replies = operation
    work, gateway = at_work(novel, chapter, replies)
    outcome(work, wanted)
    for request in gateway.asked:
        parts = {part.text for part in request.parts}
        passage = next(text for text in parts if 'name="passage"' in text)
        held = passage.split("\n", 1)[1].rsplit("\n", 1)[0].replace("\r\n", "\n").split("\n\n")
        assert 1 <= len(held) <= SLICE_PARAGRAPHS
    names = [request.call for request in gateway.asked]
    assert len(names) == len(set(names))


@pytest.mark.sweep
@settings(max_examples=60)
@given(operations(), st.text(max_size=200))
def test_the_writers_own_words_take_the_place_of_the_passage_and_no_other(
    novel: ProjectStore, operation: tuple[Chapter, Directive, list[str]], words: str
) -> None:
    chapter, wanted, _ = operation
    work, gateway = at_work(novel, chapter, ["never asked"])
    try:
        words.encode()
    except UnicodeEncodeError:
        return
    after = outcome(work, wanted.copy_with(edited_text=words))
    assert gateway.asked == []
    if after is None:
        return
    at = wanted.location
    passage = chapter.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    assert after.text.startswith(chapter.text[: passage[0].start].rstrip())
    assert after.text.endswith(chapter.text[passage[-1].end :].lstrip())
    assert after.paragraphs


def test_a_wide_passage_is_worked_in_slices(novel: ProjectStore) -> None:
    lines = [f"Step {n} was wet, and nobody had swept it since the flood." for n in range(1, 6)]
    chapter = Chapter("\n\n".join(lines))
    wanted = proposal(DirectiveType.RHYTHM_VARIATION, 1, 1, 5, "\n\n".join(lines))
    replies = [
        "\n\n".join(line.replace("was wet", "lay wet") for line in piece)
        for piece in (lines[:3], lines[3:])
    ]
    work, gateway = at_work(novel, chapter, replies)
    after = outcome(work, wanted)
    assert after is not None
    assert len(gateway.asked) == 2
    assert after.text == chapter.text.replace("was wet", "lay wet")
    first, second = (asked.parts[-1].text for asked in gateway.asked)
    assert "part 1 of 2" in first
    assert "[1.4] to [1.5], rewritten by it in another answer" in first
    assert "part 2 of 2" in second
    assert "[1.1] to [1.3], rewritten" in second


# req: A13
def test_a_passage_that_can_be_given_as_one_is_one_question(novel: ProjectStore) -> None:
    """Three short lines and a scope of two were two jobs, the second without the line that the
    directive was about."""
    lines = ["“We adjourn.” He shut the book.", "“Until when?”", "“Until there is ink.”"]
    chapter = Chapter("\n\n".join(("It rained.", *lines, "The lamp turned.")))
    wanted = proposal(DirectiveType.TRANSITION_SMOOTHING, 1, 2, 4, "\n\n".join(lines))
    wanted = wanted.copy_with(max_scope=2, evidence=("“Until when?”",), accepted_by="name")
    new = [lines[0], "“Until when?” she called from the boat.", lines[2]]
    work, gateway = at_work(novel, chapter, ["\n\n".join(new)])
    after = outcome(work, wanted)
    assert len(gateway.asked) == 1
    assert after is not None
    assert after.text == chapter.text.replace(lines[1], new[1])


# req: A13
def test_a_slice_that_holds_nothing_of_the_directive_is_not_asked_for(novel: ProjectStore) -> None:
    lines = [f"Step {n} was wet, and nobody had swept it since the flood." for n in range(1, 6)]
    chapter = Chapter("\n\n".join(lines))
    wanted = proposal(DirectiveType.RHYTHM_VARIATION, 1, 1, 5, chapter.text)
    wanted = wanted.copy_with(evidence=("Step 2 was wet",))
    new = "\n\n".join(line.replace("was wet", "lay wet") for line in lines[:3])
    work, gateway = at_work(novel, chapter, [new])
    after = outcome(work, wanted)
    assert after is not None
    assert after.text == "\n\n".join((new, *lines[3:]))
    assert len(gateway.asked) == 1


# req: A13
def test_that_a_part_stays_as_it_is_is_a_good_answer_and_that_all_does_is_none(
    novel: ProjectStore,
) -> None:
    """“It changes nothing” refused a part that needed no change, until the model damaged it."""
    lines = [f"Step {n} was wet, and nobody had swept it since the flood." for n in range(1, 6)]
    chapter = Chapter("\n\n".join(lines))
    wanted = proposal(DirectiveType.RHYTHM_VARIATION, 1, 1, 5, chapter.text)
    head, tail = "\n\n".join(lines[:3]), "\n\n".join(lines[3:])
    new = head.replace("was wet", "lay wet")
    work, gateway = at_work(novel, chapter, [new, tail])
    after = outcome(work, wanted)
    assert after is not None
    assert after.text == f"{new}\n\n{tail}"
    assert len(gateway.asked) == 2
    work, gateway = at_work(novel, chapter, [head, tail])
    assert outcome(work, wanted) is None
    assert len(gateway.asked) == 2


# req: A13 J5
@pytest.mark.parametrize(
    ("order", "pieces"), [("Join the two paragraphs.", (2, 1)), ("Split it in two.", (1, 2))]
)
def test_paragraphs_that_a_directive_joins_or_splits_are_joined_or_split_in_the_book(
    novel: ProjectStore, order: str, pieces: tuple[int, int]
) -> None:
    """The page asked for as many paragraphs as there were, each alone, and undid the join."""
    lines = ["Step one was wet.", "Nobody had swept it."]
    old, new = ((" " if count == 1 else "\n\n").join(lines) for count in pieces)
    chapter = Chapter(f"It rained.\n\n{old}\n\nThe lamp turned.")
    wanted = proposal(DirectiveType.RHYTHM_VARIATION, 1, 2, 1 + pieces[0], old)
    work, gateway = at_work(novel, chapter, [new])
    after = outcome(work, wanted.copy_with(instruction=order, max_scope=1))
    assert after is not None
    assert after.text == f"It rained.\n\n{new}\n\nThe lamp turned."
    (request,) = gateway.asked
    assert "in as many paragraphs as `directive` makes of it" in request.parts[-1].text


def test_the_stable_blocks_come_first_in_its_prompt(novel: ProjectStore) -> None:
    chapter = Chapter(SCENES[1][0] + "\n\n" + SCENES[1][1])
    wanted = proposal(DirectiveType.SHOW_NOT_TELL, 1, 2, 2, SCENES[1][1])
    work, gateway = at_work(novel, chapter, ["No."])
    outcome(work, wanted)
    stable = [part.stable for part in gateway.asked[0].parts]
    assert stable == sorted(stable, reverse=True)
    assert "craft" in STABLE


# req: A13
@pytest.mark.parametrize(
    ("kind", "scope", "widest"),
    [("show-not-tell", 1, 1), ("rhythm-variation", 5, 5), ("sensory-enrichment", 5, 2)],
)
def test_a_directive_that_names_more_than_it_may_change_is_refused_unasked(
    novel: ProjectStore, kind: str, scope: int, widest: int
) -> None:
    chapter = Chapter("# T\n\n" + "\n\n".join(f"{line} Once more. " * 9 for line in LINES[:6]))
    for width in (widest, widest + 1):
        passage = passage_text(chapter.passage(1, 1, width))
        directive = proposal(DirectiveType(kind), 1, 1, width, passage).copy_with(max_scope=scope)
        work, gateway = at_work(novel, chapter, ["Nothing of it."])
        outcome(work, directive)
        assert bool(gateway.asked) is (width == widest)


# req: A13
def test_proofreading_may_take_a_whole_scene_and_its_scope_holds_for_a_slice(
    novel: ProjectStore,
) -> None:
    chapter = Chapter("# T\n\n" + "\n\n".join(f"The lamp turend {n} times." for n in range(11, 18)))
    replies = [
        "\n\n".join(f"The lamp turned {n} times." for n in pair)
        for pair in ((11, 12), (13, 14), (15, 16), (17,))
    ]
    directive = proposal(
        DirectiveType.PROOFREADING, 1, 1, 7, passage_text(chapter.passage(1, 1, 7))
    ).copy_with(max_scope=2)
    work, gateway = at_work(novel, chapter, replies)
    after = outcome(work, directive)
    assert after is not None
    assert after.text == chapter.text.replace("turend", "turned")
    assert len(gateway.asked) == 4


@pytest.mark.parametrize(("kind", "goes"), [("cut", True), ("show-not-tell", False)])
def test_a_cut_may_take_the_whole_passage_but_never_a_scene(
    novel: ProjectStore, kind: str, goes: bool
) -> None:
    for scene in (LINES[0] + "\n\n" + LINES[5], LINES[5]):
        chapter = Chapter(f"# T\n\n{scene}\n\n* * *\n\n{LINES[4]}\n")
        last = len(chapter.scenes[0].paragraphs)
        wanted = proposal(DirectiveType(kind), 1, last, last, LINES[5])
        after = outcome(at_work(novel, chapter, ["NONE"])[0], wanted)
        without = chapter.text.replace("\n\n" + LINES[5], "")
        assert (after and after.text) == (without if goes and last > 1 else None)
