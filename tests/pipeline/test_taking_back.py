"""Any fix is taken back alone, in any order, or it is said why not; nothing else changes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import StudioError
from studio.pipeline.review.surgeon import operate
from studio.pipeline.review.undo import without_fix
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, passage_text
from studio.story.review.directive import Directive, DirectiveSheet, DirectiveType
from studio.story.review.stale_directives import placed_in
from studio.story.status import DirectiveStatus
from tests.pipeline.surgery import at_once, at_work, proposal

COLOURS = [
    *("red", "orange", "amber", "yellow", "lime", "green", "teal"),
    *("blue", "indigo", "violet", "pink", "brown", "grey", "black"),
]


def chapter_of(chance: random.Random) -> Chapter:
    names = iter(chance.sample(COLOURS, len(COLOURS)))
    scenes = [
        "\n\n".join(f"The {next(names)} lamp turned." for _ in range(chance.randint(2, 6)))
        for _ in range(2)
    ]
    text = "# 등대\n\n" + "\n\n* * *\n\n".join(scenes) + "\n"
    return Chapter(text.replace("\n", "\r\n") if chance.random() < 0.3 else text)


def fixed(
    novel: ProjectStore, chapter: Chapter, number: int, chance: random.Random
) -> tuple[Chapter, Directive] | None:
    """A cut or a rewrite of one or two paragraphs somewhere."""
    scene = chance.choice(chapter.scenes)
    first = chance.randint(1, len(scene.paragraphs))
    last = min(len(scene.paragraphs), first + chance.randint(0, 1))
    passage = chapter.passage(scene.number, first, last)
    cut = chance.random() < 0.6
    if cut and len(passage) == len(scene.paragraphs):
        return None
    text = passage_text(passage)
    words = "" if cut else text.replace("turned", f"turned {number} times")
    kind = DirectiveType.CUT if cut else DirectiveType.SHOW_NOT_TELL
    wanted = proposal(kind, scene.number, first, last, text, edited_text=words)
    wanted = wanted.copy_with(id=f"dir_cut_{number:03d}", metric=None)
    work, _ = at_work(novel, chapter, ["never asked"])
    after, result = at_once(operate(work, wanted, passage))
    return after, wanted.copy_with(status=DirectiveStatus.APPLIED, result=result)


# req: A13
# req: A14
@pytest.mark.sweep
@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_fixes_are_taken_back_in_any_order_or_with_a_reason(novel: ProjectStore, seed: int) -> None:
    chance = random.Random(seed)
    begun = chapter = chapter_of(chance)
    done: list[Directive] = []
    for number in range(1, chance.randint(2, 7)):
        made = fixed(novel, chapter, number, chance)
        if made is not None:
            chapter, directive = made
            done.append(directive)
    waiting = chance.sample(done, len(done))
    refusals, said = 0, list[str]()
    while waiting and refusals < len(waiting):
        directive = waiting.pop(0)
        try:
            before = without_fix(chapter, directive, done)
        except StudioError as error:
            said.append(error.problem.message)
            waiting.append(directive)
            refusals += 1
            continue
        refusals = 0
        assert_only_this_changed(chapter, before, directive)
        chapter = before
    assert all("cannot be taken back by itself: " in sentence for sentence in said)
    assert not waiting, "taken back one after another, nothing is left"
    assert chapter.text == begun.text


def assert_only_this_changed(now: Chapter, before: Chapter, directive: Directive) -> None:
    """All other paragraphs stand in both texts, in the same order."""
    result = directive.result
    assert result is not None
    gone = Chapter("\n\n" + result.after).paragraphs if result.after else ()
    back = Chapter("\n\n" + result.before).paragraphs
    rest_now = [p.text for p in now.paragraphs if p.text not in {g.text for g in gone}]
    rest_before = [p.text for p in before.paragraphs if p.text not in {b.text for b in back}]
    assert rest_now == rest_before


# req: A13
# req: A14
@pytest.mark.parametrize("neighbour", ["One stood.", "Five wept."])
def test_a_cut_comes_back_around_what_was_cut_from_within_it_before_though_a_neighbour_is_gone(
    novel: ProjectStore, neighbour: str
) -> None:
    begun = Chapter("One stood.\n\nTwo fell.\n\nThree sang.\n\nFour left.\n\nFive wept.\n")
    chapter, within = cut(novel, begun, 1, "Three sang.")
    chapter, around = cut(novel, chapter, 2, "Two fell.", "Four left.")
    chapter, beside = cut(novel, chapter, 3, neighbour)
    for directive in (within, around, beside):
        chapter = without_fix(chapter, directive, [within, around, beside])
    assert chapter.text == begun.text


def cut(
    novel: ProjectStore, chapter: Chapter, number: int, *words: str
) -> tuple[Chapter, Directive]:
    """The chapter without some neighbouring paragraphs of its only scene, and the fix."""
    first = [p.text for p in chapter.paragraphs].index(words[0]) + 1
    last = first + len(words) - 1
    passage = chapter.passage(1, first, last)
    wanted = proposal(DirectiveType.CUT, 1, first, last, passage_text(passage), edited_text="")
    wanted = wanted.copy_with(id=f"dir_cut_{number:03d}")
    work, _ = at_work(novel, chapter, ["never asked"])
    after, result = at_once(operate(work, wanted, passage))
    return after, wanted.copy_with(status=DirectiveStatus.APPLIED, result=result)


def test_a_cut_whose_surroundings_were_rewritten_by_hand_says_so(novel: ProjectStore) -> None:
    chapter = Chapter("One stood.\n\nTwo fell.\n\nThree sang.\n")
    wanted = proposal(DirectiveType.CUT, 1, 2, 2, "Two fell.", edited_text="")
    work, _ = at_work(novel, chapter, ["never asked"])
    _, result = at_once(operate(work, wanted, chapter.passage(1, 2, 2)))
    directive = wanted.copy_with(result=result)
    with pytest.raises(StudioError, match="what stood around it was changed since"):
        without_fix(Chapter("Alpha.\n\nOmega.\n"), directive, [directive])
    with pytest.raises(StudioError, match="is in the text already"):
        without_fix(chapter, directive, [directive])
    moved = Chapter("One stood.\n\nBetween them.\n\nThree sang.\n")
    with pytest.raises(StudioError, match="what stood around it"):
        without_fix(moved, directive, [directive])


def said_shortly(novel: ProjectStore, text: str, new: str) -> tuple[Chapter, Directive]:
    """A chapter whose second paragraph was rewritten as `new`, and the fix that did it."""
    chapter = Chapter(text)
    old = chapter.paragraphs[1].text
    wanted = proposal(DirectiveType.SHOW_NOT_TELL, 1, 2, 2, old, edited_text=new)
    work, _ = at_work(novel, chapter, ["never asked"])
    after, result = at_once(operate(work, wanted, chapter.passage(1, 2, 2)))
    return after, wanted.copy_with(status=DirectiveStatus.APPLIED, result=result)


# req: A13
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_short_fix_is_taken_back_where_other_paragraphs_hold_its_words(
    novel: ProjectStore, newline: str
) -> None:
    text = "“No.” She sat.\n\nHe was angry.\n\nThen “No.” again.\n".replace("\n", newline)
    after, directive = said_shortly(novel, text, "“No.”")
    assert without_fix(after, directive, [directive]).text == text


def test_a_fix_that_was_changed_by_hand_leaves_other_paragraphs_with_its_words_alone(
    novel: ProjectStore,
) -> None:
    after, directive = said_shortly(novel, "“No.” She sat.\n\nHe was angry.\n\nRain.\n", "“No.”")
    by_hand = Chapter(after.text.replace("\n\n“No.”\n\n", "\n\nHe left.\n\n"))
    with pytest.raises(StudioError, match="was changed again since"):
        without_fix(by_hand, directive, [directive])


NOTED = "One stood.\n\nTwo <!-- ask Minji --> fell.\n\nThree sang.\n\nFour left.\n"
LEFT = "<!-- ask Minji -->"


def cut_beside_a_note(
    novel: ProjectStore, text: str, number: int = 2
) -> tuple[Chapter, DirectiveSheet]:
    """A chapter from which a model cut a paragraph that held a note, and the sheet that says so."""
    chapter = Chapter(text)
    passage = chapter.passage(1, number, number)
    wanted = proposal(DirectiveType.CUT, 1, number, number, passage[0].text)
    work, _ = at_work(novel, chapter, ["NONE"])
    after, result = at_once(operate(work, wanted, passage))
    fix = wanted.copy_with(status=DirectiveStatus.APPLIED, result=result)
    return after, DirectiveSheet(chapter=1, source_sha256=after.sha256, directives=(fix,))


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("left", [f"{LEFT}\n\n", f"{LEFT}", ""])
def test_a_cut_that_left_a_note_comes_back_where_it_stood_though_the_note_was_deleted(
    novel: ProjectStore, number: int, left: str
) -> None:
    text = NOTED if number == 2 else NOTED.removeprefix("One stood.\n\n")
    after, sheet = cut_beside_a_note(novel, text, number)
    assert LEFT in after.text
    now = Chapter(after.text.replace(left, ""))
    (fix,) = placed_in(sheet, now).directives
    assert fix.stands == "same", "nothing that stands is its passage"
    back = without_fix(now, fix, [fix])
    rows = ["Two <!-- ask Minji --> fell.", "Three sang.", "Four left."]
    assert [p.text for p in back.paragraphs] == ["One stood.", *rows][2 - number :]
    if not left:
        assert back.text == text


def test_a_note_like_the_one_that_a_cut_left_is_not_its_place(novel: ProjectStore) -> None:
    after, sheet = cut_beside_a_note(novel, NOTED)
    now = Chapter(after.text.replace(f"{LEFT}\n\n", "") + f"\n{LEFT}\n")
    (fix,) = placed_in(sheet, now).directives
    assert without_fix(now, fix, [fix]).text == f"{NOTED}\n{LEFT}\n"


def test_a_fix_of_two_paragraphs_with_a_note_between_them_is_two_paragraphs(
    novel: ProjectStore,
) -> None:
    chapter = Chapter(f"One stood.\n\n{LEFT}\n\nTwo fell.\n\nThree sang.\n")
    passage = chapter.passage(1, 1, 2)
    wanted = proposal(DirectiveType.SHOW_NOT_TELL, 1, 1, 2, passage_text(passage))
    work, _ = at_work(novel, chapter, ["[1.1] One stood up.\n\n[1.2] Two fell down."])
    after, result = at_once(operate(work, wanted, passage))
    assert LEFT in after.text
    assert result.location.paragraph_end == 2
