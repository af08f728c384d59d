"""What history has lost is told in one sentence, however much it is."""

from __future__ import annotations

from pathlib import Path

from studio.project.verify import verify
from tests.project.novels import KOREAN, commit_now, make_novel


def test_many_lost_versions_are_one_finding(tmp_path: Path) -> None:
    commit_now(make_novel(tmp_path), 1, KOREAN)
    for blob in (tmp_path / "history").glob("??/*"):
        blob.unlink()
    (finding,) = [f for f in verify(tmp_path).findings if f.path == "history"]
    assert finding.severity == "damage"
    assert finding.message.startswith("History has lost ")
    assert " versions, the first of them " in finding.message
    (tmp_path / "history/log.jsonl").unlink()
    assert [f.severity for f in verify(tmp_path).findings if f.path == "history"] == ["gap"]
