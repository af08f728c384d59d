"""Line breaking for paragraphs: at spaces, and anywhere between Chinese characters.

Korean is broken between words, and inside a word only if the word alone is longer than a line; what
stands behind a closing quotation mark belongs to its word.

Widths are those of the renderer (rich.cells), so lines that fit here fit on the screen.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate

from rich.cells import get_character_cell_size, split_graphemes

MEASURE = 70
"""The default of `tui.measure`, repeated here because settings take long to load (performance
P5)."""
NARROWEST = 2
"""The minimum width of a line in cells; a wide character would not fit into less."""

_ZWJ, _WIDENER = "\u200d", "\ufe0f"
_SPACES = frozenset(" \t\n\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u3000")
_BEGINS_NO_LINE = frozenset(
    "!),.:;?]}»’”…‥—–·%°℃、。〉》」』】〕〗〙〞゠～！％），．：；？］｝｠｣"
    "々〻ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"
)
_ENDS_NO_LINE = frozenset("([{«‘“〈《「『【〔〖〘〝（［｛｟｢＄￥￦₩")
_QUOTES = "\"'"
_CLOSING_QUOTES = frozenset("”’」』》〉｣\"'")
"""The marks behind which Korean puts a particle or a verb of saying: ”라고."""
_DASHES = "-—–"
LINE = re.compile(r"[^\n]*\n|[^\n]+")


class _Widths(dict[str, int]):
    """The width of each character in cells, looked up once."""

    def __missing__(self, character: str) -> int:
        cells = self[character] = get_character_cell_size(character)
        return cells


_WIDTHS = _Widths()


def forget_widths() -> None:
    """Looks every width up anew, after the renderer has learned others."""
    _WIDTHS.clear()


def wrap(text: str, width: int) -> list[str]:
    """Returns lines that joined are `text`; each fits `width` cells, except for white space at its
    end.

    A newline ends a line. The end of a line never depends on text after the first character that
    does not fit, so after an addition only the last line has to be wrapped again.
    """
    width = max(NARROWEST, width)
    return [line for piece in LINE.findall(text) for line in _lines(piece, width)] or [""]


def extend(lines: list[str], addition: str, width: int) -> None:
    """Appends text to wrapped lines, at the cost of wrapping the last line and the addition."""
    lines[-1:] = wrap(lines[-1] + addition, width)


def cells(text: str) -> list[int]:
    """Returns the cells before each character and, last, of the whole text; all cells of a grapheme
    cluster count at its first character."""
    if _ZWJ not in text and _WIDENER not in text:
        return list(accumulate(map(_WIDTHS.__getitem__, text), initial=0))
    widths = [0] * len(text)
    for start, _, wide in split_graphemes(text)[0]:
        widths[start] = wide
    return list(accumulate(widths, initial=0))


def roughly(text: str) -> int:
    """Estimates the cells of a text without looking at every character: wide ones have three bytes
    in UTF-8."""
    return (len(text.encode("utf-8", "replace")) + len(text)) // 2


def _lines(text: str, width: int) -> Iterator[str]:
    fits = _reach(text, width)
    start, length = 0, len(text)
    while (over := fits(start)) < length:
        cut = _line_end(text, start, over)
        if cut == length:
            break
        yield text[start:cut]
        start = cut
    yield text[start:]


def _reach(text: str, width: int) -> Callable[[int], int]:
    """Returns a function from the start of a line to the first character that does not fit."""
    if text.isascii():
        return lambda start: start + width
    before = cells(text)
    return lambda start: bisect_right(before, before[start] + width, start) - 1


def _line_end(text: str, start: int, over: int) -> int:
    """Returns the start of the next line, given that the character at `over` does not fit."""
    if text[over] in _SPACES:
        return _behind_spaces(text, over)
    first = _behind_spaces(text, start)
    for inside_words in (False, True):
        for cut in range(over, first, -1):
            if _may_break(text, start, cut, inside_words):
                return cut
    return over


def _behind_spaces(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACES:
        place += 1
    return place


def _may_break(text: str, start: int, cut: int, inside_words: bool) -> bool:
    """Whether a line that begins at `start` may end before the character at `cut`.

    `inside_words` also allows breaks between two syllables of a Korean word.
    """
    before, after = text[cut - 1], text[cut]
    if after in _SPACES:
        return False
    if before in _SPACES:
        return True
    if after in _BEGINS_NO_LINE or after in _QUOTES or before in _ENDS_NO_LINE:
        return False
    if before == _ZWJ or not _WIDTHS[after] or _opens(text, start, cut - 1):
        return False
    if not inside_words and _is_hangul(before, after) and before.isalnum() and after.isalnum():
        return False
    if before in _CLOSING_QUOTES and _is_hangul(after):
        return False
    return _WIDTHS[before] == 2 or _WIDTHS[after] == 2 or (before in _DASHES and after.isalpha())


def _is_hangul(*characters: str) -> bool:
    """Whether any of the characters is part of a Korean word."""
    return any("\uac00" <= c <= "\ud7a3" or "\u1100" <= c <= "\u11ff" for c in characters)


def _opens(text: str, start: int, place: int) -> bool:
    """Whether the character at `place` is a straight quotation mark that opens a quotation."""
    if text[place] not in _QUOTES:
        return False
    return place == start or text[place - 1] in _SPACES or text[place - 1] in _ENDS_NO_LINE
