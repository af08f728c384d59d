"""Detects servers that silently truncate long prompts (BOOK 6).

Such servers drop whatever exceeds their window, usually the beginning, which holds the rules. The
only sign is the number of prompt tokens that they report.
"""

from __future__ import annotations

from studio.llm.errors import ModelError
from studio.llm.provider import WINDOWS, Provider, Reply, Request, low_estimate
from studio.llm.providers.profiles import is_claude
from studio.messages import said
from studio.story.records import Usage

_FAR_FEWER = 2 / 3
"""Reported prompt tokens below this fraction of our low estimate indicate a truncated prompt."""


def cut_prompt(provider: Provider, request: Request, reply: Reply) -> ModelError | None:
    """Returns the error for an answer to a truncated prompt, or None where nothing indicates one.

    Claude refuses a prompt that is too long, and a model in this process counts the tokens before
    it reads the prompt.
    """
    profile = provider.profile
    if profile.free or not profile.counts or is_claude(provider.model_for(request.role)):
        return None
    read = _tokens_read(reply.usage)
    sent = sum(low_estimate(part.text) for part in request.parts)
    # A server that reports fewer tokens than any window holds counts something else, such as cache
    # misses.
    if not WINDOWS.start <= read < sent * _FAR_FEWER:
        return None
    return ModelError(
        "too_large",
        said(
            "this server cuts prompts: it read {tokens} tokens of more than {sent}",
            tokens=f"{read:,}",
            sent=f"{sent:,}",
        ),
        partial=reply.text,
        usage=reply.usage,
        hint=said(
            "Start the server with more room for a prompt, or say in your own config.toml how "
            "much it has: window = {tokens} under its address in provider.endpoints. If it "
            "counts wrongly, set counts = false there to ignore its numbers.",
            tokens=read,
        ),
    )


def _tokens_read(usage: Usage) -> int:
    counts = (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
    return sum(count or 0 for count in counts)
