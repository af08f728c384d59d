"""The command line in Korean and Chinese: help, reports and refusals; JSON stays English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from studio import i18n
from studio.cli.click_words import HelpInWords
from studio.cli.guide import EXAMPLES, GROUPS
from studio.cli.output import width_of
from studio.cli.program import COMMANDS
from studio.cli.program import studio as program
from studio.messages import Said, said
from tests.catalogues import LANGUAGES
from tests.cli.command import studio

LOCALES = {"ko": "ko_KR.UTF-8", "zh": "zh_CN.UTF-8"}
TYPED = re.compile(r"`[^`]*`|--[\w-]+")
FOREIGN = re.compile("[가-힣\u4e00-\u9fff]")
TEXT = "# The Hooks\n\n" + "She could see the lamp. She felt that it was cold. " * 6 + "\n"


# req: H6
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_is_explained_in_the_language(language: str) -> None:
    i18n.use(language)
    lines = [line for _, line in COMMANDS.values()]
    assert [w for w in (*lines, *GROUPS) if i18n.translate(said(w)) == w] == []
    assert EXAMPLES


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ko", ("쓰는 법: studio", "선택 사항:", "보기:")),
        ("zh", ("用法： studio", "选项：", "示例：")),
    ],
)
def test_help_fits_its_lines(language: str, words: tuple[str, ...]) -> None:
    environ = {"LANG": LOCALES[language], "COLUMNS": "80"}
    for command in ("write", "directives", "export"):
        out = studio(command, "--help", environ=environ).out
        assert all(word in out for word in words)
        assert [line for line in out.splitlines() if width_of(line) > 80] == []


def test_a_chinese_line_breaks_between_signs_and_begins_with_no_stop() -> None:
    i18n.use("zh")
    formatter = HelpInWords(width=20)
    formatter.write_text("只要这些文字还在，就不再问您任何事情，真的，不再问。")
    lines = formatter.getvalue().splitlines()
    assert len(lines) == 3
    assert not any(line[0] in "，。" for line in lines)


# req: H6
@pytest.mark.sweep
def test_a_chapter_is_reported_in_korean_and_json_stays_as_it_is(
    project: Path, tmp_path: Path
) -> None:
    draft = tmp_path / "mine.md"
    draft.write_text(TEXT, encoding="utf-8")
    environ = {"LANG": LOCALES["ko"]}

    def typed(*words: object) -> str:
        ended = studio(*words, cwd=project, environ=environ)
        return ended.out + ended.err

    written = typed("write", "--draft", draft)
    for words in (
        "결정이 필요합니다: 장이 준비되었습니다",
        "장면 쓰기: 필요 없음, 직접 쓴 글",
        "장면 1",
    ):
        assert words in written or words in typed("directives"), words
    assert not re.search("\\bwaits? for your decision", written)
    assert "She could see the lamp." in typed("directives")
    status = studio("status", "--json", cwd=project, environ=environ).json
    assert "wait" in status["pending_decision"]["rationale"]
    refused = studio("directives", "accept", "dir_none_001", cwd=project, environ=environ)
    assert (refused.code, "없습니다" in refused.err) == (2, True)
    assert "명령도 폴더도 없습니다" in typed("statsu")


# req: H6
@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_command_and_its_options_are_for_is_said_in_the_language(language: str) -> None:
    i18n.use(language)
    english = [words for words in explanations(program) if in_english(words)]
    assert english == []


def in_english(words: str) -> bool:
    """Whether words of English stand outside of what is typed, and of what a program reads."""
    own = TYPED.sub("", without_shapes(words))
    return not FOREIGN.search(own) or bool(re.search("[a-z]{2} [a-z]{2}", own))


def without_shapes(words: str) -> str:
    """A help text without its JSON shapes, such as `{chapter, calls: [{id}]}`."""
    out, depth = "", 0
    for sign in words:
        depth -= sign == "}" and depth > 0
        out += sign if depth == 0 else ""
        depth += sign == "{"
    return out


def explanations(command: click.Command) -> Iterator[str]:
    """What each command says of itself and of its options, as it is shown."""
    context = click.Context(command)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from explanations(inner)
    # A command that was loaded before is in the language of that time.
    epilog = [text for text in (command.epilog or "").split("\n\n") if not text.startswith("\b")]
    for paragraphs in ((command.help or "").split("\n\n"), filter(None, epilog)):
        yield from (i18n.translate(Said(" ".join(text.split()))) for text in paragraphs)
    for param in command.params:
        if isinstance(param, click.Option) and param.help:
            yield i18n.translate(Said(" ".join(param.help.split())))


# req: H6
@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("words", "korean", "chinese"),
    [
        ("write --nope", "선택 사항은 없습니다", "没有选项 '--nope'"),
        ("write --review zz", "다음 가운데 하나여야 합니다: 'ask'", "不是下列之一：'ask'"),
        ("keep add", "'CHAPTER' 값이 빠졌습니다.", "缺少参数 'CHAPTER'。"),
        ("rewrite 1", "'--passage' 선택 사항이 빠졌습니다.", "缺少选项 '--passage'。"),
        ("rewrite 1 --versions 0", "0은 x>=1 밖입니다.", "0 不在 x>=1 之内"),
        ("status a b", "정수여야", "不是整数"),
        ("write --direction", "뒤에 값이 있어야 합니다", "需要一个值"),
    ],
)
def test_what_is_typed_wrong_is_refused_in_the_language(
    words: str, korean: str, chinese: str
) -> None:
    for language, refusal in (("ko", korean), ("zh", chinese)):
        ended = studio(*words.split(), environ={"LANG": LOCALES[language]})
        assert (ended.code, ended.out) == (2, "")
        assert refusal in ended.err
        assert not re.search("Invalid|Missing|No such|requires|not a valid", ended.err)
