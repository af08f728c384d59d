"""Adding passages to style-library/ and taking them out again (seed A2)."""

from __future__ import annotations

from studio.errors import usage
from studio.project.author import replace
from studio.project.files import front_matter
from studio.project.store import ProjectStore
from studio.story.form.document import to_jsonable
from studio.story.form.slugs import slug_fault
from studio.story.novel import Exemplar

SHORTEST = 40
"""Characters; less shows nobody how a scene is written."""


def add(store: ProjectStore, exemplar: Exemplar) -> str:
    """Puts a passage into the library; returns its path. The lock is held.

    StudioError (exit 2) for an id that is no slug or taken, or a passage too short to teach.
    """
    fault = slug_fault(exemplar.id)
    if fault is not None:
        raise usage(f"The id {exemplar.id!r} cannot be used: {fault}.", "Choose another id.")
    path = store.layout.exemplar(exemplar.id)
    if store.root.find(path) is not None:
        raise usage(
            f"The style library already has a passage {exemplar.id}.",
            f"Choose another id, or change {path} in your editor.",
        )
    if len(exemplar.text.strip()) < SHORTEST:
        raise usage(
            f"The passage has {len(exemplar.text.strip())} characters; it needs at least "
            f"{SHORTEST}.",
            "Add a longer one: a model learns little from a line.",
        )
    meta = {name: value for name, value in to_jsonable(exemplar.meta).items() if value}
    replace.replace(store, path, front_matter.join(meta, exemplar.text).encode(), "added")
    return path


def remove(store: ProjectStore, exemplar: str) -> str:
    """Takes a passage out; it stays in history. Returns its path. The lock is held.

    StudioError (exit 2) if the library has no such passage.
    """
    path = store.layout.exemplar(exemplar)
    if not replace.take_away(store, path):
        raise usage(
            f"The style library has no passage {exemplar}.", "`studio exemplars list` shows all."
        )
    return path
