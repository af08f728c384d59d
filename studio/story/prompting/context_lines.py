"""The contents of context/lines.json: the prompt lines that the writer pins, mutes or shortens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, StringConstraints

from studio.story.form.document import Document, Value
from studio.story.prompt_config import present_block


def _with_present_block(line: str) -> str:
    block, _, name = line.partition("/")
    return f"{present_block(block)}/{name}"


LineId = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}/[^\s/]{1,160}$", strip_whitespace=True),
    AfterValidator(_with_present_block),
]
"""`block/line`, as `studio context --json` names each: `people/mara`."""
Form = Literal["full", "one_line"]


class Pin(Value):
    """A line that is in every prompt of an agent, also where nothing names it."""

    line: LineId
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
    to: Form
    chapter: int | None = Field(default=None, ge=1)


@dataclass(frozen=True, slots=True)
class Steering:
    """The entries of lines.json that apply to one call."""

    pinned: frozenset[str] = frozenset()
    muted: frozenset[str] = frozenset()
    swapped: Mapping[str, Form] = field(default_factory=dict)

    def pinned_in(self, block: str) -> tuple[str, ...]:
        """Returns the ids of a block's pinned lines, without the block's name."""
        head = f"{block}/"
        return tuple(sorted(p.removeprefix(head) for p in self.pinned if p.startswith(head)))

    def forms_in(self, block: str) -> dict[str, Form]:
        """Maps the id of each swapped line of a block to its form."""
        head = f"{block}/"
        swapped = self.swapped.items()
        return {name.removeprefix(head): form for name, form in swapped if name.startswith(head)}


class ContextLines(Document):
    """context/lines.json."""

    SCHEMA: ClassVar[str] = "context-lines"

    pins: tuple[Pin, ...] = ()
    mutes: tuple[Mute, ...] = ()
    swaps: tuple[Swap, ...] = ()

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
        return self.model_copy(update={"pins": (*pins, pin), "mutes": mutes})

    def with_mute(self, line: str, agent: str | None, chapter: int | None) -> ContextLines:
        """Returns a copy that mutes the line; its pin for the same agent ends."""
        mute = Mute(line=line, agent=agent, chapter=chapter)
        pins = tuple(p for p in self.pins if (p.line, p.agent) != (line, agent))
        mutes = tuple(m for m in self.mutes if m != mute)
        return self.model_copy(update={"pins": pins, "mutes": (*mutes, mute)})

    def with_swap(self, line: str, to: Form, chapter: int | None) -> ContextLines:
        """Returns a copy that sends the line in this form."""
        swaps = tuple(s for s in self.swaps if (s.line, s.chapter) != (line, chapter))
        swap = Swap(line=line, to=to, chapter=chapter)
        return self.model_copy(update={"swaps": (*swaps, swap)})

    def without(self, line: str) -> ContextLines:
        """Returns a copy without any entry for the line."""
        return self.model_copy(
            update={
                "pins": tuple(p for p in self.pins if p.line != line),
                "mutes": tuple(m for m in self.mutes if m.line != line),
                "swaps": tuple(s for s in self.swaps if s.line != line),
            }
        )
