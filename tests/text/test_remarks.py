"""An excuse, a label, a note or markup in place of prose is told from the story."""

from __future__ import annotations

import pytest

from studio.i18n import Language
from studio.story.review.directive import DirectiveType
from studio.story.review.operations import OPERATIONS
from studio.text.guard import refine_guard, surgery_guard
from studio.text.language.packs import load_pack
from studio.text.prose.answer import remarks

OLD = "Under the last of them the boards were pale, as if something had lain there for years."


# req: A13
@pytest.mark.parametrize(
    "answer",
    [
        "I’m sorry, but I cannot rewrite this passage, because it might break the rules I have.",
        "I apologize for the confusion. I have left the boards pale and the years as they were.",
        "I can't assist with that. If there is anything else about the boards, do ask me then.",
        "Unfortunately this paragraph cannot be rewritten without losing the boards and years.",
        "This content may conflict with safety standards, so I leave the boards as they were.",
        "The passage is fine as it stands, and I have nothing to add to the boards or the years.",
        "**Rewritten:** Under the last of them the boards were pale where it had lain for years.",
        "Paragraph: under the last of them the boards were pale where a thing had lain for years.",
        "Under the last of them the boards were pale for years. Note: the simile is gone now.",
        "Under the last of them the boards were pale for years.\n(I removed the simile here.)",
        "[Under the last of them the boards were pale where a thing had lain for many years.]",
        "> Under the last of them the boards were pale where a thing had lain for many years.",
        "<p>Under the last of them the boards were pale where a thing had lain for years.</p>",
        '<mabcdef name="passage">\nUnder them the boards were pale, pale for years.\n</mabcdef>',
        "- Under the last of them the boards were pale where a thing had lain for many years.",
    ],
)
def test_what_a_model_says_beside_the_story_never_stands_in_it(answer: str) -> None:
    operation = OPERATIONS[DirectiveType.SHOW_NOT_TELL]
    faults = surgery_guard([OLD], [answer], operation, [], load_pack("en"))
    assert any("speaks about the work" in fault for fault in faults)


@pytest.mark.parametrize(
    "words",
    [
        "죄송하지만 이 문단은 수정할 수 없습니다.",
        "요청하신 대로 다듬었습니다. 비가 그쳤다.",
        "수정된 문단: 비가 그쳤다.",
        "비가 그쳤다.\n(참고: 필터 단어를 뺐습니다.)",
        "抱歉，我无法改写这段文字。",
        "修改后：雨停了。",
        "雨停了。（说明：删去了感官动词。）",
        "根据您的要求，雨停了。",
    ],
)
def test_so_in_korean_and_chinese(words: str) -> None:
    assert remarks(OLD, words)


@pytest.mark.parametrize(
    "words",
    [
        "“I’m sorry,” I said, and I could not help with the nets.",
        "The passage between the houses was narrow, and the scene was already dark.",
        "The scene below had changed. Her answer: none.",
        "She kept notes of it. He made changes to the boat, and I cannot change what I did.",
        "*She ran.* He had one rule: go home.",
        "— Go home, he said.",
        "그 문단을 다시 읽었다. 이 문단은 이상했다. 죄송합니다, 하고 그녀는 고개를 숙였다.",
        "他说对不起，他不能来。这段路他走过。",
    ],
)
def test_a_storys_own_words_are_no_remark(words: str) -> None:
    assert remarks(OLD, words) == []


def test_what_the_old_passage_held_is_not_held_against_the_new() -> None:
    listed = "1. Salt.\n2. Rope.\nShe read the note:"
    assert remarks(listed, listed.replace("Salt", "Oil")) == []
    assert remarks("He typed <b>oil</b> and nothing.", "He typed <b>salt</b>.") == []


def test_an_answer_in_another_language_is_refused() -> None:
    old = "비가 그친 지 한 시간이 지나서야 배가 들어왔다. 아무도 말이 없었다."
    operation = OPERATIONS[DirectiveType.SHOW_NOT_TELL]
    faults = surgery_guard([old], ["The boat came in late, and nobody spoke."], operation, [], KO)
    assert "it is in another language than the passage" in faults


@pytest.mark.parametrize(
    ("language", "old", "new", "is_refused"),
    [
        ("en", "Mara said nothing to him.", "她什么也没有说。", True),
        ("en", "No.", "아니.", True),
        ("en", "It rained.\n\nShe went home.", "It rained.\n\n她回家了。", True),
        ("zh", "她什么也没说。", "She said nothing.", True),
        ("zh", "她什么也没说。", "彼女は言わない。", True),
        ("ko", "그녀는 말이 없었다.", "她没有说话。", True),
        ("en", "Mara said nothing to him.", "Mara told him nothing.", False),
        ("en", "She said it again: “我不知道。”", "“我真的不知道。” She said it.", False),
        ("en", "The sign read 灯塔茶馆.", "灯塔茶馆, a sign.", False),
        ("zh", "他走进Starbucks。", "他进了Starbucks。", False),
        ("ko", "그는 웃었다.", "Elizabeth Bennet는 웃었다.", False),
        ("ko", "“네.”", "“OK.”", False),
    ],
)
def test_a_rewrite_in_other_letters_is_refused_at_any_length(
    language: Language, old: str, new: str, is_refused: bool
) -> None:
    """Met: eight Chinese characters in place of an English paragraph, which had a least length."""
    pack, operation = load_pack(language), OPERATIONS[DirectiveType.SHOW_NOT_TELL]
    fixed, was = new.split("\n\n"), old.split("\n\n")
    ways = surgery_guard(was, fixed, operation, [], pack), refine_guard(old, new, [], pack)
    fault = "it is in another language than the passage"
    assert [fault in faults for faults in ways] == [is_refused] * 2


def test_signs_that_cannot_be_seen_are_refused_unless_they_were_there() -> None:
    hidden = OLD.replace("boards", "boa\u200brds")
    assert "it holds control characters" in refine_guard(OLD, hidden, [], load_pack("en"))
    assert refine_guard(hidden, hidden.replace("pale", "dim"), [], load_pack("en")) == []


KO = load_pack("ko")
