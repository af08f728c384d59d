"""What stands in a chapter and is no narration, though no quotation marks say so: talk, messages,
lines of a panel or a plan, the place of a picture. Nothing of it is counted or cut."""

from __future__ import annotations

import pytest

from studio.text.language.packs import load_pack
from studio.text.metrics.habits import FORMS
from studio.text.metrics.measure import measure
from studio.text.oracle.patterns import book_patterns, patterns
from studio.text.oracle.report import check_text
from studio.text.prose.parse import Reading, read
from tests.text.tics import paragraphs

PLAIN = {
    "en": "The ferry leaned on its ropes and nobody came down to it that whole long evening.",
    "ko": "나루에는 배가 두 척 묶여 있었고 저녁이 다 가도록 내려오는 사람이 아무도 없었다.",
    "zh": "渡口拴着两条船，缆绳绷得很紧，整个傍晚都没有人从堤上走下来，水慢慢漫过了石阶。",
}


def cuts(text: str, language: str) -> list[str]:
    plain = PLAIN[language]
    report = check_text(f"{plain}\n\n{text}\n\n{plain}", pack=load_pack(language))
    return [d.current_text for d in report.directives if d.metric == "leaked_meta"]


def notes(text: str, language: str) -> float:
    plain = PLAIN[language]
    return measure(f"{plain}\n\n{text}\n\n{plain}", load_pack(language))["leaked_meta"].value


TALK = {
    "en": (
        "No, he said, not the small boat.",
        "Nobody goes out, she said. Not today.",
        "Nothing to fear, said the pilot. Never was.",
        "No. Not with that sail, the old man said.",
        "Nobody asked you, he said. Nothing helps.",
        "Not the oars. No, said the boy, take mine.",
        "Never again, she said. No boats.",
        "No one, you said? she asked. Nobody at all.",
    ),
    "zh": (
        "不去，他说。没有船。",
        "他低声问，谁动了缆绳。没有人。",
        "她说，不怕。不是今晚。",
        "老人答：没用。没有桨。",
        "不卖，她说。没有价。",
        "少年问，灯呢。不见了。",
        "他又说，没风。不是好天。",
        "船主喊，别等。没有人。",
    ),
}
DENIED = {
    "en": "Nothing moved on the water. Nobody answered.",
    "zh": "灯灭了一盏。没有人说话。",
}


def with_blocks(blocks: list[str], language: str) -> Reading:
    """A chapter without a word in quotation marks, with the blocks spread over it."""
    plain = [p for p in paragraphs(language) if not any(mark in p for mark in '“"「')]
    apart = len(plain) // len(blocks)
    rows = [[block, *plain[n * apart : (n + 1) * apart]] for n, block in enumerate(blocks)]
    return read("\n\n".join(paragraph for row in rows for paragraph in row), load_pack(language))


@pytest.mark.parametrize("language", TALK)
def test_talk_without_quotation_marks_is_no_habit_of_the_narration(language: str) -> None:
    for blocks, count in ([DENIED[language]] * 16, 1), ([*TALK[language]] * 2, 0):
        reading = with_blocks(blocks, language)
        assert len(FORMS["negation"](reading)) > 8
        assert sum(tic.words == "negation" for tic in patterns(reading)) == count
        book = book_patterns(dict.fromkeys((1, 2, 3, 4), reading))
        assert sum(tic.words == "negation" for tic in book) == count


@pytest.mark.parametrize("line", ["Age: Forty-one.", "She typed: Are you there?"])
def test_what_a_file_or_a_message_says_behind_a_colon_is_no_colon_of_narration(line: str) -> None:
    pack = load_pack("en")
    assert FORMS["colon"](read(f"{PLAIN['en']}\n\n{line}\n\n{PLAIN['en']}", pack)) == []
    own = "He knew one thing: the boat was gone."
    assert FORMS["colon"](read(own, pack))


@pytest.mark.parametrize("language", ["zh", "ko"])
def test_a_voice_in_the_head_is_speech_and_a_line_of_a_system_is_none(language: str) -> None:
    pack = load_pack(language)
    voice = {
        "zh": "【我能感觉到你。】她的声音很轻，【别回头。】",
        "ko": "【네가 느껴져.】 그녀의 목소리는 작았다. 【돌아보지 마.】",
    }[language]
    [(_, part)] = read(voice, pack).prose
    assert len(part.speech) == 2
    named = {"zh": "他走进【白石号】的船舱。", "ko": "그는 【백석호】 선실로 들어갔다."}[language]
    [(_, part)] = read(named, pack).prose
    assert part.speech == ()


PANELS = [
    ("zh", "【目标：灯塔】\n\n【修改内容：推迟点灯（三天）】\n\n【风险：高】\n\n【胜算：四成】"),
    ("zh", "目标：灯塔的钟。\n\n修改内容：把钟拨慢一刻。\n\n理由：让船先走。"),
    ("zh", "【备注：此灯已标记“暂时不用”】\n\n“暂时不用”？他笑了一声。"),
    (
        "ko",
        "【목표: 등대】\n\n【수정 내용: 점등을 사흘 늦춤】\n\n【위험: 높음】\n\n【승산: 사 할】",
    ),
    ("ko", "【비고: 이 등은 ‘당분간 쓰지 않음’으로 표시됨】\n\n‘당분간 쓰지 않음’? 그는 웃었다."),
    (
        "en",
        "[Target: the lamp]\n\n[Changes: 1. lit three days late]\n\n[Risk: high]\n\n[Odds: poor]",
    ),
    ("en", "Target: the lamp.\n\nChanges: 1. Light it three days late.\n\nReason: the boats."),
]


@pytest.mark.parametrize(("language", "text"), PANELS)
def test_no_line_is_cut_out_of_a_panel_a_plan_or_what_somebody_answers(
    language: str, text: str
) -> None:
    assert cuts(text, language) == []


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("zh", "【下章预告】\n\n灯塔里的人为什么没有走？"),
        ("ko", "[다음 화 예고]\n\n등대지기는 왜 떠나지 않았을까?"),
        ("en", "{{fig:harbour}}"),
        ("ko", "{{그림: 나루}}"),
        ("zh", "{{插图：渡口}}"),
        ("en", "[image: …]"),
        ("en", "[Illustration]"),
        ("en", "![the harbour](pictures/harbour.png)"),
        ("ko", "[그림: 나루]"),
        ("zh", "【图片：渡口】"),
        ("en", "TL: Sorry, the rope has another name there."),
        ("en", "ED : spacing mended in this one."),
    ],
)
def test_a_preview_a_picture_and_a_translators_note_are_named_and_not_cut(
    language: str, line: str
) -> None:
    assert notes(line, language) == 1
    assert cuts(line, language) == []


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("ko", "[몰입도 체크: 8/10 | 예상 가능성: 3/10]"),
        ("ko", "(중간 전개 분석: 나루 장면으로 긴장을 늦추지 않으면서 관계를 드러냄.)"),
        ("en", "[Immersion check: 8/10 | Predictability: 3/10]"),
        ("en", "(Scene analysis: the quay keeps the tension and shows what binds the two.)"),
        ("zh", "【代入感评分：8/10｜可预测性：3/10】"),
        ("zh", "（剧情分析：渡口一场保持张力，同时交代两人的关系。）"),
    ],
)
def test_scores_and_an_analysis_of_the_text_are_named_and_cut(language: str, line: str) -> None:
    assert notes(line, language) == 1
    assert cuts(line, language) == [line]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("ko", "[호감도: 8/10]"),
        ("ko", "[몰입도: 8/10]"),
        ("en", "[Immersion: 8/10]"),
        ("zh", "【好感度：8/10】"),
        ("zh", "【张力：8/10】"),
    ],
)
def test_one_value_of_a_game_is_no_score_of_the_text(language: str, line: str) -> None:
    assert notes(line, language) == 0


def test_the_fields_of_a_file_are_cut_though_they_stand_in_a_block() -> None:
    block = "scene_number: 3\n\ntitle: Tide\n\nsource: mine\n\nowner: me"
    assert cuts(block, "en") == ["scene_number: 3"]


@pytest.mark.parametrize(("steps", "count"), [(72, 1), (108, 0)])
def test_dashes_of_a_first_person_are_a_habit_only_far_beyond_published_prose(
    steps: int, count: int
) -> None:
    verbs = ("lit", "trimmed", "shaded", "lowered", "hung", "filled", "found", "wiped", "turned")
    lines = [f"I counted the boats — all nine of them — and {verb} the lamp." for verb in verbs]
    walk = "\n\n".join(["I walked home along the dyke and counted the steps."] * (steps // 9))
    text = "\n\n".join(f"{line}\n\n{walk}" for line in lines)
    for by_one, patterns_found in ((True, count), (False, 1)):
        words = text if by_one else text.replace("I ", "She ")
        reading = read(words, load_pack("en"))
        assert reading.is_told_by_one == by_one
        assert 9.2 < 1000 * len(FORMS["dash"](reading)) / reading.units < 24
        assert sum(tic.words == "dash" for tic in patterns(reading)) == patterns_found
