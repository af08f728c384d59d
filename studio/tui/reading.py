"""What the desk shows of a novel, read off the loop into values that do not change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from studio.errors import StudioError
from studio.project import layout as places
from studio.project.contents import Contents, brought_up_to_date, contents
from studio.project.staged import StagedChapter
from studio.project.variations import Variations
from studio.session import Session
from studio.story.chapter import Chapter, compose
from studio.story.checkpoint import Checkpoint
from studio.story.contract import ChapterContract
from studio.story.directive import DirectiveSheet
from studio.story.validation import parse_json, type_faults

R = TypeVar("R")
Source = Literal["staged", "scenes", "book", "none"]
"""Where a text is from: the staged chapter, its scenes so far, the book, nowhere."""


_UNFINISHED = ("stopped", "cut off")
"""Why the beginning of a scene was kept."""


@dataclass(frozen=True, slots=True)
class Book:
    """Where a novel stands."""

    folder: Path
    title: str
    language: str
    contents: Contents
    checkpoint: Checkpoint
    staged: bool = False
    """Whether a text of the chapter in work is staged."""
    trouble: str = ""
    """What cannot be read, in a sentence."""
    edited: frozenset[int] = frozenset()
    """Chapters whose files are not the committed text any more."""

    @property
    def next_chapter(self) -> int:
        """The one in work, else the one after the last."""
        return self.checkpoint.inflight_chapter or self.checkpoint.last_completed_chapter + 1


@dataclass(frozen=True, slots=True)
class Shown:
    """One chapter as the text pane and the directives pane show it."""

    chapter: int
    source: Source = "none"
    text: Chapter | None = None
    base: str | None = None
    """The text the present one was made from, for the diff."""
    contract: ChapterContract | None = None
    plan: str = ""
    """Its section of the outline, where it has no contract."""
    sheet: DirectiveSheet | None = None
    trouble: str = ""


def read_book(session: Session, fresh: bool = False, glance: bool = False) -> Book:
    """The novel; with `fresh` every file that changed is looked at, else only the index.

    A `glance` holds nothing to a schema, for the validator takes longer to
    load than the first frame may take (performance P6).
    """
    novel = session.settings.novel
    trouble = ""
    try:
        checkpoint = _glanced(session) if glance else session.store.checkpoint()
    except StudioError as error:
        checkpoint, trouble = Checkpoint(), str(error.problem)
    found = brought_up_to_date(session.store, novel.language) if fresh else contents(session.store)
    inflight = checkpoint.inflight_chapter
    staged = inflight is not None and _staged(session, inflight).text() is not None
    return Book(
        folder=session.store.layout.folder,
        title=novel.title or session.store.layout.folder.name,
        language=novel.language,
        contents=found,
        checkpoint=checkpoint,
        staged=staged,
        trouble=trouble,
    )


def _glanced(session: Session) -> Checkpoint:
    data = session.store.root.find(places.CHECKPOINT)
    if data is None:
        return Checkpoint()
    found, _ = type_faults(Checkpoint, parse_json(data, places.CHECKPOINT))
    return found or Checkpoint()


def edited_by_hand(session: Session) -> frozenset[int]:
    """Chapters whose files are another text than the committed one. Reads all of them."""
    try:
        return frozenset(edited.chapter for edited in session.store.hand_edits())
    except StudioError:
        return frozenset()


def read_shown(
    session: Session, chapter: int, checkpoint: Checkpoint, glance: bool = False
) -> Shown:
    """One chapter with its plan and its directives; what is damaged is named.

    A `glance` has the text alone.
    """
    inflight = checkpoint.inflight_chapter == chapter
    trouble: list[str] = []
    text = _staged(session, chapter).text() if inflight else None
    staged = text is not None
    if text is None:
        text = _tried(lambda: session.store.chapter(chapter), trouble)
    if text is not None:
        _ = text.paragraphs  # cut here, off the loop, and kept
    source: Source = "none" if text is None else "staged" if staged else "book"
    if glance:
        return Shown(chapter, source, text, trouble=" ".join(trouble))
    contract = _tried(lambda: session.store.contract(chapter), trouble)
    if inflight and not staged and (scenes := _scenes_so_far(session, chapter)):
        title = contract.title if contract else f"Chapter {chapter}"
        text, source = Chapter(compose(title, scenes)), "scenes"
    section = _tried(
        lambda: session.store.outline_section(chapter, checkpoint.current_volume), trouble
    )
    sheet = (
        _staged(session, chapter).sheet()
        if inflight
        else _tried(lambda: session.store.directives(chapter), trouble)
    )
    return Shown(
        chapter=chapter,
        source=source,
        text=text,
        base=_base(session, chapter, checkpoint) if staged else None,
        contract=contract,
        plan=section[1] if section else "",
        sheet=sheet,
        trouble=" ".join(trouble),
    )


def stamps_of(session: Session, shown: Shown | None) -> tuple[object, ...]:
    """What tells that somebody else changed something the desk shows."""
    layout = session.store.layout
    paths = [places.CHECKPOINT, places.CHAPTERS, places.SETTINGS]
    if shown is not None:
        paths += [layout.chapter(shown.chapter), layout.staged_chapter(shown.chapter)]
        paths += [layout.directives(shown.chapter), layout.staged_directives(shown.chapter)]
    return tuple(_stamp(layout.folder / path) for path in paths)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _staged(session: Session, chapter: int) -> StagedChapter:
    return StagedChapter(session.store.layout, chapter)


def _scenes_so_far(session: Session, chapter: int) -> list[str]:
    """The scenes that were finished, and the beginning of the one that was stopped."""
    staged = _staged(session, chapter)
    scenes: list[str] = []
    while (scene := staged.scene(len(scenes) + 1)) is not None:
        scenes.append(scene)
    kept = Variations(session.store.layout)
    known = _tried(lambda: kept.of(chapter, len(scenes) + 1), [])
    begun = [v for v in known.variations if v.reason in _UNFINISHED] if known else []
    if begun:
        scenes.append(kept.text(chapter, begun[-1]))
    return scenes


def _base(session: Session, chapter: int, checkpoint: Checkpoint) -> str | None:
    """What the staged text is compared with: the draft before the refiner, else before all
    surgery, else the committed chapter."""
    pending = checkpoint.pending_decision
    shas = [str(pending.data.get("before_sha256"))] if pending and pending.kind == "refine" else []
    drafts = [r for r in checkpoint.stage_records if r.stage == "draft"]
    shas += [r.output_sha256 for r in reversed(drafts) if r.output_sha256]
    for sha256 in shas:
        try:
            return session.store.history.blob(sha256).decode()
        except (StudioError, UnicodeDecodeError):
            continue
    standing = _tried(lambda: session.store.chapter(chapter), [])
    return standing.text if standing else None


def _tried(read: Callable[[], R], trouble: list[str]) -> R | None:
    try:
        return read()
    except StudioError as error:
        trouble.append(str(error.problem))
        return None
