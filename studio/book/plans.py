"""What the plans of the book say: of its chapters, of the promises that each plants, advances or
pays, and of the volume each belongs to.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from studio.project import outline
from studio.project.store import ProjectStore, contract_from
from studio.story.contract import ChapterContract
from studio.story.novel import Promise


class PlansOnce:
    """The contracts as of their first read; valid for one pass over the book and no longer.

    StudioError (exit 5) for one that cannot be read.
    """

    def __init__(self, store: ProjectStore) -> None:
        self._store = store
        self._contracts: dict[int, ChapterContract | None] = {}

    @cached_property
    def volumes(self) -> dict[int, int]:
        """Chapters that have a contract, ascending, and the volume of each."""
        return self._store.planned_chapters()

    def of(self, chapter: int) -> ChapterContract | None:
        """Returns the contract of a chapter."""
        if chapter not in self._contracts:
            volume = self.volumes.get(chapter)
            planned = None if volume is None else self._store.contract_in(volume, chapter)
            self._contracts[chapter] = planned
        return self._contracts[chapter]


def planned_promises(store: ProjectStore, volume: int) -> dict[str, Promise]:
    """Returns the promises of the book and of the volume by id; the book's wins where both have an
    id.

    StudioError (exit 5) for a list that cannot be read.
    """
    lists = (store.volume_foreshadowing(volume), store.foreshadowing())
    return {plan.id: plan for each in lists for plan in each.promises}


def planted_later(store: ProjectStore, volume: int, chapter: int) -> frozenset[str]:
    """Returns the promises that a contract of a later chapter plants, in the volume or a later one:
    until then no prompt mentions them. StudioError (exit 5) for a contract that cannot be read.

    Every call about a chapter asks this, of all chapters planned behind it: a contract that nobody
    has changed is neither opened nor parsed again."""
    ids: frozenset[str] = frozenset()
    for ahead in sorted({volume, *store.layout.volume_numbers()}):
        if ahead >= volume:
            numbers = [n for n in store.layout.contract_numbers(ahead) if n > chapter]
            for number, data in store.contracts_as_bytes(ahead, numbers).items():
                ids |= _planted_in(data, store.layout.contract(ahead, number), ahead, number)
    return ids


@lru_cache(maxsize=4096)
def _planted_in(data: bytes, path: str, volume: int, chapter: int) -> frozenset[str]:
    tasks = contract_from(data, path, volume, chapter).foreshadowing
    return frozenset(task.id for task in tasks if task.action == "plant")


def planned_in(store: ProjectStore, volume: int) -> tuple[int, ...]:
    """Returns the chapters that a contract or a section of the volume's outline plans, ascending.

    A heading with nothing below it plans no chapter: there is nothing to draft from. StudioError
    (exit 5) where the outline cannot be read.
    """
    sections = outline.sections(store.outline(volume))
    numbers = {section.chapter for section in sections if section.body}
    return tuple(sorted(numbers.union(store.layout.contract_numbers(volume))))


def last_planned(store: ProjectStore, volume: int) -> int:
    """Returns the last chapter that the volume plans; 0 where it plans none."""
    return max(planned_in(store, volume), default=0)


def volume_of(store: ProjectStore, chapter: int) -> int:
    """Returns the volume that plans a chapter, by its contract, else by its section of an outline.

    The volume in work is checked first, then the others in order; a chapter that none of them plans
    belongs to the volume in work, or to the next one where the writer has ended that.
    """
    checkpoint = store.checkpoint()
    current = checkpoint.current_volume
    volumes = [v for v in store.layout.volume_numbers() if v != current]
    for volume in (current, *volumes):
        if chapter in store.layout.contract_numbers(volume):
            return volume
    sections = (v for v in (current, *volumes) if store.outline_section(chapter, v) is not None)
    return next(sections, checkpoint.volume_ahead)


def outline_titles(store: ProjectStore) -> dict[int, str]:
    """Returns the titles that outlines give chapters, even where a section is otherwise empty; of
    several, the first volume's."""
    titles: dict[int, str] = {}
    for volume in store.layout.volume_numbers():
        for section in outline.sections(store.outline(volume)):
            if section.title:
                titles.setdefault(section.chapter, section.title)
    return titles


def outline_title(store: ProjectStore, chapter: int) -> str:
    """Returns the title that an outline gives a chapter; empty if there is none."""
    return outline_titles(store).get(chapter, "")
