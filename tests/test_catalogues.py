"""The catalogues of the interface hold every sentence of the source, whole and in its form."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message

from studio import i18n
from studio.config.interface import interface_language
from studio.i18n import ENGINE
from studio.messages import said
from studio.text.language.packs import load_pack
from tests.architecture import house, syntax
from tests.catalogues import LANGUAGES, ROOT, catalogue, source_sentences


def sentences(message: Message) -> list[str]:
    """The translations of a message: one, or one for each number of things."""
    return [message.string] if isinstance(message.string, str) else list(message.string)


def names(sentence: str) -> set[str]:
    """The names in its braces; what stands in `{+ +}` is none."""
    parts = Formatter().parse(sentence)
    return {name for _, name, _, _ in parts if name is not None and name[:1] != "+"}


# req: H6
@pytest.mark.long
def test_every_sentence_is_translated_and_none_is_left_over() -> None:
    source = {key_of(message) for message in source_sentences() if message.id}
    advice = "`python -m tests.catalogues` takes them in; then translate what is empty"
    for language in LANGUAGES:
        translated = {key_of(message): message for message in catalogue(language) if message.id}
        empty = [i for i, m in translated.items() if not all(sentences(m)) or m.fuzzy]
        assert sorted(map(str, source - set(translated))) == [], advice
        assert sorted(map(str, set(translated) - source)) == [], advice
        assert empty == []


def key_of(message: Message) -> tuple[str | None, str]:
    """The context and the sentence of an entry; the first of two for a number of things."""
    return message.context, message.id if isinstance(message.id, str) else message.id[0]


def called_with(tree: ast.AST) -> Iterator[str]:
    """What the source gives to `_` and its like, read as Python reads it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "N_", "ngettext"):
            for argument in node.args[:2]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


# req: H6
@pytest.mark.sweep
def test_no_sentence_stands_where_the_catalogues_do_not_look() -> None:
    """Babel passes by what stands within an f-string, or within another call of its words."""
    taken_in = {
        words
        for message in source_sentences()
        for words in ([message.id] if isinstance(message.id, str) else message.id)
    }
    passed_by = {
        words: path.stem
        for path in (ROOT / "studio").rglob("*.py")
        for words in called_with(syntax(path))
        if words not in taken_in
    }
    assert passed_by == {}


SAYING = {"usage", "damaged", "Problem", "warn", "disappeared"}
"""The calls whose words a writer reads."""
SAID_BY = {"message", "hint", "rationale", "issue", "instruction", "explanation"}
"""The fields that hold words for a writer."""


def read_by_a_writer(tree: ast.AST) -> Iterator[ast.expr]:
    """What the source gives to an error, a warning, a question or a proposal as its words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            yield from node.args if name in SAYING else ()
            yield from (k.value for k in node.keywords if k.arg in SAID_BY and name != "Field")


def plain_words(value: ast.expr) -> str:
    """The words of a string or an f-string, without commands; no other value has any."""
    parts = value.values if isinstance(value, ast.JoinedStr) else [value]
    words = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    return re.sub("`[^`]*`", "", "{}".join(words))


# req: H6 K5
@pytest.mark.sweep
def test_whatever_is_said_to_a_writer_is_a_message() -> None:
    plain = [
        f"{path.relative_to(ROOT)}:{value.lineno}: {words}"
        for path in sorted((ROOT / "studio").rglob("*.py"))
        for value in read_by_a_writer(syntax(path))
        if len(re.findall(r"(?<!%\()\b[A-Za-z]{2,}", words := plain_words(value))) > 1
    ]
    assert plain == [], "`said(...)` makes a sentence that every language has"


# req: H6
@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_name_what_the_sentences_name(language: str) -> None:
    other = {
        str(message.id): sentence
        for message in catalogue(language)
        if message.id
        for sentence in sentences(message)
        if (given := names(message.id if isinstance(message.id, str) else message.id[1]))
        != names(sentence)
        and all(map(str.isidentifier, given))  # the shapes of JSON in a command's help are none
    }
    assert other == {}


NOT_OURS = {
    "ko": (
        *("수락", "승인", "채택", "받아들", "거부", "반려"),
        *("바이블", "지시문", "스튜디오", "맥락", "문체 서재", "진술서", "글쓴이", "공급"),
        *("줄거리", "낱말", "책상", "일어나는 일", "관문이 장을 붙잡", "이력", "이유", "머리말"),
        *("접어 둡니다", "재기는 하지만", "살아 있다는", "쓰신 말을 따릅니다"),
        *("비트나", "비트를", "계약", "면제", "뜻한 것", "깊은 모델", "집필 지침", "센트"),
    ),
    "zh": (
        *("接受", "批准", "驳回", "否决"),
        *("工作室", "令牌", "词条", "初稿", "手工", "供应商", "韩语", "风格库", "构想"),
        *("文体集", "代理程序", "检查点", "变体", "评判", "概括", "挡在路上", "这样读出"),
        *("契约", "节拍", "豁免", "度量", "兑现", "埋设", "美分", "深度模型"),
        *("带入", "起草者", "润色者", "槽位", "被别处", "由代码", "下一稿的愿望"),
    ),
}
"""Other words for what is accepted (받다, 采纳) and rejected (거절, 拒绝), and for the bible, a
prompt, the studio, a token, a storyline, a reason, a beat, a waiver, a measure, a promise that is
paid and the like: docs/glossary.md."""


# req: H6
@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_word(language: str) -> None:
    others = NOT_OURS[language]
    assert [
        sentence
        for message in catalogue(language)
        for sentence in sentences(message)
        if any(word in sentence for word in others)
    ] == []


STOP = re.compile(r"[.?!。？！][”’）)`]*$")
VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|cannot|could|does|did|stands?|holds?|comes|touches)\b"
)
LABELS = (
    *("As a reader", "One contradiction is", "Take the chapter into the book as it stands"),
    *("{n_figure} contradictions are", "{n_figure} directive", "{n_figure} fix"),
    *("{command} goes on", "Nothing has touched it", "The words that a note of yours"),
    *("{words}: the old text is better", "{what}: ", "{host}"),
    *("The bible is", "The outline is", "A commit was given up", "The summarizer's answer could"),
    "The chapter is too long for the model's window, so",
)
"""How the beginnings of sentences, and of what ends in words of somebody else's, begin."""


NAMED_FIRST = (
    *("answer must stay", "id must be", "the front matter", "the text is empty"),
    *("all, or some", "chapters/ holds", "docs/file", "headings without text", "stdout"),
)
"""How sentences begin whose first word is a name or is typed, and a clause that asks."""


# req: H4 H6
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_has_a_stop_and_a_reason_has_none(language: str) -> None:
    """A reason is a clause that begins small; the place that shows it closes it (`sentence_of`).
    What begins with a capital and has a verb is a sentence. The same in every language."""
    wrong = []
    for message in catalogue(language):
        english = message.id if isinstance(message.id, str) else message.id[-1]
        if not english or message.context != ENGINE:
            continue
        ends, small = bool(STOP.search(english)), english[0].islower()
        sentence = VERB.search(english) and english[0].isupper()
        closes = ends or english.endswith((":", "}")) or english.startswith(LABELS)
        if bool(STOP.search(sentences(message)[-1])) != ends:
            wrong.append(f"not as in English: {english}")
        if small and ends and not english.startswith(NAMED_FIRST):
            wrong.append(f"a reason with a stop: {english}")
        if sentence and not closes:
            wrong.append(f"a sentence without a stop: {english}")
    assert wrong == [], wrong


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_what_code_finds_is_a_sentence(language: str) -> None:
    pack = load_pack(language)
    wordings = [words for one in pack.wordings.values() for words in (one.issue, one.instruction)]
    assert [words for words in wordings if not STOP.search(words)] == []


# req: H6
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "The text came back unchanged."), ("ko", "글이 그대로"), ("zh", "。")],
)
def test_a_reason_by_itself_is_shown_as_a_sentence(language: str, words: str) -> None:
    i18n.use(language)
    assert words in i18n.sentence_of(said("the text came back unchanged"))
    whole = i18n.sentence_of(said("The model's server could not be reached."))
    assert not whole.endswith(("..", "。。", ".。"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_the_blanks_that_join_a_sentence_to_others(language: str) -> None:
    other = [
        message.id
        for message in catalogue(language)
        if isinstance(message.id, str)
        and message.id
        and message.id.endswith("\n") != str(message.string).endswith("\n")
    ]
    assert other == []


# req: H6
def test_sentences_are_looked_up_counted_and_filled_in() -> None:
    i18n.use("ko")
    assert i18n._("Save") == "저장"
    assert i18n._("Chapter {chapter}", chapter=3) == "3장"
    assert i18n.ngettext("{n} scene", "{n} scenes", 2) == "장면 2개"
    assert i18n._("A sentence nobody wrote.") == "A sentence nobody wrote."
    i18n.use("en")
    assert i18n.ngettext("{n} scene", "{n} scenes", 1) == "1 scene"
    assert i18n.ngettext("{n} scene", "{n} scenes", 2) == "2 scenes"


# req: H6
@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:ko"}, "ko"),
        ({"LANG": "C", "LANGUAGE": "ko"}, "en"),
        ({"LC_ALL": "C.UTF-8", "LANG": "ko_KR.UTF-8", "LANGUAGE": "ko"}, "ko"),
        ({"LC_ALL": "C.UTF-8"}, "en"),
    ],
)
def test_the_locale_chooses(environ: dict[str, str], language: str) -> None:
    assert i18n.locale_language(environ) == language


# req: H6
def test_the_setting_comes_before_the_locale(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path), "LANG": "ko_KR.UTF-8"}
    assert interface_language(environ) == "ko"
    config = tmp_path / "studio/config.toml"
    config.parent.mkdir()
    config.write_text('interface = "zh"\n')
    assert interface_language(environ) == "zh"
    config.write_text('interface = "klingon"\n[broken')
    assert interface_language(environ) == "ko"


@pytest.mark.sweep
def test_every_sentence_gets_a_value_for_each_of_its_places() -> None:
    wanting = [
        f"{path}:{call.lineno}"
        for path, tree in house.modules(ROOT).items()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", "") in ("_", "ngettext")
        and call.keywords
        and not _places_of(call) <= {"n", *(str(keyword.arg) for keyword in call.keywords)}
    ]
    assert wanting == []


def _places_of(call: ast.Call) -> set[str]:
    """Names of the places in the sentences of a call."""
    sentences = [str(a.value) for a in call.args if isinstance(a, ast.Constant)]
    fields = [field for s in sentences for _, field, _, _ in Formatter().parse(s) if field]
    return {re.split(r"[.\[]", field)[0] for field in fields}


# req: H6
def test_korean_is_set_in_one_way() -> None:
    """No particle in brackets (one behind a field fits what is filled in: `studio.particles`),
    nobody spoken to as 당신, requests in one level of politeness."""
    slips = re.compile(r"[은는이가을를과와(]\([은이가는을를와과으]\)|\((?:으|이)\)|당신|십시오")
    every = (words for message in catalogue("ko") for words in sentences(message))
    assert {words for words in every if slips.search(words)} == set()


# req: H6
def test_chinese_is_set_in_one_way() -> None:
    """No blanks around a chapter's number, its own marks, one polite you."""
    slips = re.compile(
        r"第 (?!K)|第(?:\{\w+\}|\d+) (?=[章卷场行段])|[\u4e00-\u9fff][:;,!?](?![\w/*])"
        r"|至 ?\{\w+\} [章段]|至 ?\d+ [章段]| …"
        r"|[\u4e00-\u9fff] \.(?!\w)|[\u4e00-\u9fff] [\u4e00-\u9fff]|你"
    )
    every = (words for message in catalogue("zh") for words in sentences(message))
    typed = re.compile(r"`[^`]*`")  # a heading of an outline has a blank: ## 第4章 标题
    set_otherwise = {words for words in every if slips.search(typed.sub("``", words))}
    assert set_otherwise == set()


def test_a_reason_that_is_not_ours_is_no_sentence_of_ours() -> None:
    assert i18n.sentence_of("commit the lamp to the door") == "commit the lamp to the door"
    assert i18n.sentence_of(said("the text came back unchanged")) == "The text came back unchanged."
