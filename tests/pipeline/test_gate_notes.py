"""What the gate says of a draft reaches whoever writes it again, whatever its window holds."""

from __future__ import annotations

import pytest

from studio.tui.views.review.decision_card import card_of
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


@pytest.mark.sampled
@pytest.mark.parametrize("mode", ["ask", "accept"])
def test_what_is_named_as_a_fault_is_what_the_proposed_answer_mends(
    desk: OpenDesk, mode: str
) -> None:
    """A polish mends no plot; unattended, the table's polish stands."""
    rule = judged(3.7, plot_logic=3.0)
    rule.value["scores"]["plot_logic"]["scene"] = 1
    desk_ = desk(Model(refine=unrefined, judge=[rule, judged()]))
    if mode == "accept":
        desk_.write(review="accept")
        assert not [a for a in desk_.server.asked if kind_of(a) == "draft" and block(a, "notes")]
        return
    decision = desk_.write(review="ask").decision
    assert decision.recommendation == decision.options[0] == "draft-again"
    assert (
        "a polish of its language would leave it so: plot logic: plot_logic so far; overall"
        in str(decision.rationale)
    )
    assert str(decision.data["where"]) == "scene 1"
    card = card_of(decision)
    words = " ".join((card.happened, *card.facts, *(c.consequence for c in card.choices)))
    assert words.casefold().count("overall") == 1
    for talk in ("directives", "deep model", "resume"):
        assert talk not in words
    for option in ("draft-again", "polish"):
        assert "It costs " in decision.data["options"][option]
    desk_.server.asked.clear()
    desk_.decide("draft-again")
    assert ask(desk_).decision.kind == "review"
    drafts = [a for a in desk_.server.asked if kind_of(a) == "draft"]
    assert len(drafts) == 1, "only the scene with the fault is written again"
    assert "plot_logic so far" in block(drafts[0], "notes")


# req: G4 S6
@pytest.mark.sampled
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
