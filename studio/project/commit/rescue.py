"""What a process left that was killed while it exchanged a file for another.

The file that came out may be one that somebody saved at that very moment. It
goes to history, and to its place again where only a text of history stands.
"""

from __future__ import annotations

from contextlib import suppress

from studio.fsio import ChangedOnDisk, sha256_hex
from studio.project import layout as places
from studio.project.history.blobs import History
from studio.project.layout import Layout

_ELSEWHERE = (places.HISTORY, places.STAGING, "logs")
"""Large folders in which nobody but the studio saves."""


def bring_home(layout: Layout) -> None:
    """Keeps every such file, and gives it its place again. The caller holds the lock."""
    root, history = layout.root, History(layout.root)
    for displaced in root.displaced(_ELSEWHERE):
        data = root.find(displaced.path)
        if data is None:
            continue
        sha = sha256_hex(data)
        if not sha.startswith(displaced.new_sha) and not history.has(sha):
            history.keep(displaced.target, data, "saved while another version was brought back")
            present = root.sha(displaced.target)
            if present is None or history.has(present):
                with suppress(ChangedOnDisk):  # saved again: that one stands
                    root.write(displaced.target, data, expected=present)
        root.remove(displaced.path)
