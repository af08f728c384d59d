"""Entries of the bible as lines of a prompt: profiles, one-line people, places and lore."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from studio.book.entries import Entry
from studio.book.selection import BY_PLAN, Selected
from studio.pipeline.prompting.lines import Line
from studio.story.novel import CharacterContract
from studio.story.prompting.context_lines import Form

MAX_PROFILES = 3
"""Full character profiles in one scene prompt (seed A21)."""


class Reach(NamedTuple):
    """Where in the book profiles are told, and how many of them whole."""

    chapter: int
    scene: int | None
    in_full: int | None
    """None: all."""


def people_lines(
    people: Iterable[Selected],
    reach: Reach,
    ruled: Collection[str],
    forms: Mapping[str, Form],
) -> Iterator[Line]:
    """Profiles as they are at a chapter, the first ones whole, others by a line; `forms` are
    those the writer wants otherwise.

    Those in `ruled` have their rules in another block; everybody else brings them along, and of
    those the plan has there they are told whatever they cost.
    """
    whole = 0
    for entry, why in people:
        head = f"{entry.name} ({entry.slug})"
        is_whole = reach.in_full is None or whole < reach.in_full
        if forms.get(entry.slug, "full" if is_whole else "one_line") == "full":
            whole += 1
            profile = entry.text.at(reach.chapter, reach.scene)
            yield Line(entry.slug, "\n".join(p for p in (head, profile) if p), "character", why)
        else:
            role = entry.contract.role if entry.contract else ""
            yield Line(entry.slug, f"{head}: {role}" if role else head, "one line", why)
        if entry.contract is not None and entry.slug not in ruled and has_rules(entry.contract):
            rules = rules_of(entry.contract)
            is_there = why == BY_PLAN
            yield Line(f"{entry.slug}-rules", rules, "rule", why, needed=is_there)


def world_lines(entries: Iterable[Selected], chapter: int, scene: int | None) -> Iterator[Line]:
    """Places, things, groups and lore as they are at a chapter."""
    for entry, why in entries:
        yield Line(entry.slug, world_text(entry, chapter, scene), entry.kind, why)


def world_text(entry: Entry, chapter: int, scene: int | None) -> str:
    """An entry under its name, which is not said twice."""
    text = entry.text.at(chapter, scene)
    first, _, rest = text.partition("\n")
    if first.lstrip("#").strip() == entry.name:
        text = rest.strip()
    return f"## {entry.name}\n{text}"


def rules_of(contract: CharacterContract) -> str:
    """The L2 contract of a person in one line."""
    sentences = ". ".join(f"{label}: {text}" for label, text in _rows(contract) if text)
    return f"{contract.name} ({contract.id}): {sentences}"


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
