"""The findings of a model that still hold: those whose quoted chapters have not changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from studio.project.store import ProjectStore
from studio.story.continuity import ContinuityFinding, ContinuityRecord


def standing_findings(
    store: ProjectStore, committed: Mapping[int, object], chapters: Collection[int]
) -> list[ContinuityFinding]:
    """Returns the stored findings that concern these chapters and whose texts have not changed
    since.

    StudioError (exit 5) for a record that cannot be read.
    """
    record = store.continuity_record()
    wanted = [f for f in record.findings if set(f.chapters) & set(chapters)]
    shas = {n: _sha(store, n) for f in wanted for n in f.chapters if n in committed}
    return [f for f in wanted if all(_is_as_read(record, shas, n) for n in f.chapters)]


def read_by_a_model(
    store: ProjectStore, committed: Mapping[int, object], chapters: Collection[int]
) -> bool:
    """Whether a model read the current text of all of these chapters."""
    record = store.continuity_record()
    numbers = [n for n in chapters if n in committed]
    return bool(numbers) and all(
        (sha := record.sha_of(n)) is not None and sha == _sha(store, n) for n in numbers
    )


def _is_as_read(record: ContinuityRecord, shas: Mapping[int, str | None], chapter: int) -> bool:
    sha = record.sha_of(chapter)
    return sha is not None and shas.get(chapter) == sha


def _sha(store: ProjectStore, chapter: int) -> str | None:
    text = store.chapter(chapter)
    return text.sha256 if text else None
