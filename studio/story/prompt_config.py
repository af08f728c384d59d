"""The author's files under context/: prompt arrangement, guidelines, knowledge (BOOK 6), and lines.

`context/blocks.toml` says, per agent, which blocks come first, are left out, are replaced or are
added. A guideline or a piece of knowledge is a separate Markdown file, which is sent whole if
sticky and otherwise listed in one line. `context/lines.json` has the prompt lines that the writer
pins, mutes or shortens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from studio.story.form.document import Document, Value
from studio.story.form.slugs import slug_fault

FORMER_BLOCKS = {"characters": "people", "location": "place"}
"""The blocks that had another name once; a novel's files may still use it."""
Placement = Literal["system", "user"]
"""The part of a prompt: what the agent is, or what it is given."""
FragmentKind = Literal["guideline", "knowledge"]
PREFIXES: dict[FragmentKind, str] = {"guideline": "gl-", "knowledge": "kn-"}
"""The prefix of a fragment's block id."""


def present_block(name: str) -> str:
    """Returns the present name of a block."""
    return FORMER_BLOCKS.get(name, name)


class CustomBlock(Value):
    """A block that the author adds to an agent's prompts."""

    id: str
    role: Placement = "user"
    order: int | None = Field(default=None, ge=0, le=100_000)
    """Its place among the other blocks, whose orders are 100 apart; by default before the task."""
    file: str
    """The path of a template under context/."""

    @field_validator("id")
    @classmethod
    def _is_a_slug(cls, value: str) -> str:
        if fault := slug_fault(value):
            raise ValueError(fault)
        return value


class AgentBlocks(Value):
    """The author's changes to the prompts of one agent."""

    order: tuple[str, ...] = ()
    """Blocks that come first, in this order; the others keep their relative order."""
    disable: tuple[str, ...] = ()
    override: dict[str, str] = Field(default_factory=dict)
    """Maps a block to the file whose words replace it."""
    prepend: dict[str, str] = Field(default_factory=dict)
    append: dict[str, str] = Field(default_factory=dict)
    blocks: tuple[CustomBlock, ...] = ()

    @field_validator("order", "disable", mode="after")
    @classmethod
    def _listed_by_present_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(present_block(name) for name in names)

    @field_validator("override", "prepend", "append", mode="after")
    @classmethod
    def _keyed_by_present_names(cls, files: dict[str, str]) -> dict[str, str]:
        return {present_block(name): file for name, file in files.items()}

    def files(self) -> Iterator[tuple[str, str]]:
        """Yields every file that is named, with the key that names it."""
        for key in ("override", "prepend", "append"):
            for block, file in getattr(self, key).items():
                yield f"{key}.{block}", file
        for block in self.blocks:
            yield f"blocks.{block.id}", block.file


class BlocksFile(Value):
    """The whole of context/blocks.toml."""

    agents: dict[str, AgentBlocks] = Field(default_factory=dict)


class FragmentMeta(Value):
    """Front matter of a guideline or a piece of knowledge; every key is optional."""

    name: str = ""
    sticky: bool = False
    """Whether every prompt that takes fragments includes this one whole instead of listing it."""
    placement: Placement = "user"


@dataclass(frozen=True, slots=True)
class Fragment:
    """One guideline or piece of knowledge."""

    id: str
    kind: FragmentKind
    meta: FragmentMeta
    text: str

    @property
    def block(self) -> str:
        """The id of the fragment's block: `gl-voice`, `kn-tides`."""
        return f"{PREFIXES[self.kind]}{self.id}"

    @property
    def name(self) -> str:
        """The author's title for the fragment; by default the name of its file."""
        return self.meta.name.strip() or self.id


def _with_present_block(line: str) -> str:
    block, _, name = line.partition("/")
    return f"{present_block(block)}/{name}"


LineId = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}/[^\s/]{1,160}$", strip_whitespace=True),
    AfterValidator(_with_present_block),
]
"""`block/line`, as `studio context --json` names each: `people/mara`."""
LineForm = Literal["full", "one_line"]


class Pin(Value):
    """A line that is in every prompt of an agent, also where nothing names it."""

    line: LineId
    """A block and a line of it, as `studio context --lines` names them; an entry, an earlier
    chapter's summary or an open promise that nothing names comes along too, never one of a later
    chapter."""
    agent: str | None = None
    """The agent whose prompts include the line; None means every agent."""


class Mute(Value):
    """A line that is left out. Rules, the contract and the writer's own words never are."""

    line: LineId
    agent: str | None = None
    chapter: int | None = Field(default=None, ge=1)
    """The only chapter that the mute concerns; None means every chapter."""


class Swap(Value):
    """A line that is told whole, or shortly."""

    line: LineId
    to: LineForm
    chapter: int | None = Field(default=None, ge=1)


@dataclass(frozen=True, slots=True)
class Steering:
    """The entries of lines.json that apply to one call."""

    pinned: frozenset[str] = frozenset()
    muted: frozenset[str] = frozenset()
    swapped: Mapping[str, LineForm] = field(default_factory=dict)

    def pinned_in(self, block: str) -> tuple[str, ...]:
        """Returns the ids of a block's pinned lines, without the block's name."""
        head = f"{block}/"
        return tuple(sorted(p.removeprefix(head) for p in self.pinned if p.startswith(head)))

    def forms_in(self, block: str) -> dict[str, LineForm]:
        """Maps the id of each swapped line of a block to its form."""
        head = f"{block}/"
        swapped = self.swapped.items()
        return {name.removeprefix(head): form for name, form in swapped if name.startswith(head)}


class ContextLines(Document):
    """context/lines.json."""

    SCHEMA: ClassVar[str] = "context-lines"

    pins: tuple[Pin, ...] = ()
    """Lines that are always told, whatever they cost; a pin outweighs a mute."""
    mutes: tuple[Mute, ...] = ()
    """Lines that are left out."""
    swaps: tuple[Swap, ...] = ()
    """Lines that are told in another form."""

    def for_call(self, agent: str, chapter: int) -> Steering:
        """Returns what applies to an agent's call about a chapter; a pin outweighs a mute."""
        pinned = frozenset(p.line for p in self.pins if p.agent in (None, agent))
        muted = frozenset(
            m.line for m in self.mutes if m.agent in (None, agent) and m.chapter in (None, chapter)
        )
        swapped = {s.line: s.to for s in self.swaps if s.chapter is None}
        swapped |= {s.line: s.to for s in self.swaps if s.chapter == chapter}
        return Steering(pinned, muted - pinned, swapped)

    def with_pin(self, line: str, agent: str | None) -> ContextLines:
        """Returns a copy that pins the line; its mute for the same agent ends."""
        pins = (*(p for p in self.pins if (p.line, p.agent) != (line, agent)),)
        mutes = tuple(m for m in self.mutes if (m.line, m.agent) != (line, agent))
        pin = Pin(line=line, agent=agent)
        return self.copy_with(pins=(*pins, pin), mutes=mutes)

    def with_mute(self, line: str, agent: str | None, chapter: int | None) -> ContextLines:
        """Returns a copy that mutes the line; its pin for the same agent ends."""
        mute = Mute(line=line, agent=agent, chapter=chapter)
        pins = tuple(p for p in self.pins if (p.line, p.agent) != (line, agent))
        mutes = tuple(m for m in self.mutes if m != mute)
        return self.copy_with(pins=pins, mutes=(*mutes, mute))

    def with_swap(self, line: str, to: LineForm, chapter: int | None) -> ContextLines:
        """Returns a copy that sends the line in this form."""
        swaps = tuple(s for s in self.swaps if (s.line, s.chapter) != (line, chapter))
        swap = Swap(line=line, to=to, chapter=chapter)
        return self.copy_with(swaps=(*swaps, swap))

    def without(self, line: str) -> ContextLines:
        """Returns a copy without any entry for the line."""
        return self.copy_with(
            pins=tuple(p for p in self.pins if p.line != line),
            mutes=tuple(m for m in self.mutes if m.line != line),
            swaps=tuple(s for s in self.swaps if s.line != line),
        )
