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


BESIDE_AN_ORDER: list[tuple[Language, str, str, str]] = [
    (
        "zh",
        "改成让她凑到灯下才看见，不要添解释裁纸的人的句子。",
        "毛边的纹路接得上。书脊里夹着一条纸根，齐得摸不出来。",
        "毛边的纹路接不上。书脊里夹着一条纸根，凑到灯下才看见，齐齐的。",
    ),
    (
        "zh",
        "去掉比方，别写天气。",
        "他来得及赶上船。雨像断了线的珠子，没有停。",
        "他来不及赶上船。雨下着。",
    ),
    (
        "ko",
        "비유를 빼고 날씨는 더 설명하지 말 것.",
        "그는 문을 열 수 있었다. 비는 실처럼 내렸고 그치지 않았다.",
        "그는 문을 열 수 없었다. 비가 내렸다.",
    ),
    (
        "ko",
        "손의 움직임으로 바꾸되 감정을 말하지 않는다.",
        "서윤은 편지를 읽었다. 슬펐고 말이 없었다.",
        "서윤은 편지를 읽지 않았다. 손끝으로 봉투를 눌렀다.",
    ),
    (
        "en",
        "Give the tide a sound instead; do not explain the knife.",
        "The edges matched. The tide was like a sigh, and nobody heard it.",
        "The edges did not match. The tide dragged its gravel.",
    ),
    (
        "en",
        "Cut the comparison. She must never name the feeling.",
        "Joss could hear the bell. It was as sad as rain, and she did not stir.",
        "Joss couldn’t hear the bell. She sat.",
    ),
]
MEANT: list[tuple[Language, str, str, str]] = [
    ("zh", "改成毛边的纹路接不上。", "毛边的纹路接得上。", "毛边的纹路接不上。"),
    ("ko", "서윤이 편지를 읽지 않게 할 것.", "서윤은 편지를 읽었다.", "서윤은 편지를 읽지 않았다."),
    (
        "en",
        "Joss cannot hear the bell; say so.",
        "Joss heard the bell.",
        "Joss didn’t hear the bell.",
    ),
]


@pytest.mark.parametrize(("language", "order", "before", "after"), BESIDE_AN_ORDER)
def test_an_order_that_forbids_something_lets_no_other_fact_be_denied(
    language: Language, order: str, before: str, after: str
) -> None:
    """Met: “do not explain the cutter” let the edges that matched no longer match, and a denial
    that went elsewhere made up for it. What the directive quotes is the old text, and no order."""
    from studio.text.guard import told_otherwise

    for quotes in ((), (before,)):
        demand = Demand(order, quotes)
        faults = told_otherwise(
            before, after, "cliche-replacement", demand, (), load_pack(language)
        )
        assert any("denied, or no longer denied" in fault for fault in faults), quotes


@pytest.mark.parametrize(("language", "order", "before", "after"), MEANT)
def test_a_denial_that_is_ordered_is_meant(
    language: Language, order: str, before: str, after: str
) -> None:
    from studio.text.guard import told_otherwise

    assert not told_otherwise(
        before, after, "fact-correction", Demand(order), (), load_pack(language)
    )


NO_SUCH_WORD: list[tuple[Language, str, str]] = [
    ("ko", "hedges", "그는 라면을 먹었다"),
    ("ko", "hedges", "그가 끓인 라면 냄새가 났다"),
    ("ko", "hedges", "비가 그치기를 바라면서 기다렸다"),
    ("ko", "hedges", "그는 바라면 얻었다"),
    ("ko", "hedges", "대신들이 모였고 대신은 앉았다"),
    ("ko", "hedges", "아이는 뻔뻔하게 웃었다"),
    ("zh", "hedges", "师傅与其他人走了"),
    ("zh", "hedges", "他知道钥匙放在哪里"),
    ("ko", "objections", "그는 반대편 둑에 섰다"),
    ("ko", "objections", "서윤은 반대쪽으로 걸었다"),
    ("ko", "objections", "그는 부인한테 편지를 썼다"),
    ("ko", "favours", "활동의 끝이 보였다"),
    ("ko", "favours", "할머니가 쟁반기름을 닦았다"),
    ("zh", "favours", "天气说不准"),
    ("zh", "favours", "那座钟不准确"),
    ("zh", "refusals", "他拒绝了那笔钱"),
]
SUCH_A_WORD: list[tuple[Language, str, str]] = [
    ("ko", "hedges", "계단이 있다면 떨어졌을 것이다"),
    ("ko", "hedges", "비가 왔더라면 젖었을 것이다"),
    ("ko", "hedges", "하마터면 넘어질 뻔했다"),
    ("zh", "hedges", "与其等船，不如走路"),
    ("ko", "objections", "그는 값에 반대했다"),
    ("ko", "objections", "그는 빚을 부인한 적이 있다"),
    ("ko", "favours", "그는 값에 동의했다"),
    ("ko", "favours", "그녀는 손님을 반겼다"),
    ("ko", "refusals", "조합장은 도장 찍기를 거절했다"),
    ("en", "favours", "she took a liking to cards"),
    ("zh", "favours", "奶奶不准人打牌"),
    ("zh", "refusals", "会长拒绝签字"),
]


@pytest.mark.parametrize(("language", "kind", "text"), NO_SUCH_WORD)
def test_an_ordinary_word_is_no_word_of_a_stance(language: Language, kind: str, text: str) -> None:
    from studio.text.language.story_words import story_words

    assert not getattr(story_words(language), kind).search(text)


@pytest.mark.parametrize(("language", "kind", "text"), SUCH_A_WORD)
def test_a_word_of_a_stance_is_found(language: Language, kind: str, text: str) -> None:
    from studio.text.language.story_words import story_words

    assert getattr(story_words(language), kind).search(text)
