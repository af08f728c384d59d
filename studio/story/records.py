"""The record of one call to a model: the request, the answer and the cost.

The field names in the file are those of the seed's generation log (C8).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from studio.story.form.document import CamelValue, Document, Value
from studio.story.form.ids import Sha256, Slug

Withheld = Literal["server", "room"]
"""Why an agent cannot look things up: its server has no tools, or its window no room."""


class Usage(CamelValue):
    """Tokens of one call as the endpoint reported them; None where it said nothing."""

    input_tokens: int | None = Field(default=None, ge=0)
    output_tokens: int | None = Field(default=None, ge=0)
    cache_read_tokens: int | None = Field(default=None, ge=0)
    cache_write_tokens: int | None = Field(default=None, ge=0)
    thinking_tokens: int | None = Field(default=None, ge=0)


class PromptMessage(CamelValue):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


class CallRecord(Document):
    """logs/generations/gen-*.json: one finished call, kept for good and found again by its id."""

    SCHEMA: ClassVar[str] = "generation"
    model_config = ConfigDict(alias_generator=to_camel)

    schema_version: int = Field(default=1, ge=1, alias="schema_version")
    id: str
    created_at: str
    chapter: int | None = None
    scene: int | None = None
    stage: str
    agent: str
    request_sha256: str = Field(alias="request_sha256")
    source_sha256: Sha256 | None = Field(default=None, alias="source_sha256")
    """The hash of the chapter text that the call was about; None for a first draft."""
    input: str = ""
    """The author's direction, word for word."""
    messages: tuple[PromptMessage, ...] = ()
    """The prompt, word for word."""
    tool_calls: tuple[dict[str, Any], ...] = ()
    """The look-ups on the way to the answer: `id`, `toolName`, `args`, `result`."""
    generated_text: str = ""
    answer: Any = None
    """The parsed value of a structured call."""
    fragment_id: str | None = None
    model: str = ""
    provider: str = ""
    role: str = ""
    duration_ms: int = Field(default=0, ge=0)
    step_count: int = Field(default=1, ge=0)
    """The calls that the answer took. Each step before the last has a record of its own
    (`…-step1-…`)."""
    finish_reason: str = ""
    """How the answer ended. `stopped` and `killed`: before its end, and the cost is an estimate;
    `asked`: there is no answer so far."""
    steps_exceeded: bool = False
    """True once the last step of the budget was used."""
    tools_offered: tuple[str, ...] = ()
    """The look-ups that the model could request."""
    tools_withheld: Withheld | None = None
    """Why no look-ups were offered although the settings allow them; only blocks were used."""
    content: tuple[dict[str, Any], ...] | None = None
    """The content blocks of a step that requests look-ups, as the endpoint sent them."""
    total_usage: Usage | None = None
    cost_usd: float | None = None
    """US dollars; None where the price is not known."""
    attempts: int = Field(default=1, ge=1)
    continues: str | None = None
    """The generation that a scene's prose goes on from; None for a scene's first answer."""
    trimmed: int | None = None
    """The characters at the beginning of such an answer that repeated what stood."""
    reasoning: str | None = None
    pre_writing: str | None = None
    """The drafter's notes before its prose."""
    hints: str | None = None
    """What the drafter left for the scenes to come."""
    exemplars: tuple[str, ...] = ()
    dropped_blocks: tuple[str, ...] = ()
    """Blocks that were left out because the model's window was too small."""
    cut_blocks: tuple[str, ...] = ()
    """Blocks of which only a part was sent, for the same reason."""
    dropped_lines: tuple[str, ...] = ()
    """Lines that did not fit in the model's context window, each as `block/id`."""
    prewriter_brief: str | None = None
    """This and the next five describe the call that wrote the brief (prewriter mode alone)."""
    prewriter_reasoning: str | None = None
    prewriter_messages: tuple[PromptMessage, ...] | None = None
    prewriter_duration_ms: int | None = None
    prewriter_model: str | None = None
    prewriter_usage: Usage | None = None


MOST_A_CALL_COSTS = 10_000.0
"""A cap in US dollars: no call costs as much, so the studio did not write a line that says so."""
Dollars = Annotated[float, Field(ge=0, le=MOST_A_CALL_COSTS)]


class UsageEntry(Value):
    """One line of logs/usage.jsonl. A `reserve` without its `settle` counts in full."""

    event: Literal["reserve", "settle"]
    id: str
    """The id of the attempt, the same in both lines."""
    ts: str
    call: str = ""
    """The id of the generation that the attempt belongs to."""
    chapter: int | None = None
    model: str = ""
    reserved_usd: Dollars | None = None
    """The worst-case cost of the attempt; None when the price is unknown."""
    prompt_tokens: int | None = Field(default=None, ge=0)
    """Our high estimate of the prompt, used to price an attempt whose end was not recorded."""
    usd: Dollars | None = None
    """The actual cost; None when unknown."""
    usage: Usage | None = None
    settled_by: Literal["record", "received", "writer", "stopped"] | None = None
    """The source of a killed call's cost: its completed record, what was received of the answer, or
    the writer; `stopped` for a call that was stopped before its first word, whose cost is an
    estimate. None where the endpoint told the run that made the call."""

    @property
    def is_estimate(self) -> bool:
        """Whether its cost is estimated: the call was stopped or killed, or its server did not say
        how long the answer was, as where it breaks off."""
        if self.settled_by is None:
            is_unreported = self.usage is not None and self.usage.output_tokens is None
            return is_unreported and bool(self.usd)
        return self.settled_by in ("stopped", "received")


class Counted(NamedTuple):
    """US dollars that count against the caps before a call: spent, reserved, perhaps spent."""

    chapter: float
    day: float
    """The sum for this novel on that day."""
    novel: float
    all_novels: float
    """The sum of all novels for that day, on this machine."""
    perhaps: float
    """The part of the novel's sum from calls whose end was not recorded."""


class Mention(Value):
    """One entity or storyline outside the chapter's own line."""

    entity: Slug
    storyline_id: Slug | None = None
    quote: str = ""
    leak: bool = False
    """True when the chapter reveals what its storyline must not know."""


class Crossref(Document):
    """state/crossref/chapter-NNN-crossref.json."""

    SCHEMA: ClassVar[str] = "crossref"

    chapter: int = Field(ge=1)
    storyline_id: Slug
    source_sha256: Sha256
    made_from_sha256: Sha256 | None = None
    mentions: tuple[Mention, ...] = ()
    """People and things from outside the chapter's own storyline. One whose quote is not in the
    text is left out with a warning."""


class LockInfo(Document):
    """.novel.lock/info.json; written once, never rewritten (its mtime is the heartbeat). The
    studio fills every field; a record in the seed's own form has pid, started and chapter (E9)."""

    SCHEMA: ClassVar[str] = "lock"

    pid: int = Field(ge=1)
    host: str = ""
    process_start: str = ""
    """The kernel's start time of the process, so a reused pid is not mistaken for the holder."""
    boot: str = ""
    """The boot id of the machine: host names are not unique, and no process survives a restart.
    Empty where the system does not provide one."""
    started: str
    """The start time, ISO 8601 in UTC."""
    chapter: int | None = Field(default=None, ge=1)
    """The chapter that is being worked on."""
    token: str = ""
    """Tells this lock from any other."""

    @property
    def identity(self) -> str:
        """Tells this lock from any other of the novel: its token, else who took it and when."""
        return self.token or f"{self.pid} {self.started}"
