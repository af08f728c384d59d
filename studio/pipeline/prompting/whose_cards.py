"""Whose cards a request has in full, and of whom it says only who they are (WRITING 1.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from studio.book.bible import BY_RULE, Bible, NameFinder, SelectedEntry
from studio.pipeline.events import DRAFTER, PREWRITER
from studio.pipeline.prompting.agent_question import SURGEON, Occasion
from studio.story.prompt_config import LineForm, Steering

PINNED = "pinned"
"""Why an entry is told that the writer pinned although nothing names it."""
PASSAGE_BLOCKS = ("passage", "directive", "notes")
"""The blocks whose words decide which pages of the world a passage's rewrite needs: what stands
around it stays as it is, and what it names has not to be known."""
_HERE = ("direction", "notes", "attempt", "passage", "behind")
"""The blocks of a draft that bring whomever they name into its scene, as its plan does."""


def far_from(
    occasion: Occasion, people: Sequence[SelectedEntry], finder: NameFinder
) -> dict[str, LineForm]:
    """Returns the people of whom a call needs only one line, and no rules: in a scene that is
    written all whom neither its plan nor the author puts there; for a passage all beside those it
    names and the point of view, or where it names nobody those in its scene or named near it;
    everybody where only its sentences are built otherwise."""
    slugs = [one.entry.slug for one in people]
    if occasion.on_the_surface:
        return dict.fromkeys(slugs, "one_line")
    if not occasion.present:
        return {}
    near = {*occasion.present}
    if occasion.agent in (DRAFTER, PREWRITER):
        near |= named_in(occasion, finder, _HERE)
        near |= {one.entry.slug for one in people if one.why in (PINNED, BY_RULE)}
    elif occasion.agent == SURGEON:
        in_passage = named_in(occasion, finder, PASSAGE_BLOCKS).intersection(slugs)
        all_there = {*occasion.present, *named_in(occasion, finder, ("around",))}
        near = {*in_passage, occasion.present[0]} if in_passage else all_there
    else:
        return {}
    return {slug: "one_line" for slug in slugs if slug not in near}


def named_in(occasion: Occasion, finder: NameFinder, blocks: Iterable[str]) -> set[str]:
    """Returns the slugs of what these blocks of a call name."""
    return {slug for block in blocks for slug in finder.slugs_in(occasion.words.get(block, ""))}


def pinned_entries(
    steering: Steering, bible: Bible, chosen: Iterable[SelectedEntry]
) -> list[SelectedEntry]:
    """Returns entries beside the `chosen` that the writer pinned although nothing names them."""
    present = {one.entry.slug for one in chosen}
    slugs = [slug for name in ("people", "world") for slug in steering.pinned_in(name)]
    return [
        SelectedEntry(bible.entries[slug], PINNED)
        for slug in dict.fromkeys(slugs)
        if slug in bible.entries and slug not in present
    ]
