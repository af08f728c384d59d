"""Reports in sentences what an imported document contains that a manuscript has no place for.

Everything left behind is counted where it is skipped, and the preview of an import lists it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from studio.messages import said

Left = Counter[str]
"""Counts by kind; the kinds are those of the sentences below."""

_SENTENCES: Mapping[str, str] = {
    "missing page": "Pages that {name} lists but does not contain: {n}.",
    "front": said("Pages of {name} that are its cover, title or contents and stay behind: {n}."),
    "picture": "Pictures of {name} that stay behind: {n}.",
    "comment": "Comments in {name} that stay behind: {n}.",
    "hidden": said("Hidden passages of {name} that stay behind: {n}."),
    "deletion": "Passages of {name} that are marked as deleted and stay behind: {n}.",
    "contents": "Lines of the list of contents of {name} that stay behind: {n}.",
    "media": said("Films, sounds and frames of {name} that stay behind: {n}."),
    "formula": "Formulas of {name} that stay behind: {n}.",
    "reading": "Readings above characters of {name} that stay behind: {n}.",
    "query": "Queries of {name} that stay behind: {n}.",
    "frame": "Text boxes of {name} that stay behind: {n}.",
    "embedded": "Notes shown inside of {name} that are not repeated there: {n}.",
    "table": "Tables of {name} that come in as paragraphs: {n}.",
    "not compiled": "Texts of {name} that are not to be compiled and stay behind: {n}.",
    "beside": "Synopses and notes of {name} that stay behind: {n}.",
    "research": "Texts of {name} outside of its Draft that stay behind: {n}.",
}


def sentences(name: str, left: Left) -> Iterator[str]:
    """Yields one sentence for each kind of content that `left` counts in a file."""
    for kind, words in _SENTENCES.items():
        if left[kind]:
            yield words.format(name=name, n=left[kind])
