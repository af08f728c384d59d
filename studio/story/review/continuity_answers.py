"""The wire types that the continuity-checker is asked to return, checked where they are read."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from studio.story.review.answers import WEIGHTS, Wire

ContradictionKind = Literal[
    "where_when", "body_thing", "knowledge", "name_address", "rule", "promise", "record"
]


class ReadFact(Wire):
    """A lasting fact of the chapters, for the windows behind."""

    entity: str = Field(description="id from entity-ids, or a short slug")
    fact: str = Field(description="one sentence")
    chapter: int
    quote: str = Field(description="words copied exactly from that chapter")


class ReadContradiction(Wire):
    """Two places that cannot both be so, or one and a rule."""

    OTHER_WORDS = {
        "kind": {
            **dict.fromkeys(("where", "when", "time", "timeline", "place"), "where_when"),
            **dict.fromkeys(("body", "thing", "object", "item", "injury"), "body_thing"),
            **dict.fromkeys(("name", "address", "names"), "name_address"),
        },
        "severity": WEIGHTS,
    }
    OTHERWISE = {"kind": "record", "severity": "medium"}

    kind: ContradictionKind
    severity: Literal["high", "medium", "low"]
    entity: str = Field(description="id from entity-ids of whom or what it is about")
    about: str = Field(description="one or two words of lowercase a-z and hyphens: left-hand")
    first_chapter: int
    first_quote: str = Field(description="words copied exactly from that chapter")
    second_chapter: int | None = Field(description="null where a rule is broken")
    second_quote: str = Field(description="words copied exactly from that chapter, or empty")
    rule: str = Field(description="the rule as it stands in the material, or empty")
    why: str = Field(description="why both cannot stand, in a sentence")
    repair: str = Field(description="which side costs less to change, or: leave it")


class ContinuityAnswer(Wire):
    """What a window of chapters shows. Two empty lists are a clean bill."""

    DISPENSABLE = ("contradictions", "facts")

    contradictions: list[ReadContradiction]
    facts: list[ReadFact]


class ReadExplanation(Wire):
    """Whether a fair reader explains one finding alone."""

    number: int
    explained: bool
    how: str = Field(description="the explanation, or why there is none, in a sentence")


class DisproofAnswer(Wire):
    """What is left of the findings once somebody tried to explain each away."""

    explanations: list[ReadExplanation]
