"""How a model divided the units of a chapter's plan into scenes, and how the scenes that are not
begun follow an edit of the plan (WRITING 2.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from studio.story.contract import ChapterContract, SceneSpec

Joined = Callable[[Iterable[str]], str]
Shares = Sequence[Sequence[int]]


class Division(NamedTuple):
    """The scenes of a chapter as they were divided, and what of them is the author's own."""

    scenes: tuple[SceneSpec, ...]
    units: tuple[str, ...] = ()
    """The units of the plan at the time; empty if that was not recorded."""
    shares: tuple[tuple[int, ...], ...] = ()
    """The units (from 1) that each scene tells; empty if code divided them."""
    added: tuple[str, ...] = ()
    """What the model says of each scene's purpose beyond the author's words."""

    def follow(
        self, units: Sequence[str], begun: Collection[int], joined: Joined
    ) -> list[SceneSpec]:
        """Returns the scenes for a plan of other `units`: those `begun` as they are; of the others
        those whose units changed in the author's new words alone, without what the model had added
        to the old ones. A scene whose units are all gone is left out."""
        ahead = [scene.number for scene in self.scenes if scene.number not in begun]
        shares = moved_shares(self.units, units, self.shares, ahead)
        scenes: list[SceneSpec] = []
        for scene, before, share in zip(self.scenes, self.shares, shares, strict=True):
            words = [units[n - 1] for n in share]
            if scene.number not in begun and words != [self.units[n - 1] for n in before]:
                if not words:
                    continue
                scene = SceneSpec(
                    number=scene.number,
                    purpose=joined(words),
                    pov=scene.pov,
                    target_length=scene.target_length,
                )
            scenes.append(scene.copy_with(number=len(scenes) + 1))
        return scenes

    def additions(self, scene: SceneSpec, contract: ChapterContract) -> tuple[frozenset[str], str]:
        """Returns the fields of a scene that the model filled in, and what it added to the
        purpose; nothing for a scene that stands in the author's words."""
        at = next((n for n, own in enumerate(self.scenes) if own.purpose == scene.purpose), None)
        if at is None or at >= len(self.added):
            return frozenset(), ""
        own: dict[str, object] = {
            "pov": contract.pov,
            "location": contract.location,
            "characters": contract.characters or None,
        }
        fields = scene.model_dump(exclude={"number", "purpose", "target_length"})
        return (
            frozenset(key for key, value in fields.items() if value and value != own.get(key)),
            self.added[at],
        )


def moved_shares(
    old: Sequence[str], new: Sequence[str], shares: Shares, ahead: Sequence[int]
) -> list[list[int]]:
    """Returns which of the `new` units each scene tells: a unit that stands stays with its scenes,
    one that was reworded takes the place of the old one, and one that is new goes to the first of
    the scenes `ahead` from there on."""
    fresh: list[list[int]] = [[] for _ in shares]
    edits = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for kind, old_from, old_to, new_from, new_to in edits:
        for at in range(new_from, new_to):
            before = old_from + min(at - new_from, old_to - old_from - 1)
            is_new = kind == "insert" or (kind == "replace" and at - new_from >= old_to - old_from)
            owners = [n for n, share in enumerate(shares) if before + 1 in share]
            if is_new and ahead:
                place = max(owners, default=0) + 1
                owners = [next((n for n in ahead if n >= place), ahead[-1]) - 1]
            for owner in owners:
                fresh[owner].append(at + 1)
    return fresh
