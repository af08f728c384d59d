"""What a small model's sentences have to pass in one scene: who and what the plan has."""

from __future__ import annotations

from collections.abc import Mapping

from studio.pipeline.stage import Sight
from studio.story.contract import SceneSpec
from studio.text.draft_sieve import DraftSieve


def scene_sieve(
    work: Sight, scene: SceneSpec, slots: Mapping[str, str], previous: str
) -> DraftSieve:
    """The sieve of a scene: those who are in it, in its place, in the words of its plan.

    Where a plan puts nobody on the scene, everybody of the book may come.
    """
    bible = work.material.bible
    slugs = {slug for slug in (scene.pov, *scene.characters) if slug}
    if not slugs:
        slugs = set(bible.people)
    names = [name for slug in slugs if slug in bible.people for name in bible.people[slug].names]
    place = bible.entries.get(scene.location or "")
    names += place.names if place is not None else []
    contract = work.run.contract
    plan = (*slugs, scene.location or "", contract.title, *contract.objectives, *slots.values())
    more = (scene.peak_moment, *scene.sensory_anchors, *scene.dialogue_goals)
    words = "\n".join(text.replace("-", " ") for text in (*plan, *more) if text)
    return DraftSieve(work.run.pack, names, words, previous)
