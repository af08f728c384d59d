"""What Korean and Chinese writers said the program should say, word for word."""

from __future__ import annotations

import pytest

from studio import i18n
from studio.i18n import _, translate
from studio.messages import said
from studio.project.planning.plan_change import taken_back
from studio.story.state_words import fact_in_words

FACES = {
    "ko": {
        "The chapter is held back": "한 번 더 볼 것이 있습니다",
        "The chapter is ready for you": "장이 준비되었습니다",
        "recommended": "추천",
        "nobody sets it": "정해지지 않음",
        "On the desk": "작업 화면에서",
        "What happens": "사건",
        "Who is there": "등장인물",
        "Must not": "금지",
        "Must not happen": "금지",
        "How it ends": "마무리",
        "What stirs it": "계기",
        "What brings it back": "계기",
        "Storylines": "이야기 줄기",
        "last seen": "마지막 등장",
        "promise due": "회수할 복선",
        "A fix here: the surgeon follows your words": (
            "여기를 고친다: 작가가 적은 대로 퇴고자가 고칩니다"
        ),
        "Seconds a model may be silent between two signs of life.": (
            "응답 없이 기다리는 시간(초)."
        ),
        "No matches found": "찾은 동작이 없습니다",
        "Always": "늘 하는 것",
        "Never": "절대 하지 않는 것",
        "From now on, in the whole book": "앞으로 책 전체에서 계속",
        "This one thing in the whole book": "책 전체에서 이것 하나만",
        "The trial chapters are planned; w writes the first.": (
            "시험 장의 계획을 저장했습니다. w를 누르면 첫 장을 씁니다."
        ),
        "A path first, then Enter · Esc leaves everything as it is": (
            "경로를 적고 Enter · Esc 취소"
        ),
        " Other chapters there with the same names will be replaced too.": (
            " 그곳에 있는 같은 이름의 다른 장들도 함께 덮어씁니다."
        ),
    },
    "zh": {
        "recommended": "推荐",
        "A file is in the way": "有同名文件，无法写入",
        "Always": "总会做的事",
        "Never": "绝不做的事",
        "a makes it an entry, r under another name, x leaves it. A takes all notes.": (
            "a 立为条目，r 换名字，x 不采用。Alt+A 采用所有笔记。"
        ),
        "A model read it that way.": "这是模型的读法。",
        "A different number moves it.": "改成别的编号，就移到那里。",
        "No matches found": "没有找到动作",
        " Other chapters there with the same names will be replaced too.": (
            "那里同名的其他章也会被覆盖。"
        ),
    },
}


# req: K5
@pytest.mark.parametrize("language", FACES)
def test_a_screen_says_it_as_a_writer_would(language: str) -> None:
    i18n.use(language)
    wordings = FACES[language]
    assert {sentence: _(sentence) for sentence in wordings} == wordings


# req: K5
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("language", "message", "sentence"),
    [
        ("ko", said("`## Chapter {number}: Title`", number=3), "`## 3장 제목`"),
        ("zh", said("`## Chapter {number}: Title`", number=3), "`## 第3章 标题`"),
        (
            "ko",
            said("Among the people now: {people}.", people=("마동철",)),
            "인물에 추가했습니다: 마동철.",
        ),
        (
            "ko",
            taken_back(said("The plan of chapter {number} was changed.", number=2)),
            "2장 계획을 되돌렸습니다.",
        ),
        (
            "ko",
            said("Ahead, {words}: chapter {numbers}.", words=said("promise due"), numbers="3"),
            "회수할 복선: 3장.",
        ),
        (
            "ko",
            said("{measure} rose {before} to {after}", measure="감각", before=1, after=2),
            "감각이 1에서 2로 늘었습니다",
        ),
        ("ko", said("chapters {first} to {last}", first=1, last=3), "1~3장"),
        (
            "ko",
            said(
                "it keeps {share} of what the passage says, where {least} is the least",
                share="25%",
                least="45%",
            ),
            "원문 내용의 25%만 남았습니다(최소 45%)",
        ),
        ("ko", said("denied, or no longer denied"), "부정이 생기거나 사라짐"),
        ("zh", said("chapter {chapter} has no text yet", chapter=2), "第2章还没有正文"),
    ],
)
def test_a_message_says_it_as_a_writer_would(language: str, message: str, sentence: str) -> None:
    i18n.use(language)
    assert translate(message) == sentence


# req: K5
def test_when_somebody_was_last_seen_is_a_chapter() -> None:
    i18n.use("ko")
    assert fact_in_words(1, key="last_seen") == "1장"
    assert _("All decided. {key} takes the chapter into the book.", key="C") == (
        "모두 정했습니다. C를 누르면 책에 들어갑니다."
    )
    assert _("Chapter {chapter} is planned. {way}.", chapter=2, way="w") == (
        "2장 계획을 저장했습니다. w."
    )


# req: K5
def test_what_holds_where_is_said_in_the_order_of_the_language() -> None:
    i18n.use("ko")
    words = _(
        "It is meant {where}, and no longer proposed.",
        where=translate(said("in the whole book")),
    )
    assert words.startswith("책 전체에서 일부러 쓴 것으로 알고")
    i18n.use("zh")
    words = _(
        "Nothing of this kind is proposed {where} any more.",
        where=translate(said("in the whole book")),
    )
    assert words.startswith("在全书，这一类全部")
