"""The author's own facts: world/facts.json, and the endings in the front matter of entries.

They count as changes made by a chapter and take precedence over what a model read (BOOK 4), so
everything built on the state works even where no model reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from studio.book.bible import Bible
from studio.errors import usage
from studio.messages import said
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes
from studio.story.form.slugs import slug_fault
from studio.story.state import AuthorFact, Scalar, StateOp, Tree, apply, op_fault

_ENDED_THINGS = ("item",)


def author_facts(store: ProjectStore, bible: Bible) -> list[AuthorFact]:
    """Returns all of the author's facts by chapter. StudioError (exit 5) for a damaged file."""
    facts = [*_of_entries(bible), *store.facts().facts]
    return sorted(facts, key=lambda fact: fact.from_chapter)


def with_facts(
    tree: Tree,
    facts: Iterable[AuthorFact],
    chapter: int,
    increments: Callable[[], Iterable[tuple[int, StateOp]]] = tuple,
) -> Tree:
    """Returns a state with the author's facts about the chapters before `chapter` applied.

    A number of hers stands, and counts on: `increments` gives the ops `inc` of the chapters with
    their numbers, and those after a fact's own chapter are added to it (a birthday).
    """
    before = [fact for fact in facts if fact.from_chapter < chapter]
    counts = list(increments()) if any(type(fact.value) in (int, float) for fact in before) else []
    for fact in before:
        later = (n for n in counts if fact.from_chapter < n[0] < chapter)
        ops = (op for _, op in later if op.path == fact.path)
        tree, _ = apply(tree, (fact.op, *ops), fact.from_chapter)
    return tree


def set_fact(store: ProjectStore, path: str, value: Scalar, chapter: int) -> AuthorFact:
    """Records that a path has a value from a chapter on; the previous value stays in history.

    Takes the lock. StudioError (exit 2) for a path that does not belong to the state.
    """
    fault = op_fault(StateOp(op="set", path=path, value=value))
    if fault is not None:
        raise usage(
            said("{path} cannot be set: {fault}.", path=repr(path), fault=fault),
            said("A path reads like characters.joss.alive or items.bell.condition."),
        )
    fact = AuthorFact(path=path, value=value, from_chapter=chapter)
    with ProjectLock(store.layout.folder):
        facts = store.facts().with_fact(fact)
        replace(store, places.FACTS, to_bytes(facts), Reason.AUTHORS_FACT)
    return fact


def _of_entries(bible: Bible) -> Iterator[AuthorFact]:
    for slug, entry in bible.entries.items():
        dead, gone = entry.meta.dead_from, entry.meta.gone_from
        if (dead is None and gone is None) or slug_fault(slug) is not None:
            continue
        if entry.kind == "character":
            if dead is not None:
                yield _fact(f"characters.{slug}.alive", False, dead)
            if gone is not None:
                yield _fact(f"characters.{slug}.location", "gone", gone)
        elif entry.kind in _ENDED_THINGS and (gone or dead):
            yield _fact(f"items.{slug}.condition", "lost", gone or dead or 1)


def _fact(path: str, value: Scalar, chapter: int) -> AuthorFact:
    return AuthorFact(path=path, value=value, from_chapter=chapter)
