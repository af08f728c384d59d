"""A pattern as counsel: what is said of it, and every paragraph that has it (CONTRACTS 15)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from studio.messages import said
from studio.story.review.evaluation import Counsel
from studio.story.review.passages_in_changed_text import SearchableChapter
from studio.text.oracle.patterns import NOTHING_EARLIER, Hers, Pattern, patterns
from studio.text.prose.parse import Reading

FORM_NAMES: Mapping[str, str] = {
    "contrast": said("Not this but that"),
    "denial": said("Two denials in a row"),
    "dash": said("Dashes, both of a pair counted"),
    "participle": said("Sentences that trail off in -ing"),
    "short-paragraph": said("Paragraphs of one short sentence"),
    "openings": said("Three sentences in a row with one opening"),
    "tag": said("A manner hung on the speech tag, as in “she said, her voice low”"),
    "clipped": said("Sentences of a few words"),
    "negation": said("Short sentences of denial"),
    "colon": said("Colons in narration"),
    "kind": said("Told by a kind, as in “the way people do”"),
    "likeness": said("Likenesses"),
    "going-on": said("Things going on, as in -고 있었다"),
}
"""What each form of `habits.FORMS` is called."""
BOOK = 30
"""The chapters that count as one book where something is rarer than once in a chapter."""


def counsels(
    reading: Reading,
    names: Iterable[str] = (),
    hers: Hers = NOTHING_EARLIER,
    *,
    leave_out: Collection[str] = (),
) -> tuple[Counsel, ...]:
    """Returns the patterns of a chapter; `leave_out` names the forms that its kind of book is made
    of."""
    ground = SearchableChapter(reading.chapter)
    tics = patterns(reading, names, hers, leave_out=leave_out)
    return tuple(_counsel(pattern, reading, ground) for pattern in tics)


def _counsel(pattern: Pattern, reading: Reading, ground: SearchableChapter) -> Counsel:
    paragraphs = [
        paragraph
        for paragraph, _ in reading.prose
        if any(paragraph.start <= span.start < paragraph.end for span in pattern.places)
    ]
    return Counsel(
        kind="pattern",
        issue=in_words(pattern),
        words=FORM_NAMES[pattern.words] if pattern.is_form else pattern.words,
        count=len(pattern.places),
        usual=round(pattern.usual, 4),
        places=tuple(ground.passage((paragraph,)) for paragraph in paragraphs),
        origin="code",
    )


def in_words(pattern: Pattern) -> str:
    """Returns what a pattern is: how often it stands, and how often it does elsewhere."""
    words = FORM_NAMES[pattern.words] if pattern.is_form else f"“{pattern.words}”"
    count, usual = len(pattern.places), pattern.usual
    if usual >= 1.5:
        return said(
            "{words}: {count} times in this chapter; published prose of this length has {usual}.",
            words=words,
            count=count,
            usual=round(usual),
        )
    chapters = max(1, round(1 / max(usual, 1e-6)))
    if chapters == 1:
        return said(
            "{words}: {count} times in this chapter; published prose of this length has it once.",
            words=words,
            count=count,
        )
    if chapters < 2 * BOOK and count > pattern.most > 0:
        return said(
            "{words}: {count} times in this chapter; no chapter of the published prose it is"
            " compared with has more than {most}.",
            words=words,
            count=count,
            most=pattern.most,
        )
    if chapters < 2 * BOOK:
        return said(
            "{words}: {count} times in this chapter; published prose has it once in {n} chapters.",
            words=words,
            count=count,
            n=chapters,
        )
    return said(
        "{words}: {count} times in this chapter; published prose has it once in {n} books.",
        words=words,
        count=count,
        n=round(chapters / BOOK),
    )
