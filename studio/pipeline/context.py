"""From blocks to a prompt: order, fencing, and what is left out when the window is small.

A prompt is a sandwich: the stable blocks and the agent's own text first (the
stable ones in front, equal for every agent, so that they can be cached), the
scene's material and the task last; what lies between is dropped first when
the model's window is short (seed A3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from studio.errors import Exit, Problem, StudioError
from studio.llm.provider import Part

STABLE = ("brief", "style", "world-rules", "world", "craft", "characters-contract", "blacklist")
"""Blocks that are the same in every call of a chapter, in the order they are sent."""

TIERS: Mapping[str, tuple[str, ...]] = {
    "cold": ("neighbours", "world", "outline", "anti-exemplar", "blacklist", "brief"),
    "warm": (
        "foreshadowing",
        "exemplars",
        "scene-list",
        "measures",
        "entity-ids",
        "storyline",
        "characters-contract",
        "state",
        "summaries",
        "around",
        "hints",
        "world-rules",
        "characters",
        "craft",
        "style",
    ),
}
"""Tier to blocks, first dropped first. Blocks named in neither are hot and are never dropped."""

_DROP_ORDER = (*TIERS["cold"], *TIERS["warm"])
ORDER_STEP = 100
"""Between the orders of neighbouring blocks (DESIGN section 9)."""
_RESERVE = 64
"""Tokens kept free for what the endpoint adds around messages."""


@dataclass(frozen=True, slots=True)
class Block:
    """One named piece of a prompt."""

    id: str
    text: str

    @property
    def stable(self) -> bool:
        """Whether it belongs to the part of the prompt that can be cached."""
        return self.id in STABLE


@dataclass(frozen=True, slots=True)
class Compiled:
    """A prompt that fits, and what had to go."""

    parts: tuple[Part, ...]
    dropped: tuple[str, ...]


def fence(block: Block, tag: str) -> str:
    """Foreign text between delimiters it cannot know, so that it stays material (row S10)."""
    return f'<{tag} name="{block.id}">\n{block.text.strip()}\n</{tag}>'


def compile_prompt(
    system: str,
    order: Iterable[str],
    blocks: Mapping[str, str],
    *,
    tag: str,
    budget: int,
    estimate: Callable[[str], int],
) -> Compiled:
    """The agent's system text and its blocks, in its order, within `budget` tokens.

    Empty blocks are left out. `task` is the last line and is not fenced: it is
    ours. Raises StudioError (exit 6) when even the hot blocks do not fit.
    """
    wanted = [Block(name, blocks[name]) for name in order if blocks.get(name, "").strip()]
    costs = {block.id: estimate(fence(block, tag)) for block in wanted}
    room = budget - estimate(system) - _RESERVE
    dropped: list[str] = []
    for name in _DROP_ORDER:
        if sum(costs.values()) <= room:
            break
        if name in costs:
            del costs[name]
            dropped.append(name)
    if sum(costs.values()) > room:
        raise StudioError(
            Problem(
                f"The prompt does not fit the model: it needs about"
                f" {sum(costs.values()) + budget - room} tokens, the model has room for {budget}.",
                "Choose a model with a larger window, or shorten the chapter or its contract.",
                exit_code=Exit.MODEL,
                kind="too_large",
            )
        )
    kept = [block for block in wanted if block.id in costs]
    return Compiled(_parts(system, kept, tag), tuple(dropped))


def _parts(system: str, blocks: list[Block], tag: str) -> tuple[Part, ...]:
    stable = sorted((b for b in blocks if b.stable), key=lambda b: STABLE.index(b.id))
    moving = [b for b in blocks if not b.stable]
    parts = [Part("system", fence(b, tag), stable=True) for b in stable]
    parts.append(Part("system", system.strip(), stable=True))
    parts += [
        Part("user", b.text.strip() if b.id == "task" else fence(b, tag), stable=False)
        for b in moving
    ]
    return tuple(parts)
