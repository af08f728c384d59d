"""The authors of the paragraphs of a chapter, as words for the margin of the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from studio.i18n import N_, _

if TYPE_CHECKING:
    from studio.book.authorship import By
    from studio.session import Session

_WORDS: Mapping[By, str] = {
    "hand": N_("hand"),
    "brought": N_("brought"),
    "model": N_("model"),
    "model_edited": N_("+model"),
    "hand_edited": N_("+hand"),
    "unknown": N_("?"),
}
_MEANINGS: Mapping[By, str] = {
    "hand": N_("hand: you, in the studio"),
    "brought": N_("brought: from a file or another program"),
    "model": N_("model: a model"),
    "model_edited": N_("+model: a person's, changed by a model"),
    "hand_edited": N_("+hand: a model's, changed by hand"),
    "unknown": N_("?: nothing says"),
}


class Authors(NamedTuple):
    """The words in the margin and their explanation."""

    words: Mapping[tuple[int, int], str]
    """The word for the author, by scene and number of the paragraph."""
    sentence: str


def read_authors(session: Session, chapter: int) -> Authors:
    """Returns the authors of the chapter's present text; reads the history. Raises StudioError
    (exit 5) for a damaged text."""
    from studio.book.authorship import ALL_BY, Authorship
    from studio.project.author.author_text import standing_text

    text = standing_text(session.store, chapter)
    language = session.settings.novel.language
    paragraphs = Authorship(session.store, language).of(chapter).paragraphs
    places = [(p.scene, p.number) for p in text.paragraphs] if text else []
    kinds = {paragraph.by for paragraph in paragraphs}
    words = {
        place: _(_WORDS[paragraph.by]) for place, paragraph in zip(places, paragraphs, strict=False)
    }
    meanings = [_(_MEANINGS[by]) for by in ALL_BY if by in kinds]
    return Authors(words, ". ".join(meanings) + "." if meanings else "")
