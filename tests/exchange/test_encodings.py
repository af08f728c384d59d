"""Which encoding a file is in, found from its bytes alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import Exit, StudioError
from studio.exchange.import_.encodings import decode

KO = "비가 그치자 마라는 등대의 계단을 올랐다. “아직 불이 켜져 있어.” 조스가 말했다.\n"
ZH = "雨停了，玛拉爬上了灯塔的楼梯。“灯还亮着。”乔斯说。\n"
ZH_OLD = "雨停了，瑪拉爬上了燈塔的樓梯。「燈還亮著。」喬斯說。\n"
FR = "Elle n’était pas là, à l’été déjà passé — « où êtes-vous ? » dit-il.\n"
DE = "Über den Dächern läuft ein Mädchen, größer als die Schlösser.\n"
BIG5 = "第一章 燈塔\n\n她說：「走吧。」那盞燈滅了，沒有人看見。風從海上來，他們都不說話。\n" * 3
EN = "She didn’t look up. “You’re early,” he said — and that was all…\n"


@pytest.mark.parametrize(
    ("text", "written", "encoding", "sureness"),
    [
        (KO, "utf-8", "utf-8", "sure"),
        (KO, "utf-8-sig", "utf-8-sig", "sure"),
        (KO, "utf-16", "utf-16", "sure"),
        (ZH, "utf-32", "utf-32", "sure"),
        (KO, "cp949", "cp949", "likely"),
        (KO, "euc-kr", "cp949", "likely"),
        ("안녕하세요", "cp949", "cp949", "likely"),
        (ZH, "gb18030", "gb18030", "likely"),
        (ZH, "gb2312", "gb18030", "likely"),
        (ZH_OLD, "gb18030", "gb18030", "likely"),
        (FR, "cp1252", "cp1252", "likely"),
        (DE, "latin-1", "cp1252", "likely"),
        (EN, "cp1252", "cp1252", "likely"),
        ("A plain page.\n", "ascii", "utf-8", "sure"),
        ("", "utf-8", "utf-8", "sure"),
    ],
)
def test_real_sentences_come_back_from_every_encoding(
    text: str, written: str, encoding: str, sureness: str
) -> None:  # req: F5
    decoded = decode(text.encode(written), "a.txt")
    assert (decoded.text, decoded.encoding, decoded.sureness) == (text, encoding, sureness)


@given(st.lists(st.sampled_from(KO.split() + ZH.split("，")), min_size=1).map(" ".join))
def test_utf8_is_never_taken_for_anything_else(text: str) -> None:
    assert decode(text.encode(), "a.txt").text == text


@given(st.permutations(KO.split()))
def test_korean_in_cp949_is_read_whatever_the_order_of_its_words(words: list[str]) -> None:
    text = " ".join(words)
    assert decode(text.encode("cp949"), "a.txt").text == text


@pytest.mark.parametrize(
    "data",
    [
        "日本語の文章です。彼は見た。".encode("shift_jis"),
        "Привет, как дела, он сказал".encode("cp1251"),
        KO.encode("cp949") + b"\xff",
        KO.encode() + b"\xb0\xa1",
        bytes(range(128, 256)) * 4,
    ],
)
def test_what_reads_like_nothing_is_refused_with_the_way_on(data: bytes) -> None:
    with pytest.raises(StudioError) as caught:
        decode(data, "old.txt")
    problem = caught.value.problem
    assert problem.exit_code == Exit.USAGE
    assert "old.txt" in problem.message
    assert "--encoding" in problem.hint


def test_a_named_encoding_overrides_what_would_be_found() -> None:
    data = ZH_OLD.replace("瑪", "馬").encode("big5")
    assert decode(data, "a.txt", "Big5").text == ZH_OLD.replace("瑪", "馬")
    assert decode(KO.encode("cp949"), "a.txt", "latin-1").text != KO
    assert decode(KO.encode("utf-8-sig"), "a.txt", "utf8").text == KO


@pytest.mark.parametrize("name", ["klingon", "rot13", "hex", "zip"])
def test_what_is_no_text_encoding_is_refused(name: str) -> None:
    with pytest.raises(StudioError, match="not a text encoding") as caught:
        decode(b"abc", "a.txt", name)
    assert caught.value.problem.exit_code == Exit.USAGE


def test_a_named_encoding_that_does_not_fit_names_the_line() -> None:
    with pytest.raises(StudioError, match=r"a\.txt is not in utf-8: byte 4 \(line 2\)"):
        decode(b"one\n" + KO.encode("cp949"), "a.txt", "utf-8")


def test_half_a_utf16_file_is_refused() -> None:
    with pytest.raises(StudioError, match="begins like utf-16"):
        decode(KO.encode("utf-16")[:-1], "a.txt")


def test_zero_bytes_are_no_text() -> None:
    with pytest.raises(StudioError, match="zero bytes"):
        decode(b"\0\0\0\0abc", "a.txt")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (BIG5, "big5"),
        (BIG5, "utf-16-le"),
        ("Chapter 1\n\nShe “saw” it.\n" * 5, "utf-16-be"),
        ("제1장 등대\n\n비가 왔다. 아무도 말하지 않았다.\n", "utf-16-le"),
    ],
)
def test_old_encodings_are_known_without_a_mark(text: str, encoding: str) -> None:  # req: I1
    decoded = decode(text.encode(encoding), "x.txt")
    assert (decoded.text, decoded.encoding) == (text, encoding)
