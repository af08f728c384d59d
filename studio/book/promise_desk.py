"""The author's own changes to promises: adding one, and recording what a chapter did for it (G5).

A settled event is an operation of its chapter in the changelog, marked as the author's; every later
reading of the chapter preserves it.
"""

from __future__ import annotations

from shlex import quote

from studio.book.as_of import StoryAt
from studio.book.promises import PromiseSoFar
from studio.book.seeds import paragraph_of
from studio.errors import usage
from studio.messages import said
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.commit.direct import SETTLED, Unstaged
from studio.project.commit.writing import writing
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of
from studio.story.form.document import to_bytes
from studio.story.form.slugs import slug_fault
from studio.story.novel import Promise
from studio.story.state import ABANDON, Delta, StateOp, apply

ACTION_OF = {
    "planted": "plant",
    "advanced": "advance",
    "resolved": "resolve",
    "abandoned": ABANDON,
}
"""Maps each event kind that the author can record for a promise to its operation."""


def promises_now(store: ProjectStore) -> dict[str, PromiseSoFar]:
    """Returns every promise as of the end of the book, planned volumes included."""
    story = StoryAt(store, store.checkpoint().last_completed_chapter + 1)
    promises: dict[str, PromiseSoFar] = {}
    for volume in store.layout.volume_numbers() or [1]:
        for promise_id, promise in story.promises(volume).items():
            earlier = promises.get(promise_id)
            if earlier is None or promise.plan.description:
                promises[promise_id] = promise
    return promises


def promise_named(store: ProjectStore, promise_id: str) -> PromiseSoFar:
    """Returns the promise with that id; StudioError (exit 2) where there is none."""
    promise = promises_now(store).get(promise_id)
    if promise is None:
        raise usage(
            said("There is no promise {promise_id}.", promise_id=promise_id),
            said("`studio promises` lists them."),
        )
    return promise


def add_promise(
    store: ProjectStore,
    promise_id: str,
    about: str,
    due: int | None,
    characters: tuple[str, ...] = (),
) -> Promise:
    """Adds a promise to the book's list, about the people with these slugs. Takes the lock.

    StudioError (exit 2) for an id that is invalid or taken, or a promise without a description.
    """
    fault = slug_fault(promise_id)
    if fault is not None:
        raise usage(
            said(
                "The id {promise_id} cannot be used: {fault}.",
                promise_id=repr(promise_id),
                fault=fault,
            ),
            said("Choose another id."),
        )
    if not about.strip():
        raise usage(said("Say in a sentence what is promised: --about TEXT."))
    with writing(store):
        if promise_id in promises_now(store):
            raise usage(
                said("There is already a promise {promise_id}.", promise_id=promise_id),
                said("Choose another id."),
            )
        promise = Promise(id=promise_id, description=about.strip(), due=due, characters=characters)
        book = store.foreshadowing()
        longer = book.model_copy(update={"promises": (*book.promises, promise)})
        replace(store, places.FORESHADOWING, to_bytes(longer), "a promise was added")
    return promise


def settle(
    store: ProjectStore,
    promise_id: str,
    kind: str,
    chapter: int | None = None,
    quote: str = "",
    reason: str = "",
) -> PromiseSoFar:
    """Records what a committed chapter (by default the last one) did for a promise.

    Takes the lock and commits the event like any other change. StudioError (exit 2): no such
    promise or chapter, a quote that is not in the chapter, or an event the story does not allow
    there.
    """
    promise_named(store, promise_id)
    with writing(store) as held:
        checkpoint = store.checkpoint()
        number = chapter or checkpoint.last_completed_chapter
        entry = store.changelog().newest(number)
        if entry is None:
            raise usage(
                said("Chapter {number} is not in the book.", number=number)
                if number
                else said("The book has no chapter."),
                said("A promise can only be settled in a committed chapter."),
            )
        op = _event(store, number, promise_id, ACTION_OF[kind], quote, reason)
        delta = entry.delta()
        others = tuple(o for o in delta.ops if (o.op, o.path) != ("foreshadow", promise_id))
        delta = delta.model_copy(update={"ops": (*others, op)})
        _is_possible(store, delta, op, kind)
        fresh = Unstaged.of(store, SETTLED, delta)
        volume = checkpoint.current_volume
        fresh.commit(held.lock, fresh.promises(volume), checkpoint)
    return promise_named(store, promise_id)


def _event(
    store: ProjectStore, chapter: int, promise_id: str, action: str, quote: str, reason: str
) -> StateOp:
    text = store.chapter(chapter)
    paragraph = paragraph_of(text, None, quote.strip()) if text and quote.strip() else None
    if quote.strip() and paragraph is None:
        raise usage(
            said("Those words are not in chapter {chapter}.", chapter=chapter),
            said("Copy them from one of its paragraphs."),
        )
    return StateOp(
        op="foreshadow",
        path=promise_id,
        value=action,
        quote=quote.strip(),
        paragraph_sha256=sha256_of(paragraph.text) if paragraph else None,
        by="author",
        reason=reason.strip(),
    )


def _is_possible(store: ProjectStore, delta: Delta, op: StateOp, kind: str) -> None:
    """Refuses (exit 2) an event that the state would reject."""
    before = log.replay(e for e in store.changelog().entries if e.chapter < delta.chapter)
    tree, _ = apply(before.tree, (o for o in delta.ops if o is not op), delta.chapter)
    _, conflicts = apply(tree, (op,), delta.chapter)
    if conflicts:
        raise usage(
            said(
                "{path} cannot be {kind} in chapter {chapter}: {reason}.",
                path=op.path,
                kind=kind,
                chapter=delta.chapter,
                reason=conflicts[0].reason,
            ),
            said("`studio promises show {path}` has what happened to it.", path=quote(op.path)),
        )
