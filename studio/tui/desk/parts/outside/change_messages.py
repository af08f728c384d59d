"""The desk's messages about files changed by other programs, read off the event loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from studio.book.bible import read_bible
from studio.errors import StudioError
from studio.i18n import _, as_label, translate
from studio.project import layout as places
from studio.project.watch.plan_changes import is_plan, planned_by
from studio.project.watch.watch import FileChange
from studio.session import Session
from studio.text.diff import changed_words

_MANY = 3
"""The number of changes above which they are only counted."""
_STAGED = f"{places.STAGING}/"


class Told(NamedTuple):
    """A message of the desk."""

    words: str
    severity: str = "information"


def told_of(
    session: Session, changes: Sequence[FileChange], chapter: int | None, text: str
) -> list[Told]:
    """Returns the messages about changes, leaving out those another process of the studio made.

    `text` is what the desk showed of `chapter`, for use if history has no earlier text.
    """
    messages = [message for change in changes if (message := _told(session, change, chapter, text))]
    if len(messages) > _MANY:
        return [Told(_("{count} files were changed elsewhere.", count=len(messages)))]
    return messages


def _told(session: Session, change: FileChange, chapter: int | None, text: str) -> Told | None:
    number = places.chapter_of(change.path.removeprefix(_STAGED))
    if number is not None:
        staged = change.path.startswith(_STAGED)
        before = text if number == chapter else ""
        return (
            _of_staged(session, change, number) if staged else _of(session, change, number, before)
        )
    if not is_plan(change.path):
        return None
    chapter_planned, volume = planned_by(change.path)
    if chapter_planned is not None:  # the app's form writes this file; the writer does not know it
        return Told(
            _sentence(_("The plan of chapter {chapter}", chapter=chapter_planned), change, "")
        )
    words = session.upkeep().words(change.before, change.path)
    outline = _("The outline of volume {volume}", volume=volume)
    return Told(
        _sentence(_named(session, change.path) if volume is None else outline, change, words)
    )


def _named(session: Session, path: str) -> str:
    """Returns the name of the bible entry kept in a file; the path if the file holds no entry,
    or is gone."""
    try:
        entries = read_bible(session.store).entries.values()
    except StudioError:
        return path
    stem = path.rpartition(".")[0]
    return next((e.name for e in entries if e.path.rpartition(".")[0] == stem), path)


def _of(session: Session, change: FileChange, number: int, before: str) -> Told | None:
    store = session.store
    if change.after is None:
        sentence = _(
            "Chapter {number} is missing: {path} was moved or deleted.",
            number=number,
            path=change.path,
        )
        return Told(sentence, "warning")
    if store.committed_sha(number) is not None and not store.hand_edits([number]):
        return None
    try:
        present = store.chapter(number)
    except StudioError as error:
        return Told(translate(str(error.problem)), "warning")
    words = session.upkeep().words(change.before, change.path)
    if not words and before and present is not None:
        words = changed_words(before, present.text, session.settings.novel.language)
    return Told(_sentence(_("Chapter {number}", number=number), change, words))


def _of_staged(session: Session, change: FileChange, number: int) -> Told | None:
    """Returns the message that a staged text which no record of a run produced is now the
    writer's own."""
    checkpoint = session.store.checkpoint()
    by_stages = {record.output_sha256 for record in checkpoint.stage_records}
    if change.after is None or change.before is None or change.after in by_stages:
        return None
    if checkpoint.inflight_chapter != number:
        return None
    words = session.upkeep().words(change.before, change.path)
    return Told(_sentence(_("The chapter in progress, {number},", number=number), change, words))


def _sentence(what: str, change: FileChange, words: str) -> str:
    if change.after is None:
        sentence = _("{what} was deleted.", what=what)
    elif change.before is None:
        sentence = _("{what} appeared.", what=what)
    else:
        sentence = _("{what} was changed elsewhere.", what=what)
    return as_label(sentence[:-1]) + translate(words) if words else sentence
