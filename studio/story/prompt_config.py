"""What an author keeps under context/: how prompts are arranged, guidelines, knowledge (BOOK 6).

`context/blocks.toml` says, agent by agent, which blocks come first, stay out, say something else
or are added. A guideline or a piece of knowledge is a Markdown file of its own, which is sent
whole where it is sticky, and else listed by a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, field_validator

from studio.story.form.document import Value
from studio.story.form.slugs import slug_fault

Placement = Literal["system", "user"]
"""The part of a prompt: what the agent is, or what it is given."""
FragmentKind = Literal["guideline", "knowledge"]
PREFIXES: dict[FragmentKind, str] = {"guideline": "gl-", "knowledge": "kn-"}
"""How the id of a fragment's block begins."""


class CustomBlock(Value):
    """A block that the author adds to an agent's prompts."""

    id: str
    role: Placement = "user"
    order: int | None = Field(default=None, ge=0, le=100_000)
    """Its place among the others, whose orders are 100 apart; by default right before the task."""
    file: str
    """A template below context/."""

    @field_validator("id")
    @classmethod
    def _is_a_slug(cls, value: str) -> str:
        if fault := slug_fault(value):
            raise ValueError(fault)
        return value


class AgentBlocks(Value):
    """What the author changes in the prompts of one agent."""

    order: tuple[str, ...] = ()
    """Blocks that come first, in this order; the others follow as they would."""
    disable: tuple[str, ...] = ()
    override: dict[str, str] = Field(default_factory=dict)
    """Block to the file whose words stand in the place of its own."""
    prepend: dict[str, str] = Field(default_factory=dict)
    append: dict[str, str] = Field(default_factory=dict)
    blocks: tuple[CustomBlock, ...] = ()

    def files(self) -> Iterator[tuple[str, str]]:
        """Every file that is named, with the key that names it."""
        for key in ("override", "prepend", "append"):
            for block, file in getattr(self, key).items():
                yield f"{key}.{block}", file
        for block in self.blocks:
            yield f"blocks.{block.id}", block.file


class BlocksFile(Value):
    """context/blocks.toml, whole."""

    agents: dict[str, AgentBlocks] = Field(default_factory=dict)


class FragmentMeta(Value):
    """Front matter of a guideline or a piece of knowledge; every key may be left out."""

    name: str = ""
    sticky: bool = False
    """Sent whole with every prompt that takes such fragments; else a line names it."""
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
        """The id of its block: `gl-voice`, `kn-tides`."""
        return f"{PREFIXES[self.kind]}{self.id}"

    @property
    def name(self) -> str:
        """What the author calls it; the name of its file where she says nothing."""
        return self.meta.name.strip() or self.id
