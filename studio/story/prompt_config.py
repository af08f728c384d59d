"""The author's files under context/: prompt arrangement, guidelines, knowledge (BOOK 6).

`context/blocks.toml` says, per agent, which blocks come first, are left out, are replaced or are
added. A guideline or a piece of knowledge is a separate Markdown file, which is sent whole if
sticky and otherwise listed in one line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, field_validator

from studio.story.form.document import Value
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
