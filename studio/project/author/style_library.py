"""Adds passages to style-library/ and removes them (seed A2)."""

from __future__ import annotations

from studio.errors import usage
from studio.messages import said
from studio.project.author import replace
from studio.project.files import front_matter
from studio.project.history.reasons import Reason
from studio.project.store import ProjectStore
from studio.story.form.document import to_jsonable
from studio.story.form.slugs import slug_fault
from studio.story.novel import Exemplar

SHORTEST = 40
"""The minimum length in characters; a shorter passage shows nobody how a scene is written."""


def add(store: ProjectStore, exemplar: Exemplar) -> str:
    """Adds a passage to the library; returns its path. The caller holds the lock.

    Raises StudioError (exit 2) if the id is no slug or already taken, or the passage too short.
    """
    fault = slug_fault(exemplar.id)
    if fault is not None:
        raise usage(
            said(
                "The id {promise_id} cannot be used: {fault}.",
                promise_id=repr(exemplar.id),
                fault=fault,
            ),
            said("Choose another id."),
        )
    path = store.layout.exemplar(exemplar.id)
    if store.root.find(path) is not None:
        raise usage(
            said("The style library already has a passage {id}.", id=exemplar.id),
            said("Choose another id, or change {path} in your editor.", path=path),
        )
    if len(exemplar.text.strip()) < SHORTEST:
        raise usage(
            said(
                "The passage has {count} characters; it needs at least {shortest}.",
                count=len(exemplar.text.strip()),
                shortest=SHORTEST,
            ),
            said("Add a longer one: a model learns little from a line."),
        )
    meta = {name: value for name, value in to_jsonable(exemplar.meta).items() if value}
    replace.replace(store, path, front_matter.join(meta, exemplar.text).encode(), Reason.ADDED)
    return path


def remove(store: ProjectStore, exemplar: str) -> str:
    """Removes a passage, which stays in history; returns its path. The caller holds the lock.

    Raises StudioError (exit 2) if the library has no such passage.
    """
    path = store.layout.exemplar(exemplar)
    if not replace.take_away(store, path):
        raise usage(
            said("The style library has no passage {exemplar}.", exemplar=exemplar),
            said("`studio exemplars list` shows all."),
        )
    return path
