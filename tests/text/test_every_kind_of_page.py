"""Pages that are not plain prose, and marks of other hands, are read as a reader does (P8)."""

from __future__ import annotations

import pytest

from studio.text.language.packs import load_pack
from studio.text.prose.dialogue import dialogue_spans
from studio.text.prose.forms import forms
from studio.text.prose.parse import read
from studio.text.prose.segmentation import sentences


def spoken(text: str, language: str) -> list[str]:
    text = "\n\n" + text
    return [span.of(text) for span in dialogue_spans(text, load_pack(language))]


def split(text: str, language: str) -> list[str]:
    return [span.of(text) for span in sentences(text, load_pack(language))]


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        (
            "ko",
            "그는 질 수가 없었다. 하는 수 없이 문을 열었다.",
            ["그는 질 수가 없었다.", "하는 수 없이 문을 열었다."],
        ),
        ("ko", "“가자.” 하고 그가 말했다.", ["“가자.” 하고 그가 말했다."]),
        ("ko", "“가자.”라고 그가 말했다. 비가 왔다.", ["“가자.”라고 그가 말했다.", "비가 왔다."]),
        (
            "ko",
            "끝이 났다.[1] 그는 갔다.① 비가 왔다.",
            ["끝이 났다.[1]", "그는 갔다.①", "비가 왔다."],
        ),
        ("en", "It ended.[2] He left.¹ Rain fell.", ["It ended.[2]", "He left.¹", "Rain fell."]),
        ("en", "He died Aug. 5. She left on Dec. 12.", ["He died Aug. 5.", "She left on Dec. 12."]),
        ("zh", "完了。[1]他走了。①下雨了。", ["完了。[1]", "他走了。①", "下雨了。"]),
    ],
)
def test_where_a_sentence_ends(language: str, text: str, wanted: list[str]) -> None:
    assert split(text, language) == wanted


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("ko", "그는 ‘정말일까’ 하고 생각했다. ‘나는 간다.’ 그는 일어섰다.", []),
        ("ko", "｢아이구!｣ 하고 어머니가 말했다.", ["｢아이구!｣"]),
        ("ko", "그는 〈삼대〉를 읽었다. 『무정』도 읽었다.", []),
        ("ko", "- 그는 잠시 쉬었다.", []),
        ("ko", "- 왔어?\n\n- 응.", ["- 왔어?", "- 응."]),
        (
            "en",
            "«Come in,» she said. „No,” he said. „Nein,“ he said.",
            ["«Come in,»", "„No,”", "„Nein,“"],
        ),
        ("zh", "他说：«走吧。»", ["«走吧。»"]),
    ],
)
def test_what_is_speech(language: str, text: str, wanted: list[str]) -> None:
    assert spoken(text, language) == wanted


def test_a_script_is_speech_and_no_narration() -> None:
    reading = read("NORA: Come in.\n\nJOSS: I felt cold.\n\nNORA: Sit down.", load_pack("en"))
    assert set(reading.forms.values()) == {"script"}
    assert reading.units == 0
    assert reading.hits("filter") == []


def test_headings_quotes_tables_and_footnotes_are_in_no_metric() -> None:
    text = (
        "# One\n\nShe felt cold.\n\n## The second part\n\n> He felt it, too.\n\n"
        "| felt | saw |\n\n[^1]: She felt it first.\n\nRain fell."
    )
    reading = read(text, load_pack("en"))
    assert [part.text for _, part in reading.parts] == ["She felt cold.", "Rain fell."]
    assert [p.number for p, _ in reading.parts] == [1, 6]
    assert len(reading.hits("filter")) == 1


@pytest.mark.parametrize(
    ("language", "texts", "wanted"),
    [
        ("ko", ["나 보기가 역겨워", "가실 때에는", "말없이 고이", "보내 드리우리다"], "verse"),
        ("en", ["Dear Nora,", "The boat is late.", "Yours ever, M."], "letter"),
        ("zh", ["一、灯", "二、绳", "三、桨"], "list"),
        ("ko", ["【알림: 새 임무가 도착했습니다】"], "document"),
        ("en", ["She said: come in.", "Rain fell.", "He went."], "prose"),
        ("ko", ["비가 왔다.", "문이 닫혔다.", "그는 갔다.", "불이 꺼졌다."], "prose"),
    ],
)
def test_what_kind_of_page_it_is(language: str, texts: list[str], wanted: str) -> None:
    assert set(forms(texts, language)) == {wanted}
