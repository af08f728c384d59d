"""The events that the engine emits while it works (DESIGN section 8).

The app, `--events` and the tests read the same events; the names and fields are a contract. Names
that come from the seed keep the seed's spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any, ClassVar, Literal

from pydantic import AliasChoices, Field

from studio.messages import Said
from studio.messages import to_data as message_data
from studio.pipeline.turns import is_kept
from studio.story.checkpoint import DecisionKind
from studio.story.form.document import SAID, Value, Words, encode_line, to_jsonable
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
        """Returns the event as one line of NDJSON, with `said`: each message of ours in it by its
        field, such as `data.options.keep`."""
        data = to_jsonable(self)
        if messages := dict(_messages_by_field(data)):
            data = {**data, SAID: {field: message_data(one) for field, one in messages.items()}}
        return encode_line(data)


def _messages_by_field(data: Any, field: str = "") -> Iterator[tuple[str, Said]]:
    if isinstance(data, Said):
        yield field, data
    elif isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _messages_by_field(value, f"{field}.{key}" if field else str(key))


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

    MESSAGES: ClassVar[bool] = True

    type: Literal["stage"] = "stage"
    name: StageName
    status: StageStatus
    note: Words = ""


class SceneEvent(Event):
    """A scene is being drafted, goes on from its last word, is finished, or was finished by an
    earlier run."""

    type: Literal["scene"] = "scene"
    number: int
    status: Literal["started", "continued", "finished", "skipped"]
    stands_to: int | None = Field(
        default=None,
        validation_alias=AliasChoices("from", "stands_to"),
        serialization_alias="from",
    )
    """The characters of the scene that stand, where it goes on; `from` in the event's JSON."""
    estimated_tokens: int | None = None
    """The estimated tokens of the scene's prose, set once the scene is finished (A7)."""
    exemplars: tuple[str, ...] = ()
    generation: str = ""
    """The call that wrote the scene; its record holds the text and the reasoning before it."""


class MetricsEvent(Event):
    """The chapter was measured, or a scene of it that was just saved."""

    MESSAGES: ClassVar[bool] = True

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

    MESSAGES: ClassVar[bool] = True

    type: Literal["directive"] = "directive"
    directive: dict[str, Any]


class ProposalEvent(Event):
    """A proposal whose words are given stands on the sheet of the chapter in progress."""

    type: Literal["proposal"] = "proposal"
    proposal: dict[str, Any]


class DecisionRequired(Event):
    """The run stops here until a person decides."""

    MESSAGES: ClassVar[bool] = True

    type: Literal["decision-required"] = "decision-required"
    id: str
    kind: DecisionKind
    recommendation: str
    options: tuple[str, ...]
    rationale: Words = ""
    data: dict[str, Any] = {}


class DecisionMade(Event):
    """A decision was taken by the writer or by the review mode."""

    type: Literal["decision"] = "decision"
    id: str
    kind: DecisionKind
    option: str
    by: Literal["writer", "mode"] = "writer"


class Waiting(Event):
    """A model is called: until something of its answer is shown, this is what is waited for."""

    MESSAGES: ClassVar[bool] = True

    type: Literal["waiting"] = "waiting"
    agent: str
    scene: int | None = None
    what: Words
    """What the model does, as a phrase such as `plans the volume`."""
    about: int | None = None
    """About how many seconds it takes: as this novel's own calls of the kind, or else by the size
    of the answer; None for a model on this machine that was never asked such a thing."""


class UsageEvent(Event):
    """The cost of one attempt at a call."""

    type: Literal["usage"] = "usage"
    call: str
    """The generation that the attempt belongs to."""
    model: str
    tokens: dict[str, int | None]
    cached: int | None = None
    cost: float | None = None
    about: bool = False
    """Whether the cost is an estimate, because the call was stopped."""
    spent: float | None = None
    """US dollars spent on the chapter so far, over all its runs, this attempt included; None for a
    call about no chapter, or one that is replayed."""


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

    MESSAGES: ClassVar[bool] = True

    type: Literal["brief"] = "brief"
    brief: dict[str, Any]


class CheckEvent(Event):
    """The last ten chapters were checked for contradictions by code."""

    MESSAGES: ClassVar[bool] = True

    type: Literal["check"] = "check"
    check: dict[str, Any]


class WarningEvent(Event):
    """A warning for the writer about something that did not stop the run."""

    MESSAGES: ClassVar[bool] = True

    type: Literal["warning"] = "warning"
    message: Words


class ErrorEvent(Event):
    """An error that stopped the run."""

    MESSAGES: ClassVar[bool] = True

    type: Literal["error"] = "error"
    kind: str
    message: Words
    retryable: bool = False
    hint: Words = ""


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
        """Stamps `event` and passes it to the listener, if need be when its turn has come."""
        if is_kept(partial(self, event)):
            return
        self._seq += 1
        stamp = self._clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        changes = {"seq": self._seq, "ts": stamp, "chapter": event.chapter or self.chapter}
        self._emit(event.copy_with(**changes))

    def warn(self, message: str) -> None:
        """Emits a warning."""
        self(WarningEvent(message=message))


def unheard() -> Emitter:
    """Returns an emitter that nobody hears: what is only looked at, or priced, is no news."""
    return Emitter(lambda event: None)


def usage_event(entry: UsageEntry, spent: float | None = None) -> UsageEvent:
    """Returns a line of the usage log as an event; `spent` is what its chapter has cost so far."""
    event = usage_of_call(entry.call, entry.model, entry.usage, entry.usd)
    return event.copy_with(about=entry.is_estimate, spent=spent, chapter=entry.chapter)


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
