"""The reasons history records for a chapter's text, and the writer each reason implies.

The reason of a version is both a sentence for people (`studio history list`) and the record of
authorship: who changed a text is known when it is staged, and rarely later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from studio.messages import Said, said

Writer = Literal["hand", "brought", "model"]
"""The writer of a version: the author in the studio, another program or file, or a model."""

DRAFTED = said("drafted by a model")
POLISHED = said("polished by a model")
FIXED = said("fixed by a model")
VERSION_TAKEN = said("another version by a model taken")
WRITTEN = said("written in the studio")
BROUGHT = said("brought in")
TAKEN_BACK = said("an earlier text again")
STAGED = said("staged")
"""The reason of a version without a stated writer, as for all versions before the reasons above
existed."""

WRITERS: Mapping[str, Writer] = {
    DRAFTED: "model",
    POLISHED: "model",
    FIXED: "model",
    VERSION_TAKEN: "model",
    WRITTEN: "hand",
    said("words replaced"): "hand",
    BROUGHT: "brought",
    said("committed"): "brought",
    said("edited by hand"): "brought",
    said("replaced while in work"): "brought",
    said("before it was edited by hand"): "brought",
    said("before an earlier version was brought back"): "brought",
    said("before chapters were put back"): "brought",
    said("discarded"): "brought",
    said("left over at commit"): "brought",
    said("before words were replaced"): "brought",
    said("replaced"): "brought",
    said("hand edit found while finishing a commit"): "brought",
    said("saved while another version was brought back"): "brought",
}
"""The writer of the new text in a version, by the version's reason. The later entries are for texts
that the studio encountered: what it had not seen before was saved by another program. A reason that
is not listed restores an earlier text, or implies no writer."""

_OTHERS = frozenset(
    {
        said("a fact of the author's"),
        said("a finding is meant"),
        said("a promise was added"),
        said("a waiver was taken back"),
        said("another version"),
        said("brought back"),
        said("before a kept text was brought back"),
        said("before a replacement was undone"),
        said("before an import"),
        said("before another version was taken"),
        said("before chapters were put back"),
        said("before it was drafted again"),
        said("before somebody left"),
        said("before the plans were changed"),
        said("before the redraft"),
        said("changed as you asked"),
        said("changed by hand"),
        said("cut off"),
        said("edited by hand"),
        said("imported original"),
        said("kept again by a repair"),
        said("lines of prompts chosen"),
        said("moved out of the way"),
        said("not to be offered again"),
        said("passage free again"),
        said("passage locked"),
        said("proposed to the writer"),
        said("put back"),
        said("read for contradictions"),
        said("renamed here; its title is at the head of its text"),
        said("replaced by your own text"),
        said("set aside for your own text"),
        said("staged"),
        said("stopped"),
        said("taken by paragraph"),
        said("ten chapters told by a model"),
        said("the plan as it was found"),
        said("waivers changed"),
        said("word learnt"),
    }
)


def reason_words(reason: str) -> str:
    """Returns a reason read from history as a message, and one that is none of ours as it is."""
    return Said(reason) if reason in _OTHERS or reason in WRITERS else reason
