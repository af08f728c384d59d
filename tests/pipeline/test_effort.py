"""How hard Claude thinks about a fix: the seed's sampling column as an effort (found.md S26)."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.story.review.operations import OPERATIONS, Operation
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model, directive, judged, kind_of

PAGE = (Path(__file__).parents[2] / "docs/models-and-cost.md").read_text("utf-8")


@pytest.mark.parametrize("row", OPERATIONS.values(), ids=lambda row: row.type.value)
def test_a_fix_is_thought_about_as_the_documents_say(row: Operation) -> None:
    rows = [r for r in PAGE.splitlines() if r.startswith("| a fix") and f"`{row.type.value}`" in r]
    assert len(rows) == 1
    cells = [cell.strip() for cell in rows[0].split("|")[2:4]]
    assert cells == [row.effort, f"{row.temperature:g}"]


# req: A12
@pytest.mark.sampled
@pytest.mark.parametrize(("kind", "effort"), [("proofreading", "low"), ("show-not-tell", "high")])
def test_a_careful_fix_is_asked_for_with_less_effort_than_an_inventive_one(
    desk: OpenDesk, kind: str, effort: str
) -> None:
    desk_ = desk(Model(judge=judged(directives=[directive(1, 1, type=kind)])))
    desk_.write()
    asked = [asked for asked in desk_.server.asked if kind_of(asked) == "surgery"]
    assert {a.body["output_config"]["effort"] for a in asked} == {effort}
