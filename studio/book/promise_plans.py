"""What the plans of chapters say of promises: which one plants, advances or pays which."""

from __future__ import annotations

from studio.project.store import ProjectStore


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
