"""What the viewpoint character of a scene knows, and what the reader knows (G6)."""

from __future__ import annotations

from collections.abc import Iterator

from studio.pipeline.prompting.lines import Line
from studio.story.secrets import Secret

_KNOWS = "{name} knows: {fact}"
_NOT_YET = "{name} does not know yet, and neither thinks nor says: {fact}"
_NOT_THE_READER = "{name} knows, and the reader must not learn it: {fact}"


def knowledge_lines(
    secrets: tuple[Secret, ...], who: str, name: str, chapter: int, scene: int | None
) -> Iterator[Line]:
    """Yields three lists for a point of view: what they know; what they do not know yet; what
    they know and the reader must not learn. A secret that nobody knows yet is not mentioned."""
    for secret in secrets:
        if not secret.may_be_told(chapter, scene):
            continue
        if not secret.known_to(who, chapter, scene):
            words, kind = _NOT_YET, "not yet"
        elif secret.known_to_reader(chapter, scene):
            words, kind = _KNOWS, "knows"
        else:
            words, kind = _NOT_THE_READER, "not the reader"
        yield Line(
            f"{secret.id}-{who}", words.format(name=name, fact=secret.fact), kind, "contract"
        )
