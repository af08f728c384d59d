"""Promises that a model read in the chapters, and what it says the chapters do for existing ones;
each is taken or rejected separately (G5).

A taken proposal becomes the author's own word, as with `studio promises add` and `settle`; a
rejected one is not proposed again. A proposal stays valid while its words are in its chapter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from studio.book.promise_desk import add_promise, promises_now, settle
from studio.book.promises import OVER, PromiseSoFar
from studio.book.seeds import paragraph_of
from studio.errors import usage
from studio.messages import said, series
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.form.document import to_bytes
from studio.story.novel import (
    LeftPromise,
    PromiseProposal,
    PromiseProposals,
    ProposedEvent,
)
from studio.story.state import EventKind


def proposed_promises(store: ProjectStore) -> list[PromiseProposal]:
    """Returns the waiting proposals that can be taken, new promises first.

    StudioError (exit 5) for a file of the book that cannot be read.
    """
    offers = store.promise_proposals().proposals
    return list(_sound(store, offers)) if offers else []


def merged(
    store: ProjectStore, before: PromiseProposals, proposals: Iterable[PromiseProposal]
) -> PromiseProposals:
    """Merges new proposals into the waiting ones: each once, without rejected ones or events that
    the book cannot have. New events of a waiting promise are added to its proposal."""
    offers = {one.key: one for one in before.proposals}
    new = {one.id for one in before.proposals if one.is_new}
    begun = [*_planted(store, before.proposals), *((o.chapter, o.quote) for o in before.refused)]
    refusals = {(one.id, one.chapter) for one in before.refused}
    for one in proposals:
        first = one.events[0]
        if one.id in new:
            earlier = offers[one.id]
            every = (*earlier.events, *one.events)
            offers[one.id] = earlier.model_copy(update={"events": every})
        elif one.is_new and not _is_among(first, begun):
            offers[one.id] = one
            new.add(one.id)
        elif not one.is_new and (one.id, first.chapter) not in refusals:
            offers.setdefault(one.key, one)
    return before.model_copy(update={"proposals": tuple(_sound(store, offers.values()))})


def keep_proposals(store: ProjectStore, document: PromiseProposals) -> None:
    """Writes the waiting and the rejected proposals. The caller holds the lock."""
    replace(store, places.PROMISE_PROPOSALS, to_bytes(document), "proposed to the writer")


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
        keep_proposals(store, document.model_copy(update=changes))


def _planted(store: ProjectStore, offers: Iterable[PromiseProposal]) -> Iterator[tuple[int, str]]:
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
            yield one.model_copy(update={"events": events})


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
