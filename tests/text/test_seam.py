"""A continuation is joined to what stands, inside a word too."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest

from studio.text.language.packs import load_pack
from studio.text.prose.going_on import Seam


# req: J3
@pytest.mark.parametrize(
    ("stands", "answer", "whole"),
    [
        ("면사무소 박 주", "주사였다. 그는 웃었다.", "면사무소 박 주사였다. 그는 웃었다."),
        ("he leaned across his wi", "wife, who slept", "he leaned across his wife, who slept"),
        ("he leaned across his", "wife, who slept", "he leaned across his wife, who slept"),
        ("문고리를 잡", "잡았다.", "문고리를 잡았다."),
        ("남탕 쪽", "문이 열렸다.", "남탕 쪽 문이 열렸다."),
        ("她把灯", "灯笼挂起", "她把灯笼挂起"),
        ("她的抹布擦着同一块柜", "柜台，一圈又一圈。", "她的抹布擦着同一块柜台，一圈又一圈。"),
        ("她站得不慌不", "不慌不忙，", "她站得不慌不忙，"),
        ("她把灯", "笼挂起", "她把灯笼挂起"),
        ("她慢", "慢走下楼", "她慢慢走下楼"),
    ],
)
def test_a_word_that_she_left_unfinished_is_gone_on_with(
    stands: str, answer: str, whole: str
) -> None:
    language = "zh" if "她" in stands else "ko" if "\uac00" <= stands[0] <= "\ud7a3" else "en"
    assert Seam(stands, load_pack(language)).join(answer) == whole


@pytest.mark.parametrize(
    ("stands", "answer", "whole"),
    [
        ("미라는 이", "이야기를 알았다.", "미라는 이 이야기를 알았다."),
        ("벽에는 그", "그림이 걸려 있었다.", "벽에는 그 그림이 걸려 있었다."),
        ("그는 한", "한숨을 쉬었다.", "그는 한 한숨을 쉬었다."),
        ("She went in", "into the hall", "She went in into the hall"),
        ("The bar was shut. He knew the bar", "barman", "The bar was shut. He knew the bar barman"),
    ],
)
def test_a_word_that_is_whole_stays_before_one_that_begins_like_it(
    stands: str, answer: str, whole: str
) -> None:
    language = "ko" if "\uac00" <= stands[0] <= "\ud7a3" else "en"
    assert Seam(stands, load_pack(language)).join(answer) == whole


@pytest.mark.parametrize(
    ("language", "stands", "answer", "whole"),
    [
        ("ko", "대답은 꼭 열", "열 초 늦게 왔다.", "대답은 꼭 열 초 늦게 왔다."),
        ("ko", "무적소의 나팔", "나팔이 울렸다.", "무적소의 나팔이 울렸다."),
        ("ko", "벽에는 그", "그 그림이 있었다.", "벽에는 그 그 그림이 있었다."),
        ("en", "She took the lantern", "lantern down.", "She took the lantern down."),
        ("en", "She knew what he had", "had to say.", "She knew what he had had to say."),
        ("en", "Far far off, far", "far below.", "Far far off, far far below."),
        ("zh", "她把灯笼", "灯笼挂起。", "她把灯笼挂起。"),
    ],
)
def test_a_last_word_that_is_said_again_stands_once(
    language: str, stands: str, answer: str, whole: str
) -> None:
    """Met: a scene broken off behind a word went on with that word again, and had it twice."""
    from studio.pipeline.prompting.answer_stream import LiveContinuation

    pack = load_pack(language)
    assert Seam(stands, pack).join(answer) == whole
    live = LiveContinuation(stands, pack)
    streamed = "".join(map(live.take, f"## Prose\n\n{answer}")) + live.end()
    assert stands + streamed == whole


@pytest.mark.parametrize(
    ("language", "stands", "answer", "whole"),
    [
        ("ko", "그는 표를 맡긴\n", "사람 칸을 보았다.", "그는 표를 맡긴 사람 칸을 보았다."),
        ("ko", "그는 표를 맡긴 \n\n", "사람 칸을 보았다.", "그는 표를 맡긴 사람 칸을 보았다."),
        ("ko", "문고리를 잡\n", "잡았다.", "문고리를 잡았다."),
        ("en", "She held the\n", "lamp high.", "She held the lamp high."),
        ("zh", "她把灯\n", "举高了。", "她把灯举高了。"),
        ("ko", "그는 표를 맡겼다.\n\n", "사람이 왔다.", "그는 표를 맡겼다.\n\n사람이 왔다."),
        ("en", "She slept.\n\n", "Day came.", "She slept.\n\nDay came."),
        ("zh", "她睡了。\n\n", "天亮了。", "她睡了。\n\n天亮了。"),
        ("en", "She slept.\n\n* * *\n\n", "Day came.", "She slept.\n\n* * *\n\nDay came."),
    ],
)
def test_the_line_ends_behind_a_sentence_that_is_not_over_do_not_part_it(
    language: str, stands: str, answer: str, whole: str
) -> None:
    from studio.text.prose.going_on import without_open_line_end  # the code before has none

    assert Seam(without_open_line_end(stands), load_pack(language)).join(answer) == whole


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("language", "stands", "answer", "added"),
    [
        ("ko", "그는 계단을 올라갔다", "그는 계단을 올라갔다. 바람.", ". 바람."),
        ("ko", "문고리를 잡", "잡았다.", "았다."),
        ("en", "She sat in the café", "She sat in the café. It rained.", ". It rained."),
    ],
)
def test_a_text_that_was_typed_in_pieces_of_letters_is_gone_on_with_once(
    language: str, stands: str, answer: str, added: str, form: Literal["NFC", "NFD"]
) -> None:
    stands = unicodedata.normalize(form, stands)
    assert Seam(stands, load_pack(language)).join(answer) == stands + added
