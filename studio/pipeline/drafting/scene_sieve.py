"""The sieve that a small model's sentences have to pass in one scene: only people and things of
the plan get through."""

from __future__ import annotations

from collections.abc import Mapping

from studio.pipeline.stage import Sight
from studio.story.contract import SceneSpec
from studio.text.draft_sieve import DraftSieve


def scene_sieve(
    work: Sight, scene: SceneSpec, slots: Mapping[str, str], previous: str
) -> DraftSieve:
    """Returns the sieve of a scene: the people in it, its place, and the words of its plan.

    If a plan puts nobody on the scene, everybody in the book may appear.
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
