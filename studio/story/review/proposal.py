"""A proposal: a change of one passage whose words are given, so that no model makes it, or a note
to come back to.

What the oracle gives are directives; everything else that wants a change of a passage is this.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import ConfigDict, Field

from studio.story.chapter_list import ChapterId
from studio.story.form.document import Document, Sparse, Value
from studio.story.review.passage import Passage, PassageLocation
from studio.story.review.surgery import SurgeryResult
from studio.story.status import Stands

ProposalKind = Literal["replace", "insert", "cut", "comment"]
"""Other words for a passage, words behind it, nothing in its place, or words about it alone."""
ProposalStatus = Literal[
    "pending", "accepted", "rejected", "edited", "applied", "undone", "conflict"
]
"""`accepted` and `edited` only while the text is being changed: then it is `applied`. A comment has
been seen to when it is `accepted`. `conflict`: it was accepted, but its passage is not what it was
proposed for, so nothing was changed."""
ProposalAction = Literal["accept", "reject", "edit", "undo"]
LINE_EDITS = "refine"
"""What the style refiner's line edits come with."""
ID_PATTERN = r"^prop_[0-9]{4,}$"

_ALLOWED: dict[ProposalStatus, tuple[ProposalAction, ...]] = {
    "pending": ("accept", "reject", "edit"),
    "rejected": ("accept", "edit", "undo"),
    "applied": ("undo",),
    "undone": ("accept", "edit", "reject"),
    "conflict": ("accept", "edit", "reject", "undo"),
    "accepted": ("undo",),
}


def proposal_id(number: int) -> str:
    """Returns `prop_0001`."""
    return f"prop_{number:04d}"


class ProposedBy(Value):
    """Who wants the change."""

    kind: Literal["model", "agent", "editor", "reader", "author"]
    name: str = ""


class Proposal(Sparse, Document):
    """proposals/prop_NNNN.json, or an entry in the sheet of the chapter in progress."""

    SCHEMA: ClassVar[str] = "proposal"
    LATER: ClassVar[frozenset[str]] = frozenset({"offered_words"})
    model_config = ConfigDict(populate_by_name=True)

    id: str = Field(pattern=ID_PATTERN)
    kind: ProposalKind
    """`replace`: `after` stands in place of the passage; `insert`: behind it; `cut`; `comment`:
    nothing is changed."""
    by: ProposedBy
    """Who wants it."""
    source: str = Field(default="", alias="from")
    """What it came with; empty for what the author typed herself."""
    chapter: ChapterId
    """The chapter's id."""
    passage: Passage
    """What the passage is known by in the present text; of one in the text, the new words."""
    stands: Stands = "same"
    """How its passage stands in the present text."""
    before: str
    """The passage as it was when the change was proposed, paragraphs parted by a blank line."""
    after: str | None = None
    """The new words; of an insertion, the paragraphs behind the passage; None for a cut and a
    comment."""
    offered_words: str | None = None
    """The words that somebody else proposed, where the author put her own in their place; empty of
    a cut and a comment."""
    instruction: str = ""
    """What is wanted of the passage, in words; of a comment all there is."""
    reason: str = ""
    at: str
    status: ProposalStatus = "pending"
    """`conflict`: accepted, but the passage was changed since or is gone, so that nothing was done
    yet. A comment that was seen to is `accepted`."""
    note: str = ""
    """The author's note on her decision."""
    decided_at: str | None = None
    result: SurgeryResult | None = None
    """What was done, as in a directive, without measures."""

    @property
    def location(self) -> PassageLocation | None:
        """Where it was put into the text; None before."""
        return self.result.location if self.result is not None else None

    @property
    def is_line_edit(self) -> bool:
        """Whether it is one of the style refiner's small changes, which stay with their chapter."""
        return self.source == LINE_EDITS

    @property
    def is_hers(self) -> bool:
        """Whether the words are the author's own: she proposed them, or put them in place of
        those that were proposed."""
        return self.by.kind == "author" or self.offered_words is not None

    def with_her_words(self, words: str) -> Proposal:
        """Returns it with the author's words in place of what was proposed."""
        kind: ProposalKind = "insert" if self.kind == "insert" else "replace"
        offered = self.offered_words
        if not self.is_hers:
            offered = self.after or ""
        return self.copy_with(after=words, kind=kind, offered_words=offered)

    def allows(self, action: ProposalAction) -> bool:
        """Whether that can be done with it as it stands."""
        if self.stands == "gone" and action != "reject":
            return action == "accept" and self.status == "pending"  # then it is a conflict
        return action in _ALLOWED.get(self.status, ())
