"""Speech tags: the verbs that say who speaks, where they are others than the plain ones.

Said and asked go unread; a tag that hisses, retorts or opines is read. The
lexicon finds the verbs; one counts only beside its speech, as a tag stands.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from studio.text.language.lexicon import Hit
from studio.text.spans import Span

TAG = "tag"
_NEAR = 48
"""Characters beside a speech in which its tag stands."""


@dataclass(frozen=True, slots=True)
class TagRule:
    """Where a speech tag, such as `he hissed`, may stand beside the speech it belongs to."""

    behind: re.Pattern[str]
    """All that lies between the end of a speech and the verb."""
    ahead: re.Pattern[str]
    """All that lies between the verb and a speech it leads to."""
    action: re.Pattern[str]
    """What follows a verb that is none: of somebody who snapped the lid."""
    form: re.Pattern[str]
    """Forms of the verb that are no tag."""


def bookisms(text: str, speech: Sequence[Span], hits: Sequence[Hit], rule: TagRule) -> list[Span]:
    """The verbs of a paragraph's tags other than said and asked, in order.

    `speech` is where it is spoken, marks included; `hits` are its listed words.
    """
    return [
        Span(hit.start, hit.end)
        for hit in hits
        if hit.kind == TAG and not rule.form.search(text, hit.start, hit.end)
        if _is_tag(text, hit, speech, rule)
    ]


def _is_tag(text: str, hit: Hit, speech: Sequence[Span], rule: TagRule) -> bool:
    place = bisect_left(speech, hit.start, key=lambda span: span.start)
    if place:
        before = speech[place - 1].end
        if hit.start - before <= _NEAR and rule.behind.fullmatch(text, before, hit.start):
            has_subject = bool(text[before : hit.start].strip())
            return not (has_subject and rule.action.match(text, hit.end))
    if place < len(speech):
        after = speech[place].start
        return after - hit.end <= _NEAR and bool(rule.ahead.fullmatch(text, hit.end, after))
    return False
