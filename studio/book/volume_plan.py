"""Which chapters a volume plans, and to which volume a chapter belongs, from the plans alone."""

from __future__ import annotations

from studio.project import outline
from studio.project.store import ProjectStore


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
