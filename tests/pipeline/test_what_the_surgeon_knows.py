"""What the surgeon is told besides the passage: who is there and where, and the words on both sides
of it, beyond a break too (WRITING 5.8)."""

from __future__ import annotations

import pytest

from studio.pipeline.review import surgeon
from studio.story.novel import CharacterContract
from studio.story.review.directive import DirectiveType
from studio.story.review.operations import OPERATIONS
from studio.story.status import DirectiveStatus
from studio.text.guard import surgery_guard
from studio.text.language.packs import load_pack
from tests.fake_messages import Rule
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
    unrefined,
)
from tests.project.novels import put

PROFILES = {
    "mara": "Keeps her father's key on a string.",
    "joss": "Laces his boots from the wrong end.",
    "wren": "The pilot's girl, who whistles in fog.",
}
QUAY = "A ladder of nineteen rungs, the fourth one missing."


def at_surgery(
    desk: OpenDesk,
    scene: int,
    first: int,
    answer: str,
    plan: dict[str, object] | None = None,
    kind: str = "voice-consistency",
) -> Desk:
    """A chapter of which one passage is rewritten, unattended."""
    proposal = directive(scene, first, type=kind, instruction="Say it her way.")
    model = Model(
        refine=unrefined,
        surgery=Rule(text=answer),
        judge=judged(directives=[proposal]),
    )
    desk_ = desk(model)
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-001.json", plan or CONTRACT)
    for slug, words in PROFILES.items():
        person = {"schema_version": 1, "id": slug, "name": slug.title(), "role": f"Role of {slug}",
                  "voice": f"Voice of {slug}"}  # fmt: skip
        put(desk_.folder, f"characters/active/{slug}.json", person)
        put(desk_.folder, f"characters/active/{slug}.md", f"# {slug.title()}\n\n{words}\n")
    put(desk_.folder, "world/places/quay.md", f"# Quay\n\n{QUAY}\n")
    desk_.write(review="accept")
    return desk_


def unplanned_people() -> dict[str, object]:
    """The plan of the tests, in which no list says who is there, and only words do."""
    plan = {key: value for key, value in CONTRACT.items() if key != "characters"}
    scenes = [
        {"number": 1, "purpose": "Mara searches the lamp room"},
        {"number": 2, "purpose": "Joss comes up the stairs, Wren behind him", "location": "quay"},
    ]
    return plan | {"scenes": scenes}


NOTHING_NEW = ("No new facts", "Nothing in it is new", "nothing else is.", "Nothing is added,")
"""What stood beside an order for something new."""


# req: J5
@pytest.mark.parametrize(
    ("kind", "instruction", "new"),
    [
        ("voice-consistency", "Say what the key opens.", "“Say what the key opens”"),
        ("sensory-enrichment", "Let her smell the oil.", "one or two things perceived"),
        ("rhythm-variation", "Join the two short ones.", "at most what `directive` asks for."),
        ("fact-correction", "Tell it by her own shadow.", "at most what `directive` asks for."),
        ("transition-smoothing", "Give her a gesture.", "and what else `directive` asks for."),
        ("wording", "Make it: her hand had asked.", "at most what `directive` asks for."),
    ],
)
def test_the_surgeon_is_told_what_alone_may_be_new(
    desk: OpenDesk, kind: str, instruction: str, new: str
) -> None:
    """Met: “No new facts” stood beside an order to tell one."""
    proposal = directive(1, 1, type=kind, instruction=instruction)
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=[proposal])))
    desk_.write(review="accept")
    (asked, *_) = asked_for(desk_, "surgery")
    assert new in asked.blocks[-1]["text"]
    assert not any(words in asked.prompt for words in NOTHING_NEW)


@pytest.mark.parametrize(
    ("kind", "scene", "lines"),
    [
        ("voice-consistency", 2, "- Joss learns of the letter\n- A bell rings"),
        ("sensory-enrichment", 1, "- A bell rings"),
        ("proofreading", 2, ""),
    ],
)
def test_the_surgeon_is_told_what_must_not_happen_where_it_could(
    desk: OpenDesk, kind: str, scene: int, lines: str
) -> None:
    """Met: drafter and judge had it, and whoever changed a passage did not. A line about somebody
    who is not there says nothing to a scene."""
    must_not = ["Joss learns of the letter", "A bell rings"]
    desk_ = at_surgery(desk, scene, 1, "unused", unplanned_people() | {"must_not": must_not}, kind)
    asked, *_ = asked_for(desk_, "surgery")
    assert block(asked, "must-not") == lines
    assert ("`must-not`" in asked.prompt) == bool(lines)


# req: J5 A21
@pytest.mark.sweep
@pytest.mark.repairs("W3")
def test_everybody_in_the_scene_has_a_card_though_the_passage_names_nobody(desk: OpenDesk) -> None:
    desk_ = at_surgery(desk, 2, 3, "unused", unplanned_people())
    asked = asked_for(desk_, "surgery")[0]
    for words in PROFILES.values():
        assert words in block(asked, "people"), words
    assert QUAY in block(asked, "place")
    assert "`people`" in asked.prompt
    assert "`world`" not in asked.prompt, "what is not there is not spoken of"


# req: J5
@pytest.mark.sweep
def test_where_the_passage_names_somebody_the_others_have_one_line(desk: OpenDesk) -> None:
    """For one small correction the cards of everybody in the scene came whole."""
    plan = unplanned_people()
    desk_ = at_surgery(desk, 2, 1, "unused", plan)  # "Joss came up the stairs"
    people = block(asked_for(desk_, "surgery")[0], "people")
    assert PROFILES["joss"] in people
    assert "Voice of joss" in people
    assert PROFILES["mara"] in people, "the scene is seen through her"
    assert "Role of wren" in people, "who else is there is known by name"
    assert PROFILES["wren"] not in people
    assert "Voice of wren" not in people


# req: J5
@pytest.mark.sweep
@pytest.mark.parametrize(("last", "is_whole"), [(1, False), (2, True)])
def test_somebody_stands_once_and_for_one_paragraph_short(
    desk: OpenDesk, last: int, is_whole: bool
) -> None:
    """Met: the page, the sheet and the state of one person, in three places of one block; and all
    of the page for one line of speech."""
    page = "Laces his boots from the wrong end.\n\n" + "He counts what he owes. " * 20
    desk_ = desk(
        Model(
            refine=unrefined,
            judge=judged(
                directives=[directive(2, 1, last, type="voice-consistency", maxScope=last)]
            ),
        )
    )
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-001.json", unplanned_people())
    sheet = {"schema_version": 1, "id": "joss", "name": "Joss", "role": "The brother",
             "voice": "Short", "always": ["Laces his boots from the wrong end."]}  # fmt: skip
    put(desk_.folder, "characters/active/joss.json", sheet)
    put(desk_.folder, "characters/active/joss.md", f"# Joss\n\n{page}\n")
    desk_.write(review="accept")
    people = block(asked_for(desk_, "surgery")[0], "people")
    assert people.count("Joss") == 1
    assert people.count("Laces his boots from the wrong end") == 1
    assert "voice: Short" in people
    assert (people.count("He counts what he owes") == 20) is is_whole


OF_SPEECH = ("dialogue-subtext", "voice-consistency", "cliche-replacement")
SURFACE = ("cut", "rhythm-variation", "filter-word-removal", "wording", "proofreading")


@pytest.mark.sampled
@pytest.mark.parametrize("kind", sorted(OPERATIONS))
def test_whoever_only_builds_a_sentence_otherwise_is_told_who_people_are_and_no_more(
    kind: str, desk: OpenDesk
) -> None:
    """Thirty kilobytes for one line's rewrite helped nobody (W1). Where a fix is about somebody,
    the card comes whole, with how that person speaks."""
    desk_ = at_surgery(desk, 2, 3, "unused", unplanned_people(), kind)
    asked = asked_for(desk_, "surgery")[0]
    people = block(asked, "people")
    is_surface = kind in SURFACE
    for slug, words in PROFILES.items():
        assert f"Role of {slug}" in people or not is_surface, slug
        assert (words in people) != is_surface, words
        assert (f"Voice of {slug}" in people) != is_surface, slug
    assert (QUAY in asked.prompt) != is_surface
    assert "Before: " not in block(asked, "craft"), "rules, without examples of other books"
    if kind in ("proofreading", "cut", "fact-correction"):
        assert not block(asked, "craft"), "what is wrong or goes is not decided by a rule of craft"
    else:
        rules = block(asked, "craft").splitlines()
        assert ("In speech tags" in str(rules)) == (kind in OF_SPEECH), kind
        assert 1 < len(rules) < 10, "what is about this kind of rewriting, and no more"


# req: J5
def test_a_name_of_the_cards_is_not_new_in_a_rewrite(desk: OpenDesk) -> None:
    """A pronoun made the name of somebody who is there is one of the best mends there are."""
    words = SCENES[2][2].replace("hear him breathe", "hear Wren breathe")
    desk_ = at_surgery(desk, 2, 3, words, unplanned_people())
    assert "hear Wren breathe" in desk_.text()


# req: J5
@pytest.mark.sweep
def test_somebody_of_the_book_whom_the_surgeon_was_not_told_of_is_new_as_ever(
    desk: OpenDesk,
) -> None:
    plan = unplanned_people()
    assert isinstance(plan["scenes"], list)
    plan["scenes"][1]["purpose"] = "Joss comes up the stairs"
    words = SCENES[2][2].replace("hear him breathe", "hear Wren breathe")
    desk_ = at_surgery(desk, 2, 3, words, plan)
    assert PROFILES["wren"] not in block(asked_for(desk_, "surgery")[0], "people")
    assert "Wren" not in desk_.text()
    sheet = desk_.session().store.directives(1)
    assert sheet is not None
    assert sheet.directives[0].status is DirectiveStatus.FAILED


def test_a_name_inside_another_word_is_not_given() -> None:
    row, pack = OPERATIONS[DirectiveType.VOICE_CONSISTENCY], load_pack("en")
    for material, is_new in (("Alma went.", True), ("Al's boots.", False)):
        faults = surgery_guard(
            ["He went down to the quay."], ["Al went down to the quay."], row, ["Al"], pack,
            material=material,
        )  # fmt: skip
        assert ("the name Al is new" in map(str, faults)) == is_new


# req: J5
@pytest.mark.sweep
@pytest.mark.parametrize(("scene", "first"), [(1, 4), (2, 1)])
def test_the_words_around_a_passage_go_on_beyond_the_border_of_its_scene(
    desk: OpenDesk, scene: int, first: int
) -> None:
    desk_ = at_surgery(desk, scene, first, "unused")
    around = block(asked_for(desk_, "surgery")[0], "around")
    assert SCENES[1][-2] in around
    assert SCENES[2][1][:40] in around
    assert around.count("* * *") == 1
    here = around.index("[the passage stands here]")
    assert (around.index("* * *") > here) == (scene == 1)


@pytest.mark.parametrize("named", ["as [1.1] has it", "as in “{quote}”", "as in ‘{quote}’"])
def test_what_the_directive_speaks_of_is_shown_though_it_stands_further_away(
    desk: OpenDesk, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Met: a correction was to agree with words that `around` did not reach to."""
    monkeypatch.setattr(surgeon, "_AROUND", 60)
    instruction = f"Say it {named.format(quote=SCENES[1][0][:24])}."
    proposal = directive(2, 3, type="fact-correction", instruction=instruction)
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=[proposal])))
    desk_.write(review="accept")
    around = block(asked_for(desk_, "surgery")[0], "around")
    assert around.startswith(f"[1.1] {SCENES[1][0]}\n\n[…]\n\n"), around
    assert around.count(SCENES[1][0]) == around.count("[…]") == 1
    assert SCENES[1][2] not in around
    assert SCENES[2][1] in around


@pytest.mark.parametrize(
    ("page", "words", "is_there"),
    [
        ("She sits by the campfire.", "fire", False),
        ("She tends the fire.", "fire", False),
        ("She fears: fire, water.", "fire", True),
        ("She wants to leave the island.", "leave the island", True),
        ("She wants to leave the islands.", "leave the island", False),
        ("큰 건물에 산다.", "물", False),
        ("무서운 것: 물.", "물", True),
        ("她住在高高的火山下。", "火", False),
        ("她怕火，不说话。", "她怕火", True),
    ],
)
def test_a_fact_is_left_out_only_where_the_page_says_it(
    page: str, words: str, is_there: bool
) -> None:
    """Met: “fire” went from the card, because the page has a campfire."""
    from studio.pipeline.prompting.story_lines import _sentences_of

    person = CharacterContract.model_validate({"id": "mara", "name": "Mara", "fears": words})
    said = _sentences_of(person, load_pack("en"), 1, said_already=page)
    assert (words not in said) == is_there
