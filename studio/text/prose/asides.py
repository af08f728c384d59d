"""A model's remarks to the user in the middle of a draft, which are no part of the story (P15).

Unlike a rewrite, a draft has no earlier text for comparison, so the search covers only what no
narrator says, sentence by sentence, and never inside speech.
"""

from __future__ import annotations

import re
from functools import cache

from studio.text.language.packs import LanguagePack
from studio.text.prose.segmentation import sentences

_TEXT = r"(?:stor(?:y|ies)|scenes?|passage|paragraphs?|text|prompt|narrative|draft|excerpt|prose)"
_ENGLISH = (
    r"\bas\ an?\ (?:ai|artificial\ intelligence|(?:large\ )?language\ model|assistant)\b",
    r"\bI(?:['’]m|\ am)\ (?:just\ |only\ )?an?\ (?:ai|language\ model|assistant)\b",
    r"\bI\ have\ no\ idea\ what\ you(?:['’]re|\ are)?\ (?:mean|refer|ask|talk)",
    r"\bI\ (?:do\ not|don['’]t)\ (?:quite\ |fully\ )?understand\ (?:what\ you\ mean|the|your)\ ?"
    r"(?:question|request|prompt)?",
    r"\byou(?:['’]re|\ are)\ (?:referring\ to|asking\ (?:me|for|about)|looking\ for\ an?)\b",
    r"\b(?:could|can|would)\ you\ (?:please\ )?(?:clarify|rephrase|specify"
    r"|(?:provide|give\ me)\ (?:more|some|further|the))\b",
    r"^please\ (?:clarify|provide|specify|note\ that|feel\ free|let\ me\ know)\b",
    r"\bfeel\ free\ to\ (?:ask|modify|adjust|edit|let\ me)\b",
    r"\blet\ me\ know\ (?:if\ you|what\ you|whether\ you|how\ you)\b|\bI\ hope\ this\ helps\b",
    r"^(?:sure|certainly|of\ course|absolutely|okay)[,!.]\ "
    r"(?:here|I(?:['’]ll|\ will|['’]d|\ can)|let)\b",
    rf"^here(?:['’]s|\ is|\ are)\ (?:the|your|my|an?|six|some)\b[^.!?]{{0,40}}\b{_TEXT}\b",
    rf"\bI\ ?(?:can(?:not|['’]t)|am\ unable\ to|['’]m\ unable\ to)\ (?:continue|write|generate"
    rf"|create|complete|provide)\ (?:this|that|the|your|any)?\ ?{_TEXT}\b",
    rf"\b(?:continue|write|rewrite|complete)\ (?:this|the|your)\ {_TEXT}\ with\b",
    rf"\b(?:this|the|your)\ {_TEXT}\ "
    r"(?:you\ (?:provided|gave|wrote|asked)|is\ (?:about|set|written))\b",
    r"\b(?:how\ (?:can|may)\ I|I(?:['’]m|\ am)\ here\ to|happy\ to|glad\ to)\ "
    r"(?:help|assist)\ you\b",
)
_OTHER = (
    r"저는\ (?:AI|인공지능|언어\ 모델)",
    r"(?:요청|지시)하신\ (?:대로|장면|내용)|(?:다음은|아래는)\ [^.]{0,20}(?:장면|본문)입니다",
    r"(?:도움이\ 되|수정이\ 필요하)[^.]{0,12}(?:말씀|알려)\ ?(?:해\ )?주(?:세요|십시오)",
    r"作为(?:一个|一名)?(?:AI|人工智能|语言模型)|(?:根据|按照)(?:您|你)的(?:要求|指示|请求)",
    r"以下是[^。]{0,20}(?:场景|正文|段落)|(?:希望|如果)[^。]{0,20}(?:对您|告诉我|随时)",
)
_SPEECH = re.compile(
    r"[“\"「『][^”\"」』\n]*(?:[”\"」』]|$)|(?<!\w)[‘'](?:[^’'\n]|[’'](?=\w))*(?:[’']|$)"
)


def without_asides(text: str, pack: LanguagePack, *, everywhere: bool) -> tuple[str, list[str]]:
    """Returns a draft without the sentences in which the model addresses the user, and those
    sentences.

    A small model does so `everywhere`; a large one at most before and after the story, so elsewhere
    such words belong to the story, for instance to a letter.
    """
    paragraphs = text.split("\n\n")
    outer = (0, len(paragraphs) - 1)
    story, asides = [], []
    for number, paragraph in enumerate(paragraphs):
        rest = paragraph
        for sentence in _asides(paragraph, pack) if everywhere or number in outer else ():
            asides.append(sentence)
            rest = rest.replace(sentence, "", 1)
        if rest.strip():
            story.append(paragraph if rest is paragraph else _closed_up(rest))
    return ("\n\n".join(story) if asides else text), asides


def _asides(paragraph: str, pack: LanguagePack) -> list[str]:
    narration = _SPEECH.sub(lambda speech: "\0" * len(speech[0]), paragraph)
    return [
        span.of(paragraph).strip()
        for span in sentences(paragraph, pack)
        if _pattern().search(narration[span.start : span.end].strip())
    ]


def _closed_up(paragraph: str) -> str:
    return re.sub(r"[ \t]{2,}", " ", paragraph).strip()


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in (*_ENGLISH, *_OTHER)), re.I | re.X)
