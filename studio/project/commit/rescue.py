"""Recovers files left by a process that was killed while exchanging two files.

The displaced file may be one that somebody saved at that very moment. It goes to history, and back
to its place if only a text known to history is there.
"""

from __future__ import annotations

from contextlib import suppress

from studio.fsio import ChangedOnDisk, displaced_below, sha256_hex
from studio.messages import said
from studio.project import layout as places
from studio.project.history.blobs import History
from studio.project.layout import Layout

_ELSEWHERE = (places.HISTORY, "logs")
"""Large folders in which no files are exchanged."""


def bring_home(layout: Layout) -> None:
    """Keeps every displaced file in history and puts it back in place. The caller holds the
    lock."""
    root, history = layout.root, History(layout.root)
    for displaced in displaced_below(root, _ELSEWHERE):
        data = root.find(displaced.path)
        if data is None:
            continue
        sha = sha256_hex(data)
        if not sha.startswith(displaced.new_sha) and not history.has(sha):
            history.keep(
                displaced.target, data, said("saved while another version was brought back")
            )
            present = root.sha(displaced.target)
            if present is None or history.has(present):
                with suppress(ChangedOnDisk):  # it was saved again: that version stays
                    root.write(displaced.target, data, expected=present)
        root.remove(displaced.path)
