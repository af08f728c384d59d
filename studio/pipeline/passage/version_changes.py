"""What a version of a passage says otherwise than the passage, found and said as of a fix: names,
numbers, speech, what it denies, and the clauses that are lost and new."""

from __future__ import annotations

from collections.abc import Iterable

from studio.project.history.variations import Variation
from studio.story.notes import without_notes
from studio.story.review.demand import Demand
from studio.story.review.directive import DirectiveType
from studio.text.content import clauses_gone
from studio.text.guard import fact_changes, said_otherwise
from studio.text.language.packs import LanguagePack
from studio.text.oracle.fix_effect import content_lines, facts_words


def changes_of_version(
    present: str, text: str, variation: Variation, names: Iterable[str], pack: LanguagePack
) -> tuple[str, ...]:
    """Returns the lines about a version; none about an earlier text of the passage. Of one whose
    writer did not see the passage only names and numbers are told: all its words are others."""
    before, after = without_notes(present), without_notes(text)
    if variation.mode is None:
        return ()
    if not variation.follows_passage:
        changes = fact_changes(before, after, names, pack)
        names_and_numbers = [c.sentence() for c in changes if c.fact != "quotes"]
        return tuple(filter(None, (facts_words(names_and_numbers),)))
    kind, demand = DirectiveType.WORDING.value, Demand(variation.direction)
    facts = said_otherwise(before, after, kind, demand, names, pack)
    lost, added = clauses_gone(before, after, pack), clauses_gone(after, before, pack)
    return tuple(filter(None, (facts_words(facts), *content_lines(lost, added))))
