"""What one call to an agent is about, and what it asks, before any prompt is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from studio.config.schema import Effort, Role
from studio.llm.provider import Sieve
from studio.pipeline.events import StageName
from studio.pipeline.prompting.lines import Lines
from studio.project.history.variations import PassageMode


@dataclass(frozen=True, slots=True)
class Occasion:
    """The subject of one call, which decides the entries of the bible in its prompt."""

    scene: int | None = None
    """The scene that is written; None for work on the whole chapter."""
    present: tuple[str, ...] = ()
    """Slugs of the people in the scene, the point of view first."""
    location: str | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    """The call's own blocks by name."""
    on_the_surface: bool = False
    """Whether the answer only builds a sentence otherwise: of people it needs to know who they are,
    and of the world nothing."""
    whole: frozenset[int] = frozenset()
    """The chapters whose whole text is in the prompt: it needs no summary of them."""
    agent: str = ""
    """The agent that is called: the writer may want a line in the prompts of one agent alone."""
    has_state: bool = False
    """Whether the state of the story is in the prompt: no card says again what is true by now."""


WHOLE_CHAPTER = Occasion()


LARGE_WINDOW = 32_768
"""The tokens of a window from which on nothing has to be weighed against the answer."""

PlanningMode = Literal["generate"] | PassageMode
"""How prose is made (seed 002): the story is continued, or a passage is regenerated or refined."""

SUMMARIZER, JUDGE, SURGEON = "summarizer", "quality-oracle", "prose-surgeon"
CHECKER, ARCHITECT, JOINER = "continuity-checker", "plot-architect", "assembly"
REFINER = "style-refiner"
"""Agents whose material has a form of its own."""


@dataclass(frozen=True, slots=True)
class GoingOn:
    """A scene that goes on from its last word."""

    stands: str
    """The words that stand of it."""
    continues: str | None
    """The generation that wrote them, if a model did."""
    share: float = 1.0
    """About how much of the whole scene is asked for."""


@dataclass(frozen=True, slots=True)
class Question:
    """What one call is about."""

    agent: str
    stage: StageName
    what: str = ""
    """The part of the call's name that is particular to the question: `s01`, `dir_x-a2`."""
    scene: int | None = None
    blocks: Mapping[str, str] | None = None
    """Blocks of this call, added to the chapter's own."""
    lines: Mapping[str, Lines] | None = None
    """Blocks of this call that are dropped line by line if there is no room for them."""
    before: str = ""
    """The words right before what is asked for, which may name people and places."""
    slots: Mapping[str, str] | None = None
    task_kind: str = ""
    """The parts of the agent's page that speak of the task in hand, of an agent that has several:
    `planning volume`."""
    role: Role | None = None
    """Overrides the agent's role (a gate revision drafts on deep)."""
    exemplars: tuple[str, ...] = ()
    directive: str | None = None
    part: int = 0
    """The index of this answer among those that form one text together or stand side by side."""
    temperature: float | None = None
    effort: Effort | None = None
    """The reasoning effort of this call, if it is not the agent's own."""
    seed: int | None = None
    short: bool = False
    """Whether to use the agent's short form (small models)."""
    briefed: bool = False
    """Whether to use the form in which a brief replaces the material (prewriter mode)."""
    hers: bool = False
    """Whether to use the form for an instruction that the author wrote herself."""
    repeated: bool = False
    """Whether the same question is asked for other scenes of the chapter."""
    common: frozenset[str] = frozenset()
    """Blocks made for the scene that have the same words in every scene of the chapter."""
    order: tuple[str, ...] | None = None
    """The order of this call's blocks, if it is not the agent's own."""
    about: Mapping[str, Any] | None = None
    """Further fields of the call's record."""
    max_tokens: int | None = None
    likely_tokens: int | None = None
    """About how many tokens the answer will have by the length that is asked for, if one is."""
    sieve: Sieve | None = None
    """The sieve that each sentence of a small model has to pass."""
    present: tuple[str, ...] = ()
    """Slugs of the people in the scene, the point of view first."""
    location: str | None = None
    """The slug of the scene's place."""
    on_the_surface: bool = False
    """Whether the answer only builds a sentence otherwise (see Occasion)."""
    steps: int | None = None
    """The most calls of the generation, including look-ups; None for the whole budget (C6)."""
    mode: PlanningMode = "generate"
    of_a_passage: bool = False
    """Whether a passage of the scene is asked for, and not the scene."""
    going_on: GoingOn | None = None
    """What stands already of the prose that is asked for."""
    whole: frozenset[int] = frozenset()
    """The chapters whose whole text is among the blocks: their summaries are left out."""
    stateless: bool = False
    """Whether there is no room for the state: then the cards say what is true by now."""
    needed: frozenset[str] = frozenset()
    """Blocks without which the call is pointless: TooLarge if they do not fit."""
