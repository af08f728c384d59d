"""The measured program of bench.model_path: streams an answer of the small model to the screen as
the desk shows a draft, through client, events, bridge, run state and view."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from textual.app import App, ComposeResult

from bench.model_calls import KEY, each, streamed
from bench.terminal import report
from studio.pipeline.events import Emitter, Event, Text
from studio.pipeline.prompting.answer_stream import LiveProse
from studio.tui.runtime.bridge import Bridge
from studio.tui.runtime.garbage import settle
from studio.tui.views.run.moment import begin_run
from studio.tui.views.run.run_state import apply_events
from studio.tui.widgets.prose_view import ProseView


class ModelScreen(App[None]):
    """The draft alone, filling the terminal."""

    CSS = "ProseView { height: 1fr; }"

    def __init__(self, address: str, length: int, seed: int) -> None:
        super().__init__()
        self.asked = address, length, seed
        self.state = begin_run(1)
        self.in_view = ""
        self.times: list[float] = []
        """The arrival time of each piece, and finally the time when the last one was painted."""
        self.tokens = 0

    def compose(self) -> ComposeResult:
        yield ProseView()

    def on_ready(self) -> None:
        """Asks the model in the way a run does."""
        settle()
        session: Any = None  # no novel is read
        self.bridge = Bridge(session, self.take, self.leave)
        self.bridge.begin(self.answer)

    async def answer(self, hear: Callable[[Event], None]) -> None:
        """Receives the answer on the run's thread."""
        emit, live = Emitter(hear), LiveProse()
        address, length, seed = self.asked

        def show(story: str) -> None:
            if story:
                emit(Text(stage="draft", agent="scene-drafter", scene=1, text=story))

        def listen(piece: str) -> None:
            self.times.append(time.perf_counter())
            show(live.take(piece))

        self.tokens = await streamed(address, os.environ[KEY], length, seed, listen)
        show(live.end())

    def take(self, events: Sequence[Event]) -> None:
        """Applies a batch of events to the state, and from there to the view."""
        self.state = apply_events(self.state, events)
        text = self.state.prose
        if text.startswith(self.in_view) and text != self.in_view:
            self.query_one(ProseView).stream.append(text[len(self.in_view) :])
            self.in_view = text

    def leave(self, outcome: object) -> None:
        """Reports the time per token once the answer is complete, and exits."""
        self.run_worker(self.tell(outcome))

    async def tell(self, outcome: object) -> None:
        """Reports after the last token has been painted."""
        view = self.query_one(ProseView)
        while view.busy:
            await asyncio.sleep(0.001)
        painted = asyncio.Event()
        view.call_after_refresh(painted.set)
        await painted.wait()
        self.times.append(time.perf_counter())
        failure = "" if outcome is None else str(outcome)
        seconds = 0.0 if failure else each(self.times, self.tokens, self.asked[1])
        report({"each": seconds, "failure": failure})
        self.exit()


if __name__ == "__main__":
    ModelScreen(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])).run()
