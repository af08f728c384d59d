"""Who says what, where the text itself names the speaker beside the speech.

`“Come in,” said Joss`, `조스가 말했다.`, `乔斯说：`. A name that only stands near a speech is
no speaker: better to miss one than to let a dead man talk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from studio.book.mentions import Mentioned, NameFinder
from studio.story.chapter import Chapter, Paragraph
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import read
from studio.text.spans import Span

_NEAR = 40
"""Characters beside a speech in which its speaker is named."""
_EN = (
    r"(?:said|says|asked|asks|replied|answered|whispered|shouted|called|murmured|cried|muttered"
    r"|told|added|began|went on|agreed|snapped)"
)
_KO = r"(?:말했|물었|대답했|속삭였|외쳤|중얼거렸|덧붙였|되물었|소리쳤|하고|라고|이라고)"
_ZH = r"(?:低声|轻声|大声|笑着|冷冷地|又|便|就|也)*(?:说|道|问|答|喊|叫|嚷|回答|说道|问道|笑道)"
_AFTER_NAME = {
    "en": re.compile(rf"\s+(?:\w+ly\s+)?{_EN}\b"),
    "ko": re.compile(rf"(?:이|가|은|는)\s[^.!?]{{0,20}}?{_KO}"),
    "zh": re.compile(_ZH),
}
"""What makes a name beside a speech its speaker."""
_BEFORE_NAME = {
    "en": re.compile(rf"\b{_EN}\s+$"),
    "ko": re.compile(r"(?!)"),
    "zh": re.compile(r"(?!)"),
}


@dataclass(frozen=True, slots=True)
class Speech:
    """A speech of somebody."""

    slug: str
    scene: int
    paragraph: Paragraph
    span: Span
    """Of the speech in the paragraph's prose, marks included."""

    @property
    def words(self) -> str:
        """What is said."""
        return self.paragraph.prose[self.span.start : self.span.end]


def speeches_in(chapter: Chapter, pack: LanguagePack, finder: NameFinder) -> list[Speech]:
    """Every speech of a chapter whose speaker is an entry that is named beside it."""
    return list(_speeches(chapter, pack, finder))


def _speeches(chapter: Chapter, pack: LanguagePack, finder: NameFinder) -> Iterator[Speech]:
    for paragraph, part in read(chapter.text, pack).parts:
        if not part.speech:
            continue
        names = finder.find(part.text)
        outside = [m for m in names if not any(s.start <= m.start < s.end for s in part.speech)]
        for span in part.speech:
            speaker = next((m for m in outside if _is_speaker(part.text, m, span, pack)), None)
            if speaker is not None:
                yield Speech(speaker.slug, paragraph.scene, paragraph, span)


def _is_speaker(text: str, name: Mentioned, speech: Span, pack: LanguagePack) -> bool:
    behind = 0 <= name.start - speech.end <= _NEAR and "." not in text[speech.end : name.start]
    ahead = 0 <= speech.start - name.end <= _NEAR and not re.search(
        r"[.!?。！？]", text[name.end : speech.start]
    )
    if not behind and not ahead:
        return False
    after = _AFTER_NAME[pack.language].match(text, name.end)
    before = _BEFORE_NAME[pack.language].search(text[: name.start])
    return bool(after) or bool(before and behind)
