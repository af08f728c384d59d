"""E3, M8: a model that fails is asked again so often and no oftener, each time visibly; then the
run ends with one sentence, what is done is kept, and there is a way on."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import Exit
from studio.story.checkpoint import OrchestratorState
from tests.fake_messages import FakeMessages, Rule
from tests.faults import tally
from tests.faults.invariants import assert_every_call_is_paid
from tests.pipeline.conftest import no_waiting
from tests.pipeline.flows import Desk, Model, make_novel

__all__ = ["no_waiting"]
pytestmark = pytest.mark.usefixtures("no_syncing")

FAILURES = {
    "overloaded": (Rule(mode="status", status=529), 6),
    "the server": (Rule(mode="status", status=500), 6),
    "cut": (Rule(mode="cut"), 6),
    "empty": (Rule(text=""), 6),
    "refused": (Rule(stop_reason="refusal", text=""), 1),
    "no such model": (Rule(mode="status", status=404), 1),
}
"""What the judge's server does, and how many requests that is worth: three tries of a call where
trying may help, and the step once more."""


# req: E3
@pytest.mark.sampled
@pytest.mark.parametrize("name", FAILURES)
def test_a_failing_model_is_asked_so_often_and_the_run_goes_on_later(
    name: str, tmp_path: Path
) -> None:
    rule, requests = FAILURES[name]
    with FakeMessages(answering=Model(judge=rule)) as server:
        desk = Desk(make_novel(tmp_path / "novel"), server)
        ran = desk.write()
        judged = [asked for asked in server.asked if "scores" in str(asked.schema)]
        assert len(judged) == requests
        assert ran.exit_code == Exit.MODEL
        assert len(ran.of("error")) == 1
        assert ran.of("error")[0].hint
        assert ran.warnings.count("trying again in") == (requests > 1) * 4
        assert ran.warnings.count("(attempt 1)") == (requests > 1) * 2
        assert ran.warnings.count("The step is tried once more.") == (requests > 1)
        assert "judge failed" in ran.stages
        status = desk.session().status()
        assert status.orchestrator_state is OrchestratorState.ERROR_RETRY
        assert any("`studio resume` goes on from there" in warning for warning in status.warnings)
        assert_every_call_is_paid(desk.folder, len(server.asked))
        drafted = (desk.folder / "staging/chapters/chapter-001.md").read_bytes()
        server.answering = Model()
        before = len(server.asked)
        assert desk.resume().exit_code == Exit.DONE
        assert len(server.asked) == before + 1  # nothing but the judgement was missing
        assert desk.text().encode() == drafted
        assert desk.checkpoint.orchestrator_state is OrchestratorState.WRITING
    tally.fault("models that fail for good")
