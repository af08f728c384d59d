"""SERIAL 2.2: a chapter far from its target is said to be short or long, with one offer."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.project.create import create_novel
from tests.cli.command import studio

TEXTS = {
    "ko": ("문이 열렸다. 아무도 없었다. ", "공백 포함", "장이 짧습니다", "장이 깁니다"),
    "zh": ("门开了，没有人。雨还在下。", "不含空格", "本章偏短", "本章偏长"),
    "en": ("The door opened and nobody was there to see it. ", "words", "is short", "is long"),
}
"""A stretch of prose, and the words of the count, of a short and of a long chapter."""


# req: K2
@pytest.mark.sampled
@pytest.mark.parametrize("language", ["ko", "zh", "en"])
@pytest.mark.parametrize(("percent", "said_of_it"), [(60, 2), (100, None), (140, 3)])
def test_a_chapter_far_from_its_target_says_so_in_its_review(
    tmp_path: Path, language: str, percent: int, said_of_it: int | None
) -> None:
    folder = tmp_path / "serial"
    create_novel(folder, "Serial", language)
    prose = TEXTS[language][0]
    one = len(prose.split()) if language == "en" else len(prose.strip())
    settings = folder / "studio.toml"
    target = one * 20
    count = target // one * percent // 100
    text = "\n\n".join([prose.strip()] * count)
    (tmp_path / "own.md").write_text(f"# 1\n\n{text}\n", "utf-8")
    lines = settings.read_text("utf-8").splitlines()
    lines = [f"chapter_length = {target}" if "chapter_length" in li else li for li in lines]
    settings.write_text("\n".join(lines) + "\n", "utf-8")
    environ = {"LC_ALL": f"{language}.UTF-8"}
    ended = studio("write", "1", "--draft", tmp_path / "own.md", cwd=folder, environ=environ)
    assert ended.code == 4, ended
    question = studio("decide", cwd=folder, environ=environ)
    words = TEXTS[language]
    for number in (2, 3):
        assert (words[number] in question.out + question.err) == (number == said_of_it)
    if said_of_it is not None:
        assert words[1] in question.out
        assert f"{percent}" in question.out
        data = studio("decide", "--json", cwd=folder).json["decision"]["data"]["length"]
        assert round(data["length"] / data["target"] * 100) == percent


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("ko", "분량이 목표와 많이 다릅니다:"),
        ("zh", "篇幅与要求相差较大："),
        ("en", "Its length is far from the one asked for:"),
    ],
)
@pytest.mark.parametrize(("count", "is_far"), [(30, True), (20, False)])
def test_where_nobody_is_asked_it_is_told_at_the_end(
    tmp_path: Path, language: str, sentence: str, count: int, is_far: bool
) -> None:
    folder = tmp_path / "serial"
    create_novel(folder, "Serial", language)
    prose = TEXTS[language][0].strip()
    target = 20 * (len(prose.split()) if language == "en" else len(prose))
    settings = folder / "studio.toml"
    lines = settings.read_text("utf-8").splitlines()
    lines = [f"chapter_length = {target}" if "chapter_length" in li else li for li in lines]
    settings.write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "own.md").write_text("# 1\n\n" + "\n\n".join([prose] * count) + "\n", "utf-8")
    environ = {"LC_ALL": f"{language}.UTF-8"}
    draft = ("write", "1", "--draft", tmp_path / "own.md", "--review", "accept")
    ended = studio(*draft, cwd=folder, environ=environ)
    assert ended.code == 0, ended
    assert (sentence in ended.out + ended.err) == is_far
