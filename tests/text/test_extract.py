from __future__ import annotations

import pytest

from studio.i18n import LANGUAGES
from studio.story.chapter import Chapter
from studio.text.extractive import appearances, extractive_summary
from studio.text.language.names import Bearer, NameIndex
from studio.text.language.packs import load_pack
from studio.text.prose.parse import read

EN = """# The Lamp

Mara climbed to the lamp room at dusk. The stairs were wet. She counted them.

“You are late,” said Joss. He had the key in his glove.

* * *

By midnight the lamp was out. Rain came over the wall. Nobody had rung the bell.
Mara took the key to the lamp.
"""
KO = """# 등불

해 질 녘에 미라는 등대로 올라갔다. 계단이 젖어 있었다. 그녀는 계단을 세었다.

“늦었구나.” 조수가 말했다. 그는 장갑 속에 열쇠를 쥐고 있었다.

* * *

자정에 등대의 불이 꺼졌다. 비가 담을 넘어왔다. 아무도 종을 치지 않았다.
미라는 열쇠를 들고 등대로 갔다.
"""
ZH = """# 灯

天黑时小梅爬上了灯塔。台阶是湿的。她一级一级地数着台阶。

“你来晚了。”老赵说道。他把钥匙攥在手套里不放。

* * *

半夜里灯塔的灯灭了。雨越过了那道矮墙。没有人去敲那口钟。小梅拿着钥匙回到了灯塔。
"""
CHAPTERS = {"en": Chapter(EN), "ko": Chapter(KO), "zh": Chapter(ZH)}
NAMES = {
    "en": {"mara": ["Mara"], "joss": ["Joss"], "nan": ["Nan"]},
    "ko": {"mara": ["미라"], "joss": ["조수"], "nan": ["난이"]},
    "zh": {"mara": ["小梅"], "joss": ["老赵"], "nan": ["阿南"]},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_is_the_chapters_own_sentences_in_order(language: str) -> None:
    chapter, pack = CHAPTERS[language], load_pack(language)
    summary = extractive_summary(chapter, pack, 3)
    own = [
        s.span.of(part.text) for _, part in read(chapter.text, pack).parts for s in part.sentences
    ]
    chosen = [sentence for sentence in own if sentence in summary]
    assert ("" if language == "zh" else " ").join(chosen) == summary
    assert len(chosen) == 3
    assert own[0] in chosen, "the opening is there"
    assert summary == extractive_summary(Chapter(chapter.text), pack, 3)
    assert len(extractive_summary(chapter, pack, 2)) < len(extractive_summary(chapter, pack, 6))


def test_an_empty_chapter_has_an_empty_summary() -> None:
    assert extractive_summary(Chapter("# Title\n"), load_pack("en")) == ""


def test_a_chapter_of_speech_alone_is_summed_up_by_its_speech() -> None:
    chapter = Chapter("“We leave at dawn, all of us.”\n\n“Not without the key to the lamp.”\n")
    assert extractive_summary(chapter, load_pack("en"), 1).startswith("“")


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_appears_is_shown_by_the_first_sentence_that_names_them(language: str) -> None:
    chapter = CHAPTERS[language]
    named = NameIndex(Bearer(slug, tuple(names)) for slug, names in NAMES[language].items())
    quotes = appearances(chapter, named, load_pack(language))
    assert list(quotes) == ["mara", "joss"]
    for slug, quote in quotes.items():
        assert quote in chapter.text
        assert NAMES[language][slug][0] in quote
