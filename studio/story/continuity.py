"""A finding about the book: two places that contradict each other, or an abandoned thread (G7)."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from studio.story.chapter import sha256_of
from studio.story.form.document import Document, Value, Words
from studio.story.form.ids import Sha256

Severity = Literal["high", "medium", "low"]


class Evidence(Value):
    """A place that speaks for a finding."""

    chapter: int
    paragraph_sha256: Sha256 | None = None
    """The hash of the paragraph; None for a plan, or where the paragraph is unknown."""
    quote: str = ""


class ContinuityFinding(Value):
    """One contradiction or loose thread."""

    MESSAGES: ClassVar[bool] = True
    id: str
    code: str
    """The kind of contradiction."""
    severity: Severity
    chapters: tuple[int, ...]
    entities: tuple[str, ...]
    """The ids of whom and what it is about."""
    fact_key: str
    """`code:subject[:object]` of slugs: independent of the text, so the finding can be waived."""
    message: Words
    evidence: tuple[Evidence, ...] = ()
    """The places that speak for it, with their words."""
    source: Literal["code", "model"] = "code"


def make_finding(
    code: str,
    severity: Severity,
    subjects: tuple[str, ...],
    message: str,
    evidence: tuple[Evidence, ...],
) -> ContinuityFinding:
    """Builds a finding about these subjects (slugs, of which the first is the key's subject)."""
    key = ":".join((code, *subjects))
    chapters = tuple(sorted({place.chapter for place in evidence}))
    identity = sha256_of(f"{key} {chapters} {[place.quote for place in evidence]}")
    return ContinuityFinding(
        id=f"{code}_{identity[:8]}",
        code=code,
        severity=severity,
        chapters=chapters,
        entities=subjects,
        fact_key=key,
        message=message,
        evidence=evidence,
    )


class ChapterRead(Value):
    """A chapter as it was when it was read."""

    chapter: int = Field(ge=1)
    sha256: Sha256


class ContinuityRecord(Document):
    """What the last readings by a model left; what code finds is never stored."""

    SCHEMA: ClassVar[str] = "continuity"

    chapters: tuple[ChapterRead, ...] = ()
    """The chapters that were read; a finding holds while every chapter it quotes is still the text
    named here."""
    findings: tuple[ContinuityFinding, ...] = ()
    model: str = ""
    created_at: str = ""

    def sha_of(self, chapter: int) -> str | None:
        """Returns the hash of a chapter's text when it was read; None where it was not read."""
        return next((read.sha256 for read in self.chapters if read.chapter == chapter), None)
