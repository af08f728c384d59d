"""Entries of the bible as lines of a prompt: profiles, one-line descriptions of people, places
and lore."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from studio.book.bible import BY_PLAN, Entry, Selected
from studio.pipeline.prompting.lines import Line
from studio.story.novel import CharacterContract
from studio.story.prompt_config import Form

MAX_PROFILES = 3
"""Full character profiles in one scene prompt (seed A21)."""


class Reach(NamedTuple):
    """The point in the book for which profiles are rendered, and how many of them in full."""

    chapter: int
    scene: int | None
    in_full: int | None
    """The number of full profiles; None for all."""


def people_lines(
    people: Iterable[Selected],
    reach: Reach,
    ruled: Collection[str],
    forms: Mapping[str, Form],
) -> Iterator[Line]:
    """Yields the profiles of people as of a chapter, the first ones in full, others in one line;
    `forms` are those that the writer wants otherwise.

    The rules of people in `ruled` stand in another block. Everybody else brings their rules along;
    for people the plan puts in the scene these are needed whatever they cost.
    """
    whole = 0
    for entry, why in people:
        head = f"{entry.name} ({entry.slug})"
        role = entry.contract.role if entry.contract else ""
        is_whole = reach.in_full is None or whole < reach.in_full
        if forms.get(entry.slug, "full" if is_whole else "one_line") == "full":
            whole += 1
            profile = entry.text.at(reach.chapter, reach.scene) or role
            yield Line(entry.slug, "\n".join(p for p in (head, profile) if p), "character", why)
        else:
            yield Line(entry.slug, f"{head}: {role}" if role else head, "one line", why)
        if entry.contract is not None and entry.slug not in ruled and has_rules(entry.contract):
            rules = rules_of(entry.contract)
            is_there = why == BY_PLAN
            yield Line(f"{entry.slug}-rules", rules, "rule", why, needed=is_there)


def world_lines(entries: Iterable[Selected], chapter: int, scene: int | None) -> Iterator[Line]:
    """Yields places, things, groups and lore as of a chapter."""
    for entry, why in entries:
        yield Line(entry.slug, world_text(entry, chapter, scene), entry.kind, why)


def world_text(entry: Entry, chapter: int, scene: int | None) -> str:
    """Returns an entry under its name, which is not repeated."""
    text = entry.text.at(chapter, scene)
    first, _, rest = text.partition("\n")
    if first.lstrip("#").strip() == entry.name:
        text = rest.strip()
    return f"## {entry.name}\n{text}"


def rules_of(contract: CharacterContract) -> str:
    """Returns the L2 contract of a person in one line."""
    rows = ((label, text.strip().rstrip(".。")) for label, text in _rows(contract))
    sentences = ". ".join(f"{label}: {text}" for label, text in rows if text)
    return f"{contract.name} ({contract.id}): {sentences}."


def has_rules(contract: CharacterContract) -> bool:
    """Whether an L2 contract says anything but a name."""
    return any(text for _, text in _rows(contract))


def _rows(contract: CharacterContract) -> list[tuple[str, str]]:
    return [
        ("voice", contract.voice),
        ("wants", contract.wants),
        ("fears", contract.fears),
        ("always", "; ".join(contract.always)),
        ("never", "; ".join(contract.never)),
        ("knows", "; ".join(contract.knows)),
    ]
