"""The writer's own text of a chapter: as it stands, and as she hands it in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from studio.errors import usage
from studio.messages import said
from studio.project.files import load
from studio.project.files.user_files import given_text
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.notes import UNCLOSED, unclosed_comment


def standing_text(store: ProjectStore, chapter: int) -> Chapter | None:
    """Returns the chapter as it would be edited: staged if it is in progress, else the one in the
    book."""
    if store.checkpoint().inflight_chapter == chapter:
        staged = store.staging_of(chapter).exact_text()
        if staged is not None:
            return staged
    return store.chapter(chapter)


@dataclass(frozen=True, slots=True)
class OwnDraft:
    """The author's own chapter as it goes into the novel, and remarks on it."""

    text: str
    remarks: tuple[str, ...]


def read_own_draft(path: Path) -> OwnDraft:
    """Reads the author's own chapter exactly, but adds blank lines between paragraphs that lack
    them.

    Raises StudioError (exit 2) if it cannot be read as prose.
    """
    return own_draft(given_text(path), str(path))


def own_draft_of(draft: Path | str | None) -> OwnDraft | None:
    """Returns the author's own chapter from a file, or as read from stdin; None if there is
    none."""
    if isinstance(draft, str):
        return own_draft(draft, "stdin")
    return read_own_draft(draft) if draft is not None else None


def own_draft(text: str, name: str) -> OwnDraft:
    """Returns the same for a text that is in no file; `name` stands for the file in messages."""
    load.refuse_large(text, name)
    chapter = Chapter(text)
    if not chapter.paragraphs:
        raise usage(
            said("{name} holds no prose.", name=name),
            said("Write the chapter into it, and try again."),
        )
    remarks = []
    if (spread := chapter.spread_out()) is not chapter:
        remarks.append(
            said(
                "Each line of {name} is read as a paragraph; in the novel they are separated "
                "by blank lines. Your file stays as it is.",
                name=Path(name).name,
            )
        )
    if unclosed_comment(spread.text) is not None:
        remarks.append(UNCLOSED)
    return OwnDraft(spread.text, tuple(remarks))
