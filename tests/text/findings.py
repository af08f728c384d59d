"""Texts with much and with nothing in them to find, and what is found."""

from __future__ import annotations

from studio.story.chapter import Chapter
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from studio.text.oracle.directives import CodeFindings, findings

CROWDED = {
    "ko": "그녀는 추위를 느꼈다. 문이 열린 것 같았다. 누군가 있다고 생각했다.",
    "en": "She felt cold and saw that the door had moved. Somebody, she thought, was there.",
    "zh": "她感到冷。门似乎开了。她觉得有人。",
}
CALM = {
    "ko": "강이 굽이쳐 흐르네. 둑 너머에서 개가 짖지? 배 한 척이 닻을 내렸다.",
    "en": "The river bent away. A dog barked past the dyke; one boat dropped its anchor.",
    "zh": "河水拐了弯。堤外有狗在叫。一条船下了锚。",
}
VARIED_OPENINGS = (
    "Rain came. Somebody had left a lamp on the quay, and its light lay along the water as far as"
    " the second mooring. Boats knocked. Past the dyke a dog began to bark and then thought better"
    " of it. Nobody came to see to them, though the tide was high. "
)
OF_HER_OWN = {"same_opening_run": {"max": 3.0}}


def look(text: str, language: str, targets: dict[str, dict[str, float]] | None = None, **more):  # type: ignore[no-untyped-def]
    """What code finds in a text."""
    pack = load_pack(language)
    return findings(Chapter(text), pack, measure(text, pack, targets), **more)


def types(report: CodeFindings) -> list[str]:
    """What is proposed, in order."""
    return [d.type.value for d in report.directives]
