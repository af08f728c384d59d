"""What history says of a chapter's text, and who it says has written it.

The reason of a version is a sentence for people (`studio history list`) and the record of
authorship at once: who changed a text is known when it is staged, and hardly afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Writer = Literal["hand", "brought", "model"]
"""Who made a version: the writer in the studio, another program or file, a model."""

DRAFTED = "drafted by a model"
POLISHED = "polished by a model"
FIXED = "fixed by a model"
VERSION_TAKEN = "another version by a model taken"
WRITTEN = "written in the studio"
BROUGHT = "brought in"
TAKEN_BACK = "an earlier text again"
STAGED = "staged"
"""Nobody said who; so did every version before the reasons above were kept."""

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
"""Reason to the writer of what is new in that version. Under the later ones stand texts that the
studio came upon: what it had not seen before was saved by another program. A reason that is not
here brings an earlier text back, or says nothing about who wrote it."""
