"""Proposals that wait in files of their own: proposals/prop_NNNN.json.

Each file is made by itself and never over another, so that whoever proposes needs no lock. Those of
the chapter in progress stand on its sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

from studio.fsio import ChangedOnDisk
from studio.project import layout as places
from studio.project.files import load
from studio.project.files.other_hands import own_names
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes
from studio.story.review.proposal import ID_PATTERN, Proposal, proposal_id


def filed_proposals(store: ProjectStore) -> list[Proposal]:
    """Returns the proposals in files, oldest first. StudioError (exit 5) for a damaged one."""
    names = (n for n in own_names(store.root, places.PROPOSALS) if n.endswith(".json"))
    documents = (
        load.document(store.root, Proposal, f"{places.PROPOSALS}/{name}") for name in names
    )
    return [proposal for proposal in documents if proposal is not None]


def file_new(store: ProjectStore, proposal: Proposal, used_ids: set[str]) -> Proposal:
    """Makes the file of a new proposal under the next unused id and returns it with that id. Two
    programs that do so at once get two ids."""
    for name in next_ids(store, used_ids):
        named = proposal.copy_with(id=name)
        with suppress(ChangedOnDisk):  # made by another program at this moment
            store.root.write(store.layout.proposal(named.id), to_bytes(named), expected=None)
            return named
    raise AssertionError  # numbers do not end


def next_ids(store: ProjectStore, used_ids: set[str]) -> Iterator[str]:
    """Yields ids for new proposals, above those of the files and those that are used."""
    names = (name.removesuffix(".json") for name in store.root.names(places.PROPOSALS))
    numbers = [int(n[5:]) for n in {*names, *used_ids} if re.match(ID_PATTERN, n)]
    return map(proposal_id, count(max(numbers, default=0) + 1))


def file_back(store: ProjectStore, staged: Staging) -> None:
    """Puts the proposals of a chapter that is no longer in progress into files; the caller holds
    the lock. A kill on the way leaves some in both places, and the sheet's count. Line edits are of
    the text in progress alone, and end with it."""
    sheet = staged.sheet()
    if sheet is None or not sheet.proposals:
        return
    for proposal in (p for p in sheet.proposals if not p.is_line_edit):
        path = store.layout.proposal(proposal.id)
        store.root.write(path, to_bytes(proposal), expected=store.root.sha(path))
    staged.put_sheet(sheet.copy_with(proposals=()))
