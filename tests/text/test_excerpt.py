from __future__ import annotations

import pytest

from studio import i18n
from studio.messages import said
from studio.quotation_marks import put_in_quotes
from studio.text.prose.answer import breach, excerpt, first_sentences


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("The lamp.", "The lamp."),
        ("The lamp\n  burned.", "The lamp …"),
        ("등대의 불이 꺼졌다.", "등대의 불이 꺼졌…"),
        ("灯灭了。\n\n没有人说话。", "灯灭了。 没有人说…"),
        ("0123456789", "0123456789"),
        ("", ""),
    ],
)
def test_a_passage_fits_on_a_line_of_ten(text: str, line: str) -> None:
    assert excerpt(text, 10) == line


@pytest.mark.parametrize(
    ("text", "longest", "line"),
    [
        ("The lamp is out.", 20, "The lamp is out."),
        (
            "A ledger lies there. A page is gone. Who has it?",
            40,
            "A ledger lies there. A page is gone.",
        ),
        (
            "A ledger with one page cut out, and whoever cut it",
            40,
            "A ledger with one page cut out…",
        ),
        ("A ledger without one of its pages", 20, "A ledger without…"),
        ("대장에서 잘린 장을 누가 가졌는가. 종구가 안다.", 24, "대장에서 잘린 장을 누가 가졌는가."),
        ("누가 대장의 한 장을 잘라 냈는지를 서윤이 안다", 14, "누가 대장의 한 장을…"),
        ("谁在九号铺睡过，为什么走时没有带走那把钥匙", 16, "谁在九号铺睡过…"),
    ],
)
def test_what_has_no_room_is_cut_where_its_sense_allows(text: str, longest: int, line: str) -> None:
    assert first_sentences(text, longest) == line


@pytest.mark.parametrize(
    ("words", "quotation"),
    [
        ("felt that", "“felt that”"),
        ("“가거라.”", "“가거라.”"),
        ("“Who’s there?” She waited.", "“‘Who’s there?’ She waited.”"),
        ("“어머니가 ‘기다려라’ 하셨다”고 말했다.", "“‘어머니가 “기다려라” 하셨다’고 말했다.”"),
        ("他说：“娘说‘等着’。”", "“他说：‘娘说“等着”。’”"),
        ("“I know that you…", "“I know that you…”"),
        ("他问：“要不要…", "“他问：‘要不要…’”"),
        ('"Go," he said.', "“‘Go,’ he said.”"),
        ("She said ‘go’.", "“She said ‘go’.”"),
        ("  ", ""),
    ],
)
def test_what_is_quoted_in_a_quotation_has_the_other_marks(words: str, quotation: str) -> None:
    assert put_in_quotes(words) == quotation


@pytest.mark.parametrize(
    ("parts", "sentences"),
    [
        (("No bell rings", "a bell rang", "It did"), "No bell rings: “a bell rang”. It did."),
        (("No bell rings.", "It rang.", ""), "No bell rings: “It rang.”"),
        (("종은 울리지 않는다", "", "종이 운다."), "종은 울리지 않는다. 종이 운다."),
        (("没有钟声", "", "钟响了"), "没有钟声。 钟响了。"),
    ],
)
def test_a_broken_rule_and_its_words_do_not_run_together(
    parts: tuple[str, str, str], sentences: str
) -> None:
    assert breach(*parts) == sentences


@pytest.mark.parametrize(
    ("language", "quote", "sentence"),
    [
        ("en", "“Cotton.”", "new: “Cotton.”"),
        ("en", "“Cotton,” she said.", "new: “‘Cotton,’ she said.”"),
        ("en", "Cotton.", "new: “Cotton.”"),
        ("ko", "“솜이야.”", "새로 생김: “솜이야.”"),
        ("ko", "“솜이야.” 순이가 말했다.", "새로 생김: “‘솜이야.’ 순이가 말했다.”"),
        ("zh", "“棉的。”", "新增：“棉的。”"),
        ("zh", "阿盐说：“棉的。”", "新增：“阿盐说：‘棉的。’”"),
    ],
)
def test_a_sentence_does_not_put_marks_around_a_text_that_has_them(
    language: str, quote: str, sentence: str
) -> None:
    i18n.use(language)
    assert i18n.translate(said("new: “{words}”", words=quote)) == sentence


def test_no_sentence_ends_with_the_title_of_somebody() -> None:
    words = "The key of the vestry was given to her by old Dr. Hale, who never asked for it."
    assert first_sentences(words, 62) == "The key of the vestry was given to her by old Dr. Hale…"
