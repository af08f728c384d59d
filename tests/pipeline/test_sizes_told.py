"""How much of the book, and of what is asked, a model is told (WRITING 1.2 and 1.12)."""

from __future__ import annotations

import json

import pytest

from studio.llm.structured import form_of
from studio.pipeline.prompting.prompt_blocks import LAST_PAGES, last_paragraphs
from studio.story.chapter import Chapter
from studio.story.review.answers import JudgeAnswer
from studio.text.language.packs import load_pack
from studio.text.prose.parse import units_in

SENTENCES = {
    "en": "The rain went on, and nobody on the quay counted the boats that came in late.",
    "ko": "비가 그치지 않았고, 부두에서는 늦게 들어오는 배를 아무도 세지 않았다.",
    "zh": "雨一直没有停，码头上谁也不去数那些迟归的船。",
}
SIZES = {"en": 1200, "ko": 3000, "zh": 3000}
LARGEST_FORM = 4850
"""Characters of what a judge's answer is to look like. It has 4,845; with parts that nobody looked
at it had 6,649."""


@pytest.mark.parametrize("language", SENTENCES)
def test_the_last_pages_are_whole_paragraphs_up_to_the_size_of_the_language(language: str) -> None:
    pack = load_pack(language)
    paragraphs = [f"{SENTENCES[language]} {n}." * (1 + n % 4) for n in range(1, 600)]
    chapter = Chapter("# 1\n\n" + "\n\n".join(paragraphs) + "\n")
    lines = last_paragraphs(chapter, pack, LAST_PAGES[pack.unit])
    words = [line.text for line in lines]
    assert words == paragraphs[-len(words) :]
    length = sum(units_in(text, pack) for text in words)
    before = units_in(paragraphs[-len(words) - 1], pack)
    assert length <= SIZES[language] < length + before


def test_the_form_of_a_judgement_stays_small() -> None:
    form = json.dumps(form_of(JudgeAnswer), ensure_ascii=False, separators=(",", ":"))
    assert len(form) <= LARGEST_FORM
