"""Recreates the two chapters of the Chinese test novel: drafted, judged, reviewed, committed.

The plans are the author's; everything else in tests/data/novels/zh is the program's output. `python
-m tests.chinese_novel_made FOLDER` creates it again.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import Desk, Model
from tests.small_novels import NOVELS

DRAFTS = Path(__file__).parent / "data" / "novel-drafts"
ANSWERS: dict[str, Any] = json.loads((DRAFTS / "zh-answers.json").read_text("utf-8"))
MADE = ("chapters", "summaries", "evaluations", "state", "history", "logs", ".checkpoint.json")
"""The files of the novel that the program wrote, besides the memories of storylines and the
promises."""


def plans(folder: Path) -> Path:
    """Copies the novel as it was before its first chapter: only what a person planned."""
    shutil.copytree(NOVELS / "zh", folder)
    for name in MADE:
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for memory in folder.glob("storylines/*/memory.md"):
        memory.unlink()
    promises = folder / "foreshadowing/global.json"
    value = json.loads(promises.read_text("utf-8"))
    for promise in value["promises"]:
        promise.update(status="planned", planted=None, last=None, resolved=None)
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
    promises.write_text(text + "\n", "utf-8")
    return folder


def commit(desk: Desk, number: int) -> None:
    """Commits one chapter of the author's own, with the author's decision on its directive."""
    desk.write(draft=DRAFTS / f"zh-chapter-{number:03d}.md", review="ask")
    decision = ANSWERS[str(number)]["decision"]
    proposed = _directive(desk, ANSWERS[str(number)]["judgement"]["directives"][0]["type"])
    desk.session().change_directives(decision["action"], [proposed], reason=decision["reason"])
    desk.resume(review="ask")
    if decision["action"] == "accept":  # the fix is in the text and is now kept
        desk.session().change_directives("accept", [proposed])
    desk.decide("commit")
    assert desk.resume(review="ask").committed.chapter == number


def _directive(desk: Desk, type_: str) -> str:
    sheet = desk.session().directives()
    assert sheet is not None
    return next(d.id for d in sheet.directives if d.type == type_)


def make(folder: Path) -> Path:
    """Creates the whole novel at `folder`."""
    plans(folder)
    for number in (1, 2):
        answers = ANSWERS[str(number)]
        model = Model(
            summary=Rule(value=answers["summary"]),
            judge=Rule(value=answers["judgement"]),
            surgery=Rule(text=answers["surgery"]),
        )
        with FakeMessages(answering=model) as server:
            commit(Desk(folder, server), number)
    return folder


if __name__ == "__main__":
    made = make(Path(sys.argv[1]))
    shutil.rmtree(made / "logs/generations")
    (made / "logs/usage.jsonl").unlink()
