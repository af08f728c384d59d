"""A proposed passage of the style library says what it is an example of in the writer's language,
and is kept with the values that code compares."""

from __future__ import annotations

import pytest

from studio import i18n
from studio.pipeline.beginning.passages import cut_by_code
from studio.pipeline.beginning.pieces import pieces_of, with_words, words_of
from studio.project.files import front_matter
from studio.story.checkpoint import Decision
from studio.story.form.document import to_jsonable
from studio.text.language.packs import load_pack

SAMPLE = "\n\n".join(
    f"“{thing}은 어디 뒀어?” 그가 물었다. “창턱에.” 그녀가 대답했다. “거기 없던데.” “난 몰라.”"
    for thing in ("기름통", "등잔", "국자", "촛대", "장부", "종")
)
LINES = {
    "ko": [
        "장르: 등대 이야기",
        "장면 종류: 대화",
        "시점: 전지적 시점",
        "호흡: 빠름",
        "출처: 작가의 글",
    ],
    "zh": ["类型：등대 이야기", "场景类型：对话", "视角：全知视角", "节奏：快", "出处：作者的样文"],
    "en": [
        *("genre: 등대 이야기", "scene type: dialogue", "pov: omniscient", "pacing: fast"),
        "source: the author's sample",
    ],
}


# req: K2
@pytest.mark.parametrize("language", LINES)
def test_in_the_writers_language(language: str) -> None:
    meta, text = cut_by_code(SAMPLE, load_pack("ko"), "등대 이야기", "omniscient")[0]
    values = {name: value for name, value in to_jsonable(meta).items() if value}
    files = {"style-library/sample-1.md": front_matter.join(values, text)}
    question = Decision(
        id="q",
        kind="start",
        options=("next",),
        recommendation="",
        rationale="",
        data={"files": files},
    )
    tags = next(piece for piece in pieces_of(question) if piece.read_only)
    i18n.use(language)
    assert words_of(tags).splitlines() == LINES[language]
    assert with_words(question, {tags.key: tags.text}).data["files"] == files
    assert values["pacing"] == "fast", "what is compared stays what it was"
