"""What the author says to her readers with a chapter, and what they say of it (SERIAL 7.4).

Both go by the chapter's id. Neither is in any measure; planners see comments of chapters for which
the author said so, and nobody else ever does.
"""

from __future__ import annotations

from datetime import date

from studio.errors import usage
from studio.messages import said
from studio.project.author.replace import replace, take_away
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes
from studio.story.published import ReaderComment, ReaderComments
from studio.text.language.packs import LanguagePack, load_pack

_CHAPTERS, _CHARACTERS = 5, 6000
"""How many chapters back, and how many characters of comments, a planner is told."""


def put_author_note(store: ProjectStore, number: int, text: str) -> None:
    """Sets what she says with a chapter; nothing takes it away. Raises StudioError: exit 2 for a
    chapter that is neither written, in progress nor planned, 3 if the novel is locked."""
    with ProjectLock(store.layout.folder):
        path = store.layout.author_note(_id_of(store, number))
        if text.strip():
            replace(store, path, (text.strip() + "\n").encode(), Reason.AUTHORS_NOTE)
        else:
            take_away(store, path)


def note_with(store: ProjectStore, number: int, text: str) -> bytes | None:
    """Returns her note to the readers of a chapter with more words at its end; None where they say
    nothing that it does not say."""
    present, words = (store.author_note(number) or "").strip(), text.strip()
    if words in present:
        return None
    return ("\n\n".join(filter(None, (present, words))) + "\n").encode()


def add_comment(
    store: ProjectStore, number: int, text: str, source: str, day: date | None = None
) -> ReaderComments:
    """Adds a comment of readers to a chapter, dated today by default; StudioError as above, and
    exit 2 for an empty or too long one."""
    words = text.strip()
    if not words or len(words) > 20_000 or len(source) > 200:
        raise usage(
            said("A comment has 1 to 20,000 characters, and its source at most 200."),
            said("Paste it in parts."),
        )
    fresh = ReaderComment(source=source.strip(), at=(day or date.today()).isoformat(), text=words)
    with ProjectLock(store.layout.folder):
        on_file = store.reader_comments(number)
        return _put(store, number, on_file.copy_with(comments=(*on_file.comments, fresh)))


def show_to_planners(store: ProjectStore, number: int, are_shown: bool) -> ReaderComments:
    """Says whether planners see the comments on a chapter; StudioError as above."""
    with ProjectLock(store.layout.folder):
        on_file = store.reader_comments(number)
        return _put(store, number, on_file.copy_with(planners=are_shown))


def comments_for_planners(store: ProjectStore, pack: LanguagePack | None = None) -> str:
    """Returns the comments on the latest chapters for which the author said so, newest chapter
    first, for a planner; empty without any. Its labels are in the language of `pack`, by default
    English."""
    pack = pack or load_pack("en")
    last = store.checkpoint().last_completed_chapter
    rows = []
    for number in range(last, max(0, last - _CHAPTERS), -1):
        on_file = store.reader_comments(number)
        if on_file.planners:
            heads = (f"- {pack.chapter(number)}, {one.at}" for one in on_file.comments)
            comments = (one.text for one in on_file.comments)
            rows += [pack.labelled(*row) for row in zip(heads, comments, strict=True)]
    if not rows:
        return ""
    head = "What readers said of published chapters. It is no wish of the author's."
    return "\n".join([pack.label(head), *rows])[:_CHARACTERS]


def _id_of(store: ProjectStore, number: int) -> str:
    is_there = store.chapter(number) is not None or number in store.planned_chapters()
    if not is_there and number != store.checkpoint().inflight_chapter:
        raise usage(
            said("There is no chapter {missing}.", missing=number),
            said("`studio plan add` plans one."),
        )
    return store.chapter_list().id_of(number)


def _put(store: ProjectStore, number: int, comments: ReaderComments) -> ReaderComments:
    path = store.layout.reader_comments(_id_of(store, number))
    replace(store, path, to_bytes(comments), Reason.COMMENTS)
    return comments
