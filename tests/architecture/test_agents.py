"""Every agent that is shipped is asked by something a writer can do (found: S25)."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AGENTS = sorted(path.stem for path in (ROOT / "agents").glob("*.md"))


# req: A23
@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_that_is_listed_is_asked(agent: str) -> None:
    asking = [
        path
        for path in (ROOT / "studio/pipeline").rglob("*.py")
        if f'"{agent}"' in path.read_text("utf-8")
        and ("Question" in path.read_text("utf-8") or ".ask(" in path.read_text("utf-8"))
    ]
    assert asking, f"nobody asks {agent}"
