"""How an answer may end other than well (M1-M3)."""

from __future__ import annotations

from studio.llm.errors import ErrorKind, ModelError
from studio.llm.provider import Reply, Request

FINISHED = "end"
"""The only ending whose text enters the book."""


def bad_ending(reply: Reply, request: Request) -> ModelError | None:
    """The error in a reply that came through but is not a whole answer."""
    came = f"after {len(reply.text):,} characters"
    if reply.finish_reason == "refusal":
        return _error("refusal", reply, reply.detail)
    if reply.finish_reason == "cut":
        return _error("cut", reply, f"the connection was lost {came}")
    if reply.finish_reason == "length" and not request.open_ended:
        return _error("cut", reply, f"its limit of {request.max_tokens:,} tokens ended it {came}")
    if reply.finish_reason not in (FINISHED, "length"):
        return _error("cut", reply, f"it stopped for a reason unknown here {came}")
    wanted = request.wanted(reply.text) if request.wanted else reply.text
    if not wanted.strip():
        return _error("empty", reply, reply.detail)
    return None


def _error(kind: ErrorKind, reply: Reply, detail: str) -> ModelError:
    again = None if kind != "cut" or reply.finish_reason == "cut" else False
    return ModelError(kind, detail, partial=reply.text, usage=reply.usage, retryable=again)
