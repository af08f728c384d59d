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
    "missing page": said("Pages that {name} lists but does not contain: {n}."),
    "front": said("Pages of {name} that are its cover, title or contents and stay behind: {n}."),
    "picture": said("Pictures of {name} that stay behind: {n}."),
    "comment": said("Comments in {name} that stay behind: {n}."),
    "hidden": said("Hidden passages of {name} that stay behind: {n}."),
    "deletion": said("Passages of {name} that are marked as deleted and stay behind: {n}."),
    "struck": said("Struck-out passages of {name} that stay behind: {n}."),
    "struck text": said("Struck-out passages of {name} that come in as plain text: {n}."),
    "contents": said("Lines of the list of contents of {name} that stay behind: {n}."),
    "edge": said("Headers and footers of {name} that stay behind: {n}."),
    "menu": said("Menus of {name} that stay behind: {n}."),
    "media": said("Films, sounds and frames of {name} that stay behind: {n}."),
    "formula": said("Formulas of {name} that stay behind: {n}."),
    "reading": said("Readings above characters of {name} that stay behind: {n}."),
    "query": said("Queries of {name} that stay behind: {n}."),
    "frame": said("Text boxes of {name} that stay behind: {n}."),
    "embedded": said("Notes shown inside of {name} that are not repeated there: {n}."),
    "foreign": said("Parts of {name} in another format that stay behind: {n}."),
    "form": said("Fields of forms in {name} that stay behind: {n}."),
    "table": said("Tables of {name} that come in as paragraphs: {n}."),
    "blank": said("Empty paragraphs of {name} that may be scene breaks and are not: {n}."),
    "not compiled": said("Texts of {name} that are not to be compiled and stay behind: {n}."),
    "beside": said("Synopses and notes of {name} that stay behind: {n}."),
    "research": said("Texts of {name} outside of its Draft that stay behind: {n}."),
}


def sentences(name: str, left: Left) -> Iterator[str]:
    """Yields one sentence for each kind of content that `left` counts in a file."""
    for kind, words in _SENTENCES.items():
        if left[kind]:
            yield words.format(name=name, n=left[kind])
