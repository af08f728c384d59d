from __future__ import annotations

import re

import pytest

from studio.i18n import LANGUAGES
from studio.story.chapter import Chapter, passage_text, sha256_of
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.operations import MAX_DIRECTIVES, OPERATIONS
from studio.story.review.passage import PassageLocation
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from studio.text.metrics.metric_kinds import METRICS
from studio.text.oracle.directives import CodeFindings, findings, merge, overlaps
from tests.text.findings import CALM, CROWDED, OF_HER_OWN, VARIED_OPENINGS, look, types

OWN = {"same_ending_run": {"max": 4.0}}
"""A writer's own limit, not the number of the method."""


# req: A10
# req: A17
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_crowded_paragraph_makes_a_directive_in_every_language(language: str) -> None:
    text = "# 1\n\n" + "\n\n".join([CALM[language]] * 3 + [CROWDED[language]] + [CALM[language]])
    report = look(text, language)
    assert types(report) == ["filter-word-removal"]
    directive = report.directives[0]
    assert (directive.location.paragraph_start, directive.location.paragraph_end) == (4, 4)
    assert directive.current_text == CROWDED[language]
    assert directive.source_sha256 == sha256_of(CROWDED[language])
    assert directive.origin == "code"
    assert directive.metric == "filter_word_density"
    assert all(quote in CROWDED[language] for quote in directive.evidence)
    assert len(directive.evidence) == 3


@pytest.mark.parametrize("language", ["en", "zh"])
def test_scattered_filter_words_only_inform_until_the_project_sets_a_target(language: str) -> None:
    one = {"en": "She felt the wind.", "zh": "她感到风。"}[language]
    text = "\n\n".join(f"{one} {CALM[language] * 4}" for _ in range(30))
    assert "filter-word-removal" not in types(look(text, language))
    assert "filter-word-removal" in types(look(text, language, {"filter_word_density": {"max": 1}}))


def test_a_density_that_fails_names_as_many_passages_as_would_bring_it_back() -> None:
    calm = CALM["ko"] * 3
    paragraphs = [calm] * 12
    paragraphs[3] = "그는 느꼈다. " + calm
    paragraphs[7] = "그는 느꼈다. 그리고 생각했다. " + calm
    paragraphs[10] = "그는 깨달았다. " + calm
    text = "\n\n".join(paragraphs)
    others_off = {"same_ending_run": {}, "sensory_grounding": {}}
    report = look(text, "ko", {"filter_word_density": {"max": 2.5}, **others_off})
    assert [d.location.paragraph_start for d in report.directives] == [8]
    strict = look(text, "ko", {"filter_word_density": {"max": 0.1}, **others_off})
    assert [d.location.paragraph_start for d in strict.directives] == [4, 8, 11]


def test_speech_never_makes_a_filter_directive() -> None:
    text = "\n\n".join(f"“{CROWDED['ko']}”" for _ in range(10))
    assert types(look(text, "ko", {"dialogue_ratio": {}})) == []


def test_the_dialogue_ratio_makes_no_directive() -> None:
    text = "\n\n".join(CALM["ko"] for _ in range(20))
    pack = load_pack("ko")
    metrics = measure(text, pack)
    assert metrics["dialogue_ratio"].ok is False
    assert look(text, "ko", {"sensory_grounding": {}}) == CodeFindings(paragraphs=20)


# req: A10
def test_every_kind_of_issue_has_one_type_and_the_ratio_has_none() -> None:
    wordings = load_pack("en").wordings
    assert {name for name, kind in METRICS.items() if kind.directive} == set(wordings)
    assert METRICS["dialogue_ratio"].directive is None


@pytest.mark.parametrize("metric", ["filter_word_density", "adverb_density"])
def test_an_english_finding_of_one_word_is_not_told_in_the_plural(metric: str) -> None:
    wording = load_pack("en").wordings[metric].issue
    assert not re.search(r"\b1 (\w+ )?\w+s\b", wording.format(count=1, quotes="“felt”"))


def test_a_run_of_endings_becomes_rhythm_within_its_own_paragraphs() -> None:
    calm = "강이 흐르네. 개가 짖지?"
    run = "비가 왔다. 문이 닫혔다. 그는 갔다."
    report = look("\n\n".join([calm, run, run, calm]), "ko", OWN)
    assert types(report) == ["rhythm-variation"]
    place = report.directives[0].location
    assert (place.paragraph_start, place.paragraph_end) == (2, 3)
    assert "6문장" in report.directives[0].issue
    assert "‘다’" in report.directives[0].issue


def test_a_run_wider_than_the_limit_is_split() -> None:
    report = look("\n\n".join(["비가 왔다. 문이 닫혔다."] * 12), "ko", OWN)
    widths = [d.location.width for d in report.directives]
    assert widths == [5, 5, 2]
    assert all(d.max_scope <= 5 for d in report.directives)


# req: A16
def test_a_window_without_senses_becomes_enrichment_of_its_fullest_paragraph() -> None:
    thin = "그 일은 오래전에 결정된 것이었고 이유는 셋이나 되지."
    text = "\n\n".join([thin, thin * 20, thin])
    assert types(look(text, "ko")) == []  # the seed's number is no limit of hers
    report = look(text, "ko", {"sensory_grounding": {"min": 1}})
    assert types(report) == ["sensory-enrichment"]
    assert report.directives[0].location.paragraph_start == 2
    assert "시각" in report.directives[0].instruction


def test_one_cliche_is_left_alone_two_together_and_the_blacklist_are_not() -> None:
    one = "Her blood ran cold."
    two = "Her blood ran cold and her breath caught."
    calm = CALM["en"]
    assert types(look("\n\n".join([calm, one, calm]), "en")) == []
    assert types(look("\n\n".join([calm, two, calm]), "en")) == []
    stale = "\n\n".join([two, VARIED_OPENINGS, two + " No time to lose.", *[VARIED_OPENINGS] * 2])
    assert set(types(look(stale, "en"))) == {"cliche-replacement"}
    pack = load_pack("en").with_phrases(["a tapestry"])
    text = "\n\n".join([calm, "It was a tapestry.", calm])
    assert types(findings(Chapter(text), pack, measure(text, pack))) == ["cliche-replacement"]


def test_working_notes_are_to_be_cut_before_all_else() -> None:
    text = "\n\n".join([CROWDED["en"], "Scene 2: The Lamp", CALM["en"]])
    report = look(text, "en")
    assert types(report) == ["cut", "filter-word-removal"]
    assert report.directives[0].current_text == "Scene 2: The Lamp"


# req: A10
def test_at_most_five_and_the_rest_is_counted_and_a_redraft_suggested() -> None:
    text = "\n\n".join([CROWDED["en"], CALM["en"]] * 9)
    report = look(text, "en")
    assert len(report.directives) == MAX_DIRECTIVES
    assert report.suppressed == 4
    assert report.redraft_suggested
    assert [d.id for d in report.directives] == [
        f"dir_filter_word_removal_{n:03d}" for n in range(1, 6)
    ]


def test_many_findings_in_a_long_chapter_suggest_no_redraft() -> None:
    text = "\n\n".join(([CROWDED["en"]] + [CALM["en"]] * 9) * 7)
    report = look(text, "en")
    assert (len(report.directives), report.suppressed) == (5, 2)
    assert not report.redraft_suggested


# req: A10
def test_rhythm_comes_before_filter_words_and_neither_pushes_the_other_out() -> None:
    run = "비가 왔다. 문이 닫혔다. 그는 갔다. 불이 꺼졌다. 개가 짖었다."
    text = "\n\n* * *\n\n".join([run] * 6 + [CROWDED["ko"] + " 누굴까?"] * 2)
    report = look(text, "ko", OWN)
    assert types(report) == ["rhythm-variation"] * 3 + ["filter-word-removal"] * 2
    assert [d.priority for d in report.directives] == sorted(d.priority for d in report.directives)


def test_the_climax_is_more_urgent() -> None:
    text = "\n\n* * *\n\n".join([CROWDED["en"]] * 3)
    report = look(text, "en", climax={(2, n) for n in range(1, 9)})
    assert [(d.location.scene_number, d.priority) for d in report.directives] == [
        (2, 6),
        (1, 7),
        (3, 7),
    ]


def test_a_rejected_passage_does_not_come_back_in_nearly_the_same_words() -> None:
    text = "\n\n".join([CALM["en"], CROWDED["en"], CALM["en"]])
    rejected = [look(text, "en").directives[0].rejection("It is meant.")]
    assert look(text, "en", forgotten=rejected).directives == ()
    retouched = text.replace("Somebody", "Someone")
    assert look(retouched, "en", forgotten=rejected).directives == ()
    exactly = [look(text, "en").directives[0].fingerprint]
    assert types(look(retouched, "en", forgotten=exactly)) == ["filter-word-removal"]


def test_a_paragraph_put_before_a_finding_moves_its_place_and_not_its_fingerprint() -> None:
    text = "\n\n".join([CALM["en"], CROWDED["en"]])
    before, after = look(text, "en").directives[0], look("Rain.\n\n" + text, "en").directives[0]
    assert before.fingerprint == after.fingerprint
    assert after.location.paragraph_start == before.location.paragraph_start + 1


def test_the_passage_is_the_chapters_own_text_even_when_it_is_not_normalised() -> None:
    import unicodedata

    text = unicodedata.normalize("NFD", "\n\n".join([CALM["ko"], CROWDED["ko"]]))
    report = look(text, "ko", {"same_ending_run": {}})
    directive = report.directives[0]
    assert directive.current_text == passage_text(Chapter(text).passage(1, 2, 2))
    assert directive.current_text in text


def judged(kind: DirectiveType, first: int, last: int, scene: int = 1) -> Directive:
    row = OPERATIONS[kind]
    return Directive(
        id="dir_x_001",
        type=kind,
        priority=row.priority,
        location=PassageLocation(scene_number=scene, paragraph_start=first, paragraph_end=last),
        issue="It tells.",
        instruction="Show it.",
        current_text=f"passage {kind.value} {scene} {first}-{last}",
        max_scope=row.max_scope,
        source_sha256=sha256_of(f"{kind.value} {scene} {first}-{last}"),
    )


# req: A10
def test_the_judges_findings_join_by_priority_with_ids_given_anew() -> None:
    text = "\n\n".join([CALM["en"], CROWDED["en"], CALM["en"]])
    code = look(text, "en")
    show = judged(DirectiveType.SHOW_NOT_TELL, 1, 2)
    merged = merge(code, [judged(DirectiveType.TRANSITION_SMOOTHING, 3, 3), show])
    assert types(merged) == ["show-not-tell", "filter-word-removal", "transition-smoothing"]
    assert merged.directives[0].id == "dir_show_not_tell_001"
    assert merged.suppressed == 0


def test_the_same_issue_twice_is_kept_once_as_code_found_it() -> None:
    code = look("\n\n".join([CALM["en"], CROWDED["en"]]), "en")
    merged = merge(code, [judged(DirectiveType.FILTER_WORD_REMOVAL, 2, 2)])
    assert [d.origin for d in merged.directives] == ["code"]
    assert overlaps(code.directives[0], judged(DirectiveType.FILTER_WORD_REMOVAL, 1, 2))
    assert not overlaps(code.directives[0], judged(DirectiveType.CUT, 2, 2))
    assert not overlaps(code.directives[0], judged(DirectiveType.FILTER_WORD_REMOVAL, 2, 2, 2))


def test_no_two_findings_have_one_id_shown_or_not() -> None:
    shows = [judged(DirectiveType.SHOW_NOT_TELL, n, n) for n in range(20, 27)]
    code = look("\n\n".join([CROWDED["en"], CALM["en"]] * 30), "en")
    merged = merge(code, shows, used_ids={"dir_filter_word_removal_002"})
    assert (len(merged.directives), len(merged.beyond)) == (5, 20)
    ids = {d.id for d in (*merged.directives, *merged.beyond)}
    assert len(ids | {"dir_filter_word_removal_002"}) == 26


# req: A10
def test_five_in_all_however_many_the_judge_brings() -> None:
    shows = [judged(DirectiveType.SHOW_NOT_TELL, n, n) for n in range(3, 9)]
    code = look("\n\n".join([CALM["en"], CROWDED["en"], *[CALM["en"]] * 8]), "en")
    merged = merge(code, shows)
    assert types(merged) == ["show-not-tell"] * 5
    assert merged.suppressed == 2
    assert merged.redraft_suggested


def test_merging_avoids_used_ids_and_forgotten_passages() -> None:
    show = judged(DirectiveType.SHOW_NOT_TELL, 1, 1)
    cut = judged(DirectiveType.CUT, 2, 2)
    merged = merge(
        CodeFindings(paragraphs=9),
        [show, cut],
        used_ids=["dir_cut_001", "dir-cut-002"],
        forgotten=[show.fingerprint],
    )
    assert [d.id for d in merged.directives] == ["dir_cut_003"]


def test_wordings_are_in_the_novels_language() -> None:
    for language, word in (("ko", "지각 동사"), ("en", "Filter words"), ("zh", "感知词")):
        directive = look(CROWDED[language], language).directives[0]
        assert word in directive.issue
        assert "{" not in directive.issue + directive.instruction


# req: A16
def test_what_published_prose_has_too_is_no_reason_to_propose() -> None:
    answers = " ".join(["비가 왔다. 문이 닫혔다. 그는 갔다."] * 3)
    assert measure(answers, load_pack("ko"))["same_ending_run"].ok is False
    assert types(look("\n\n".join([answers, "누굴까?"] * 4), "ko")) == []


def test_a_figure_that_is_built_three_times_is_left_alone() -> None:
    figure = (
        "He wanted the lamp and the boat. He wanted the lamp and the oars. He wanted the lamp and"
        " his brother. He wanted the lamp and the night. He wanted nothing else. He wanted her."
    )
    calm = [VARIED_OPENINGS * 2] * 8
    text = "\n\n".join([*calm[:4], figure, *calm[4:]])
    assert measure(text, load_pack("en"))["same_opening_run"].value > 3
    assert types(look(text, "en", OF_HER_OWN)) == []
    simile = "像是风，像是雨，像是远处的人声。他听着，好像睡着了，好像又醒着，好像谁在叫他。"
    assert types(look("\n\n".join([CALM["zh"] * 4, simile, CALM["zh"] * 3]), "zh")) == []


@pytest.mark.parametrize(
    ("language", "apart"),
    [
        ("en", "I felt the frost\nand heard no bell\nI thought of you\nand could not tell"),
        (
            "en",
            "Dear Nora,\n\nI felt cold and saw that the door had moved. Somebody, I thought, was"
            " there.\n\nYours ever, M.",
        ),
        ("en", "- She felt cold and noticed it\n- She saw and heard them\n- She thought so"),
        (
            "en",
            "NORA: I felt cold, I saw it, I thought so.\n\nJOSS: I felt it too, I saw, I heard.\n\n"
            "NORA: I thought you felt it.",
        ),
        ("ko", "[그녀는 추위를 느꼈다. 문이 열린 것 같았다. 누군가 있다고 생각했다.]"),
        (
            "ko",
            "은희에게\n\n나는 추위를 느꼈다. 문이 열린 것 같았다. 누군가 있다고 생각했다.\n\n"
            "오빠 보냄",
        ),
        ("zh", "亲爱的阿宁：\n\n我感到冷。门似乎开了。我觉得有人。\n\n兄 敬上"),
    ],
)
def test_verse_letters_lists_scripts_and_documents_are_left_alone(
    language: str, apart: str
) -> None:
    text = "\n\n".join([CALM[language], apart, CALM[language]])
    assert types(look(text, language)) == []
    text = "\n\n".join([CALM[language], CROWDED[language], CALM[language]])
    assert types(look(text, language)) == ["filter-word-removal"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_paragraph_that_stands_twice_is_never_cut_by_code(language: str) -> None:
    paragraph = CALM[language] * 4
    other = CALM[language][::-1]
    for text in ([paragraph, other, paragraph, other], [paragraph, other] * 3):
        assert types(look("\n\n".join(text), language)) == []


# req: A10
def test_a_leak_comes_before_every_other_finding_whoever_made_it() -> None:
    twice = [f"She counted the {thing} on the sill, and wrote it down." for thing in THINGS]
    leak = "I hope this chapter meets your expectations! Word count: 1,240."
    text = "\n\n".join([*twice, *twice, leak])
    chapter = Chapter(f"# 1\n\n{text}\n")
    code = look(chapter.text, "en")
    proposals = [judged(DirectiveType.CUT, n, n) for n in range(1, 6)]
    merged = merge(code, proposals)
    assert merged.directives[0].metric == "leaked_meta"
    assert len(merged.directives) == MAX_DIRECTIVES


THINGS = ("oil cans", "panes", "gulls", "boards", "keys", "nails")
