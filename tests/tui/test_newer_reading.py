"""An older reading of the novel never takes the place of a newer one."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from studio.tui.desk import reader as module
from studio.tui.desk.protocol import Desk
from studio.tui.desk.reader import Reader


class _Book(SimpleNamespace):
    """What the reader looks at in a book."""

    def _replace(self, **changes: Any) -> _Book:
        return _Book(**{**vars(self), **changes})


def _book(question: str | None, differences: str = "none") -> _Book:
    nothing: dict[str, Any] = {"notes": (), "marks": (), "publication": {}}
    return _Book(question=question, differences=differences, **nothing)


async def test_a_question_stays_though_edits_were_looked_for_before_it_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, first = threading.Event(), threading.Event()

    def volumes_of(book: _Book, before: object) -> None:
        if book.question is None:
            first.set()
            drawn.wait(10)

    monkeypatch.setattr(module, "volumes_of", volumes_of)
    monkeypatch.setattr(module, "read_book", lambda _session, _fresh: _book("start"))
    monkeypatch.setattr(module, "publication_of", lambda _session: {})
    monkeypatch.setattr(module, "is_novel", lambda _folder: True)

    async def call(work: Any, *args: Any) -> Any:
        return work(*args)

    state = SimpleNamespace(
        book=_book(None),
        volumes=(),
        streamed="",
        run=SimpleNamespace(chapter=None, running=False),
        chapter=None,
    )
    desk = SimpleNamespace(
        state=state,
        session=SimpleNamespace(store=SimpleNamespace(layout=SimpleNamespace(folder=tmp_path))),
        bridge=SimpleNamespace(call=call),
        painter=SimpleNamespace(outline=lambda: None),
        draw_rest=lambda: None,
        work=lambda task, *_group, **_how: task.close(),
    )
    reader = Reader(cast("Desk", desk))
    marking = asyncio.create_task(reader.take_differences(cast("Any", "one")))
    await asyncio.to_thread(first.wait, 10)
    reading = asyncio.create_task(reader.reread())
    await asyncio.sleep(0)
    drawn.set()
    await asyncio.gather(marking, reading)
    assert (state.book.question, state.book.differences) == ("start", "one")
