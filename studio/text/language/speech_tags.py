"""Speech tags: the verbs that name a way of speaking, other than the plain ones.

Readers skip said and asked; a tag that hisses, retorts or opines is noticed. The lexicon finds the
verbs; one counts only beside its speech, in the position of a tag.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from studio.text.language.lexicon import LexiconHit
from studio.text.spans import Span

TAG = "tag"
_NEAR = 48
"""The maximum number of characters between a speech and its tag."""


@dataclass(frozen=True, slots=True)
class TagRule:
    """The positions of a speech tag, such as `he hissed`, beside its speech."""

    behind: re.Pattern[str]
    """Matches everything between the end of a speech and the verb."""
    ahead: re.Pattern[str]
    """Matches everything between the verb and the speech it introduces."""
    action: re.Pattern[str]
    """Matches what follows a verb that is no tag, as with somebody who snapped the lid."""
    form: re.Pattern[str]
    """Matches forms of the verb that are no tag."""


def bookisms(
    text: str, speech: Sequence[Span], hits: Sequence[LexiconHit], rule: TagRule
) -> list[Span]:
    """Returns the verbs of a paragraph's tags other than said and asked, in order.

    `speech` are the spans of speech, marks included; `hits` are the listed words.
    """
    return [
        Span(hit.start, hit.end)
        for hit in hits
        if hit.kind == TAG and not rule.form.search(text, hit.start, hit.end)
        if _is_tag(text, hit, speech, rule)
    ]


def _is_tag(text: str, hit: LexiconHit, speech: Sequence[Span], rule: TagRule) -> bool:
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
