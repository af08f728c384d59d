"""What the gate says of a draft reaches whoever writes it again, whatever its window holds."""

from __future__ import annotations

import pytest

from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SETTINGS,
    Model,
    ask,
    block,
    judged,
    kind_of,
    unrefined,
    violation,
)
from tests.project.novels import put
from tests.sweeps import swept


# req: G4 S6
@pytest.mark.parametrize("window", [8_192, swept(32_768), swept(200_000)])
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
def test_the_notes_of_the_gate_are_told_in_every_window(
    desk: OpenDesk, mode: str, window: int
) -> None:
    """Beside more entries than a small window holds."""
    rings = [f"Bell {n} rings, as it did before. " * 5 for n in range(8)]
    bells = [violation("Far out a bell rang", scene=1, explanation=words) for words in rings]
    desk_ = desk(
        Model(refine=unrefined, judge=[judged(violations=bells), judged()]),
        settings=f'{SETTINGS}[generation]\nmode = "{mode}"\n',
    )
    for n in range(30):
        entry = f"---\ninclude: always\n---\nQuay {n}. " + "It has wet stones. " * 60
        put(desk_.folder, f"world/quay-{n}.md", entry)
    desk_.overrides["provider.endpoints"] = {desk_.server.url: {"window": window}}
    assert desk_.write(review="ask").decision.kind == "gate"
    desk_.server.asked.clear()
    desk_.decide("draft-again", note="Let it be silent.")
    assert ask(desk_).decision.kind == "review"
    writers = [asked for asked in desk_.server.asked if kind_of(asked) in ("brief", "draft")]
    assert {kind_of(a) for a in writers} == {"draft", "brief" if mode == "prewriter" else "draft"}
    assert any("Quay 29." in asked.prompt for asked in writers) == (window > 8_192)
    for asked in writers:
        notes = block(asked, "notes")
        assert "Let it be silent." in notes
        assert not [words for words in rings if words.strip() not in notes]
