"""Who and what a model's plan brings into the book, as far as the book does not have it."""

from __future__ import annotations

from collections.abc import Iterable

from studio.pipeline.beginning.answers import IntroducedEntry
from studio.project.planning.chapter_plan import people_names, places_names
from studio.project.planning.names import KnownNames
from studio.project.planning.newcomers import Newcomer
from studio.project.store import ProjectStore
from studio.story.form.ids import LONGEST_NAME
from studio.text.safe import safe_text


def newcomers(store: ProjectStore, introduced: Iterable[IntroducedEntry]) -> tuple[Newcomer, ...]:
    """Returns the people and places of a plan that are new, each once: one whom the book knows by
    any of its names is left out, and so is what has no name or too long a one."""
    names = {
        "person": KnownNames(people_names(store), are_people=True),
        "place": KnownNames(places_names(store), are_people=False),
    }
    fresh: dict[str, Newcomer] = {}
    for entry in introduced:
        name, line = _one_line(entry.name), _one_line(entry.line)
        is_name = 0 < len(name) <= LONGEST_NAME and name.casefold() not in fresh
        if is_name and names[entry.kind].id_of(name) is None:
            fresh[name.casefold()] = Newcomer(kind=entry.kind, name=name, line=line)
    return tuple(fresh.values())


def _one_line(words: str) -> str:
    return " ".join(safe_text(words, keep_newlines=False).split())
