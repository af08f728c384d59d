"""Plugins in the folder of a novel."""

from __future__ import annotations

from studio.project.trust import trust
from tests.pipeline.flows import Desk
from tests.project.novels import put

HEAD = "import pluggy\nhookimpl = pluggy.HookimplMarker('studio')\n"
"""How every plugin begins."""


def with_plugins(desk_: Desk, **sources: str) -> Desk:
    """The desk of a novel with these plugins, which its writer trusts."""
    for name, source in sources.items():
        put(desk_.folder, f"plugins/{name}.py", source)
    store = desk_.session().store
    assert store.state_folder is not None
    assert trust(store.root, store.state_folder).trusted
    return desk_
