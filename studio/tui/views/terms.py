"""The writer's words for the ids of the engine. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from studio.i18n import N_, _
from studio.story.state_words import WORDS as STATE_WORDS
from studio.story.state_words import fact_in_words, word_of_state

if TYPE_CHECKING:
    from studio.story.contract import ForeshadowAction

_TERMS = frozenset(
    {
        # The stages of a chapter
        *(N_("draft"), N_("summarize"), N_("refine"), N_("judge"), N_("review"), N_("started")),
        *(N_("finished"), N_("skipped"), N_("failed")),
        # The judge's scores and verdicts
        *(N_("plot logic"), N_("character"), N_("immersion"), N_("style naturalness")),
        *(N_("foreshadowing"), N_("pacing"), N_("emotional impact"), N_("storyline coherence")),
        *(N_("pass"), N_("polish"), N_("reject")),
        # Where a setting comes from
        *(N_("default"), N_("probe"), N_("environment"), N_("command line")),
        # What measures are counted in
        *(N_("ratio"), N_("per 1000 words"), N_("per 1000 characters"), N_("senses per 100 words")),
        *(N_("senses per 500 characters"), N_("sentences"), N_("places")),
        # How sure and of what a violation is
        *(N_("A rule of the world"), N_("A character"), N_("The plan of the chapter")),
        *(N_("The storyline"), N_("surely broken"), N_("probably broken"), N_("perhaps broken")),
        # Why a version of a text was kept
        *(N_("killed"), N_("stopped"), N_("cut off"), N_("another version")),
        *(N_("changed as you asked"), N_("taken by paragraph")),
        *(N_("before another version was taken"),),
        # Which models are asked
        *(N_("deep"), N_("standard"), N_("fast")),
    }
)
_WORDS: Mapping[str, str] = {
    # Stages of a chapter
    "lock": N_("opening the book"),
    "gate": N_("whether it may pass"),
    "commit": N_("into the book"),
    "prewriting": N_("reading before the draft"),
    "writing": N_("writing"),
    # The judge's verdicts
    "unjudged": N_("nobody judged it"),
    # Where a setting comes from
    "user config": N_("your settings for every novel"),
    "studio.toml": N_("this novel's settings"),
    # Why a version of a text was kept
    "staged": N_("saved while in work"),
    "committed": N_("as it went into the book"),
}
"""The engine's terms that are replaced by other words."""
_NAMES: Mapping[str, str] = {
    # Who is asked
    "character-weaver": N_("maker of people"),
    "continuity-checker": N_("reader of contradictions"),
    "plot-architect": N_("planner"),
    "prewriter": N_("reader before the draft"),
    "prose-surgeon": N_("surgeon"),
    "quality-oracle": N_("judge"),
    "scene-drafter": N_("drafter"),
    "second-reader": N_("second reader"),
    "style-analyzer": N_("reader of style"),
    "style-refiner": N_("refiner"),
    "summarizer": N_("summarizer"),
    "world-builder": N_("maker of the world"),
    # The blocks of a prompt
    "the agent's own text": N_("the studio's words"),
    "the task": N_("the task"),
    "an answer before": N_("an answer before"),
    "asked": N_("no answer so far"),
    "attempt": N_("the scene as it was"),
    "anti-exemplar": N_("how not to write"),
    "around": N_("the text around it"),
    "blacklist": N_("words to avoid"),
    "brief": N_("brief of the book"),
    "chapter": N_("the chapter"),
    "characters-contract": N_("what people never do"),
    "contract": N_("plan of the chapter"),
    "craft": N_("the craft"),
    "crossrefs": N_("other lines"),
    "direction": N_("your direction"),
    "decided": N_("what you decided"),
    "directive": N_("the proposal"),
    "entity-ids": N_("names of people and things"),
    "exemplars": N_("how to write"),
    "answered": N_("what you answered"),
    "findings": N_("findings"),
    "line-edits": N_("small changes proposed"),
    "foreshadowing": N_("promises"),
    "gl-decided": N_("what you decided"),
    "guidelines": N_("your guidelines"),
    "hints": N_("hints of the drafter"),
    "knowledge": N_("who knows what"),
    "measures": N_("measures"),
    "neighbours": N_("chapters around it"),
    "notes": N_("your notes"),
    "outline": N_("outline"),
    "passage": N_("the passage"),
    "passage-1": N_("the first text"),
    "passage-2": N_("the second text"),
    "previous-review": N_("review before"),
    "readers": N_("readers"),
    "before": N_("the proposal before"),
    "behind": N_("what follows"),
    "held-here": N_("what the passage must tell"),
    "versions": N_("the other versions"),
    "chapter-so-far": N_("the chapter so far"),
    "must-not": N_("what must not be"),
    "people": N_("people"),
    "place": N_("the place"),
    "plan-units": N_("parts of the plan"),
    "previous-tail": N_("how it ended before"),
    "reference": N_("reference"),
    "scene": N_("the scene"),
    "shortlist": N_("list of your other guidelines"),
    "system-fragments": N_("your guidelines"),
    "scene-list": N_("scenes"),
    "scene-plan": N_("plan of the scene"),
    "schedule": N_("schedule of lines"),
    "storyline": N_("the line so far"),
    "style": N_("your style"),
    "summaries": N_("summaries"),
    "task": N_("the task"),
    "tools": N_("tools"),
    "volume-outline": N_("plan of the volume"),
    "world": N_("the world"),
    "world-rules": N_("rules of the world"),
    "writing-brief": N_("brief of the scene"),
    # How a call ended
    "end": N_("to the end"),
    "stop": N_("to the end"),
    "tool_use": N_("looked something up"),
    "unusable": N_("no usable answer"),
    "length": N_("cut at its length"),
    "refusal": N_("it refused"),
    "cut": N_("cut off"),
}
"""The writer's words for agents, blocks of prompts and the ends of calls."""

_DEEDS: Mapping[ForeshadowAction, str] = {
    "plant": N_("plant"),
    "advance": N_("advance"),
    "resolve": N_("pay off"),
}


def deed(action: ForeshadowAction) -> str:
    """Returns the writer's word for what a chapter does with a promise."""
    return _(_DEEDS[action])


def term(name: str) -> str:
    """Returns the writer's word for a term of the engine; an unknown term is returned unchanged."""
    if name in _WORDS:
        return _(_WORDS[name])
    return _(name) if name in _TERMS or name in STATE_WORDS else name


def plain_name(name: str) -> str:
    """Returns the writer's name for an agent, a block of a prompt or the end of a call; any other
    name is returned unchanged."""
    return _(_NAMES[name]) if name in _NAMES else term(name)


def in_words(value: object, names: Mapping[str, str] = MappingProxyType({}), key: str = "") -> str:
    """Returns a key or value of the story state: its name, the translation of a known term, or else
    the id as words."""
    return fact_in_words(value, lambda word: names.get(word) or word_of_state(word), key)
