"""The single question of bench.model_path, asked through the provider used for Claude."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from studio.config.schema import Role
from studio.llm.provider import AnswerDelta, PromptPart, Request, Sampling
from studio.llm.providers.anthropic import AnthropicProvider
from studio.llm.providers.profiles import UNKNOWN

KEY = "BENCH_MODEL_KEY"
"""The name of the environment variable with the server's key."""
TASK = "Tell the whole story of a lighthouse keeper's winter, day by day, at great length."
TEMPERATURE = 0.8
_MODEL = "small"


async def streamed(
    address: str, key: str, length: int, seed: int, listen: Callable[[str], None]
) -> int:
    """Passes the answer on as it arrives; returns its token count as reported by the server."""
    models: dict[Role, str] = {"deep": _MODEL, "standard": _MODEL, "fast": _MODEL}
    provider = AnthropicProvider(key, models, base_url=address, profile=UNKNOWN)
    sampling = Sampling(temperature=TEMPERATURE, seed=seed)
    parts = (PromptPart("user", TASK),)
    request = Request(
        "bench", "draft", "scene-drafter", "deep", parts, max_tokens=length, sampling=sampling
    )

    def hear(delta: AnswerDelta) -> None:
        if delta.kind == "text" and delta.text:
            listen(delta.text)

    try:
        reply = await provider.stream(request, hear)
    finally:
        await provider.close()
    return reply.usage.output_tokens or 0


def each(times: Sequence[float], tokens: int, length: int) -> float:
    """Returns the mean seconds from one token to the next; several may arrive in one piece. Raises
    RuntimeError for an answer that is not `length` tokens long, which would distort the result."""
    if tokens != length:
        raise RuntimeError(f"{tokens} tokens came of {length}")
    return (times[-1] - times[0]) / max(1, tokens - 1)
