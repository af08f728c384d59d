"""The record of one call to a model: what was sent, what came back, what it cost.

Field spelling in the file is the generation log's of the seed (C8).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from studio.story.form.document import Document, Value
from studio.story.form.ids import Sha256, Slug
from studio.story.form.seed_value import CamelValue

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
    """Of the chapter text the call was about; None while there is none (a first draft)."""
    input: str = ""
    """The author's direction, word for word."""
    messages: tuple[PromptMessage, ...] = ()
    tool_calls: tuple[dict[str, Any], ...] = ()
    generated_text: str = ""
    answer: Any = None
    """The parsed value of a structured call."""
    fragment_id: str | None = None
    model: str = ""
    provider: str = ""
    role: str = ""
    duration_ms: int = Field(default=0, ge=0)
    step_count: int = Field(default=1, ge=0)
    finish_reason: str = ""
    steps_exceeded: bool = False
    """True once the last step of the budget was used."""
    tools_offered: tuple[str, ...] = ()
    """Look-ups the model could ask for."""
    tools_withheld: Withheld | None = None
    """Why it was offered none though the settings allow them. It had the blocks alone."""
    content: tuple[dict[str, Any], ...] | None = None
    """Of a step that asks for look-ups: its blocks as the endpoint sent them."""
    total_usage: Usage | None = None
    cost_usd: float | None = None
    attempts: int = Field(default=1, ge=1)
    reasoning: str | None = None
    pre_writing: str | None = None
    hints: str | None = None
    exemplars: tuple[str, ...] = ()
    dropped_blocks: tuple[str, ...] = ()
    cut_blocks: tuple[str, ...] = ()
    dropped_lines: tuple[str, ...] = ()
    """Lines that had no room in the model's window, `block/id` each."""
    prewriter_brief: str | None = None
    """This and the next five: of the call that wrote the brief (prewriter mode alone)."""
    prewriter_reasoning: str | None = None
    prewriter_messages: tuple[PromptMessage, ...] | None = None
    prewriter_duration_ms: int | None = None
    prewriter_model: str | None = None
    prewriter_usage: Usage | None = None


MOST_A_CALL_COSTS = 10_000.0
"""US dollars. No call costs as much: a line that says so was not written by the studio."""
Dollars = Annotated[float, Field(ge=0, le=MOST_A_CALL_COSTS)]


class UsageEntry(Value):
    """One line of logs/usage.jsonl. A `reserve` without its `settle` counts in full."""

    event: Literal["reserve", "settle"]
    id: str
    """The attempt; the same in both lines."""
    ts: str
    call: str = ""
    """The generation it belongs to."""
    chapter: int | None = None
    model: str = ""
    reserved_usd: Dollars | None = None
    """Worst case of the attempt; None when the price is unknown."""
    prompt_tokens: int | None = Field(default=None, ge=0)
    """Our high estimate of the prompt, to price an attempt whose end nobody noted."""
    usd: Dollars | None = None
    """What it cost; None when unknown."""
    usage: Usage | None = None
    settled_by: Literal["record", "received", "writer"] | None = None
    """Where the cost of a killed call comes from: its finished record, what was received of it,
    or the writer. None where the run that made the call settled it."""


class Counted(NamedTuple):
    """US dollars that count against the caps before a call: spent, reserved, perhaps spent."""

    chapter: float
    day: float
    """Of this novel."""
    novel: float
    all_novels: float
    """Of the day, on this machine."""
    perhaps: float
    """How much of the novel's belongs to calls whose end nobody noted."""


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


class LockInfo(Document):
    """.novel.lock/info.json; written once, never rewritten (its mtime is the heartbeat)."""

    SCHEMA: ClassVar[str] = "lock"

    pid: int = Field(ge=1)
    host: str
    process_start: str
    """The kernel's start time of the process, so that a reused pid is not taken for the holder."""
    boot: str = ""
    """Which start of the machine it runs under: names of machines are not unique, and after a
    restart no process of before is alive. Empty where the system does not say."""
    started: str
    """ISO 8601, UTC."""
    chapter: int | None = Field(default=None, ge=1)
    token: str
