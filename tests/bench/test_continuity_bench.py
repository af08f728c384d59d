"""`python -m bench continuity`: every kind of fault is found in a book nobody tuned to."""

from __future__ import annotations

import re

import pytest

from bench.__main__ import main


@pytest.mark.sweep
def test_every_kind_of_fault_is_found_in_the_sample(
    capsys: pytest.CaptureFixture[str],
) -> None:  # req: G7 F9
    assert main(["continuity"]) == 0
    printed = capsys.readouterr().out
    tried = re.search(r"Found (\d+) of (\d+) faults; 1 of 1 cascades exact", printed)
    assert tried, printed
    assert tried[1] == tried[2], printed
    assert "0 alarms" in printed
    assert main(["continuity", "one", "two"]) == 2
