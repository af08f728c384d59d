"""The author's own changes to promises: one added, what a chapter did for it recorded, and what a
model read in the chapters taken or rejected, each by itself (G5).

A settled event is an operation of its chapter in the changelog, marked as the author's; every later
reading of the chapter preserves it. A proposal that is taken becomes the author's own word in the
same way; a rejected one is not proposed again. A proposal stays valid while its words are in its
chapter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from shlex import quote

from studio.book.as_of import StoryAt
from studio.book.promises import OVER, PromiseSoFar, paragraph_of
from studio.errors import usage
from studio.messages import said, series
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.commit.direct import SETTLED, Unstaged
from studio.project.commit.writing import hold_for_writing
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, sha256_of
from studio.story.form.document import to_bytes
from studio.story.form.slugs import slug_fault
from studio.story.novel import (
    LeftPromise,
    Promise,
    PromiseProposal,
    PromiseProposals,
    ProposedEvent,
)
from studio.story.state import ABANDON, Delta, EventKind, StateOp, apply

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
    with hold_for_writing(store):
        if promise_id in promises_now(store):
            raise usage(
                said("There is already a promise {promise_id}.", promise_id=promise_id),
                said("Choose another id."),
            )
        promise = Promise(id=promise_id, description=about.strip(), due=due, characters=characters)
        book = store.foreshadowing()
        longer = book.copy_with(promises=(*book.promises, promise))
        replace(store, places.FORESHADOWING, to_bytes(longer), Reason.PROMISE_ADDED)
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
    with hold_for_writing(store) as held:
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
        delta = delta.copy_with(ops=(*others, op))
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


def proposed_promises(store: ProjectStore) -> list[PromiseProposal]:
    """Returns the waiting proposals that can be taken, new promises first.

    StudioError (exit 5) for a file of the book that cannot be read.
    """
    offers = store.promise_proposals().proposals
    return list(_sound(store, offers)) if offers else []


def merge(
    store: ProjectStore, before: PromiseProposals, proposals: Iterable[PromiseProposal]
) -> PromiseProposals:
    """Merges new proposals into the waiting ones: each once, without rejected ones or events that
    the book cannot have. New events of a waiting promise are added to its proposal."""
    offers = {one.key: one for one in before.proposals}
    new = {one.id for one in before.proposals if one.is_new}
    begun = [
        *_where_planted(store, before.proposals),
        *((o.chapter, o.quote) for o in before.refused),
    ]
    refusals = {(one.id, one.chapter) for one in before.refused}
    for one in proposals:
        first = one.events[0]
        if one.id in new:
            earlier = offers[one.id]
            every = (*earlier.events, *one.events)
            offers[one.id] = earlier.copy_with(events=every)
        elif one.is_new and not _is_among(first, begun):
            offers[one.id] = one
            new.add(one.id)
        elif not one.is_new and (one.id, first.chapter) not in refusals:
            offers.setdefault(one.key, one)
    return before.copy_with(proposals=tuple(_sound(store, offers.values())))


def keep_proposals(store: ProjectStore, document: PromiseProposals) -> None:
    """Writes the waiting and the rejected proposals. The caller holds the lock."""
    replace(store, places.PROMISE_PROPOSALS, to_bytes(document), Reason.PROPOSED)


def proposal_named(store: ProjectStore, key: str) -> PromiseProposal:
    """Returns the proposal the writer names; StudioError (exit 2) where there is none."""
    offered = proposed_promises(store)
    one = next((one for one in offered if one.key == key), None)
    if one is None:
        keys = series(one.key for one in offered) or said("none")
        raise usage(
            said("{key} is not among the proposals.", key=key),
            said("They are: {names}.", names=keys),
        )
    return one


def take_promise(store: ProjectStore, proposal: PromiseProposal, about: str = "") -> None:
    """Takes a proposal into the book, a new promise in the writer's words if given. Takes the lock.

    An interrupted call can be repeated. StudioError (exit 2) for an event the story no longer
    allows, or other words for a promise that the book has.
    """
    if about and not proposal.is_new:
        raise usage(
            said("{promise} is in the book's list already.", promise=proposal.id),
            said("Its words are in foreshadowing/global.json; take the event as it is."),
        )
    if proposal.is_new and proposal.id not in promises_now(store):
        words = about.strip() or proposal.description
        add_promise(store, proposal.id, words, None, proposal.characters)
    for one in _sound(store, [proposal]):
        for event in one.events:
            settle(store, one.id, event.kind, event.chapter, event.quote)
    _drop(store, proposal)


def leave_promise(store: ProjectStore, proposal: PromiseProposal) -> None:
    """Rejects a proposal for good. Takes the lock."""
    first = proposal.events[0]
    _drop(store, proposal, (LeftPromise(id=proposal.id, chapter=first.chapter, quote=first.quote),))


def _drop(
    store: ProjectStore, proposal: PromiseProposal, refused: tuple[LeftPromise, ...] = ()
) -> None:
    with ProjectLock(store.layout.folder):
        document = store.promise_proposals()
        rest = tuple(one for one in document.proposals if one.key != proposal.key)
        changes = {"proposals": rest, "refused": (*document.refused, *refused)}
        keep_proposals(store, document.copy_with(**changes))


def _where_planted(
    store: ProjectStore, offers: Iterable[PromiseProposal]
) -> Iterator[tuple[int, str]]:
    """Yields where existing and waiting promises begin: chapter and words."""
    for one in promises_now(store).values():
        if (seed := one.seed) is not None and seed.quote:
            yield seed.chapter, seed.quote
    yield from ((new.events[0].chapter, new.events[0].quote) for new in offers if new.is_new)


def _is_among(first: ProposedEvent, beginnings: Iterable[tuple[int, str]]) -> bool:
    """Whether one of these beginnings is the same: the same chapter, and words of which one
    contains the other."""
    return any(
        chapter == first.chapter and (first.quote in quote or quote in first.quote)
        for chapter, quote in beginnings
    )


def _sound(store: ProjectStore, proposals: Iterable[PromiseProposal]) -> Iterator[PromiseProposal]:
    """Yields the proposals with only those events that the book can have, new promises first."""
    promises = promises_now(store)
    chapter = cache(store.chapter)
    for one in sorted(proposals, key=lambda one: not one.is_new):
        own = promises.get(one.id)
        if own is None and not one.is_new:
            continue
        events = tuple(_possible(one.events, own, chapter))
        if events and (own is not None or events[0].kind == "planted"):
            yield one.copy_with(events=events)


def _possible(
    events: Iterable[ProposedEvent],
    promise: PromiseSoFar | None,
    chapter_at: Callable[[int], Chapter | None],
) -> Iterator[ProposedEvent]:
    """Yields events, ascending and one per chapter, whose words are in their chapters and that fit
    the promise's events before and after them."""
    history = {event.chapter: event.kind for event in promise.events} if promise else {}
    for event in sorted(events, key=lambda event: event.chapter):
        if event.chapter in history or not _allows(history, event):
            continue
        text = chapter_at(event.chapter)
        if text is not None and paragraph_of(text, None, event.quote) is not None:
            history[event.chapter] = event.kind
            yield event


def _allows(history: Mapping[int, EventKind], event: ProposedEvent) -> bool:
    """Whether an event fits: planted once, touched and paid while open, nothing after payment."""
    if event.kind == "planted":
        return not history
    before = [history[n] for n in sorted(history) if n < event.chapter]
    behind = any(n > event.chapter for n in history)
    is_open = bool(before) and before[-1] not in OVER
    return is_open and not (behind and event.kind == "resolved")
