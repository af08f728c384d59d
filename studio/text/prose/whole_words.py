"""Where a text may be cut to be shown: at whole words, in Chinese at a clause where one begins or
ends near, and never between a negation and what it denies."""

from __future__ import annotations

import re

_REACH = 16
"""The most characters that are shown more, so that what is shown is whole."""
_NOT_LAST = re.compile(
    r"(?:(?<!\w)(?:not|never|no|nor|without|hardly|\w+n['’]t|안|못)\s+|[没未别勿莫不无非]有?)\Z",
    re.IGNORECASE,
)
"""Words that turn round what follows them."""
_NOT_FIRST = re.compile(r"\s(?:않|못[하했한할]|없|말[고았자]|아니|아닌)\w*")
"""Korean words that turn round what stands before them."""

_LEFT_OVER = re.compile(r"[\s，。、；：！？,.;:!?…”’」』）)]*")
"""What belongs to the words before a place that is shown from."""


def start_of_words(text: str, at: int) -> int:
    """Returns the place, `at` or a little before it, from which a text is shown."""
    start = min(max(at, 0), len(text))
    if not 0 < start < len(text):
        return start
    first = max(0, start - _REACH)
    if text[start - 1].isalnum() and text[start].isalnum():
        back = start
        while back > first and text[back - 1].isalnum():
            back -= 1
        is_whole = back == 0 or not text[back - 1].isalnum()
        start = back if is_whole else start
    start = _LEFT_OVER.match(text, start).end()  # type: ignore[union-attr]  # matches nothing too
    while match := _NOT_LAST.search(text, max(0, start - _REACH), start):
        start = match.start()
    return start


def end_of_words(text: str, at: int) -> int:
    """Returns the place, `at` or a little behind it, up to which a text is shown."""
    end = min(max(at, 0), len(text))
    if not 0 < end < len(text):
        return end
    last = min(len(text), end + _REACH)
    if text[end - 1].isalnum() and text[end].isalnum():
        on = end
        while on < last and text[on].isalnum():
            on += 1
        end = on if on == len(text) or not text[on].isalnum() else end
    if match := _NOT_FIRST.match(text, end):
        end = match.end()
    while end < len(text) and not (text[end].isalnum() or text[end].isspace()):
        end += 1
    return end
