"""Three kinds of help kept apart, and quotes that models set in another typography."""

from __future__ import annotations

from typing import Any

import pytest

from studio.pipeline.judging.evaluation import MOST_COUNSEL, how_it_ends, one_pace, scene_rhythms
from studio.pipeline.judging.placement import evaluation_beside, find_passage, place_proposals
from studio.story.chapter import Chapter
from studio.story.review.answers import JudgedDirective
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.evaluation import Evaluation, conflicts, help_of
from studio.story.review.passage import PassageLocation
from studio.story.review.scenes_in_text import TextScenes
from studio.story.status import DirectiveStatus
from studio.text.language.packs import load_pack
from tests.cli.command import studio
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import DRAFT, Desk, Model, directive, judged, unrefined, violation
from tests.project.novels import put

CHOICE = {
    "kind": "decide",
    "issue": "마라가 편지를 이미 읽었는지 알 수 없다.",
    "options": ["읽었다", "읽지 않았다"],
    "scene": 1,
    "quote": '"You are up early," said the wind',
}
ADVICE = {
    "kind": "advice",
    "issue": "Both scenes end on weather.",
    "options": ["never shown"],
    "scene": 9,
    "quote": "Far out a bell rang",
}


def judgement(**more: Any) -> Rule:
    rule = judged(directives=[directive(1, 2)])
    return Rule(value={**rule.value, **more})


def written(desk: OpenDesk, **more: Any) -> Desk:
    desk_ = desk(Model(refine=unrefined, judge=judgement(**more)))
    desk_.write(review="ask")
    return desk_


def evaluation_of(desk_: Desk) -> Evaluation:
    sheet = desk_.session().directives()
    assert sheet is not None
    evaluation = evaluation_beside(desk_.store, sheet)
    assert evaluation is not None
    return evaluation


# Three kinds


# req: A8
@pytest.mark.sweep
def test_fixes_choices_and_advice_are_kept_apart(desk: OpenDesk) -> None:
    desk_ = written(desk, counsel=[CHOICE, ADVICE])
    sheet, evaluation = desk_.session().directives(), evaluation_of(desk_)
    counsel = help_of(sheet, evaluation)
    assert sheet is not None
    assert [d.id for d in sheet.directives] == ["dir_show_not_tell_001"]
    (choice,) = counsel.decide
    assert (choice.issue, choice.options) == (CHOICE["issue"], ("읽었다", "읽지 않았다"))
    assert choice.quote == "“You are up early,” said the wind"
    (advice,) = counsel.advice
    assert (advice.issue, advice.options, advice.quote, advice.scene) == (
        "Both scenes end on weather.",
        (),
        "",
        None,
    )


@pytest.mark.sweep
def test_a_rule_that_is_perhaps_broken_stands_among_the_advice(desk: OpenDesk) -> None:
    """It was said once, above the review, and was nowhere after Esc."""
    doubt = {**violation("Far out a bell rang", scene=1), "confidence": "low"}
    desk_ = written(desk, violations=[doubt])
    sheet, evaluation = desk_.session().directives(), evaluation_of(desk_)
    (advice,) = help_of(sheet, evaluation).advice
    assert "perhaps broken" in advice.issue
    assert doubt["rule"].rstrip(".") in advice.issue
    assert (advice.scene, advice.quote) == (1, "Far out a bell rang")
    mended = evaluation.violations[0].model_copy(update={"state": "mended?"})
    after = evaluation.model_copy(update={"violations": (mended,)})
    assert help_of(sheet, after).advice == ()
    listed = studio("directives", "list", cwd=desk_.folder, environ=desk_.environ)
    assert "perhaps broken" in listed.out


@pytest.mark.sweep
def test_accepting_all_takes_fixes_alone(desk: OpenDesk) -> None:
    desk_ = written(desk, counsel=[CHOICE, ADVICE])
    changed = desk_.session().change_directives("accept", [], all_=True)
    assert [d.id for d in changed] == ["dir_show_not_tell_001"]


@pytest.mark.sweep
def test_a_choice_without_a_choice_and_too_much_counsel_are_left_out(desk: OpenDesk) -> None:
    none = {**CHOICE, "options": ["읽었다"]}
    desk_ = written(desk, counsel=[none, {**ADVICE, "issue": " "}, *[ADVICE] * 9])
    assert len(evaluation_of(desk_).counsel) == MOST_COUNSEL


def test_a_judge_of_an_earlier_prompt_gives_no_counsel(desk: OpenDesk) -> None:
    assert evaluation_of(written(desk)).counsel == ()


# req: A6
def test_an_end_that_does_not_pull_is_advice_and_stands_in_the_evaluation(desk: OpenDesk) -> None:
    end = {"hook": False, "reason": "모든 것이 풀리고 끝난다."}
    evaluation = evaluation_of(written(desk, chapter_end=end))
    chapter_end = evaluation.assessment.transition_quality["chapter_end"]
    assert chapter_end["ends_on"] == "statement"
    assert chapter_end["words"].endswith("by the ladder on the quay.")
    assert (chapter_end["hook"], chapter_end["reason"]) == (False, "모든 것이 풀리고 끝난다.")
    assert [c.issue for c in evaluation.counsel] == [
        "The end of the chapter: 모든 것이 풀리고 끝난다."
    ]
    scenes = evaluation.assessment.rhythm_variation["scenes"]
    assert [row["scene"] for row in scenes] == [1, 2]


# req: A6
@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("ko", "비가 왔다.\n\n“누구세요?”", "speech"),
        ("ko", "비가 왔다.\n\n누가 문을 열었을까?", "question"),
        ("zh", "雨停了。\n\n灯还亮着。", "statement"),
        ("en", "Rain.\n\nWho had lit it?", "question"),
    ],
)
def test_how_a_chapter_ends_is_seen_in_every_language(language: str, text: str, kind: str) -> None:
    assert how_it_ends(Chapter(text), load_pack(language))["ends_on"] == kind


# req: A6
def test_scenes_that_all_run_at_one_pace_are_advice() -> None:
    pack = load_pack("en")
    same = " ".join(["The grey lamp turned above the water again."] * 9)
    slow = " ".join(["The lamp turned."] * 9)
    flat = Chapter("\n\n* * *\n\n".join([same] * 3))
    varied = Chapter("\n\n* * *\n\n".join([same, slow, same]))
    advice = one_pace(scene_rhythms(TextScenes.between_breaks(flat), pack))
    assert advice is not None
    assert "All 3 scenes run at one pace" in advice.issue
    assert one_pace(scene_rhythms(TextScenes.between_breaks(varied), pack)) is None
    assert one_pace(scene_rhythms(TextScenes.between_breaks(Chapter(same)), pack)) is None
    rhythms = [{"sentences": 30, "mean_length": 13.0, "dialogue": share} for share in (0.1, 0.12)]
    quiet = {"sentences": 30, "mean_length": 12.8, "dialogue": 0.046}
    assert one_pace([*rhythms, {**quiet, "dialogue": 0.11}]) is not None
    assert one_pace([*rhythms, quiet]) is None, "half the speech is not as much"


# Quotes


# req: B5
@pytest.mark.sweep
@pytest.mark.parametrize(
    "quote", ["Far out a bell rang", "“Far out a bell rang…”", "Far  out a\nbell rang"]
)
def test_a_violation_counts_through_another_typography(desk: OpenDesk, quote: str) -> None:
    fields = violation(quote, scene=1)
    desk_ = desk(Model(refine=unrefined, judge=judged(violations=[fields])))
    assert desk_.write(review="ask").decision.kind == "gate"
    evaluation = desk_.store.staging_of(1).evaluation()
    assert evaluation is not None
    (finding,) = evaluation.violations
    assert (finding.confidence, finding.quote) == ("high", "Far out a bell rang")


def proposal(**more: Any) -> JudgedDirective:
    return JudgedDirective.model_validate(directive(1, 3, **more))


def test_a_directive_is_placed_through_another_typography_in_the_authors_words() -> None:
    (fix,), dropped = place_proposals(
        Chapter(DRAFT), [proposal(currentText='"You are up early," said the wind through...')]
    )
    assert dropped == []
    assert fix.location.paragraph_start == 3
    assert fix.evidence == ("“You are up early,” said the wind through",)
    assert fix.evidence[0] in fix.current_text


def test_a_quote_in_two_places_belongs_to_neither_and_over_two_paragraphs_to_both() -> None:
    chapter = Chapter("A lamp turned.\n\nThe lamp turned.\n\nIt rained.")
    assert find_passage(chapter, "lamp turned") == ()
    assert [p.number for p in find_passage(chapter, "The lamp turned. It rained.")] == [2, 3]


# req: A10
def test_the_table_gives_the_priority_and_a_climax_weighs_more() -> None:
    chapter = Chapter(DRAFT)
    proposals = [
        proposal(type="proofreading", priority=1),
        proposal(type="show-not-tell", priority=9),
    ]
    assert [d.priority for d in place_proposals(chapter, proposals)[0]] == [10, 2]
    for scene, priorities in ((1, [9, 1]), (2, [10, 2])):
        climax = {(p.scene, p.number) for p in chapter.paragraphs if p.scene == scene}
        placed, _ = place_proposals(chapter, proposals, climax=climax)
        assert [d.priority for d in placed] == priorities


# Conflicts


def at(number: int, first: int, last: int, **more: Any) -> Directive:
    return Directive(
        id=f"dir_cut_{number:03d}",
        type=DirectiveType.CUT,
        priority=1,
        location=PassageLocation(scene_number=1, paragraph_start=first, paragraph_end=last),
        issue="重复。",
        instruction="删去。",
        max_scope=2,
    ).copy_with(**more)


def test_directives_on_the_same_paragraphs_are_one_group() -> None:
    chain = [at(1, 1, 2), at(2, 2, 4), at(3, 4, 5), at(4, 7, 7)]
    assert conflicts(chain) == (("dir_cut_001", "dir_cut_002", "dir_cut_003"),)
    settled = [chain[0], chain[1].copy_with(status=DirectiveStatus.REJECTED), *chain[2:]]
    assert conflicts(settled) == ()
    elsewhere = at(5, 7, 7, location=chain[3].location.model_copy(update={"scene_number": 2}))
    assert conflicts([chain[3], elsewhere]) == ()


@pytest.mark.sweep
def test_a_cross_reference_is_found_through_another_typography(desk: OpenDesk) -> None:
    mention = {
        "entity": "wind",
        "storyline_id": None,
        "quote": '"You are up early,"',
        "leak": False,
    }
    answer = Rule(value={"summary": "요약", "ops": [], "crossref": [mention], "memory": "종"})
    desk_ = desk(Model(refine=unrefined, summary=answer))
    desk_.write()
    crossref = desk_.store.crossref(1)
    assert crossref is not None
    assert [m.quote for m in crossref.mentions] == ["“You are up early,”"]


# req: A11
@pytest.mark.sweep
def test_each_fix_carries_an_example_of_its_own_kind(desk: OpenDesk) -> None:
    proposals = [
        directive(1, 2, type="sensory-enrichment"),
        directive(1, 3, type="dialogue-subtext"),
        directive(2, 1, type="proofreading"),
    ]
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=proposals)))
    for kind in ("dialogue", "description"):
        text = f"---\nkind: good\nscene_type: {kind}\nsource: mine\n---\n{kind} 보기.\n"
        put(desk_.folder, f"style-library/{kind}-01.md", text)
    desk_.write(review="ask")
    sheet = desk_.session().directives()
    assert sheet is not None
    carried = {d.type.value: (d.exemplar_id, d.exemplar_content) for d in sheet.directives}
    assert carried["sensory-enrichment"] == ("description-01", "description 보기.")
    assert carried["dialogue-subtext"] == ("dialogue-01", "dialogue 보기.")
    assert carried["proofreading"] == (None, None)


# req: A13
@pytest.mark.sweep
def test_proofreading_may_name_its_scene_and_no_other_type_may(desk: OpenDesk) -> None:
    proposals = [
        directive(1, 1, 4, type="proofreading", maxScope=3),
        directive(2, 1, 4, type="show-not-tell", maxScope=5),
    ]
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=proposals)))
    ran = desk_.write(review="ask")
    sheet = desk_.session().directives()
    assert sheet is not None
    widths = {d.type.value: d.location.width for d in sheet.directives}
    assert widths == {"show-not-tell": 3, "proofreading": 4}, "no wider than its type may change"
    assert "dropped" not in ran.warnings


# req: J5
@pytest.mark.sweep
def test_a_quote_that_stands_in_several_places_is_shown_as_without_a_place(desk: OpenDesk) -> None:
    nowhere = {"sceneNumber": 9, "paragraphStart": 1, "paragraphEnd": 1}
    proposals = [directive(1, 2, currentText="the", location=nowhere)]
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=proposals)))
    desk_.write(review="ask")
    sheet = desk_.session().directives()
    assert sheet is not None
    assert sheet.directives == ()
    (lost,) = sheet.unplaced
    assert "stands in several places" in lost.why
    assert (lost.quote, lost.label, lost.instruction) == ("the", "9.1", "Show it.")
