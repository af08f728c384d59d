from __future__ import annotations

import hashlib
import json
import unicodedata

import pytest

from studio.errors import StudioError
from studio.i18n import LANGUAGES
from studio.story.form.document import to_bytes
from studio.text.language.packs import load_pack
from studio.text.language.script import guess_language, is_japanese
from studio.text.metrics.metric_kinds import METRIC_NAMES, METRICS
from studio.text.oracle.report import check_text, render
from tests.text.findings import CALM, CROWDED

TEXT = {
    language: f"# {CALM[language][:3]}\n\n{CALM[language]}\n\n* * *\n\n{CROWDED[language]}\n"
    for language in LANGUAGES
}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (TEXT["ko"], "ko"),
        (TEXT["en"], "en"),
        (TEXT["zh"], "zh"),
        (unicodedata.normalize("NFD", TEXT["ko"]), "ko"),
        ("그는 John에게 『論語』를 주었다.", "ko"),
        ("他说 hello，然后走了。", "zh"),
        ("She said 안녕 and left the room at once.", "en"),
        ("", "en"),
        ("1234 !?", "en"),
    ],
)
def test_the_language_is_the_script_that_says_most(text: str, language: str) -> None:
    assert guess_language(text) == language
    assert not is_japanese(text)


@pytest.mark.parametrize(
    ("text", "japanese"),
    [
        ("渡し場の男は縄を数えながら、こちらを見ようともしなかった。", True),
        ("ランプを持って階段を降りると、水の音がした。", True),
        ("他在神保町的「さくら書店」里翻到一本旧书，老板没有抬头。", False),
        ("She said ありがとう and left the room at once.", False),
        ("그는 のれん을 걷고 가게로 들어섰다.", False),
    ],
)
def test_japanese_is_no_chinese(text: str, japanese: bool) -> None:
    assert is_japanese(text) is japanese


# req: A18
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_has_everything_the_contract_names(language: str) -> None:
    report = json.loads(to_bytes(check_text(TEXT[language])))
    assert report["schema_version"] == 1
    assert report["language"] == language
    assert report["source_sha256"] == hashlib.sha256(TEXT[language].encode()).hexdigest()
    assert (report["paragraphs"], report["suppressed"]) == (2, 0)
    assert set(report["metrics"]) == set(METRIC_NAMES)
    for metric in report["metrics"].values():
        assert set(metric) == {
            "value",
            "unit",
            "n",
            "threshold",
            "ok",
            "spans",
            "reference",
            "place",
        }
        assert isinstance(metric["value"], int | float)
        for span in metric["spans"]:
            assert TEXT[language][span["start"] : span["end"]] == span["text"]
    kinds = [d["type"] for d in report["directives"]]
    assert "filter-word-removal" in kinds
    assert report["directives"][kinds.index("filter-word-removal")]["location"] == {
        "sceneNumber": 2,
        "paragraphStart": 1,
        "paragraphEnd": 1,
    }


@pytest.mark.parametrize(
    ("text", "language", "counts"),
    [
        ("# Title\n\nTwo words.\n\n* * *\n\nThree more words—here.", "en", (29, 6, 2, 2)),
        ("# 제목\n\n두 단어다.\n\n세 어절이 있다.", "ko", (12, 5, 2, 2)),
        ("# 题目\n\n四个字啊。\n\n雨 停了。OK", "zh", (11, 8, 2, 3)),
    ],
)
def test_counts_leave_out_title_and_scene_breaks(
    text: str, language: str, counts: tuple[int, ...]
) -> None:
    report = check_text(text, language)
    assert (report.characters, report.words, report.paragraphs, report.sentences) == counts


def test_the_source_is_the_text_as_given_not_its_normal_form() -> None:
    decomposed = unicodedata.normalize("NFD", TEXT["ko"])
    report = check_text(decomposed)
    assert report.source_sha256 == hashlib.sha256(decomposed.encode()).hexdigest()
    assert report.metrics == check_text(TEXT["ko"]).metrics


# req: A18
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_and_where_in_the_language_of_the_prose(language: str) -> None:
    pack = load_pack(language)
    labels = {
        name: pack.report["named"].format(name=pack.metric_names[name].label, words="")
        for name in METRIC_NAMES
    }
    report = check_text(TEXT[language])
    page = render(report, TEXT[language])
    there = [name for name, words in labels.items() if f"\n{words}" in page]
    for name in there:
        usual = report.metrics[name].reference
        assert usual is not None
        assert not usual.p5 <= report.metrics[name].value <= usual.p95, name
    assert len(there) < 2
    assert (pack.report["no_numbers"] in page) == (not there)
    assert page.endswith("\n")
    targets = {name: {METRICS[name].sides[0]: 0.0} for name in METRIC_NAMES}
    asked = render(check_text(TEXT[language], targets=targets), TEXT[language])
    for name, words in labels.items():
        assert (f"\n{words}" in asked) == METRICS[name].is_reported, name
    assert pack.report["place"].format(scene=2, paragraph=1) in asked


def test_the_page_is_harmless_for_a_terminal() -> None:
    text = "She felt \x1b[31mthat. <think>\x1b]0;x\x07 He thought \u202eit."
    assert "\x1b" not in render(check_text(text), text)


def test_a_long_list_of_places_is_shortened_and_a_quiet_text_says_so() -> None:
    text = "\n\n".join(["It was cold — and dark — and late."] * 30)
    page = render(check_text(text), text)
    assert "and 54 more" in page  # of sixty dashes
    assert "4 more were found" not in page
    assert "Nothing to propose" in render(check_text("It rained."), "It rained.")


def test_targets_and_languages_nobody_knows_are_named() -> None:
    with pytest.raises(StudioError, match="'xx'"):
        check_text("Rain.", "xx")
    with pytest.raises(StudioError, match="speed"):
        check_text("Rain.", "en", {"speed": {"max": 1}})


def test_a_whole_text_without_structure_is_one_paragraph() -> None:
    report = check_text("no full stop, no capital")
    assert (report.paragraphs, report.sentences, report.words) == (1, 1, 5)


@pytest.mark.parametrize(
    "text", ["Rain _ fell.", "“Rain _ fell.”", "Rain  _ fell.", "Rain\n_ fell."]
)
def test_a_lone_mark_is_no_word_whatever_stands_around_it(text: str) -> None:
    assert check_text(text, "en").words == 2
