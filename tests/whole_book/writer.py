"""What a writer would do next, by what lies on her disk alone; nothing is remembered.

A move that was cut short is simply chosen again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.whole_book.story import GAPS, JOSS, LEAVES, MENDED, NOTE

Act = Literal["begin", "write", "decide", "accept", "plan", "look-back", "visit", "retire", "read"]
OLD = ("joss", "mara")
"""Who leaves the story, and who must not."""


@dataclass(frozen=True)
class Move:
    """One thing she does."""

    act: Act
    option: str = ""
    note: str = ""


@dataclass(frozen=True)
class Writer:
    """Leads a book to its last volume."""

    folder: Path
    volumes: int
    chapters: int
    """Of each volume."""

    @property
    def checkpoint(self) -> dict[str, Any]:
        """Where the work stands; empty where nothing has begun."""
        path = self.folder / ".checkpoint.json"
        value: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
        return value

    def next(self) -> Move | None:
        """Her next move; None at the end of the book."""
        now = self.checkpoint
        question = now.get("pending_decision")
        if question is not None:
            return self._answer(now, question)
        if not now.get("beginning") or (
            not now["beginning"]["over"] and not now["inflight_chapter"]
        ):
            return Move("begin")
        if now["inflight_chapter"]:
            return Move("write")
        return self._between(now)

    def _between(self, now: dict[str, Any]) -> Move | None:
        last, state = now["last_completed_chapter"], now["orchestrator_state"]
        if last and last < LEAVES and not self._page_of(OLD[0]) and not self._is_gone:
            return Move("visit")
        if last == LEAVES and not self._is_gone:
            return Move("retire")
        if len(now["state_gap"]) == len(GAPS) and 10 in now.get("briefed", ()):
            return Move("read")
        if state == "VOL_REVIEW":
            return Move("look-back")
        if state == "VOL_PLANNING":
            return None if last == self.volumes * self.chapters else Move("plan")
        is_over = last == self.volumes * self.chapters and not now.get("planned_to")
        assert not is_over, f"the book does not end: {state}"
        return Move("write")

    @property
    def _is_gone(self) -> bool:
        return (self.folder / f"characters/retired/{OLD[0]}.md").exists()

    def _page_of(self, slug: str) -> bool:
        return (self.folder / f"characters/active/{slug}.md").exists()

    def makes_a_page(self) -> None:
        """She writes a page of her bible in an editor of her own."""
        (self.folder / f"characters/active/{OLD[0]}.md").write_text(JOSS, "utf-8")

    def _answer(self, now: dict[str, Any], question: dict[str, Any]) -> Move:
        kind, options = question["kind"], question["options"]
        if kind == "review":
            return self._reviewed(now["inflight_chapter"])
        if kind == "gate" and "draft-scenes" in options:
            return Move("decide", "draft-scenes", NOTE)
        if kind == "outline" and "end-volume" in options:
            return Move("decide", "end-volume")
        if kind == "outline":
            return Move("decide", "accept", self._taken(now))
        if kind == "clean_up":
            return self._tidied(question)
        plain = {"brief": "go-on", "continuity": "go-on", "start": "next", "gate": "draft-again"}
        return Move("decide", plain.get(kind, question["recommendation"]))

    def _reviewed(self, chapter: int) -> Move:
        """Of one chapter everything that is proposed is mended first."""
        path = self.folder / f"staging/evaluations/chapter-{chapter:03d}-directives.json"
        rows = json.loads(path.read_text("utf-8"))["directives"] if chapter == MENDED else ()
        standing = {row["status"] for row in rows}
        if "pending" in standing:
            return Move("accept")
        return Move("write") if "accepted" in standing else Move("decide", "commit")

    def _taken(self, now: dict[str, Any]) -> str:
        """Of the plan the chapters up to the volume's end."""
        last = now["last_completed_chapter"]
        end = last - last % self.chapters + self.chapters
        return " ".join(str(number) for number in range(last + 1, end + 1))

    def _tidied(self, question: dict[str, Any]) -> Move:
        """All of it behind the first volume, one thing behind the others."""
        if question["data"]["volume"] == 1:
            return Move("decide", "accept")
        return Move("decide", "choose", question["data"]["items"][0]["path"])
