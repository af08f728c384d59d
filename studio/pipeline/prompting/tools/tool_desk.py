"""Which calls may use look-ups, and how a look-up is answered (C11).

The answer of a look-up is foreign text: it passes `safe_text`, stands between the delimiters of the
call's other material, and is cut to the room there is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from studio.agent_pages import AgentSpec
from studio.errors import StudioError
from studio.llm.provider import LookUp, Request, ToolSpec, ToolUse
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.prompting.fit_to_window import PromptPiece, fence
from studio.pipeline.prompting.tools.look_ups import Tool, look_ups
from studio.pipeline.prompting.tools.plugin_hooks import context_of, plugin_tools
from studio.story.records import Withheld
from studio.text.safe import safe_text

LEAST_ROOM = 1000
"""Tokens that must be free in the model's window for look-ups to be offered."""
LONGEST_ANSWER = 6000
"""The most characters of one answer."""
_LEAST_ANSWER = 60
"""The fewest tokens of an answer; one that has less room is not given."""
_CUT = "\n(cut short: ask for less)"
_ON_THE_BRIEF = (
    "The brief comes first. Look up only what the scene needs and the brief does not say, before"
    " you begin to write."
)
_NO_ROOM = "There is no room for more look-ups in this call. Answer with what you have."

Hear = Callable[[ToolUse, str | None], None]
"""Called with a look-up (and None), then with the look-up and its answer."""


class Offer(NamedTuple):
    """The look-ups that one call may use."""

    tools: tuple[ToolSpec, ...] = ()
    withheld: Withheld | None = None


def offer(view: ChapterView, spec: AgentSpec, request: Request) -> Offer:
    """Returns the look-ups of a call: those of its agent, unless a setting, the step budget, the
    server or the size of its window forbids them. `request` is the call without any."""
    wanted = view.settings.generation.tools
    if wanted == "off" or (wanted == "prewriter" and spec.id != "prewriter"):
        return Offer()
    if not spec.tools or request.steps < 2:
        return Offer()
    if not view.gateway.provider.profile.tools:
        return Offer(withheld="server")
    if view.gateway.room(request) < LEAST_ROOM:
        return Offer(withheld="room")
    own, others = _every(view, request)
    names = (*(name for name in spec.tools if name in own), *others)
    return Offer(tuple({**own, **others}[name].spec for name in names))


def _every(view: ChapterView, request: Request) -> tuple[dict[str, Tool], dict[str, Tool]]:
    """Returns the studio's look-ups and those of plugins, whose names are distinct."""
    own = look_ups(view.store, view.staged, view.chapter, request.scene, view.pack)
    context = context_of(view, request.agent, request.stage, request.scene)
    others = plugin_tools(view, context)
    return own, {name: tool for name, tool in others.items() if name not in own}


def describe(tools: tuple[ToolSpec, ...]) -> str:
    """Describes the look-ups in words, for a writer who has a brief instead of the book (F10)."""
    return "\n".join([*(f"- {tool.name}: {tool.description}" for tool in tools), _ON_THE_BRIEF])


def answer_function(
    view: ChapterView, request: Request, tag_for: Callable[[str], str], hear: Hear
) -> LookUp:
    """Returns the function that answers the look-ups of one call; `tag_for` returns delimiters
    that do not occur in a text, and `hear` is called before and after each look-up."""
    own, others = _every(view, request)
    every = {**others, **own}
    tools = {spec.name: every[spec.name] for spec in request.tools if spec.name in every}
    estimate = view.gateway.provider.estimate_tokens

    async def look_up(use: ToolUse, room: int) -> str:
        hear(use, None)
        tool = tools.get(use.name)
        if tool is None:
            answer = f"There is no look-up {use.name!r}. There are: {', '.join(tools)}."
        elif room < _LEAST_ANSWER:
            answer = _NO_ROOM
        else:
            words = await asyncio.to_thread(_answer, tool, use)
            answer = _shorten(safe_text(words), room, estimate)
        hear(use, answer)
        return fence(PromptPiece(use.name if tool else "look-up", answer), tag_for(answer))

    return look_up


def _answer(tool: Tool, use: ToolUse) -> str:
    try:
        return tool.answer(use.args)
    except StudioError as error:
        return f"This cannot be looked up: {error.problem.message}"


def _shorten(answer: str, room: int, estimate: Callable[[str], int]) -> str:
    """Returns the beginning of an answer, as much as there is room for."""
    most = min(LONGEST_ANSWER, len(answer))
    while most and estimate(answer[:most]) > room:
        most = most * 2 // 3
    return answer if len(answer) == most else answer[:most].rstrip() + _CUT
