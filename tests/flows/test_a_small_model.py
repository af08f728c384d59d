"""A small model is asked in the novel's language, or the studio says that it has none of it
(WRITING 7.8)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from studio.i18n import Language
from studio.llm.providers.gguf import read_header
from studio.llm.providers.profiles import profile_of_file
from tests.cli.command import studio
from tests.fake_messages import FakeMessages, Rule
from tests.fake_stream import Asked
from tests.llm.gguf_files import gguf, save

SMALL = 500_000_000
LINES: dict[Language, tuple[str, str, str]] = {
    "en": ("Ness weighs the salt twice.", "Ness", "The scale came down on the left, as it had."),
    "ko": (
        "순이가 소금을 두 번 단다.",
        "순이",
        "저울이 왼쪽으로 기울었다. 순이는 추를 더 얹었다.",
    ),
    "zh": ("阿盐把盐称了两遍。", "阿盐", "秤杆往左边沉了下去。阿盐又添了一个砣。"),
}
NAMES = {"en": "English", "ko": "Korean", "zh": "Chinese"}


def begun(folder: Path, language: Language) -> Path:
    """A new novel whose first chapter is planned in one sentence of hers, with its viewpoint and
    place."""
    assert studio("new", folder, "--title", "Salt", "--language", language).code == 0
    sentence, who, _ = LINES[language]
    plan = folder / "volumes/vol-01/chapter-contracts/chapter-001.json"
    plan.parent.mkdir(parents=True, exist_ok=True)
    plan.write_text(
        f'{{"chapter": 1, "volume": 1, "title": "1", "objectives": ["{sentence}"],'
        f' "storyline_id": "main", "pov": "keeper", "location": "salt-house"}}',
        "utf-8",
    )
    (folder / "characters/active/keeper.json").write_text(
        f'{{"schema_version": 1, "id": "keeper", "name": "{who}"}}', "utf-8"
    )
    return folder


@pytest.mark.sampled
@pytest.mark.parametrize("language", LINES)
def test_it_is_asked_in_the_language_of_the_novel(
    tmp_path: Path, own_home: Path, language: Language
) -> None:
    words = LINES[language][2]

    def answering(asked: Asked) -> Rule | None:
        return Rule(text="\n\n".join([words] * 6)) if asked.schema is None else None

    novel = begun(tmp_path / "novel", language)
    with FakeMessages(answering=answering) as server:
        config = own_home / "config/studio/config.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(
            f'[provider]\nbase_url = "{server.url}"\n'
            f'[provider.endpoints."{server.url}"]\nshort_prompts = true\nwindow = 8192\n'
        )
        done = studio("write", "--review", "reject", "--project", novel)
        prompts = [asked.prompt for asked in server.asked if asked.schema is None]
    assert done.code == 0, done.err
    assert "is not made for" not in done.err
    assert LINES[language][0].rstrip(".。") in prompts[0]
    foreign = re.findall(r"[A-Za-z]{2,}", " ".join(prompts))
    assert bool(foreign) == (language == "en"), foreign


@pytest.mark.sampled
@pytest.mark.parametrize("language", LINES)
@pytest.mark.parametrize(
    ("header", "speaks"),
    [
        ({}, ("en", "ko", "zh")),
        ({"general.languages": ["zh", "ja"]}, ("zh",)),
        ({"general.languages": None}, ("en",)),
        ({"tokenizer.chat_template": None, "general.languages": ["en"]}, ("en",)),
    ],
    ids=["all", "chinese", "silent", "no-template"],
)
def test_a_file_that_has_not_the_novels_language_is_said_to_have_none(
    tmp_path: Path, own_home: Path, language: Language, header: dict[str, object], speaks: list[str]
) -> None:
    novel = begun(tmp_path / "novel", language)
    file = save(tmp_path / "small.gguf", gguf(SMALL, header), SMALL)
    assert set(profile_of_file(read_header(file)).languages) == set(speaks)
    environ = {"STUDIO_PROVIDER": "embedded"}
    config = own_home / "config/studio/config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f'[provider.embedded]\nmodel_file = "{file}"\n')
    said = studio("write", "--review", "reject", "--project", novel, environ=environ).err
    assert "It drafts" in said, "what it cannot do is said as well"
    assert (f"is not made for {NAMES[language]}" in said) == (language not in speaks), said


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "words"),
    [("ko", "한국어용으로 만든 것이 아닙니다"), ("zh", "并非为中文而做")],
)
def test_a_writer_in_another_language_reads_it_in_hers(
    tmp_path: Path, own_home: Path, language: Language, words: str
) -> None:
    novel = begun(tmp_path / "novel", language)
    file = save(tmp_path / "small.gguf", gguf(SMALL, {"general.languages": ["en"]}), SMALL)
    config = own_home / "config/studio/config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f'[provider.embedded]\nmodel_file = "{file}"\n')
    environ = {"STUDIO_PROVIDER": "embedded", "LC_ALL": f"{language}.UTF-8"}
    asked = studio("write", "--review", "reject", "--project", novel, environ=environ)
    assert words in asked.err.replace("\n", " "), asked.err
