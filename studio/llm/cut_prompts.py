"""Servers that read only a part of a long prompt and say nothing (BOOK 6).

They cut what does not fit into their window, mostly its beginning: the rules. The one sign is
the number of tokens they report of the prompt.
"""

from __future__ import annotations

from studio.llm.errors import ModelError
from studio.llm.provider import WINDOWS, Provider, Reply, Request, low_estimate
from studio.llm.providers.profiles import is_claude
from studio.story.records import Usage

_FAR_FEWER = 2 / 3
"""Of what the prompt has at the very least."""


def cut_prompt(provider: Provider, request: Request, reply: Reply) -> ModelError | None:
    """The error in an answer to a part of its prompt; None where nothing speaks for that.

    Claude refuses what it cannot take, and who runs in this process counts before it reads.
    """
    profile = provider.profile
    if profile.free or not profile.counts or is_claude(provider.model_for(request.role)):
        return None
    read = _tokens_read(reply.usage)
    sent = sum(low_estimate(part.text) for part in request.parts)
    # Who reports less than any window holds counts something else, such as what its cache lacked.
    if not WINDOWS.start <= read < sent * _FAR_FEWER:
        return None
    return ModelError(
        "too_large",
        f"this server cuts prompts: it read {read:,} tokens of more than {sent:,}",
        partial=reply.text,
        usage=reply.usage,
        hint="Start the server with more room for a prompt, or say in your own config.toml how "
        f"much it has: window = {read} under its address in provider.endpoints. If it counts "
        "wrongly, set counts = false there to ignore its numbers.",
    )


def _tokens_read(usage: Usage) -> int:
    counts = (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
    return sum(count or 0 for count in counts)
