"""The reasons history records for a chapter's text, and the writer each reason implies.

The reason of a version is both a sentence for people (`studio history list`) and the record of
authorship: who changed a text is known when it is staged, and rarely later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Writer = Literal["hand", "brought", "model"]
"""The writer of a version: the author in the studio, another program or file, or a model."""

DRAFTED = "drafted by a model"
POLISHED = "polished by a model"
FIXED = "fixed by a model"
VERSION_TAKEN = "another version by a model taken"
WRITTEN = "written in the studio"
BROUGHT = "brought in"
TAKEN_BACK = "an earlier text again"
STAGED = "staged"
"""The reason of a version without a stated writer, as for all versions before the reasons above
existed."""

WRITERS: Mapping[str, Writer] = {
    DRAFTED: "model",
    POLISHED: "model",
    FIXED: "model",
    VERSION_TAKEN: "model",
    WRITTEN: "hand",
    "words replaced": "hand",
    BROUGHT: "brought",
    "committed": "brought",
    "edited by hand": "brought",
    "replaced while in work": "brought",
    "before it was edited by hand": "brought",
    "before an earlier version was brought back": "brought",
    "before chapters were put back": "brought",
    "discarded": "brought",
    "left over at commit": "brought",
    "before words were replaced": "brought",
    "replaced": "brought",
    "hand edit found while finishing a commit": "brought",
    "saved while another version was brought back": "brought",
}
"""The writer of the new text in a version, by the version's reason. The later entries are for texts
that the studio encountered: what it had not seen before was saved by another program. A reason that
is not listed restores an earlier text, or implies no writer."""
