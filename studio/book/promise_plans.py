"""What the plans say of promises: which there are, and which chapter plants, advances or pays
which."""

from __future__ import annotations

from studio.project.store import ProjectStore
from studio.story.novel import Promise


def planned_promises(store: ProjectStore, volume: int) -> dict[str, Promise]:
    """The promises of the book and of the volume by id; of two with one id the book's.

    StudioError (exit 5) for a list that cannot be read.
    """
    lists = (store.volume_foreshadowing(volume), store.foreshadowing())
    return {plan.id: plan for each in lists for plan in each.promises}


def planted_later(store: ProjectStore, volume: int, chapter: int) -> frozenset[str]:
    """Promises that a contract of a later chapter of the volume plants: until then nobody hears
    of them. StudioError (exit 5) for a contract that cannot be read."""
    numbers = [n for n in store.layout.contract_numbers(volume) if n > chapter]
    contracts = [store.contract_in(volume, number) for number in numbers]
    return frozenset(
        task.id
        for contract in contracts
        if contract is not None
        for task in contract.foreshadowing
        if task.action == "plant"
    )
