"""The surgeon at work on a chapter, with a gateway that is no server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from studio.config.schema import Role, Settings
from studio.llm.providers.anthropic import AnthropicProvider
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.events import Emitter, Event
from studio.pipeline.novel import Novel
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.review.surgeon import Refused, operate
from studio.pipeline.stage import Work
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, sha256_of
from studio.story.checkpoint import Checkpoint
from studio.story.contract import ChapterContract
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.operations import OPERATIONS, SLICE_PARAGRAPHS
from studio.story.review.passage import PassageLocation
from studio.text.language.packs import load_pack
from tests.pipeline.flows import CONTRACT

T = TypeVar("T")
PACK = load_pack("en")
PLAN = ChapterContract(**CONTRACT)
CLAUDE: dict[Role, str] = {"deep": "claude-x", "standard": "claude-x", "fast": "claude-x"}


def proposal(
    kind: DirectiveType, scene: int, first: int, last: int, passage: str, **more: Any
) -> Directive:
    """A directive on these paragraphs of a scene, whose words are the passage."""
    return Directive(
        id=f"dir_{kind.value.replace('-', '_')}_001",
        type=kind,
        priority=1,
        location=PassageLocation(scene_number=scene, paragraph_start=first, paragraph_end=last),
        issue="It tells.",
        instruction="Show it.",
        current_text=passage,
        max_scope=min(5, last - first + 1),
        source_sha256=sha256_of(passage),
        metric=OPERATIONS[kind].metric,
        **more,
    )


class Told:
    """A gateway whose model says what it is told, in turn."""

    def __init__(self, replies: list[str]) -> None:
        self.provider = AnthropicProvider("key", CLAUDE)
        self.asked: list[Any] = []
        self._replies = replies

    async def prose(self, request: Any, listen: Callable[..., None]) -> Any:
        self.asked.append(request)
        text = self._replies[(len(self.asked) - 1) % len(self._replies)]
        return SimpleNamespace(
            id=f"gen-{len(self.asked)}",
            generated_text=text,
            cost_usd=None,
            model="claude-x",
            finish_reason="end",
            step_count=1,
        )


@cache
def material(novel: ProjectStore, contract: ChapterContract) -> PromptBlocks:
    """Read once: the novel does not change."""
    return PromptBlocks(novel, contract, PACK)


def work_on(
    novel: ProjectStore, chapter: Chapter, gateway: Any, listen: Callable[[Event], None]
) -> Work:
    """What the surgeon is given of a chapter, its gateway and who listens."""
    run = ChapterRun(
        novel=Novel(novel, Settings(), lambda emit: gateway),
        gateway=gateway,
        contract=PLAN,
        checkpoint=Checkpoint(inflight_chapter=1, run="a0a0a0"),
        emit=Emitter(listen),
        lock=None,  # type: ignore[arg-type]
    )
    run.text = chapter  # as if it were staged: no disk in 100,000 rounds
    return Work(run, material(novel, PLAN))


def at_work(novel: ProjectStore, chapter: Chapter, replies: list[str]) -> tuple[Work, Told]:
    """The same where nobody listens, with a model that gives these replies."""
    gateway = Told(replies)
    return work_on(novel, chapter, gateway, lambda event: None), gateway


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns that waits for nothing: no event loop in 100,000 rounds."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    raise AssertionError("it waits")


_LOOP = asyncio.Runner()


def outcome(work: Work, wanted: Directive) -> Chapter | None:
    """The chapter after the operation, or None if the surgeon could not do it."""
    at = wanted.location
    passage = work.run.current.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    try:
        width = min(SLICE_PARAGRAPHS, wanted.max_scope)
        run = at_once if len(passage) <= width else _LOOP.run  # slices run side by side
        after, result = run(operate(work, wanted, passage))
    except Refused as refused:
        return None if refused.reasons else pytest.fail("refused without a reason")
    assert result.before == work.run.current.text[passage[0].start : passage[-1].end]
    assert result.after_sha256 == after.sha256
    return after
