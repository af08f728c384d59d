"""Writes one chapter as its writer does in ask mode, and prints what happened and when.

A program of its own, so that any version of the studio can be driven: it imports nothing of ours
but the session. `python -P bench/chapter_writer.py NOVEL CHAPTER review|text|book [OTHER]`, with
the tree of the version on PYTHONPATH; it ends at the review, at the first word of prose, or in the
book. In the novel OTHER it writes up to the first word before that: a writer at her desk has loaded
everything.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic  # noqa: F401  the app has loaded it long before anybody presses a key

from studio.session import Session, WriteOrder

TYPE = "filter-word-removal"
"""The proposals that the writer accepts, four in this chapter; any other she rejects."""


class Writer:
    """A writer who presses `w` and answers what she is asked."""

    def __init__(self, novel: Path, until: str) -> None:
        self._novel, self._until = novel, until
        self._before, self._begun = (0.0, 0.0), _now()
        """The times of the runs before this one, and when it began: what she thinks between them
        is no time of the studio's."""
        self._task: asyncio.Task[Any] | None = None

    def write(self, chapter: int) -> None:
        """Writes the chapter up to where she stops."""
        order = WriteOrder(chapter=chapter, review="ask")
        self._begun = _now()
        outcome = asyncio.run(self._run(Session.write, order))
        while decision := getattr(outcome, "decision", None):
            if self._until != "book" and decision.kind == "review":
                break
            self._answer(decision)
            outcome = asyncio.run(self._run(Session.resume, WriteOrder(review="ask")))
        self._say("end", outcome=type(outcome).__name__, words=str(outcome))

    async def _run(self, method: Callable[..., Any], order: WriteOrder) -> Any:
        self._before, self._begun = self._at(), _now()
        work = method(self._session(), order, self._hear)
        self._task = asyncio.create_task(work)
        return await self._task

    def _session(self) -> Session:
        return Session.open(self._novel, dict(os.environ), {})

    def _hear(self, event: Any) -> None:
        if event.type == "stage":
            self._say("stage", name=event.name, status=event.status)
        elif event.type == "decision-required":
            self._say("decision", kind=event.kind)
        elif event.type == "text":
            self._say("text")
            if self._until == "text" and self._task is not None:
                self._task.cancel()

    def _answer(self, decision: Any) -> None:
        session = self._session()
        if decision.kind != "review":
            session.decide(decision.recommendation or decision.options[0])
            return
        sheet = session.directives()
        every = sheet.directives if sheet is not None else ()
        pending = [d for d in every if d.status.value == "pending"]
        if not pending:
            session.decide("commit")
            return
        wanted = [d.id for d in pending if d.type.value == TYPE]
        others = [d.id for d in pending if d.id not in wanted]
        session.change_directives("accept", wanted)
        if others:
            session.change_directives("reject", others)

    def _say(self, what: str, **fields: str) -> None:
        at, cpu = self._at()
        print(json.dumps({"what": what, "at": at, "cpu": cpu, **fields}), flush=True)

    def _at(self) -> tuple[float, float]:
        (before, used), (begun, had), (now, has) = self._before, self._begun, _now()
        return before + now - begun, used + has - had


def _now() -> tuple[float, float]:
    """Returns the time by the clock, and that of the processor."""
    return time.monotonic(), time.process_time()


if __name__ == "__main__":
    if len(sys.argv) > 4:
        Writer(Path(sys.argv[4]), "text").write(int(sys.argv[2]))
        print(json.dumps({"what": "loaded"}), flush=True)
    Writer(Path(sys.argv[1]), sys.argv[3]).write(int(sys.argv[2]))
