"""The writer's own text, read from her file or saved from the app's editor; no version is lost."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from studio.errors import Exit, Problem, StudioError, usage
from studio.project.author import replace
from studio.project.files import load
from studio.project.files.user_files import given_text
from studio.project.history.reasons import WRITTEN
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.notes import UNCLOSED, unclosed_comment


def standing_text(store: ProjectStore, chapter: int) -> Chapter | None:
    """Returns the chapter as it would be edited: staged if it is in progress, else the one in the
    book."""
    if store.checkpoint().inflight_chapter == chapter:
        staged = store.staging(chapter).exact_text()
        if staged is not None:
            return staged
    return store.chapter(chapter)


def save_own_text(
    store: ProjectStore, chapter: int, text: str, expected: str | None, reason: str = WRITTEN
) -> Chapter:
    """Replaces the chapter's current text with the writer's; the old text goes to history.

    `expected` is the sha256 of the text she started from, None for no text; `reason` is the reason
    history records for the new one: BROUGHT if she wrote it in another program. Raises StudioError:
    exit 2 if the text on disk has changed since or hers is larger than any chapter, 3 if the novel
    is locked.
    """
    with ProjectLock(store.layout.folder):
        present = standing_text(store, chapter)
        present_sha = present.sha256 if present else None
        if present_sha != expected:
            raise _conflict(chapter)
        fresh = Chapter(text)
        if fresh.sha256 == present_sha:
            return fresh
        if store.checkpoint().inflight_chapter == chapter:
            store.staging(chapter).put_text(fresh.text, reason)
            return fresh
        path = store.layout.chapter(chapter)
        before = "before it was edited by hand"
        replace.replace(store, path, text.encode(), reason, before, expected)
        return fresh


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
        raise usage(f"{name} holds no prose.", "Write the chapter into it, and try again.")
    remarks = []
    if (spread := chapter.spread_out()) is not chapter:
        remarks.append(
            f"Each line of {Path(name).name} is read as a paragraph; in the novel they are "
            "separated by blank lines. Your file stays as it is."
        )
    if unclosed_comment(spread.text) is not None:
        remarks.append(UNCLOSED)
    return OwnDraft(spread.text, tuple(remarks))


def _conflict(chapter: int) -> StudioError:
    return StudioError(
        Problem(
            f"Chapter {chapter} was changed by someone else while you edited it.",
            "Your text is kept. Copy what you need, close the editor and open it again.",
            exit_code=Exit.USAGE,
            kind="conflict",
        )
    )
