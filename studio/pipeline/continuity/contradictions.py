"""Verifies a model's findings against the text: quotes must stand there, and rules must be the
book's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from studio.messages import said
from studio.pipeline.judging.quotes import SHORTEST_QUOTE, quoted
from studio.story.chapter import Chapter, sha256_of
from studio.story.continuity import ContinuityFinding, Evidence
from studio.story.form.slugs import slug_fault
from studio.story.review.answers import ReadContradiction, ReadFact
from studio.text.prose.answer import excerpt
from studio.text.safe import LONGEST_SENTENCE, safe_sentence

CODE = "model_"
_STORY = "story"
"""The subject of a finding that names no known entry."""


def verified(
    read: Iterable[ReadContradiction],
    texts: Mapping[int, Chapter],
    rules: Collection[str],
    slugs: Mapping[str, str],
) -> Iterator[ContinuityFinding]:
    """Yields the contradictions with two verbatim quotes, or one and a rule of the book; `slugs`
    maps the names that have an entry to their ids."""
    for entry in read:
        first = _evidence(texts, entry.first_chapter, entry.first_quote)
        second = _evidence(texts, entry.second_chapter, entry.second_quote)
        rule = _own_rule(entry.rule, rules)
        if first is None or (second is None and not rule) or first == second:
            continue
        subject = slugs.get(entry.entity.strip()) or _slug(entry.entity) or _STORY
        yield _finding(entry, subject, tuple(e for e in (first, second) if e is not None), rule)


def settled(read: Iterable[ReadFact], texts: Mapping[int, Chapter]) -> Iterator[str]:
    """Yields facts whose quotes stand in their chapter, one line each, for later windows."""
    for fact in read:
        place = _evidence(texts, fact.chapter, fact.quote)
        if place is not None and fact.fact.strip():
            words = f"{safe_sentence(fact.entity)}: {safe_sentence(fact.fact)}"
            yield f"{words} (chapter {place.chapter}: “{excerpt(place.quote, LONGEST_SENTENCE)}”)"


def message_of(why: str, rule: str) -> str:
    """Returns the message of a finding; `rule` is the rule it breaks, if any."""
    return said("{why} The rule: {rule}", why=why, rule=rule) if rule else why


def listed(findings: Sequence[tuple[str, Sequence[Evidence]]]) -> str:
    """Lists findings for the call that disproves them, numbered, with the message and evidence
    of each. The beginning of the evidence is enough, because the chapters are sent in full."""
    rows = []
    for number, (message, evidence) in enumerate(findings, start=1):
        rows.append(f"{number}. {message}")
        rows += [f"  chapter {e.chapter}: “{excerpt(e.quote, LONGEST_SENTENCE)}”" for e in evidence]
        rows.append("")
    return "\n".join(rows).strip()


def _finding(
    entry: ReadContradiction, subject: str, evidence: tuple[Evidence, ...], rule: str
) -> ContinuityFinding:
    code = f"{CODE}{entry.kind}"
    key = ":".join(part for part in (code, subject, _slug(entry.about)) if part)
    message = message_of(safe_sentence(entry.why) or said("Both cannot be true."), rule)
    quotes = [place.quote for place in evidence]
    return ContinuityFinding(
        id=f"{code}_{sha256_of(f'{key} {quotes}')[:8]}",
        code=code,
        severity=entry.severity,
        chapters=tuple(sorted({place.chapter for place in evidence})),
        entities=() if subject == _STORY else (subject,),
        fact_key=key,
        message=message,
        evidence=evidence,
        source="model",
    )


def _evidence(texts: Mapping[int, Chapter], chapter: int | None, quote: str) -> Evidence | None:
    place = quoted(texts.get(chapter), quote) if chapter is not None else None
    if chapter is None or place is None:
        return None
    paragraph, words = place
    return Evidence(chapter=chapter, paragraph_sha256=sha256_of(paragraph.text), quote=words)


def _own_rule(rule: str, rules: Collection[str]) -> str:
    """Returns the rule of the book that a model refers to, in the book's words; empty if there
    is none."""
    sentence = " ".join(rule.split()).casefold()
    if len(sentence) < SHORTEST_QUOTE:
        return ""
    return next((own for own in rules if sentence in " ".join(own.split()).casefold()), "")


def _slug(words: str) -> str:
    """Returns the words as an id. Words that cannot form one, such as those of another script,
    get a unique id, so that a waiver for one of them does not apply to all."""
    slug = "-".join(words.strip().lower().split())
    if not slug or not slug_fault(slug):
        return slug
    return f"x-{sha256_of(slug)[:8]}"
