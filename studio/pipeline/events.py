"""What the engine says while it works (DESIGN section 8).

The app, `--events` and the tests read the same events; the names and fields
are a contract. Names that come from the seed keep the seed's spelling.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal

from studio.story.checkpoint import DecisionKind
from studio.story.form.document import Value, encode_line, to_jsonable
from studio.story.records import Usage, UsageEntry

StageName = Literal["lock", "draft", "summarize", "refine", "judge", "gate", "review", "commit"]
StageStatus = Literal["started", "finished", "skipped", "failed"]
DRAFTER, PREWRITER = "scene-drafter", "prewriter"
"""The agents whose prose streams as `text` and as `prewriter-text`; anybody else's is a rewrite."""


class Event(Value):
    """One thing that happened. `seq` counts from 1 within a run; `ts` is ISO 8601, UTC."""

    type: str
    seq: int = 0
    ts: str = ""
    chapter: int | None = None

    def line(self) -> bytes:
        """The event as one line of NDJSON."""
        return encode_line(to_jsonable(self))


class TextBearing(Event):
    """An event that carries text says whose it is."""

    stage: StageName
    agent: str
    scene: int | None = None


class Phase(Event):
    """The run turns from planning to writing (prewriter mode)."""

    type: Literal["phase"] = "phase"
    phase: Literal["prewriting", "writing"]


class PrewriterText(TextBearing):
    """A piece of the prewriter's brief."""

    type: Literal["prewriter-text"] = "prewriter-text"
    text: str


class Text(TextBearing):
    """A piece of the scene drafter's answer."""

    type: Literal["text"] = "text"
    text: str


class Reasoning(TextBearing):
    """A piece of a model's thinking."""

    type: Literal["reasoning"] = "reasoning"
    text: str


class ToolCall(TextBearing):
    """The model looks something up."""

    type: Literal["tool-call"] = "tool-call"
    id: str
    toolName: str
    args: dict[str, Any]


class ToolResult(TextBearing):
    """What it found."""

    type: Literal["tool-result"] = "tool-result"
    id: str
    toolName: str
    result: Any


class Finish(TextBearing):
    """A prose generation ended."""

    type: Literal["finish"] = "finish"
    finishReason: str
    stepCount: int = 1
    stopped: bool = False


class RewriteText(TextBearing):
    """A piece of a refined scene, a bridge or a surgeon's answer."""

    type: Literal["rewrite-text"] = "rewrite-text"
    text: str
    directive: str | None = None


class Again(TextBearing):
    """An answer begins anew: what came for the same place before is no part of it."""

    type: Literal["again"] = "again"
    directive: str | None = None


class StageEvent(Event):
    """A stage began, ended or was not needed."""

    type: Literal["stage"] = "stage"
    name: StageName
    status: StageStatus
    note: str = ""


class SceneEvent(Event):
    """A scene is being drafted, is done, or was done before."""

    type: Literal["scene"] = "scene"
    number: int
    status: Literal["started", "finished", "skipped"]
    estimated_tokens: int | None = None
    """Of the scene's prose, once it is finished (A7)."""
    exemplars: tuple[str, ...] = ()
    generation: str = ""
    """The call that wrote it: its record holds the text and the thoughts before it."""


class MetricsEvent(Event):
    """The chapter was measured, or a scene of it that was just saved."""

    type: Literal["metrics"] = "metrics"
    metrics: dict[str, Any]
    overall: float | None = None
    scene: int | None = None
    """The scene; None where it is the whole chapter."""
    findings: tuple[dict[str, Any], ...] = ()
    """What code finds in the scene: type, location, issue, currentText. A chapter's findings are
    `directive` events."""


class DirectiveEvent(Event):
    """A directive was proposed or changed its status."""

    type: Literal["directive"] = "directive"
    directive: dict[str, Any]


class DecisionRequired(Event):
    """The run stops here until a person decides."""

    type: Literal["decision-required"] = "decision-required"
    id: str
    kind: DecisionKind
    recommendation: str
    options: tuple[str, ...]
    rationale: str = ""
    data: dict[str, Any] = {}


class DecisionMade(Event):
    """A decision was taken, by the writer or by the review mode."""

    type: Literal["decision"] = "decision"
    id: str
    kind: DecisionKind
    option: str
    by: Literal["writer", "mode"] = "writer"


class UsageEvent(Event):
    """What one attempt at a call cost."""

    type: Literal["usage"] = "usage"
    call: str
    """The generation it belongs to."""
    model: str
    tokens: dict[str, int | None]
    cached: int | None = None
    cost: float | None = None


class Saved(Event):
    """A file is durable on disk."""

    type: Literal["saved"] = "saved"
    path: str
    sha256: str


class CommittedEvent(Event):
    """The chapter is in the book."""

    type: Literal["committed"] = "committed"
    title: str
    sha256: str
    badges: tuple[str, ...] = ()
    commit_id: str = ""


class BriefEvent(Event):
    """How the last five chapters went, counted by code."""

    type: Literal["brief"] = "brief"
    brief: dict[str, Any]


class CheckEvent(Event):
    """The last ten chapters were looked through for contradictions, by code."""

    type: Literal["check"] = "check"
    check: dict[str, Any]


class WarningEvent(Event):
    """Something the writer should know that stopped nothing."""

    type: Literal["warning"] = "warning"
    message: str


class ErrorEvent(Event):
    """Something stopped the run."""

    type: Literal["error"] = "error"
    kind: str
    message: str
    retryable: bool = False
    hint: str = ""


Emit = Callable[[Event], None]
Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The clock of a real run."""
    return datetime.now(UTC)


class Emitter:
    """Numbers and dates events and passes them on."""

    def __init__(self, emit: Emit, clock: Clock = utc_now) -> None:
        self._emit = emit
        self._clock = clock
        self._seq = 0
        self.chapter: int | None = None

    def __call__(self, event: Event) -> None:
        """Stamps `event` and hands it to the listener."""
        self._seq += 1
        stamp = self._clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        changes = {"seq": self._seq, "ts": stamp, "chapter": event.chapter or self.chapter}
        self._emit(event.model_copy(update=changes))

    def warn(self, message: str) -> None:
        """Says something that stops nothing."""
        self(WarningEvent(message=message))


def usage_event(entry: UsageEntry) -> UsageEvent:
    """What a line of the usage log says, as an event."""
    return usage_of_call(entry.call, entry.model, entry.usage, entry.usd)


def usage_of_call(call: str, model: str, usage: Usage | None, cost: float | None) -> UsageEvent:
    """What a call used (tokens) and cost (US dollars), as an event; None for what nobody knows."""
    return UsageEvent(
        call=call,
        model=model,
        tokens={
            "input": usage.input_tokens if usage else None,
            "output": usage.output_tokens if usage else None,
            "thinking": usage.thinking_tokens if usage else None,
        },
        cached=usage.cache_read_tokens if usage else None,
        cost=cost,
    )
