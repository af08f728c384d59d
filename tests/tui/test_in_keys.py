"""No message of the app names a command where a key does the same."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import studio
from studio import i18n
from studio.messages import Said
from studio.tui.actions.advice import _OPTIONS, in_keys
from tests.catalogues import messages

ROOT = Path(studio.__file__).parent
LEFT = (
    *("repair", "verify", "waivers", "exemplars", "doctor", "history backups"),
    *("volume plan --from", "models", "plugins"),
)
"""What only the command line can do."""


def of_the_app(path: Path) -> bool:
    """Whether a module speaks in the app; where the app cannot begin, only commands are left."""
    return path.relative_to(ROOT).parts[0] == "tui" and path.stem != "capabilities"


def below(path: Path) -> bool:
    """Whether a module speaks in both faces."""
    return path.relative_to(ROOT).parts[0] not in ("cli", "tui", "__main__.py")


def sentences(speaks: Callable[[Path], bool]) -> Iterator[tuple[str, str]]:
    """Every text of such modules that names a command or an option, and its module."""
    for path in filter(speaks, sorted(ROOT.rglob("*.py"))):
        source = path.read_text("utf-8")
        if "`studio " not in source:
            continue
        tree = ast.parse(source)
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        inside = {id(v) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for v in n.values}
        for node in ast.walk(tree):
            words = text_of(node)
            if "`studio " in words and id(node) not in docs | inside:
                yield path.stem, words


def text_of(node: ast.AST) -> str:
    """A text, with a number where the program puts something in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(v) or "7" for v in node.values)
    return ""


def commands(words: str) -> Iterator[tuple[str, str]]:
    """Each command that is named, and what follows it."""
    for named in words.split("`studio ")[1:]:
        command, _, after = named.partition("`")
        yield command, after


@pytest.mark.sweep
def test_every_command_below_has_its_key() -> None:  # req: U2
    named = set(sentences(below))
    assert len(named) > 60
    keyless = [
        (module, words)
        for module, words in named
        for command, after in commands(in_keys(words, {}))
        if not command.startswith(LEFT) or not after.startswith(" in a terminal")
    ]
    assert keyless == []


# req: H6
@pytest.mark.sweep
def test_the_app_itself_names_a_command_only_where_no_key_does_it() -> None:
    said = dict(words[::-1] for words in sentences(of_the_app) if words[0] != "advice")
    assert {words for words in said if in_keys(words, {}) != words} == set()
    for words in said:
        command = words.partition("`studio ")[2]
        assert command.startswith(LEFT) or command[:1] in ("`", ""), words


@pytest.mark.parametrize(
    ("words", "in_the_app"),
    [
        ("Nothing is lost: `studio resume` goes on from here.", "Nothing is lost: w goes on"),
        ("Run `studio write 7 --again`.", "Press Ctrl+R."),
        ("Put it back, or run `studio history restore 7`.", "Put it back, or press H."),
        ("`studio directives list` shows them.", "The list of directives (3) shows them."),
        ("Run `studio repair`.", "Run `studio repair` in a terminal."),
        ("`studio history put-back` returns", "“Put chapters back” (Ctrl+P) returns"),
        ("Save it, or name its encoding with --encoding.", "choose its encoding (e)."),
        ("bring your own text with --draft FILE.", "bring your own text in the editor (Ctrl+E)."),
        ("그는 `studio`라고 적었다.", "그는 `studio`라고 적었다."),
    ],
)
def test_the_words_around_it_still_make_a_sentence(words: str, in_the_app: str) -> None:
    assert in_the_app in in_keys(words, {})


@pytest.mark.parametrize(
    ("language", "words", "in_the_app"),
    [
        ("ko", "`studio resume` 명령으로 이어 갑니다.", "w 키로 이어 갑니다."),
        ("ko", "`studio resume` 명령을 실행하세요.", "w 키를 누르세요."),
        ("ko", "`studio variations list` 명령이 보여 줍니다.", "‘다른 판’ 탭이 보여 줍니다."),
        ("ko", "`studio plan` 명령이나", "개요나"),
        ("ko", "`studio repair` 명령이 고칩니다.", "터미널에서 `studio repair` 명령이 고칩니다."),
        ("zh", "请运行 `studio resume`。", "请按 w。"),
        ("zh", "请用 `studio decide` 选择。", "请用 d 选择。"),
        ("zh", "可用 `studio repair` 修复。", "可在终端中用 `studio repair` 修复。"),
        ("zh", "还没有定：见 `studio directives list`。", "还没有定：见修改建议列表（3）。"),
        ("zh", "想规划时用 `studio volume plan` 来做。", "想规划时用“计划本卷”（Ctrl+P）来做。"),
    ],
)
def test_a_translated_sentence_calls_a_key_no_command(
    language: str, words: str, in_the_app: str
) -> None:
    i18n.use(language)
    assert in_keys(words, {}) == in_the_app


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_an_option_has_its_key_in_every_language(language: str) -> None:
    options = [option for option, _steps in _OPTIONS if "--" in option]
    named = {words for words in messages() if any(o in words for o in options)}
    named = {words for words in named if "--" not in in_keys(words, {})}
    assert len(named) > 5
    i18n.use(language)
    left = {in_keys(i18n.translate(Said(words)), {}) for words in named}
    assert {words for words in left if "--" in words} == set()


def test_the_key_is_the_one_the_writer_set() -> None:
    assert in_keys("Run `studio resume`.", {"desk.write": "f5"}) == "Press F5."
