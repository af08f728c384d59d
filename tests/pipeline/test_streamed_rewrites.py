"""What is heard of a rewrite while it comes is what the rewrite becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from studio.llm.provider import AnswerDelta
from studio.pipeline.events import Again, Event, RewriteText
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.review.directive import DirectiveType
from tests.pipeline.surgery import Told, outcome, proposal, work_on


class Streaming:
    """A gateway whose model says what it is told, so that it is heard."""

    def __init__(self, replies: list[str]) -> None:
        self._gateway = Told(replies)
        self.provider = self._gateway.provider

    async def prose(self, request: Any, listen: Callable[..., None]) -> Any:
        record = await self._gateway.prose(request, listen)
        listen(AnswerDelta("text", record.generated_text))
        return record


def test_what_streams_of_a_wide_passage_is_all_of_it_and_nothing_of_a_refused_answer(
    novel: ProjectStore,
) -> None:
    lines = [f"Step {n} was wet, and nobody had swept it since the flood." for n in range(1, 6)]
    wanted = proposal(DirectiveType.RHYTHM_VARIATION, 1, 1, 5, "\n\n".join(lines))
    first, second = (
        "\n\n".join(line.replace("was wet", "lay wet") for line in piece)
        for piece in (lines[:3], lines[3:])
    )
    events: list[Event] = []
    gateway = Streaming([first, "Too short.", second])
    chapter = Chapter("\n\n".join(lines))
    after = outcome(work_on(novel, chapter, gateway, events.append), wanted)
    assert after is not None
    assert after.text == f"{first}\n\n{second}"
    streamed = ""
    for event in events:
        if isinstance(event, RewriteText):
            streamed += event.text
        elif isinstance(event, Again):
            streamed = ""
    assert streamed == after.text
