"""What a rewrite denies, or no longer denies, is told to whoever decides on it (WRITING 5.6)."""

from __future__ import annotations

import pytest

from studio.i18n import Language
from studio.story.review.demand import NOTHING
from studio.text.language.packs import load_pack

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
