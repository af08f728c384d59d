"""A waiver: the author's statement that something is intended as it is (DESIGN section 6)."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, ClassVar, Literal

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from studio.errors import usage
from studio.messages import said
from studio.story.chapter import sha256_of
from studio.story.form.document import Document, Sparse, Value
from studio.story.form.ids import Sha256
from studio.story.form.numerals import whole_number
from studio.story.review.directive import Directive, DirectiveType, kind_name
from studio.story.review.passages_in_changed_text import is_wide

WaiverScope = Literal["here", "chapter", "book"]

DATE = r"^\d{4}-\d{2}-\d{2}$"


class Waiver(Sparse):
    """Findings of one kind that are not raised again, where and as long as the author says: those
    that speak of the words she names, or else all of the kind."""

    LATER: ClassVar[frozenset[str]] = frozenset({"words"})

    id: str = Field(pattern=r"^waiver_[0-9]{3,}$")
    type: DirectiveType
    """The type of directive that is not proposed."""
    metric: str | None = None
    """The metric that made the finding; None for a judge's finding, which no metric measures."""
    scope: WaiverScope
    """`here`: in the paragraphs named, as long as nobody edits them; `chapter`: anywhere in the
    chapter; `book`: everywhere."""
    chapter: int = Field(ge=1)
    """The chapter where the waiver was given; it applies only there unless the scope is `book`."""
    paragraphs: tuple[Sha256, ...] = ()
    """With the scope `here`, the paragraphs it covers: an edited one is another paragraph."""
    words: str = ""
    """What the finding is about, in her words: only a finding that quotes or names them is covered;
    empty for every finding of the kind."""
    quote: str = ""
    """The beginning of the passage, for people."""
    reason: str = Field(min_length=1)
    """Why it is meant."""
    until_chapter: int | None = Field(default=None, ge=1)
    """The last chapter that the waiver covers."""
    until_date: str | None = Field(default=None, pattern=DATE)
    """The last day that the waiver covers, ISO 8601."""
    created_at: str = ""

    @model_validator(mode="after")
    def _says_where(self) -> Waiver:
        if self.scope == "here" and not self.paragraphs:
            raise ValueError("a waiver with the scope `here` names the paragraphs it is about")
        return self

    def is_expired(self, chapter: int | None, today: str) -> bool:
        """Whether the waiver has expired for a chapter (None: another text) on a day (ISO 8601)."""
        last = self.until_chapter
        over = last is not None and chapter is not None and chapter > last
        return over or (self.until_date is not None and today > self.until_date)

    def covers(self, directive: Directive, chapter: int | None, today: str) -> bool:
        """Whether the author has waived a finding in a chapter."""
        if directive.type is not self.type or self.is_expired(chapter, today):
            return False
        if self.metric is not None and directive.metric != self.metric:
            return False
        if self.words and not speaks_of(directive, self.words):
            return False
        if self.scope == "book":
            return True
        if self.chapter != chapter:
            return False
        if self.scope == "chapter":
            return True
        earlier = _hashes_in(directive.current_text)  # an earlier version knew them as they were
        hashes = set(self.paragraphs)
        return hashes.issuperset(paragraphs_of(directive)) or hashes.issuperset(earlier)


class FactWaiver(Value):
    """A finding about the book that is meant, by its fact."""

    id: str = Field(pattern=r"^fact_[0-9]{3,}$")
    fact_key: str = Field(min_length=1)
    """`code:subject`, as the finding names it."""
    reason: str = Field(min_length=1)
    until_chapter: int | None = Field(default=None, ge=1)
    """The last chapter that the waiver covers."""
    created_at: str = ""

    def covers(self, fact_key: str, chapters: tuple[int, ...]) -> bool:
        """Whether the waiver covers a finding about these chapters."""
        last = self.until_chapter
        return fact_key == self.fact_key and (last is None or max(chapters, default=0) <= last)


class Waivers(Document):
    """waivers.json: what the author means the way it is."""

    SCHEMA: ClassVar[str] = "waivers"

    waivers: tuple[Waiver, ...] = ()
    facts: tuple[FactWaiver, ...] = ()
    """Findings about the book, waived by fact."""

    @model_serializer(mode="wrap")
    def _without_no_facts(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        if not self.facts:
            fields.pop("facts", None)
        return fields

    def means(self, fact_key: str, chapters: tuple[int, ...]) -> bool:
        """Whether the author has waived a finding about the book."""
        return any(waiver.covers(fact_key, chapters) for waiver in self.facts)

    def next_fact_id(self) -> str:
        """Returns an unused id for a waiver of a fact."""
        used_numbers = [int(waiver.id.removeprefix("fact_")) for waiver in self.facts]
        return f"fact_{max(used_numbers, default=0) + 1:03d}"

    def cover(self, directive: Directive, chapter: int | None, today: str) -> bool:
        """Whether any waiver in force covers a finding in that chapter on that day."""
        return any(waiver.covers(directive, chapter, today) for waiver in self.waivers)

    def next_id(self) -> str:
        """Returns an unused id for a waiver."""
        used_numbers = [int(waiver.id.removeprefix("waiver_")) for waiver in self.waivers]
        return f"waiver_{max(used_numbers, default=0) + 1:03d}"


def subject_of(directive: Directive) -> str:
    """Returns the words that a directive quotes as its subject, as an offer for `Waiver.words`: the
    shortest of its evidence; empty where it quotes nothing."""
    return min((words.strip() for words in directive.evidence), key=len, default="")


def speaks_of(directive: Directive, words: str) -> bool:
    """Whether a directive quotes the words, or names them in what it says; where it quotes nothing,
    whether they are in its passage."""
    quoted = directive.evidence or (directive.current_text,)
    return any(_stands_in(words, t) for t in (*quoted, directive.issue, directive.instruction))


def _stands_in(words: str, text: str) -> bool:
    """Whether words stand in a text, whatever their capitals, spaces and apostrophes; those of a
    script that writes spaces between words as whole words."""
    looked_for = re.escape(_plain(words))
    if not is_wide(words):
        looked_for = rf"(?<!\w){looked_for}(?!\w)"
    return re.search(looked_for, _plain(text)) is not None


def _plain(words: str) -> str:
    folded = unicodedata.normalize("NFC", str(words)).casefold().replace("\u2019", "'")
    return " ".join(folded.split())


def paragraphs_of(directive: Directive) -> tuple[Sha256, ...]:
    """Returns the hashes of the paragraphs that a directive targets, in Unicode's composed form: a
    sync program may save the same letters in another."""
    return _hashes_in(unicodedata.normalize("NFC", directive.current_text))


def _hashes_in(text: str) -> tuple[Sha256, ...]:
    return tuple(sha256_of(part) for part in text.split("\n\n") if part.strip())


def ends_at(words: str) -> tuple[int | None, str | None]:
    """Returns the last chapter or the last day that a writer names; neither for a permanent waiver.

    StudioError (exit 2) for words that are neither.
    """
    words = words.strip()
    if not words:
        return None, None
    if number := whole_number(words):
        return number, None
    if re.match(DATE, words):
        return None, words
    raise usage(
        said("{words} is neither a chapter nor a date.", words=repr(words)),
        said("Write 12, or 2027-03-31."),
    )


def subject_words(waiver: Waiver) -> str:
    """Returns what a waiver is about: one kind of finding in a passage, everything of the kind, or
    what speaks of her words."""
    kind = kind_name(waiver.type)
    if waiver.words:
        return said("“{words}” ({kind})", words=waiver.words, kind=kind)
    return f"“{kind}”" if waiver.scope == "here" else said("all of the kind “{kind}”", kind=kind)


def reach(waiver: Waiver) -> str:
    """Describes how far and until when a waiver applies, to follow the name of its subject."""
    where = {
        "here": said("in this passage of chapter {n}", n=waiver.chapter),
        "book": said("in the whole book"),
    }
    words = where.get(waiver.scope, said("in chapter {n}", n=waiver.chapter))
    if waiver.until_chapter is not None:
        return said("{reach_words} until chapter {n}", reach_words=words, n=waiver.until_chapter)
    return (
        words
        if waiver.until_date is None
        else said("{reach_words} until {day}", reach_words=words, day=waiver.until_date)
    )
