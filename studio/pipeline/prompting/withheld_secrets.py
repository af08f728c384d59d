"""Secrets in a prompt: what the point of view does not know, and what the reader must not learn
(BOOK 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from studio.pipeline.prompting.lines import PromptLine
from studio.story.secrets import Secret
from studio.text.language.packs import LanguagePack

_KNOWS = "{name} knows: {fact}"
_NOT_KNOWN_YET = "{name} does not know yet, and neither thinks nor says: {fact}"
_NOT_THE_READER = "{name} knows, and the reader must not learn it: {fact}"


class Viewpoint(NamedTuple):
    """Whose knowledge is listed, by id and name, in the language of which novel."""

    who: str
    name: str
    pack: LanguagePack


def knowledge_lines(
    secrets: tuple[Secret, ...], viewpoint: Viewpoint, chapter: int, scene: int | None
) -> Iterator[PromptLine]:
    """Yields three lists for a point of view: what they know; what they do not know yet; what
    they know and the reader must not learn. A secret that nobody knows yet is not mentioned."""
    who, name, pack = viewpoint
    for secret in secrets:
        if not secret.may_be_told(chapter, scene):
            continue
        if not secret.known_to(who, chapter, scene):
            words, kind = _NOT_KNOWN_YET, "not yet"
        elif secret.known_to_reader(chapter, scene):
            words, kind = _KNOWS, "knows"
        else:
            words, kind = _NOT_THE_READER, "not the reader"
        text = pack.label(words, name=name, fact=secret.fact)
        yield PromptLine(f"{secret.id}-{who}", text, kind, "contract")


def tells_a_secret(
    words: str, secrets: tuple[Secret, ...], who: str, chapter: int, scene: int | None
) -> bool:
    """Whether words, in lower case, tell a secret that neither a point of view nor the reader knows
    there."""
    return any(
        phrase.casefold() in words
        for secret in secrets
        for phrase in (secret.fact.rstrip(".。"), *secret.phrases)
        if not (secret.known_to(who, chapter, scene) or secret.known_to_reader(chapter, scene))
    )
