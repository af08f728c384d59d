"""`studio check`: any text, measured without a model."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from studio.project.create import create_novel
from studio.project.store import ProjectStore
from tests.cli.command import tree
from tests.cli.conftest import Typed

KEYS = {
    "schema_version",
    "language",
    "source_sha256",
    "characters",
    "words",
    "paragraphs",
    "sentences",
    "metrics",
    "directives",
    "suppressed",
}
METRIC_KEYS = {"value", "unit", "n", "threshold", "ok", "spans", "reference", "place"}
KOREAN = "# 밤\n\n그는 문이 열리는 것을 느꼈다. “누구세요?” 그녀가 물었다. 비가 왔다.\n"


@pytest.fixture
def korean(tmp_path: Path) -> Path:
    file = tmp_path / "밤.md"
    file.write_text(KOREAN, "utf-8")
    return file


def test_json_holds_the_contract_and_nothing_else(korean: Path, typed: Typed) -> None:
    report = typed("check", korean, "--json").json
    assert set(report) == KEYS
    assert report["source_sha256"] == hashlib.sha256(KOREAN.encode()).hexdigest()
    for metric in report["metrics"].values():
        assert set(metric) == METRIC_KEYS
        for span in metric["spans"]:
            assert KOREAN[span["start"] : span["end"]] == span["text"]


# req: A16
def test_a_chapter_stands_somewhere_among_published_ones(tmp_path: Path, typed: Typed) -> None:
    paragraph = "강이 마을을 돌아 흘렀다. 배가 닻을 내렸고 개가 짖었다. 누가 등을 들고 나왔을까?"
    (tmp_path / "river.md").write_text("\n\n".join([paragraph] * 40), "utf-8")
    metric = typed("check", tmp_path / "river.md", "--json").json["metrics"]["dialogue_ratio"]
    assert set(metric["reference"]) == {"p5", "p50", "p95", "n"}
    assert metric["reference"]["n"] >= 36
    assert 0 <= metric["place"] < 0.05
    assert metric["threshold"] == {"min": 0.55, "max": 0.65}
    assert metric["ok"] is False
    assert "출간작" in typed("check", tmp_path / "river.md").out


def test_the_language_is_guessed_or_given(korean: Path, typed: Typed) -> None:
    assert typed("check", korean, "--json").json["language"] == "ko"
    assert typed("check", korean, "--language", "zh", "--json").json["language"] == "zh"
    assert typed("check", korean, "--language", "fr").code == 2


def test_findings_are_no_failure_and_readable(korean: Path, typed: Typed) -> None:
    ended = typed("check", korean)
    assert ended.code == 0
    assert "같은 끝맺음" not in ended.out
    assert "눈에 띄는 수치가 없다." in ended.out


# req: A10
def test_how_dense_filter_words_are_stands_in_no_report_until_she_sets_a_target(
    korean: Path, typed: Typed
) -> None:
    assert "느꼈다" not in typed("check", korean).out
    metric = typed("check", korean, "--json").json["metrics"]["filter_word_density"]
    assert metric["spans"]
    assert metric["place"] is None


def test_a_chapter_is_measured_by_the_novels_own_targets(novel: Path, typed: Typed) -> None:
    (novel / "chapters").mkdir(exist_ok=True)
    (novel / "chapters/chapter-001.md").write_text("# One\n\nShe saw the sea.\n")
    with (novel / "studio.toml").open("a") as file:
        file.write("filter_word_density = { max = 7 }\n")
    metric = typed("check", "1", "--json").json["metrics"]["filter_word_density"]
    assert metric["threshold"] == {"max": 7.0}
    assert "\nFilter words: " in typed("check", "1").out
    other = typed("check", "1", "--json", "--language", "ko").json["metrics"]
    assert other["filter_word_density"]["threshold"] != {"max": 7.0}


def test_a_file_named_like_a_number_is_a_file(novel: Path, typed: Typed) -> None:
    (novel / "7").write_text("The tide came in.\n")
    assert typed("check", "7", "--json").json["sentences"] == 1


def test_a_chapter_that_is_not_there_is_named_with_those_that_are(
    novel: Path, typed: Typed
) -> None:
    ended = typed("check", "4")
    assert ended.code == 2
    assert "There is no chapter 4." in ended.err
    assert typed("check", "0").code == 2


def test_a_text_of_another_encoding_is_refused_with_its_byte(tmp_path: Path, typed: Typed) -> None:
    (tmp_path / "old.md").write_bytes("비가 왔다.".encode("cp949"))
    ended = typed("check", tmp_path / "old.md")
    assert ended.code == 2
    assert "byte 0" in ended.err


def test_a_missing_file_is_a_mistake_in_usage(tmp_path: Path, typed: Typed) -> None:
    assert typed("check", tmp_path / "nothing.md").code == 2
    assert typed("check").code == 2


def test_checking_changes_nothing(tmp_path: Path, typed: Typed) -> None:
    create_novel(tmp_path / "book", "夜", "zh")
    (tmp_path / "夜.md").write_text("# 夜\n\n雨停了。她觉得冷。\n", "utf-8")
    before = tree(tmp_path)
    assert typed("check", tmp_path / "夜.md", "--project", tmp_path / "book").code == 0
    assert tree(tmp_path) == before


def test_an_empty_text_is_measured_too(tmp_path: Path, typed: Typed) -> None:
    (tmp_path / "empty.md").write_text("")
    assert typed("check", tmp_path / "empty.md", "--json").json["paragraphs"] == 0


def test_a_chapter_is_measured_beside_the_text_it_began_as(novel: Path, typed: Typed) -> None:
    draft, revised = "# One\n\nThe lamp swung.\n", "# One\n\nThe iron lamp swung slowly over it.\n"
    store = ProjectStore(novel)
    store.staging_of(1).put_text("# One\n\nAn older draft.\n")
    store.history.keep("chapters/chapter-001.md", b"# One\n\nAn older text.\n", "committed")
    store.staging_of(1).put_text(draft)
    store.staging_of(1).put_text(revised)
    store.history.keep("chapters/chapter-001.md", revised.encode(), "committed")
    growth = typed("check", "1", "--json").json["metrics"]["length_growth"]
    assert (growth["n"], growth["value"]) == (3, pytest.approx(4 / 3))


def test_a_chapter_is_measured_beside_those_before_it(novel: Path, typed: Typed) -> None:
    said = "The iron lamp swung slowly over the black water all night."
    (novel / "chapters").mkdir(exist_ok=True)
    (novel / "chapters/chapter-001.md").write_text(f"# One\n\n{said}\n")
    (novel / "chapters/chapter-002.md").write_bytes(b"\xff not text")
    (novel / "chapters/chapter-003.md").write_text(f"# Three\n\nRain. {said}\n")
    first = typed("check", "1", "--project", novel, "--json").json["metrics"]["echoes"]
    third = typed("check", "3", "--project", novel, "--json").json["metrics"]["echoes"]
    assert (first["value"], first["n"]) == (0, 0)
    assert (third["value"], third["n"], third["ok"]) == (1, 1, None)
    assert third["spans"][0]["text"] in said


def test_japanese_is_not_measured_as_chinese(tmp_path: Path, typed: Typed) -> None:
    file = tmp_path / "watashi.md"
    file.write_text("# 渡し場\n\n男は縄を数えながら、こちらを見ようともしなかった。\n", "utf-8")
    for ended in (
        typed("check", file),
        typed("import", file, "--into", tmp_path / "novel", "--title", "渡し場"),
    ):
        assert ended.code == 2
        assert "written in Japanese" in ended.err
        assert "--language" in ended.err
    assert not (tmp_path / "novel").exists()
    assert typed("check", file, "--language", "zh").code == 0


@pytest.mark.repairs("S18")
@pytest.mark.parametrize(
    ("language", "plain", "leaks"),
    [
        (
            "en",
            "The river bent round the village, and nobody came down to the boats.",
            ("I hope this scene works", "A/N: thanks for all the reviews!"),
        ),
        (
            "ko",
            "강이 마을을 돌아 흘렀고 배에는 아무도 내려오지 않았다.",
            ("【작가의 말】 선작과 추천 부탁드립니다!", "이 장면이 마음에 드셨기를 바랍니다."),
        ),
        (
            "zh",
            "河水绕着村子流过去，没有人到船上来。",
            ("【作者有话说】求收藏，求推荐票！", "希望这个场景还可以。"),
        ),
    ],
)
def test_what_is_said_about_the_text_is_found_whatever_its_brackets(
    tmp_path: Path, typed: Typed, language: str, plain: str, leaks: tuple[str, ...]
) -> None:
    for leak in leaks:
        file = tmp_path / "chapter.md"
        file.write_text(f"# 1\n\n{plain}\n\n{leak}\n\n{plain[::-1]}\n", "utf-8")
        report = typed("check", file, "--language", language, "--json").json
        findings = [(d["type"], d["currentText"]) for d in report["directives"]]
        # whoever writes to readers knows it: named, and no cut
        is_to_readers = leak.startswith(("A/N", "【作", "【작"))
        assert findings == ([] if is_to_readers else [("cut", leak)])
        assert leak in json.dumps(report, ensure_ascii=False)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "I hope this helps! Please let me know if you have any comments."),
        ("en", "I've revised the scene. Please let me know if you'd like me to follow it up."),
        ("ko", "요청하신 장면을 수정했습니다. 읽어 보시고 고칠 부분이 있으면 말씀 부탁드립니다."),
        ("zh", "希望您喜欢这一章，感谢阅读！如果需要继续，请告诉我。"),
    ],
)
def test_the_words_of_a_machine_are_cut_however_polite(
    tmp_path: Path, typed: Typed, language: str, line: str
) -> None:
    plain = {
        "en": "The ferry came in late, and the rope was wet.",
        "ko": "배가 늦게 들어왔고 밧줄은 젖어 있었다.",
        "zh": "船来得很晚，绳子都湿了。",
    }[language]
    file = tmp_path / "chapter.md"
    file.write_text(f"# 1\n\n{plain}\n\n{line}\n\n{plain[::-1]}\n", "utf-8")
    report = typed("check", file, "--language", language, "--json").json
    assert [(d["type"], d["currentText"]) for d in report["directives"]] == [("cut", line)]
