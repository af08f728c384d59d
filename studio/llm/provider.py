"""Defines what a model call consists of, the look-ups before its answer included (C11), and what
every provider offers."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

import orjson

from studio.config.schema import Effort, Rewrites, Role
from studio.llm.errors import ModelError
from studio.story.records import CallRecord, PromptMessage, Usage


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One look-up as it is offered to a model."""

    name: str
    description: str
    schema: dict[str, Any]
    """The JSON Schema of its arguments, an object."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One look-up that a model asks for."""

    id: str
    """The endpoint's id for the look-up; the answer is sent back under the same id."""
    name: str
    args: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """A step that ended in look-ups: the model's blocks, and the answers to its look-ups."""

    content: tuple[dict[str, Any], ...]
    """The endpoint's own blocks, thinking and its signature included, sent back unchanged."""
    answers: tuple[tuple[str, str], ...]
    """The id of each look-up, and the text of its answer."""


LookUp = Callable[[ToolUse, int], Awaitable[str]]
"""Answers a look-up within a token limit; any exception it raises ends the run."""


def uses_in(content: tuple[dict[str, Any], ...]) -> tuple[ToolUse, ...]:
    """Returns the look-ups that a step's blocks ask for, in order."""
    return tuple(
        ToolUse(str(block.get("id")), str(block.get("name")), block.get("input") or {})
        for block in content
        if block.get("type") == "tool_use"
    )


Annotate = Callable[[str], Mapping[str, Any]]
FinishReason = Literal[
    "end", "length", "refusal", "cut", "stopped", "unusable", "tool_use", "other"
]


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters, sent only to models that accept them; Claude does not (sdk-notes)."""

    temperature: float | None = None
    top_p: float | None = None
    repeat_penalty: float | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class PromptPart:
    """One compiled block of the prompt; `stable` parts come first and may be cached."""

    role: Literal["system", "user"]
    text: str
    stable: bool = False


class PricedLine(NamedTuple):
    """One line of a prompt block."""

    block: str
    id: str
    kind: str
    """`character`, `one line`, `place`, `summary`, `promise`, `rule`, ..."""
    why: str
    """The reason for the line: `contract`, `mention at 1.4`, `link from mara`,
    `always`, `due`, `recent`, ..."""
    tokens: int
    """The line's estimated tokens, on the high side."""


class BlockPlace(NamedTuple):
    """The position of a prompt block and the source it comes from."""

    id: str
    role: str
    order: int
    source: str
    """`default`, `fragment`, or of context/blocks.toml: `custom`, `override`, `edited`."""


class Sieve(Protocol):
    """Judges a small model's prose sentence by sentence while the prose is being sampled."""

    def sentence_end(self, text: str) -> int:
        """Returns the index where the first whole sentence of `text`
        ends; 0 while there is none."""
        ...

    def objection(self, before: str, sentence: str) -> str:
        """Returns why `sentence` may not follow the text `before` it; empty when it may."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """One complete call. Equal requests have equal `sha256`."""

    call: str
    """The name of the call within the book, e.g. `003-draft-s01-l0-7f3a91`; the record's id is
    `gen-{call}-{first ten of sha256}`."""
    stage: str
    agent: str
    role: Role
    parts: tuple[PromptPart, ...]
    chapter: int | None = None
    scene: int | None = None
    of_a_passage: bool = field(default=False, compare=False)
    """Whether it is about a passage of the scene alone."""
    schema: dict[str, Any] | None = None
    """The JSON Schema of a structured answer; None for prose."""
    max_tokens: int = 4096
    likely_tokens: int | None = field(default=None, compare=False)
    """About how many tokens the answer will have by the length that is asked for, if one is."""
    effort: Effort = "medium"
    sampling: Sampling = field(default_factory=Sampling)
    input: str = ""
    """The author's direction, kept for the record."""
    exemplars: tuple[str, ...] = ()
    lines: tuple[PricedLine, ...] = field(default=(), compare=False)
    """The lines of the prompt blocks, each with its tokens and the reason for including it."""
    dropped_lines: tuple[PricedLine, ...] = field(default=(), compare=False)
    """The lines that did not fit."""
    places: tuple[BlockPlace, ...] = field(default=(), compare=False)
    """All prompt blocks in the order they are sent, including empty ones."""
    dropped_blocks: tuple[str, ...] = ()
    cut_blocks: tuple[str, ...] = ()
    """The blocks that were shortened to fit into the prompt."""
    open_ended: bool = False
    """True for small models that do not stop by themselves: for them, reaching `max_tokens` is a
    normal end and not a truncation."""
    share: float = field(default=1.0, compare=False)
    """About how much of a whole answer of its kind is asked for: less than 1 of a scene that goes
    on."""
    annotate: Annotate | None = field(default=None, compare=False)
    """Names the parts of a prose answer for its record; not part of the call's identity."""
    essential: Callable[[str], str] | None = field(default=None, compare=False)
    """The part of a prose answer without which the answer counts as
    empty (M1), if not all of it."""
    broke_off: Callable[[ModelError], bool] | None = field(default=None, compare=False)
    """Takes in the words of an attempt that failed, before it is made again; returns whether they
    stand, so that whoever asked goes on from them instead."""
    sieve: Sieve | None = field(default=None, compare=False)
    """The check that every sentence of a prose answer must pass, for models in this process."""
    source_sha256: str | None = field(default=None, compare=False)
    """The sha256 of the chapter text that the call is about, kept for the record."""
    tools: tuple[ToolSpec, ...] = ()
    """The look-ups that the model may ask for before it answers."""
    steps: int = field(default=1, compare=False)
    """The maximum number of calls that look-ups and answer may take together (C6)."""
    turns: tuple[Turn, ...] = ()
    """The earlier steps of this generation."""
    must_answer: bool = False
    """True for the last step, which may not ask for look-ups."""
    conclude: Callable[[CallRecord], CallRecord] | None = field(default=None, compare=False)
    """Turns the record of a generation's last step into the record of the whole generation."""

    @property
    def sha256(self) -> str:
        """Returns the hash of everything that is sent: prompt, schema, role and
        limits, but not the call's name."""
        material: list[Any] = [
            self.agent,
            self.role,
            [[part.role, part.text] for part in self.parts],
            self.schema,
            self.max_tokens,
            self.effort,
            [
                self.sampling.temperature,
                self.sampling.top_p,
                self.sampling.repeat_penalty,
                self.sampling.seed,
            ],
        ]
        if self.tools:
            tools = [[tool.name, tool.description, tool.schema] for tool in self.tools]
            turns = [[turn.content, turn.answers] for turn in self.turns]
            material.append([tools, turns, self.must_answer])
        packed = orjson.dumps(material, option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(packed).hexdigest()

    @property
    def generation_id(self) -> str:
        """The id of the call's record, which is also its file stem."""
        return f"gen-{self.call}-{self.sha256[:10]}"

    @property
    def messages(self) -> tuple[PromptMessage, ...]:
        """Returns the prompt as the record keeps it: consecutive parts of one role are joined."""
        messages: list[PromptMessage] = []
        for role in ("system", "user"):
            text = "\n\n".join(part.text for part in self.parts if part.role == role)
            if text:
                messages.append(PromptMessage(role=role, content=text))
        return tuple(messages)


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """A piece of a streaming answer; `again` means that the answer
    restarts after a failed attempt."""

    kind: Literal["text", "reasoning", "again"]
    text: str
    usage: Usage | None = None
    """What the endpoint says of the prompt's tokens, in the event that begins its answer."""
    waits: bool = False
    """Whether the endpoint only says that it is there: no thought and no word has begun."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A finished or truncated answer as a provider received it."""

    text: str
    finish_reason: FinishReason
    model: str
    usage: Usage
    reasoning: str = ""
    detail: str = ""
    """What the endpoint reported about the end, e.g. why it refused."""
    content: tuple[dict[str, Any], ...] = ()
    """The answer's blocks as the endpoint sent them, when the answer asks for look-ups."""
    half_characters: int = 0
    """The number of broken surrogate halves in the text, each replaced with U+FFFD."""


WINDOWS = range(512, 100_000_001)
"""Plausible context windows in tokens: no server has a smaller or a larger one."""


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """What an endpoint can do; the engine asks only for what the endpoint can honestly
    deliver (DESIGN section 10)."""

    provider: str
    window: int
    """The context window in tokens, prompt and answer together."""
    window_known: bool = True
    """False where `window` is only an assumption."""
    max_output: int = 8192
    judges: bool = True
    extracts: bool = True
    rewrites: Rewrites = "well"
    tools: bool = True
    cache: bool = True
    languages: tuple[str, ...] = ("ko", "en", "zh")
    short_prompts: bool = False
    """True for a small model that can follow two sentences of instructions but not two pages."""
    note: str = ""
    """A note shown to the writer while this model is in use."""
    free: bool = False
    """Whether calls cost nothing because the model runs in this process."""
    counts: bool = True
    """Whether the reported prompt tokens cover the whole prompt."""
    thinks: bool = False
    """Whether thinking counts toward the answer's tokens and therefore needs extra room."""


Listen = Callable[[AnswerDelta], None]
"""Called on the event loop's thread. An empty delta is a sign of life and displays nothing."""

THINKING_ROOM: dict[Effort, int] = {"low": 4096, "medium": 8192, "high": 16384}


def token_ceiling(request: Request, profile: ModelProfile) -> int:
    """Returns the max_tokens to send: the answer's limit, plus room for a model's thinking."""
    room = THINKING_ROOM[request.effort] if profile.thinks else 0
    return min(request.max_tokens + room, profile.max_output)


class Provider(Protocol):
    """A way to reach a model, over the network or in this process."""

    @property
    def profile(self) -> ModelProfile:
        """The capabilities of this provider's models."""
        ...

    def model_for(self, role: Role) -> str:
        """Returns the model id used for a role."""
        ...

    async def stream(self, request: Request, listen: Listen) -> Reply:
        """Makes one attempt, no retries. Raises ModelError; cancellation stops the call at once."""
        ...

    def estimate_tokens(self, text: str) -> int:
        """Returns a cheap token estimate that errs on the high side."""
        ...

    async def close(self) -> None:
        """Closes connections and unloads models."""
        ...


LATIN_CHARACTERS_A_TOKEN = 3.0
TOKENS_A_CJK_CHARACTER = 1.5
LATIN_CHARACTERS_A_TOKEN_AT_MOST = 5.5
TOKENS_A_CJK_CHARACTER_AT_LEAST = 0.3


def high_estimate(text: str) -> int:
    """Estimates the tokens of `text`: a Latin letter counts 1/3, a Hangul
    syllable or Han character 1.5."""
    return _estimate(text, LATIN_CHARACTERS_A_TOKEN, TOKENS_A_CJK_CHARACTER)


def low_estimate(text: str) -> int:
    """Estimates the tokens of `text` under a vocabulary denser than any known one."""
    return _estimate(text, LATIN_CHARACTERS_A_TOKEN_AT_MOST, TOKENS_A_CJK_CHARACTER_AT_LEAST)


def _estimate(text: str, latin_a_token: float, tokens_a_wide: float) -> int:
    wide = (len(text.encode("utf-8", "replace")) - len(text)) / 2
    return int((len(text) - wide) / latin_a_token + wide * tokens_a_wide) + 1
