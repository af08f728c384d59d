"""The result of a directive: the text before and after, its effect, and a second reading."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from studio.story.form.document import CamelValue, Words
from studio.story.form.ids import Sha256
from studio.story.notes import without_notes
from studio.story.review.passage import PassageLocation


class MetricChange(CamelValue):
    """One number before and after a fix."""

    metric: str
    before: float
    after: float
    better: bool | None = None
    """Whether the change is an improvement; None when it is neither better nor worse."""
    slight: bool = False
    """Whether another metric got worse but stayed within its threshold."""
    counted: bool = False
    """Whether both numbers are counts in the passage rather than densities: a paragraph's density
    is not comparable with a chapter's (PROSE 1)."""


DifferenceKind = Literal[
    "event", "person", "place", "time", "number", "denial", "stance", "address"
]
"""How two versions of a passage can differ: what happened and to whom, who, where, when, how many,
what is denied, what somebody feels or means towards another, and an address to a reader, reviewer
or program."""


class Difference(CamelValue):
    """One thing a second reader saw changed, in words of both texts."""

    kind: DifferenceKind
    one: str
    """The words of the old text; empty where the old text has no counterpart."""
    two: str
    """The words of the new text; empty where the new text has no counterpart."""


Better = Literal["old", "new", "same"]
"""Which of the two texts a reader would rather have in the book; `same` where neither."""


class SecondReading(CamelValue):
    """Whether a reader who could not know which text is the new one lets it stand (PROSE 3)."""

    consent: bool
    """Whether the reader lets the change stand."""
    differences: tuple[Difference, ...] = ()
    """The differences whose words are in the texts, including those that the type allows."""
    better: Better | None = None
    """The text that the reader found better, not knowing which is new; None where that was not
    asked, and in older files."""
    why: str = ""
    """The reader's reason, in one sentence."""
    generation_id: str = ""
    """The id of the call's record; empty where no usable answer came."""


class SurgeryResult(CamelValue):
    """What the surgeon did for one directive: enough to show it, judge it and undo it."""

    before: str
    """The passage before the fix."""
    after: str
    """The passage after it."""
    removed: str = ""
    """For a cut, every character removed, including the white space beside the passage; with notes
    kept inside it, what would have gone without them."""
    location: PassageLocation
    """The location of `after` in the text that the surgery produced."""
    follows_sha256: Sha256 | None = Field(default=None, alias="follows_sha256")
    """The hash of the paragraph before the passage; None where the passage opened its scene."""
    precedes_sha256: Sha256 | None = Field(default=None, alias="precedes_sha256")
    """The hash of the paragraph after the passage; None where the passage closed its scene."""
    before_sha256: Sha256 = Field(alias="before_sha256")
    """The hash of the whole chapter before the fix."""
    after_sha256: Sha256 = Field(alias="after_sha256")
    """The hash of the whole chapter after the fix."""
    paragraphs_touched: int = Field(ge=0)
    metrics: tuple[MetricChange, ...] = ()
    helped: bool | None = None
    """Whether the targeted metric improved; None when the type targets none."""
    facts: tuple[Words, ...] = ()
    """The changes that the facts guard found, in words; empty when there are none."""
    lost: tuple[str, ...] = ()
    """Clauses, or words of one, that are in the passage but not in the rewrite."""
    added: tuple[str, ...] = ()
    """Clauses, or words of one, that are in the rewrite but not in the passage."""
    kept_share: float | None = Field(default=None, ge=0, le=1, alias="kept_share")
    """The share of the passage's content that the rewrite keeps; None in older files."""
    reader: SecondReading | None = None
    """The second reader's verdict on the two texts; None where none was asked."""
    attempts: int = Field(default=1, ge=1)
    """How many answers it took."""
    model: str = ""
    cost_usd: float | None = None
    generation_ids: tuple[str, ...] = ()
    """The calls that made it."""

    @property
    def is_cut(self) -> bool:
        """Whether no prose of the passage is left: nothing, or notes to people alone, which stand
        in no paragraph."""
        return not without_notes(self.after).strip()
