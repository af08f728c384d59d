"""What code advises: motifs and stray levels of speech. Fixes are not among it."""

from __future__ import annotations

import pytest

from studio.story.chapter import Chapter
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from studio.text.metrics.repetition import motifs, slips
from studio.text.oracle.advice import advice, stray_levels
from studio.text.oracle.directives import findings
from studio.text.oracle.report import check_text, render
from studio.text.oracle.speech_levels import lines
from studio.text.prose.parse import read

KO, EN = load_pack("ko"), load_pack("en")
STRICT = {"repetition": {"max": 0.1}}
FILL = "\n\n".join(
    [
        "The ferry leaned on its ropes and nobody came down to it.",
        "A boy sold chestnuts by the customs shed until his pan went cold.",
        "Two sailors carried a wardrobe past, arguing over which of them was the front.",
        "The rain went out to sea and stood there.",
    ]
)
UNLIKE = " ".join(f"{a}{b}or {b}{a}im." for a in "BDFGKLMNP" for b in "aeiou")
"""Long enough for a verdict, no two words alike."""
MOTIF = (
    f"The station clock said four minutes past eleven.\n\n{FILL}\n\nHer watch agreed: four"
    f" minutes past eleven.\n\n{FILL}\n\nIn the photograph too it was four minutes past eleven."
)
ECHO = "He wiped the long oak table down.\n\nThen she came and leaned on the long oak table too."
TALK = """“계장님, 이게 뭡니까?” 기태가 물었다.

“폐쇄 등기부야.” 달수가 대답했다.

“태우실 겁니까?”

“태워야 돼.”

“안 됩니다.”

“왜 안 돼?”

기태는 장부를 덮었다.

“하나가 겹칩니다.” 기태가 말했다.

“뭐가 겹쳐?”

{line}

“뭐라고 했어?” 달수가 물었다."""
STRAY = "“이거 태우면 너도 끝이야.” 기태가 말했다."


def test_what_spans_the_chapter_is_a_motif_and_no_fix() -> None:
    text = "\n\n" + MOTIF
    reading = read(text, EN)
    assert slips(reading) == []
    assert motifs(reading) == ["four minutes past eleven"]


def test_a_motif_is_told_once_as_advice() -> None:
    text = "\n\n" + MOTIF + "\n\n" + UNLIKE
    metrics = measure(text, EN, STRICT)
    assert metrics["repetition"].ok is False
    outcome = findings(Chapter(text), EN, metrics)
    assert [d for d in outcome.directives if d.metric == "repetition"] == []
    (motif,) = advice(read(text, EN), metrics)
    assert motif.kind == "advice"
    assert "minutes past eleven" in motif.issue
    report = check_text(text, "en", STRICT)
    assert report.advice == (motif,)
    assert f"Advice\n- {motif.issue}" in render(report, text)
    assert advice(read(text, EN), measure(text, EN)) == ()


def test_an_echo_within_earshot_is_still_a_fix() -> None:
    text = "\n\n" + ECHO + "\n\n" + UNLIKE
    outcome = findings(Chapter(text), EN, measure(text, EN, STRICT))
    (fix,) = (d for d in outcome.directives if d.metric == "repetition")
    assert "long oak table" in fix.issue


def test_what_opens_its_sentence_each_time_is_said_twice_on_purpose() -> None:
    text = "\n\nThree bells rang dully over the yard. Three bells rang dully in the town."
    assert slips(read(text, EN)) == []


def test_the_lines_of_two_people_are_told_apart() -> None:
    speech = lines(read("\n\n" + TALK.format(line=STRAY), KO))
    assert [line.speaker for line in speech] == ["기태", "달수"] * 5
    assert all(line.listener != line.speaker for line in speech)


def test_a_third_person_or_a_tag_out_of_turn_leaves_lines_unknown() -> None:
    third = TALK.format(line="“그만들 하세요.” 순자가 말했다.")
    assert lines(read("\n\n" + third, KO)) == []
    out_of_turn = TALK.format(line="“뭐가 겹치냐고.” 달수가 물었다.")
    speech = lines(read("\n\n" + out_of_turn, KO))
    assert all(line.tagged for line in speech[6:])


# req: A18
def test_a_line_in_another_level_than_the_speaker_keeps_to_is_advice_with_both_quotes() -> None:
    text = "\n\n" + TALK.format(line=STRAY)
    (remark,) = stray_levels(read(text, KO))
    assert (remark.kind, remark.origin, remark.scene) == ("advice", "code", 1)
    assert "계장님, 이게 뭡니까?" in remark.issue
    assert "너도 끝이야" in remark.issue
    report = check_text(text, "ko")
    assert report.advice == (remark,)
    assert [d for d in report.directives if "끝이야" in d.issue] == []


@pytest.mark.parametrize(
    "line",
    [
        "“그래도 겹칩니다.” 기태가 말했다.",
        "“아, 춥다.” 기태가 말했다.",
        "“끝이야. 끝입니다.” 기태가 말했다.",
        "“이거 태우면 너도 끝이야.”",
        "‘이거 태우면 너도 끝이야.’ 기태는 생각했다.",
    ],
    ids=["same level", "to himself", "both kinds", "no tag", "thought"],
)
def test_a_line_that_may_be_meant_or_may_be_another_s_is_not(line: str) -> None:
    assert list(stray_levels(read("\n\n" + TALK.format(line=line), KO))) == []


def test_other_languages_have_no_levels() -> None:
    assert list(stray_levels(read("\n\n“Stop,” Ann said.\n\n“No,” Tom said.", EN))) == []


LONG = {
    "en": "She counted the oil cans on the sill, wrote the number down in the book, and locked it."
    " Then she went up to the lamp, and the wind came with her as far as the landing.",
    "ko": "정순은 창턱에 놓인 기름통을 세고 그 수를 장부에 적은 다음 열쇠를 돌렸다. 그러고는 등실로"
    " 올라갔고, 바람이 층계참까지 그녀를 따라왔다. 아무도 그녀를 부르지 않았다.",
    "zh": "她数了数窗台上的油罐，把数目记在本子上，锁好了门。随后她上楼去点灯，风一直跟到楼梯拐角，"
    "再没有人叫她。灯下的海黑得像一块旧布，船都回来了，只有一条还在外面。",
}
OTHER = {
    "en": "A boy sold chestnuts by the customs shed until his pan went cold.",
    "ko": "세관 창고 옆에서 아이 하나가 밤을 팔았다.",
    "zh": "海关仓库旁边有个孩子在卖栗子。",
}


def said_of_doubles(language: str, *paragraphs: str) -> list[str]:
    text = "# 1\n\n" + "\n\n".join(paragraphs)
    pack = load_pack(language)
    counsels = advice(read(text, pack), measure(text, pack))
    assert all(counsel.kind == "advice" and counsel.origin == "code" for counsel in counsels)
    return [str(counsel.issue) for counsel in counsels]


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_a_paragraph_that_stands_twice_is_counsel_with_both_places(language: str) -> None:
    other, long = OTHER[language], LONG[language]
    words = said_of_doubles(language, other, long, other[::-1], long, other)
    assert len(words) == 1
    assert "1.2" in words[0]
    assert "1.4" in words[0]


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_letters_drafts_of_them_and_refrains_may_stand_twice(language: str) -> None:
    other, long = OTHER[language], LONG[language]
    greeting = {"en": "Dear Joss,", "ko": "조스에게", "zh": "亲爱的乔斯："}[language]
    closing = {"en": "Yours, Mara", "ko": "정순 드림", "zh": "玛拉 敬上"}[language]
    letter = [greeting, long, closing]
    draft = [greeting, long, other]
    announced = {"en": "She wrote:", "ko": "그녀는 다시 적었다:", "zh": "她又写道："}[language]
    for paragraphs in (
        [other, *letter, other[::-1], *letter],
        [other, *draft, other[::-1], *draft],
        [other, announced, long, other[::-1], announced, long],
        [other, f"“{long}”", other[::-1], f"“{long}”", other],
        [other, f"*{long}*", other[::-1], f"*{long}*", other],
        [long, other, other[::-1], long],
        [long, other, "* * *", long, other[::-1]],
        [other, long, "* * *", other[::-1], long],
        [long, other, long, other[::-1], long],
    ):
        assert said_of_doubles(language, *paragraphs) == [], paragraphs


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_a_scene_that_stands_twice_is_no_refrain(language: str) -> None:
    scene = [LONG[language], LONG[language][::-1]]
    assert len(said_of_doubles(language, *scene, "* * *", *scene)) == 2
