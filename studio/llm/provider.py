"""What a call to a model is made of, and what every provider offers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

import orjson

from studio.config.schema import Effort, Rewrites, Role
from studio.llm.tools import ToolSpec, Turn
from studio.story.records import CallRecord, PromptMessage, Usage

Annotate = Callable[[str], Mapping[str, Any]]
FinishReason = Literal[
    "end", "length", "refusal", "cut", "stopped", "unusable", "tool_use", "other"
]


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters, sent only to models that take them; Claude does not (sdk-notes)."""

    temperature: float | None = None
    top_p: float | None = None
    repeat_penalty: float | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One compiled block of the prompt; `stable` parts come first and may be cached."""

    role: Literal["system", "user"]
    text: str
    stable: bool = False


class PricedLine(NamedTuple):
    """One line of a prompt's block."""

    block: str
    id: str
    kind: str
    """`character`, `one line`, `place`, `summary`, `promise`, `rule`, ..."""
    why: str
    """`contract`, `mention at 1.4`, `link from mara`, `always`, `due`, `recent`, ..."""
    tokens: int
    """About how many, on the high side."""


class BlockPlace(NamedTuple):
    """Where a block of a prompt stands, and whose it is."""

    id: str
    role: str
    order: int
    source: str
    """`default`, `fragment`, or of context/blocks.toml: `custom`, `override`, `edited`."""


class Sieve(Protocol):
    """Judges a small model's prose sentence by sentence, while it is sampled."""

    def sentence_end(self, text: str) -> int:
        """Where the first whole sentence of `text` ends; 0 while none is whole."""
        ...

    def objection(self, before: str, sentence: str) -> str:
        """Why `sentence` may not follow what stands `before` it; empty when it may."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """One call, whole. Equal requests have equal `sha256`."""

    call: str
    """Name of the call within the book, e.g. `003-draft-s01-l0-7f3a91`; the record's id is
    `gen-{call}-{first ten of sha256}`."""
    stage: str
    agent: str
    role: Role
    parts: tuple[Part, ...]
    chapter: int | None = None
    scene: int | None = None
    schema: dict[str, Any] | None = None
    """JSON Schema of a structured answer; None for prose."""
    max_tokens: int = 4096
    effort: Effort = "medium"
    sampling: Sampling = field(default_factory=Sampling)
    input: str = ""
    """The author's direction, for the record."""
    exemplars: tuple[str, ...] = ()
    lines: tuple[PricedLine, ...] = field(default=(), compare=False)
    """The lines of its blocks, each with its price and the reason it is there."""
    dropped_lines: tuple[PricedLine, ...] = field(default=(), compare=False)
    """Those that had no room."""
    places: tuple[BlockPlace, ...] = field(default=(), compare=False)
    """Its blocks, those that have no words too, in the order they are sent."""
    dropped_blocks: tuple[str, ...] = ()
    cut_blocks: tuple[str, ...] = ()
    """Blocks that are in the prompt in a shorter form, for want of room."""
    open_ended: bool = False
    """True for small models that do not stop by themselves: reaching `max_tokens` is then a
    normal end and not a cut."""
    annotate: Annotate | None = field(default=None, compare=False)
    """Names the parts of a prose answer for its record; no part of the call's identity."""
    essential: Callable[[str], str] | None = field(default=None, compare=False)
    """The part of a prose answer without which it counts as empty (M1), if not all of it."""
    sieve: Sieve | None = field(default=None, compare=False)
    """What every sentence of a prose answer has to pass, for models that run in this process."""
    source_sha256: str | None = field(default=None, compare=False)
    """Of the chapter text the call is about, for the record."""
    tools: tuple[ToolSpec, ...] = ()
    """Look-ups that may be asked for before the answer."""
    steps: int = field(default=1, compare=False)
    """The most calls that look-ups and answer may take together (C6)."""
    turns: tuple[Turn, ...] = ()
    """The steps before this one."""
    must_answer: bool = False
    """The last step: nothing more is looked up."""
    conclude: Callable[[CallRecord], CallRecord] | None = field(default=None, compare=False)
    """Makes the record of a generation's last step the whole generation's."""

    @property
    def sha256(self) -> str:
        """Identity of what is sent: prompt, schema, role and limits, not the call's name."""
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
        """Id and file stem of the call's record."""
        return f"gen-{self.call}-{self.sha256[:10]}"

    @property
    def messages(self) -> tuple[PromptMessage, ...]:
        """The prompt as the record keeps it: parts of one role joined."""
        messages: list[PromptMessage] = []
        for role in ("system", "user"):
            text = "\n\n".join(part.text for part in self.parts if part.role == role)
            if text:
                messages.append(PromptMessage(role=role, content=text))
        return tuple(messages)


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a streaming answer; `again` says that it begins anew after a failed try."""

    kind: Literal["text", "reasoning", "again"]
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A finished (or cut) answer as a provider saw it."""

    text: str
    finish_reason: FinishReason
    model: str
    usage: Usage
    reasoning: str = ""
    detail: str = ""
    """What the endpoint said about the end, e.g. why it refused."""
    content: tuple[dict[str, Any], ...] = ()
    """Its blocks as the endpoint sent them, where it asks for look-ups."""
    half_characters: int = 0
    """Characters of the text that came in half and are U+FFFD in it."""


WINDOWS = range(512, 100_000_001)
"""Tokens a model can take at once: no server has less room, and none more."""


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """What an endpoint can do; the engine does only what is honest with it (DESIGN section 10)."""

    provider: str
    window: int
    """Tokens of prompt and answer together."""
    window_known: bool = True
    """False where `window` is only assumed."""
    max_output: int = 8192
    judges: bool = True
    extracts: bool = True
    rewrites: Rewrites = "well"
    tools: bool = True
    cache: bool = True
    languages: tuple[str, ...] = ("ko", "en", "zh")
    short_prompts: bool = False
    """A small model that follows two sentences, not two pages."""
    note: str = ""
    """Shown to the writer while this model is in force."""
    free: bool = False
    """A call costs nothing: the model runs on this machine, in process."""
    counts: bool = True
    """Whether the tokens it reports of a prompt are those of the whole prompt."""
    thinks: bool = False
    """Thinking counts in the answer's tokens, so it gets room of its own."""


Listen = Callable[[Delta], None]
"""Called on the event loop's thread. An empty delta is a sign of life and shows nothing."""

THINKING_ROOM: dict[Effort, int] = {"low": 4096, "medium": 8192, "high": 16384}


def token_ceiling(request: Request, profile: ModelProfile) -> int:
    """The max_tokens that is sent: the answer's, with room for thinking where a model thinks."""
    room = THINKING_ROOM[request.effort] if profile.thinks else 0
    return min(request.max_tokens + room, profile.max_output)


class Provider(Protocol):
    """A way to reach a model: over the network, or in this process."""

    @property
    def profile(self) -> ModelProfile:
        """What the models of this provider can do."""
        ...

    def model_for(self, role: Role) -> str:
        """The model id used for a role."""
        ...

    async def stream(self, request: Request, listen: Listen) -> Reply:
        """One attempt, no retries. Raises ModelError; cancelling it stops the call at once."""
        ...

    def estimate_tokens(self, text: str) -> int:
        """A cheap estimate that errs on the high side."""
        ...

    async def close(self) -> None:
        """Closes connections and unloads models."""
        ...


LATIN_CHARACTERS_A_TOKEN = 3.0
TOKENS_A_CJK_CHARACTER = 1.5
LATIN_CHARACTERS_A_TOKEN_AT_MOST = 5.5
TOKENS_A_CJK_CHARACTER_AT_LEAST = 0.3


def high_estimate(text: str) -> int:
    """Tokens of `text`: a Latin letter counts a third, a Hangul syllable or Han character 1.5."""
    return _estimate(text, LATIN_CHARACTERS_A_TOKEN, TOKENS_A_CJK_CHARACTER)


def low_estimate(text: str) -> int:
    """Tokens of `text` with a vocabulary that packs it tighter than any we know of."""
    return _estimate(text, LATIN_CHARACTERS_A_TOKEN_AT_MOST, TOKENS_A_CJK_CHARACTER_AT_LEAST)


def _estimate(text: str, latin_a_token: float, tokens_a_wide: float) -> int:
    wide = (len(text.encode("utf-8", "replace")) - len(text)) / 2
    return int((len(text) - wide) / latin_a_token + wide * tokens_a_wide) + 1
