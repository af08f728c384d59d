"""What a rewrite denies, or no longer denies, is told to whoever decides on it (WRITING 5.6)."""

from __future__ import annotations

import tomllib

import pytest

from studio.i18n import Language
from studio.story.review.demand import NOTHING, Demand
from studio.text.language.packs import load_pack
from tests.architecture import ROOT

TURNED: list[tuple[Language, str, str, str]] = [
    ("en", "cliche-replacement", "It was a debt paid.", "It was a debt not paid."),
    ("en", "wording", "The debt was paid, and he slept.", "The debt was unpaid, and he slept."),
    ("en", "show-not-tell", "He did not burn his hand.", "He burned his hand."),
    ("en", "specificity", "He locked the door.", "He never locked the door."),
    ("ko", "show-not-tell", "손을 데었다.", "손을 데지 않았다."),
    ("ko", "wording", "데었다.", "데지 않았다."),
    ("ko", "cliche-replacement", "빚은 갚았다. 서랍을 닫았다.", "빚은 갚지 못했다. 서랍을 닫았다."),
    ("ko", "specificity", "그는 문을 안 잠갔다.", "그는 문을 잠갔다."),
    ("zh", "show-not-tell", "他的手烫伤了。他去找水。", "他的手没烫伤。他去找水。"),
    ("zh", "specificity", "她锁了门才走。", "她没锁门就走。"),
    ("zh", "cliche-replacement", "他没看完信。", "他看完了信。"),
    ("zh", "wording", "债还清了。沈禾关上抽屉。", "债尚未还清。沈禾关上抽屉。"),
]  # fmt: skip


# req: J5
@pytest.mark.parametrize(("language", "kind", "before", "after"), TURNED)
def test_a_denial_that_comes_or_goes_is_told(
    language: Language, kind: str, before: str, after: str
) -> None:
    from studio.text.guard import told_otherwise

    pack = load_pack(language)
    for one, two in ((before, after), (after, before)):
        (words,) = told_otherwise(one, two, kind, NOTHING, (), pack)
        assert "denied, or no longer denied" in words


# req: J5
@pytest.mark.parametrize(
    ("language", "kind", "before", "after"),
    [
        ("en", "show-not-tell", "He was sad.", "He put the letter back unread and did not sit."),
        ("en", "cliche-replacement", "It was not anger, it was grief.", "It was grief."),
        ("ko", "show-not-tell", "서윤은 슬펐다.", "서윤은 편지를 접고 자리에 앉지 않았다."),
        ("zh", "show-not-tell", "她很难过。", "她把信折好，没有坐下。"),
    ],
)
def test_another_sentence_that_denies_something_turns_nothing(
    language: Language, kind: str, before: str, after: str
) -> None:
    from studio.text.guard import told_otherwise

    assert not told_otherwise(before, after, kind, NOTHING, (), load_pack(language))


def rows(which: str) -> list[tuple[Language, str, str, str]]:
    """Rows of tests/data/rewrites/stances.toml."""
    with (ROOT / "tests/data/rewrites/stances.toml").open("rb") as file:
        data = tomllib.load(file)
    return [(language, *row) for language, kinds in data.items() for row in kinds[which]]


@pytest.mark.parametrize(("language", "kind", "before", "after"), rows("turned"))
def test_what_somebody_is_against_and_then_for_is_told(
    language: Language, kind: str, before: str, after: str
) -> None:
    """“Had no objection to pencil” passed for “did not hold with pencil”: each denies once."""
    from studio.text.guard import told_otherwise

    assert told_otherwise(before, after, kind, NOTHING, (), load_pack(language))


@pytest.mark.parametrize(("language", "kind", "before", "after"), rows("honest"))
def test_the_same_said_by_another_word_rings_no_alarm(
    language: Language, kind: str, before: str, after: str
) -> None:
    """“If a bungalow had one” rang for “there being no stairs in a bungalow”."""
    from studio.text.guard import told_otherwise

    assert not told_otherwise(before, after, kind, NOTHING, (), load_pack(language))


def test_what_the_directive_asks_for_itself_turns_nothing() -> None:
    from studio.text.guard import told_otherwise

    before, after = "He did not hold with pencil.", "He had no objection to pencil."
    order = Demand("Say that he had no objection to pencil.", (), "")
    assert not told_otherwise(before, after, "fact-correction", order, (), load_pack("en"))
