"""How many tokens a text is, roughly and on the high side."""

from __future__ import annotations

LATIN_CHARACTERS_A_TOKEN = 3.0
TOKENS_A_CJK_CHARACTER = 1.5


def high_estimate(text: str) -> int:
    """Tokens of `text`: a Latin letter counts a third, a Hangul syllable or Han character 1.5."""
    wide = (len(text.encode("utf-8", "replace")) - len(text)) / 2
    return int((len(text) - wide) / LATIN_CHARACTERS_A_TOKEN + wide * TOKENS_A_CJK_CHARACTER) + 1
