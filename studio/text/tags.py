"""Speech tags: the verbs that say who speaks, where they are others than the plain ones.

Said and asked go unread; a tag that hisses, retorts or opines is read. Only a
verb that stands as a tag counts: beside its speech and in one sentence with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from studio.text.spans import Span

_NEAR = 48
"""Characters beside a speech in which its tag stands."""


@dataclass(frozen=True, slots=True)
class TagRule:
    """Where a tag stands beside speech; the verb is the group `verb` of each pattern."""

    behind: re.Pattern[str]
    """Matched from the end of a speech on."""
    ahead: re.Pattern[str]
    """Searched in what leads to a speech, up to its opening mark."""


def bookisms(text: str, speech: tuple[Span, ...], rule: TagRule) -> list[Span]:
    """The verbs of a paragraph's tags other than said and asked, in order.

    `speech` is where the paragraph is spoken, marks included.
    """
    found = dict.fromkeys(_verbs(text, speech, rule))
    return sorted(found)


def _verbs(text: str, speech: tuple[Span, ...], rule: TagRule) -> Iterator[Span]:
    for number, span in enumerate(speech):
        begins = speech[number - 1].end if number else 0
        ends = speech[number + 1].start if number + 1 < len(speech) else len(text)
        lead = rule.ahead.search(text, max(begins, span.start - _NEAR), span.start)
        if lead:
            yield Span(*lead.span("verb"))
        tag = rule.behind.match(text, span.end, min(ends, span.end + _NEAR))
        if tag:
            yield Span(*tag.span("verb"))
