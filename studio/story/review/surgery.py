"""What came of a directive: the text before and after, its effect, and what a reader made of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from studio.story.form.ids import Sha256
from studio.story.form.seed_value import CamelValue
from studio.story.review.passage import PassageLocation


class MetricChange(CamelValue):
    """One number before and after a fix."""

    metric: str
    before: float
    after: float
    better: bool | None = None
    """None when the change is neither better nor worse."""
    slight: bool = False
    """Another metric got worse and is still within its threshold."""
    counted: bool = False
    """Whether both are finds in the passage, not a density: a paragraph's density beside a
    chapter's tells nothing (PROSE 1)."""


DifferenceKind = Literal["event", "person", "place", "time", "number", "denial", "address"]
"""In what two texts of one passage can differ: what happened and to whom, who, where, when, how
many, what is denied, and a word to a reader, reviewer or program."""


class Difference(CamelValue):
    """One thing a second reader saw changed, in words of both texts."""

    kind: DifferenceKind
    one: str
    """Words of the old text; empty where it has nothing of it."""
    two: str
    """Words of the new text; empty where it has nothing of it."""


class SecondReading(CamelValue):
    """Whether a reader who could not know which text is the new one lets it stand (PROSE 3)."""

    consent: bool
    differences: tuple[Difference, ...] = ()
    """Those whose words are in the texts; what the type allows is among them."""
    generation_id: str = ""
    """Of the call's record; empty where no usable answer came."""


class SurgeryResult(CamelValue):
    """What the surgeon did for one directive: enough to show it, judge it and undo it."""

    before: str
    after: str
    removed: str = ""
    """Of a cut every character it took, the white space beside the passage included."""
    location: PassageLocation
    """Where `after` stands in the text the surgery left."""
    follows_sha256: Sha256 | None = Field(default=None, alias="follows_sha256")
    """Of the paragraph before the passage; None where the passage opened its scene."""
    precedes_sha256: Sha256 | None = Field(default=None, alias="precedes_sha256")
    """Of the paragraph behind the passage; None where the passage closed its scene."""
    before_sha256: Sha256 = Field(alias="before_sha256")
    """Of the whole chapter before the fix."""
    after_sha256: Sha256 = Field(alias="after_sha256")
    paragraphs_touched: int = Field(ge=0)
    metrics: tuple[MetricChange, ...] = ()
    helped: bool | None = None
    """Whether the metric aimed at improved; None when the type aims at none."""
    facts: tuple[str, ...] = ()
    """What the facts guard saw changed, in words; empty when nothing was."""
    lost: tuple[str, ...] = ()
    """Clauses, or words of one, that the passage said and the rewrite does not."""
    added: tuple[str, ...] = ()
    """The same of what the rewrite says and the passage did not."""
    kept_share: float | None = Field(default=None, ge=0, le=1, alias="kept_share")
    """Share of the passage's content that the rewrite keeps; None in files older than it."""
    reader: SecondReading | None = None
    """What a second reader made of the two texts; None where none was asked."""
    attempts: int = Field(default=1, ge=1)
    model: str = ""
    cost_usd: float | None = None
    generation_ids: tuple[str, ...] = ()
