"""The events that the engine emits while it works (DESIGN section 8).

The app, `--events` and the tests read the same events; the names and fields are a contract. Names
that come from the seed keep the seed's spelling.
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
"""The agents whose prose streams as `text` and as `prewriter-text`; prose of any other agent is
a rewrite."""


class Event(Value):
    """One thing that happened. `seq` counts from 1 within a run; `ts` is ISO 8601 in UTC."""

    type: str
    seq: int = 0
    ts: str = ""
    chapter: int | None = None

    def line(self) -> bytes:
        """Returns the event as one line of NDJSON."""
        return encode_line(to_jsonable(self))


class TextBearing(Event):
    """An event that carries text and names the agent, scene or directive it belongs to."""

    stage: StageName
    agent: str
    scene: int | None = None


class Phase(Event):
    """The run switches from planning to writing (prewriter mode)."""

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
    """The model calls a look-up."""

    type: Literal["tool-call"] = "tool-call"
    id: str
    toolName: str
    args: dict[str, Any]


class ToolResult(TextBearing):
    """The result of a look-up."""

    type: Literal["tool-result"] = "tool-result"
    id: str
    toolName: str
    result: Any


class Finish(TextBearing):
    """A prose generation has ended."""

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
    """An answer starts over: text streamed before for the same place is no part of it."""

    type: Literal["again"] = "again"
    directive: str | None = None


class StageEvent(Event):
    """A stage started, finished or was skipped."""

    type: Literal["stage"] = "stage"
    name: StageName
    status: StageStatus
    note: str = ""


class SceneEvent(Event):
    """A scene is being drafted, is finished, or was finished by an earlier run."""

    type: Literal["scene"] = "scene"
    number: int
    status: Literal["started", "finished", "skipped"]
    estimated_tokens: int | None = None
    """The estimated tokens of the scene's prose, set once the scene is finished (A7)."""
    exemplars: tuple[str, ...] = ()
    generation: str = ""
    """The call that wrote the scene; its record holds the text and the reasoning before it."""


class MetricsEvent(Event):
    """The chapter was measured, or a scene of it that was just saved."""

    type: Literal["metrics"] = "metrics"
    metrics: dict[str, Any]
    overall: float | None = None
    scene: int | None = None
    """The measured scene; None for the whole chapter."""
    findings: tuple[dict[str, Any], ...] = ()
    """Code findings in the scene: type, location, issue, currentText. The findings of a chapter
    are `directive` events."""


class DirectiveEvent(Event):
    """A directive was proposed, or its status changed."""

    type: Literal["directive"] = "directive"
    directive: dict[str, Any]


class ProposalEvent(Event):
    """A proposal whose words are given stands on the sheet of the chapter in progress."""

    type: Literal["proposal"] = "proposal"
    proposal: dict[str, Any]


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
    """A decision was taken by the writer or by the review mode."""

    type: Literal["decision"] = "decision"
    id: str
    kind: DecisionKind
    option: str
    by: Literal["writer", "mode"] = "writer"


class UsageEvent(Event):
    """The cost of one attempt at a call."""

    type: Literal["usage"] = "usage"
    call: str
    """The generation that the attempt belongs to."""
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
    """The chapter has been committed to the book."""

    type: Literal["committed"] = "committed"
    title: str
    sha256: str
    badges: tuple[str, ...] = ()
    commit_id: str = ""


class BriefEvent(Event):
    """The brief on the last five chapters, computed by code."""

    type: Literal["brief"] = "brief"
    brief: dict[str, Any]


class CheckEvent(Event):
    """The last ten chapters were checked for contradictions by code."""

    type: Literal["check"] = "check"
    check: dict[str, Any]


class WarningEvent(Event):
    """A warning for the writer about something that did not stop the run."""

    type: Literal["warning"] = "warning"
    message: str


class ErrorEvent(Event):
    """An error that stopped the run."""

    type: Literal["error"] = "error"
    kind: str
    message: str
    retryable: bool = False
    hint: str = ""


Emit = Callable[[Event], None]
Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Returns the current time; the clock of a real run."""
    return datetime.now(UTC)


class Emitter:
    """Stamps events with a number and a time and passes them on."""

    def __init__(self, emit: Emit, clock: Clock = utc_now) -> None:
        self._emit = emit
        self._clock = clock
        self._seq = 0
        self.chapter: int | None = None

    def __call__(self, event: Event) -> None:
        """Stamps `event` and passes it to the listener."""
        self._seq += 1
        stamp = self._clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        changes = {"seq": self._seq, "ts": stamp, "chapter": event.chapter or self.chapter}
        self._emit(event.model_copy(update=changes))

    def warn(self, message: str) -> None:
        """Emits a warning."""
        self(WarningEvent(message=message))


def usage_event(entry: UsageEntry) -> UsageEvent:
    """Returns a line of the usage log as an event."""
    return usage_of_call(entry.call, entry.model, entry.usage, entry.usd)


def usage_of_call(call: str, model: str, usage: Usage | None, cost: float | None) -> UsageEvent:
    """Returns the usage (tokens) and cost (US dollars) of a call as an event; None for unknown
    values."""
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
