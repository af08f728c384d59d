"""Whether what people say in a chapter stands without quotation marks, so that nothing tells it
from narration."""

from __future__ import annotations

import re

from studio.text.prose.parse import Reading

_WHO = r"(?:he|she|it|I|we|they|you|the [\w.’']+|[A-Z][\w.’']*(?: [A-Z][\w.’']*)?)"
_SAYS = (
    r"(?:said|says|asked|asks|replied|answered|called|cried|shouted|whispered|muttered|typed|types)"
)
_TAGS = {
    "en": re.compile(rf"[\w…][,?!] (?:{_WHO} {_SAYS}|{_SAYS} {_WHO})\b"),
    "zh": re.compile(
        "(?:^|[，。？！…])[^，。？！…没沒不]{0,8}(?<![据據听聽传傳虽雖小一么麼样樣])[说說问問喊答]道?[：:，,](?=.)"
        "|(?:^|[，。？！…])(?![^，。]{0,3}[没沒不])[\u4e00-\u9fff]{1,4}[说說问問答]道?。"
    ),
}
"""Matches who speaks, beside what is said. Korean reports speech without marks everywhere."""
_FEWEST = 3
"""The least number of paragraphs with a tag and no marks."""


def speaks_without_marks(reading: Reading) -> bool:
    """Whether at least three paragraphs have a speech tag and no quotation marks, and half as many
    as have marks."""
    tags = _TAGS.get(reading.pack.language)
    if tags is None:
        return False
    parts = [part for _, part in reading.prose]
    quoted = sum(bool(part.speech) for part in parts)
    fewest = max(_FEWEST, quoted / 2)
    bare = sum(not part.speech and tags.search(part.text) is not None for part in parts)
    return bare >= fewest
