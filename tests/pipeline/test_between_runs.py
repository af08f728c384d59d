"""What happens to staged files between a kill and the next run: edits stand, damage is mended."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.pipeline.outcome import Committed, NothingToDo
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Kind, Model, directive, judged, kind_of
from tests.pipeline.killing import killed_at_event, killed_at_saved
from tests.project.novels import put
from tests.sweeps import swept


def two_fixes() -> Model:
    return Model(
        judge=judged(directives=[directive(1, 2), directive(2, 3, type="dialogue-subtext")])
    )


@pytest.mark.sweep
@pytest.mark.parametrize("saved", [4, 9, 13])
def test_a_hand_edit_of_the_staged_text_is_respected(desk: OpenDesk, saved: int) -> None:
    desk_ = desk(two_fixes())
    assert killed_at_saved(desk_, saved)
    edited = desk_.staged().read_text().replace("Mara lifted", "Mara, who had not slept, lifted")
    desk_.staged().write_text(edited)
    desk_.server.asked.clear()
    ran = desk_.resume(review="reject")
    assert isinstance(ran.outcome, Committed)
    assert "your own" in ran.warnings
    assert desk_.text() == edited
    assert set(desk_.calls()) <= {"summary", "judge"}
    assert "summary" in desk_.calls()
    assert "judge" in desk_.calls()


@pytest.mark.sampled
@pytest.mark.parametrize("how", ["deleted", swept("torn"), swept("other")])
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("staging/summaries/chapter-001-summary.md", "summary"),
        ("staging/state/chapter-001-delta.json", "summary"),
        ("staging/evaluations/chapter-001-eval.json", "judge"),
        ("staging/evaluations/chapter-001-directives.json", "judge"),
    ],
)
def test_a_damaged_staged_file_is_made_again_and_that_is_said(
    desk: OpenDesk, path: str, kind: Kind, how: str
) -> None:
    desk_ = desk(two_fixes())
    assert killed_at_event(desk_, lambda e: e.type == "stage" and e.name == "gate")  # type: ignore[attr-defined]
    file = desk_.folder / path
    if how == "deleted":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:40] if how == "torn" else b"{}")
    asked_before = len(desk_.server.asked)
    ran = desk_.resume()
    assert isinstance(ran.outcome, Committed)
    what = "summary" if kind == "summary" else "evaluation"
    assert (
        f"The {what} of the chapter in progress is missing or was changed; it is made again."
        in ran.warnings
    )
    assert desk_.text().count("It held there.") == 2
    repeated = [kind_of(a) for a in desk_.server.asked[asked_before:]].count(kind)
    assert repeated <= 1


@pytest.mark.sweep
def test_a_staged_chapter_that_is_gone_is_put_together_again(desk: OpenDesk) -> None:
    desk_ = desk(two_fixes())
    assert killed_at_saved(desk_, 5)
    desk_.staged().unlink()
    ran = desk_.resume()
    assert isinstance(ran.outcome, Committed), ran.outcome
    assert desk_.text().count("It held there.") == 2
    assert desk_.calls().count("draft") == 2


@pytest.mark.sampled
@pytest.mark.parametrize("left", [None, b"", b" \n\n", b"\0" * 300])
def test_an_own_text_that_is_gone_comes_back(
    desk: OpenDesk, tmp_path: Path, left: bytes | None
) -> None:
    desk_ = desk()
    mine = tmp_path / "mine.md"
    mine.write_text("# 등잔방\n\n마라는 등을 세었다. 하나가 비어 있었다.\n", "utf-8")
    assert desk_.write(review="ask", draft=mine).decision.kind == "review"
    if left is None:
        desk_.staged().unlink()
    else:
        desk_.staged().write_bytes(left)
    ran = desk_.resume(review="ask")
    assert ran.decision.kind == "review"
    assert "Your text in progress was gone" in ran.warnings
    assert desk_.staged().read_bytes() == mine.read_bytes()


@pytest.mark.sweep
def test_prose_of_a_cut_call_becomes_a_variation_and_half_a_judgement_does_not(
    desk: OpenDesk,
) -> None:
    desk_ = desk(two_fixes())
    assert killed_at_saved(desk_, 5)
    put(desk_.folder, "staging/partial/gen-001-a0a0a0-draft-s02-l0-b1.md", "조스가 계단을 올라")
    for kind in ("judge-0f0f0f0f", "refine-0f0f0f0f", "draft-plan", "second-reader"):
        put(desk_.folder, f"staging/partial/gen-001-a0a0a0-{kind}-l0-b2.md", '{"scores": {')
    assert isinstance(desk_.resume().outcome, Committed)
    texts = {p.name: p.read_text() for p in (desk_.folder / "variations/chapter-001").glob("*.md")}
    assert texts == {"scene-02-01.md": "조스가 계단을"}, "up to the last whole word"
    assert not (desk_.folder / "staging/partial").exists()


def test_with_nothing_interrupted_resume_says_so_and_does_nothing(desk: OpenDesk) -> None:
    desk_ = desk(two_fixes())
    ran = desk_.resume()
    assert isinstance(ran.outcome, NothingToDo)
    assert ran.exit_code == 0
    desk_.write()
    desk_.server.asked.clear()
    assert isinstance(desk_.resume().outcome, NothingToDo)
    assert desk_.server.asked == []


@pytest.mark.sweep
def test_a_chapter_given_up_is_drafted_afresh_and_its_text_is_kept(desk: OpenDesk) -> None:
    desk_ = desk(two_fixes())
    assert killed_at_saved(desk_, 5)
    text = desk_.staged().read_text()
    assert desk_.session().discard() == 1
    assert not desk_.staged().exists()
    assert text in [version.decode() for version in versions(desk_)]
    assert isinstance(desk_.write().outcome, Committed)
    assert desk_.calls().count("draft") == 4


def versions(desk_: Desk) -> list[bytes]:
    log = (desk_.folder / "history/log.jsonl").read_text().splitlines()
    return [desk_.store.history.blob(json.loads(line)["sha"]) for line in log]
