"""What a manifest says of one file."""

from __future__ import annotations

import json

from studio.project.commit.placement import Placement
from studio.story.form.document import to_bytes


# req: B3
def test_what_history_need_not_hold_has_the_name_in_a_manifest_that_it_always_had() -> None:
    placement = Placement(
        dst="state/current.json", sha256="0" * 64, expected=None, to_history=False
    )
    written = json.loads(to_bytes(placement))
    assert (placement.to_history, written["kept"]) == (False, False)
    assert Placement.model_validate({**written, "kept": True}).to_history
