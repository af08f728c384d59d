"""Selects the entries of the bible that belong to a piece of work, with the reason for each (BOOK
2).

The plan's own people and places come first, then what the words around the work name, then entries
that are always included, then one hop of links from all of these; nothing further.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from studio.book.entries import Bible, Entry
from studio.book.mentions import NameFinder
from studio.messages import said
from studio.story.contract import ChapterContract, SceneSpec

BY_PLAN = "contract"
BY_RULE = "always"
_ADDRESS = re.compile(r"^\[(\d+\.\d+)\]", re.MULTILINE)
_LONG_SLUG = re.compile(r"(?<![a-z0-9])[a-z0-9]+(?:[_-][a-z0-9]+)+")


class Selected(NamedTuple):
    """An entry and the reason for including it."""

    entry: Entry
    why: str
    """`contract`, `mention in notes`, `mention at 1.4`, `always`, `link from mara` or `recent`."""


def select(
    bible: Bible,
    finder: NameFinder,
    contract: ChapterContract,
    words: Mapping[str, str],
    present: Iterable[str] = (),
) -> list[Selected]:
    """Returns the entries that a call includes, the most useful first.

    `words` maps the kind of each text around the work (direction, notes, tail, chapter, ...) to the
    text; `present` are the people in the scene, who come before all others of the plan.
    """
    chosen: dict[str, Selected] = {}
    for slug in (*present, *slugs_in_plan(contract)):
        if slug in bible.entries:
            chosen.setdefault(slug, Selected(bible.entries[slug], BY_PLAN))
    for slug, why in _mentions(finder, contract, words):
        if bible.entries[slug].meta.include in ("mentioned", "always"):
            chosen.setdefault(slug, Selected(bible.entries[slug], why))
    for slug, entry in bible.entries.items():
        if entry.meta.include == "always":
            chosen.setdefault(slug, Selected(entry, BY_RULE))
    for source in list(chosen.values()):
        for slug in source.entry.meta.links:
            linked = bible.entries.get(slug)
            if linked is not None and linked.meta.include != "never":
                chosen.setdefault(
                    slug, Selected(linked, said("link from {name}", name=source.entry.slug))
                )
    return list(chosen.values())


def slugs_in_plan(contract: ChapterContract) -> tuple[str, ...]:
    """Returns every slug in a field of the contract: people, points of view, places."""
    slugs: list[str | None] = [contract.pov, *contract.characters, contract.location]
    for scene in contract.scenes:
        slugs += [scene.pov, *scene.characters, scene.location]
    return tuple(dict.fromkeys(slug for slug in slugs if slug))


def plan_words(contract: ChapterContract) -> str:
    """Returns all sentences of a contract, one per line."""
    lines = [contract.title, *contract.objectives, *contract.must_not, *contract.beats]
    for scene in contract.scenes:
        lines += scene_words(scene)
    return "\n".join(line for line in lines if line)


def scene_words(scene: SceneSpec) -> list[str]:
    """Returns all sentences of a scene's plan."""
    lines = [scene.purpose, scene.peak_moment, scene.transition_from, scene.transition_to]
    return [line for line in (*lines, *scene.sensory_anchors, *scene.dialogue_goals) if line]


def _mentions(
    finder: NameFinder, contract: ChapterContract, words: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yields slug and reason of everything that is named, in order of the first mention. Whom only
    the list of what must not happen names is not described: he is not to be there."""
    plan = plan_words(contract.model_copy(update={"must_not": ()}))
    for slug in finder.slugs_in(plan):
        yield slug, said("mention in contract")
    slugs = {match[0] for match in _LONG_SLUG.finditer(plan)}
    for slug in sorted(slugs & finder.slugs):
        yield slug, said("mention in contract")
    for name, text in words.items():
        for slug, place in finder.slugs_in(text).items():
            yield slug, _where(name, text, place)


def _where(name: str, text: str, place: int) -> str:
    addresses = [match[1] for match in _ADDRESS.finditer(text, 0, place)]
    return (
        said("mention at {place}", place=addresses[-1])
        if addresses
        else said("mention in {block}", block=name)
    )
