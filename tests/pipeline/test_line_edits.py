"""The style refiner proposes line edits: paragraphs with their new words, in one call, placed and
guarded by code; in the text unattended, in the review in ask mode."""

from __future__ import annotations

import pytest

from studio.pipeline.outcome import Committed
from studio.pipeline.review.line_edits import EditGuard, PlacedEdit, as_proposals, changed_text
from studio.story.chapter import Chapter
from studio.story.review.answers import JudgedLocation, LineEdit
from studio.text.language.packs import load_pack
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SCENES,
    Desk,
    Model,
    ask,
    asked_for,
    block,
    directive,
    judged,
    line_edits,
    refined,
    scene_number,
    unrefined,
)
from tests.project.novels import put

FINDINGS = '[novel]\ntitle = "T"\nlanguage = "en"\n[targets]\nscene_length = 120\n'


def edits_of(desk_: Desk) -> list[tuple[str, str, str]]:
    """The line edits of the chapter in progress: id, status and how the passage stands."""
    return [(p.id, p.status, p.stands) for p in desk_.session().proposals().all(1)]


def decide(desk_: Desk, action: str, *ids: str) -> None:
    desk_.session().proposals().change(action, ids or ("prop_0001",))  # type: ignore[arg-type]


# req: J6
@pytest.mark.sweep
def test_an_edit_waits_in_the_review_and_the_text_is_as_it_was(desk: OpenDesk) -> None:
    desk_ = desk()
    asked = desk_.write(review="ask").decision
    assert asked.kind == "review"
    assert "until the cold" in desk_.staged().read_text()
    assert edits_of(desk_) == [("prop_0001", "pending", "same")]
    assert desk_.calls().count("refine") == 1, "one call a chapter"
    judge = asked_for(desk_, "judge")[0]
    assert "till the" in block(judge, "line-edits"), "the judge is told what is proposed"
    decide(desk_, "accept")
    assert "till the cold" in desk_.staged().read_text()
    assert isinstance(ask(desk_).decision.kind, str)
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert "till the cold" in desk_.text()
    assert desk_.calls().count("judge") == 1, "a guarded change is not judged again"
    assert desk_.calls().count("summary") == 1
    assert not list(desk_.folder.glob("proposals/*")), "line edits end with their chapter"


@pytest.mark.sweep
def test_an_edit_is_taken_back_and_goes_in_again(desk: OpenDesk) -> None:
    desk_ = desk()
    desk_.write(review="ask")
    before = desk_.staged().read_text()
    decide(desk_, "accept")
    decide(desk_, "undo")
    assert desk_.staged().read_text() == before
    decide(desk_, "accept")
    decide(desk_, "undo")
    decide(desk_, "reject")
    assert ask(desk_).decision.kind == "review"
    assert desk_.calls().count("refine") == 1


# req: J6
@pytest.mark.sampled
@pytest.mark.parametrize("mode", ["accept", "reject"])
def test_unattended_an_edit_is_in_the_text_before_the_judge_reads(
    desk: OpenDesk, mode: str
) -> None:
    desk_ = desk()
    ran = desk_.write(review=mode)
    assert isinstance(ran.outcome, Committed)
    assert "till the cold" in desk_.text()
    judge = asked_for(desk_, "judge")[0]
    assert "till the cold" in block(judge, "chapter")
    assert not block(judge, "line-edits")


# req: J6
def test_where_code_finds_nothing_nobody_is_asked(desk: OpenDesk) -> None:
    desk_ = desk(settings=FINDINGS)
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    assert "refine" not in desk_.calls()


# req: J6
@pytest.mark.sweep
def test_what_code_found_is_put_to_the_refiner_with_its_place(desk: OpenDesk) -> None:
    felt = "She felt the cold. She saw the lamp. She heard the sea. She felt that it was late."
    draft = Rule(text=f"{felt}\n\n{SCENES[1][1]}")
    desk_ = desk(Model(draft=draft, refine=unrefined), settings=FINDINGS)
    desk_.write()
    (asked,) = asked_for(desk_, "refine")
    assert "[1.1]" in block(asked, "findings")
    assert f"[1.1] {felt}" in block(asked, "chapter")


@pytest.mark.sweep
def test_the_refiner_is_given_the_worn_phrases_and_how_she_writes(desk: OpenDesk) -> None:
    felt = "She felt the cold. She saw the lamp. She heard the sea. She felt that it was late."
    draft = Rule(text=f"{felt}\n\n{SCENES[1][1]}")
    desk_ = desk(Model(draft=draft, refine=unrefined), settings=FINDINGS)
    put(desk_.folder, "style-profile.json", {"schema_version": 1, "voice": "dry as rope"})
    phrases = [{"phrase": "a testament to"}]
    put(desk_.folder, "ai-blacklist.json", {"schema_version": 1, "entries": phrases})
    desk_.write()
    (asked,) = asked_for(desk_, "refine")
    assert "a testament to" in block(asked, "blacklist")
    assert "dry as rope" in block(asked, "style")


# req: J6
@pytest.mark.sweep
def test_the_polish_asks_once_more_with_the_judges_reasons(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=[unrefined, refined], judge=judged(3.7)))
    assert desk_.write(review="ask").decision.options[0] == "polish"
    desk_.decide("polish")
    assert ask(desk_).decision.kind == "review"
    assert edits_of(desk_) == [("prop_0001", "pending", "same")]
    first, second = asked_for(desk_, "refine")
    assert not block(first, "notes")
    assert "style_naturalness so far" in block(second, "notes")
    assert desk_.calls().count("judge") == 1


# req: J1 J6
def test_the_notes_of_a_polish_have_the_labels_of_their_places_and_ask_for_nothing_it_may_not_do(
    desk: OpenDesk,
) -> None:
    """Met: six notes without a place, of which two asked for another fact and for a scene less."""
    worn = "until the cold came through"
    proposals = [
        {**directive(1, 2, type="wording"), "issue": "Nobody would say that."},
        {**directive(2, 3, type="cut"), "issue": "The scene is not needed."},
        {**directive(2, 1, type="fact-correction"), "issue": "The lamp was green."},
    ]
    answer = judged(3.7, directives=proposals)
    answer.value["scores"]["style_naturalness"]["fault"] = f"“{worn}” is ornament."
    desk_ = desk(Model(refine=[unrefined, refined], judge=answer))
    assert desk_.write(review="ask").decision.options[0] == "polish"
    desk_.decide("polish", note="Less of the cold.")
    assert ask(desk_).decision.kind == "review"
    assert block(asked_for(desk_, "refine")[1], "notes").splitlines() == [
        "The author about this draft: Less of the cold.",
        f"[1.3] “{worn}” is ornament.",
        "[1.2] Nobody would say that. Show it.",
    ]


# req: A10 J1
@pytest.mark.sweep
def test_a_line_of_speech_that_a_note_wants_otherwise_may_be_changed_and_no_other(
    desk: OpenDesk,
) -> None:
    """The page forbade all speech, and the note beside it asked for a line of it."""
    speech = "There is nothing to look for up here, and you know it."
    line = f"“{speech}” He put the lamp on the sill and stood beside it, as if to hold it there."

    def draft(asked: Asked) -> Rule:
        scene = SCENES[scene_number(asked)]
        return Rule(text="\n\n".join((line, *scene) if scene is SCENES[2] else scene))

    def otherwise(asked: Asked) -> Rule:
        return line_edits(asked, line, line.replace("know it.", "know it now."))

    for note, edits in ((f"“{speech}” should end on “now”.", 1), ("Less of the cold.", 0)):
        desk_ = desk(Model(draft=draft, refine=[unrefined, otherwise], judge=judged(3.7)))
        assert desk_.write(review="ask").decision.options[0] == "polish"
        desk_.decide("polish", note=note)
        assert ask(desk_).decision.kind == "review"
        assert len(edits_of(desk_)) == edits
        first, second = asked_for(desk_, "refine")
        assert "`notes` want a line of speech otherwise" not in first.prompt
        assert "`notes` want a line of speech otherwise" in second.prompt
        assert note in block(second, "notes")
        desk_.server.asked.clear()
        desk_.session().discard()


@pytest.mark.sweep
def test_a_finding_with_an_edit_is_not_proposed_a_second_time(desk: OpenDesk) -> None:
    felt = "She felt the cold. She saw the lamp. She heard the sea. She felt that it was late."

    def plainer(asked: Asked) -> Rule:
        return line_edits(asked, "She felt the cold. She saw the lamp.", "Cold. The lamp was lit.")

    draft = Rule(text=f"{felt}\n\n{SCENES[1][1]}")
    for refine, listed in ((unrefined, True), (plainer, False)):
        desk_ = desk(Model(draft=draft, refine=refine))
        desk_.write(review="ask")
        judge = asked_for(desk_, "judge")[0]
        assert ("[1.1]" in block(judge, "findings")) == listed
        desk_.server.asked.clear()
        desk_.session().discard()


@pytest.mark.sweep
def test_a_chapter_of_which_one_scene_was_drafted_again_has_only_that_one_edited(
    desk: OpenDesk,
) -> None:
    fault = judged(3.2, violations=[])
    desk_ = desk(Model(refine=refined, judge=[fault, judged()]))
    desk_.write()
    assert desk_.calls().count("refine") == 2


# What is placed, and what may stand

TEXT = Chapter(
    "# One\n\nThe rain had stopped before Mara came to the door.\n\n“It is open,” said Joss, and he"
    " put the twelve keys down.\n\n* * *\n\n민아는 불을 끄고 천천히 계단을 내려갔다.\n\n"
    "她把灯吹灭，慢慢走下楼梯。\n"
)
GUARD = EditGuard(TEXT, ("Mara", "Joss"), load_pack("en"))
REACHED = "The rain had stopped before Mara reached the door."
KEYS = "“It is open,” said Joss, and he put the keys down."
DOWN = "민아는 불을 끄고 계단을 내려갔다."
SHUT = "“It is shut,” said Joss, and he put the twelve keys down."


def edit(label: str, before_words: str, after: str) -> LineEdit:
    return LineEdit(label=label, before_words=before_words, after=after)


@pytest.mark.parametrize(
    ("given", "label", "after"),
    [
        (("1.1", "The rain had", REACHED), "1.1", REACHED),
        (("[1.1]", "", f"[1.1] {REACHED}"), "1.1", REACHED),
        (("2.7", "The rain had stopped", REACHED), "1.1", REACHED),
        (("1.1", "before Mara came to the door", "before Mara reached the door"), "1.1", REACHED),
        (
            ("2.1", "민아는 불을", DOWN),
            "2.1",
            DOWN,
        ),
        (("2.2", "她把灯吹灭", "她吹灭了灯，慢慢走下楼梯。"), "2.2", "她吹灭了灯，慢慢走下楼梯。"),
    ],
)
def test_an_edit_is_placed_by_its_label_and_its_words(
    given: tuple[str, str, str], label: str, after: str
) -> None:
    (placed,), refused = GUARD.take([edit(*given)])
    assert f"{placed.paragraph.scene}.{placed.paragraph.number}" == label
    assert placed.after == after
    assert not refused


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("9.9", "Nobody said this", "Nobody."), "could not be placed"),
        (("1.2", "“It is open,”", KEYS), "twelve"),
        (("1.2", "“It is open,”", SHUT), "speech"),
        (("1.1", "The rain", "The rain had stopped.\n\nMara came to the door."), "one paragraph"),
        (("1.1", "The rain had", "Rain."), "length"),
    ],
)
def test_an_edit_that_breaks_a_limit_is_refused_with_the_reason(
    given: tuple[str, str, str], why: str
) -> None:
    placed, refused = GUARD.take([edit(*given)])
    assert not placed
    assert why in str(refused[0])


def test_of_two_edits_of_one_paragraph_the_first_stands_and_an_empty_one_is_none() -> None:
    one, two = edit("1.1", "The rain", REACHED), edit("1.1", "The rain", f"{REACHED[:-1]} then.")
    same = edit("2.2", "她把灯吹灭", "她把灯吹灭，慢慢走下楼梯。")
    placed, refused = GUARD.take([one, two, same])
    assert [taken.after for taken in placed] == [REACHED]
    assert len(refused) == 1


def test_a_number_that_begins_a_paragraph_is_no_label() -> None:
    text = Chapter("# T\n\n3.5 seconds went by in the dark, and nobody said a word.\n")
    guard = EditGuard(text, (), load_pack("en"))
    for label in ("", "[1.1] ", "1.1 "):
        after = f"{label}3.5 seconds went by in the dark; nobody said a word."
        (placed,), refused = guard.take([edit("1.1", "3.5 seconds", after)])
        assert not refused
        assert placed.after == "3.5 seconds went by in the dark; nobody said a word."


def test_a_small_change_that_is_taken_keeps_a_note_she_has_put_into_its_paragraph() -> None:
    text = Chapter("# T\n\nThe lamp was dark.\n\nNobody came.\n")
    edit = PlacedEdit(text.paragraphs[0], "The lamp was very dark.")
    (proposal,) = as_proposals("c001", text, [edit])
    noted = Chapter(text.text.replace("The lamp", "The lamp <!-- ask Minji -->"))
    after, _result = changed_text(noted, noted.paragraphs[:1], proposal)
    assert "<!-- ask Minji -->" in after.text
    assert [p.prose for p in after.paragraphs] == ["The lamp was very dark.", "Nobody came."]


@pytest.mark.parametrize(
    ("label", "place"),
    [
        ("paragraph 2 of scene 1", (1, 2, 2)),
        ("Chapter 3, [1.2]", (1, 2, 2)),
        ("Scene 1, paragraphs 2-3", (1, 2, 3)),
        ("[1.3]-[1.5]", (1, 3, 5)),
        ("1.3-5", (1, 3, 5)),
        ("1, 2", (1, 2, 2)),
        ("1장면 2문단", (1, 2, 2)),
        ("장면 1 문단 2", (1, 2, 2)),
        ("S1P2", (1, 2, 2)),
        ("장면 1의 두 번째 줄 7", (0, 0, 0)),
        ("2번째 문단, 장면 1", (1, 2, 2)),
        ("第1场第2段", (1, 2, 2)),
        ("第2段（场景1）", (1, 2, 2)),
        ("Chapter 3, line 2", (0, 0, 0)),
    ],
)
def test_a_place_in_words_is_the_one_that_they_say(label: str, place: tuple[int, ...]) -> None:
    """Met: “paragraph 2 of scene 1” was taken for the first paragraph of the second scene."""
    assert tuple(JudgedLocation.in_words(label).values()) == place
