"""What the plans say of promises: which exist, and which chapter plants, advances or pays each."""

from __future__ import annotations

from studio.project.store import ProjectStore
from studio.story.novel import Promise


def planned_promises(store: ProjectStore, volume: int) -> dict[str, Promise]:
    """Returns the promises of the book and of the volume by id; the book's wins where both have an
    id.

    StudioError (exit 5) for a list that cannot be read.
    """
    lists = (store.volume_foreshadowing(volume), store.foreshadowing())
    return {plan.id: plan for each in lists for plan in each.promises}


def planted_later(store: ProjectStore, volume: int, chapter: int) -> frozenset[str]:
    """Returns the promises that a contract of a later chapter of the volume plants: until then no
    prompt mentions them. StudioError (exit 5) for a contract that cannot be read."""
    numbers = [n for n in store.layout.contract_numbers(volume) if n > chapter]
    contracts = [store.contract_in(volume, number) for number in numbers]
    return frozenset(
        task.id
        for contract in contracts
        if contract is not None
        for task in contract.foreshadowing
        if task.action == "plant"
    )
