"""A prompt piece by piece, as it was sent or would be. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from studio.llm.tokens import high_estimate
from studio.story.calls import PromptMessage

_FENCED = re.compile(r'^<(m\w*) name="([\w-]+)">\n(.*?)\n</\1>$', re.DOTALL | re.MULTILINE)
_OWN = {"system": "the agent's own text", "user": "the task", "assistant": "an answer before"}


class PromptBlock(NamedTuple):
    """One piece of a prompt."""

    role: str
    """The message it stands in: system, user or assistant."""
    name: str
    text: str

    @property
    def tokens(self) -> int:
        """About how many, on the high side."""
        return high_estimate(self.text)


def blocks_of(messages: Iterable[PromptMessage]) -> list[PromptBlock]:
    """The pieces of a prompt in the order they are sent."""
    found: list[PromptBlock] = []
    for message in messages:
        at = 0
        for match in _FENCED.finditer(message.content):
            found += _unfenced(message.role, message.content[at : match.start()])
            found.append(PromptBlock(message.role, match[2], match[3]))
            at = match.end()
        found += _unfenced(message.role, message.content[at:])
    return found


def _unfenced(role: str, text: str) -> list[PromptBlock]:
    return [PromptBlock(role, _OWN[role], text.strip())] if text.strip() else []
