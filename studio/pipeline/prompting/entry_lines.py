"""Entries of the bible as lines of a prompt: profiles, one-line people, places and lore."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from studio.book.entries import Entry
from studio.book.selection import Selected
from studio.pipeline.prompting.lines import Line
from studio.story.novel import CharacterContract

MAX_PROFILES = 3
"""Full character profiles in one scene prompt (seed A21)."""


def people_lines(
    people: Iterable[Selected],
    chapter: int,
    scene: int | None,
    ruled: Collection[str],
    in_full: int | None,
) -> Iterator[Line]:
    """Profiles as they are at a chapter, the first `in_full` whole (None: all), others by a line.

    Those in `ruled` have their rules in another block; everybody else brings them along.
    """
    for index, (entry, why) in enumerate(people):
        rules = "" if entry.slug in ruled or entry.contract is None else rules_of(entry.contract)
        head = f"{entry.name} ({entry.slug})"
        if in_full is None or index < in_full:
            text = "\n".join(p for p in (head, entry.text.at(chapter, scene), rules) if p)
            yield Line(entry.slug, text, "character", why)
        else:
            role = entry.contract.role if entry.contract else ""
            short = f"{head}: {role}" if role else head
            yield Line(entry.slug, "\n".join(p for p in (short, rules) if p), "one line", why)


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
    rows = [
        ("voice", contract.voice),
        ("wants", contract.wants),
        ("fears", contract.fears),
        ("always", "; ".join(contract.always)),
        ("never", "; ".join(contract.never)),
        ("knows", "; ".join(contract.knows)),
    ]
    sentences = ". ".join(f"{label}: {text}" for label, text in rows if text)
    return f"{contract.name} ({contract.id}): {sentences}"
