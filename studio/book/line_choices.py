"""The writer's choices for lines of prompts in context/lines.json: pins, mutes and swaps."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import ValidationError

from studio.errors import usage
from studio.messages import said
from studio.project import layout as places
from studio.project.author.replace import replace, take_away
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes
from studio.story.prompt_config import ContextLines, LineForm

NEVER_MUTED = frozenset(
    {
        "world-rules",
        "characters-contract",
        "contract",
        "must-not",
        "scene-plan",
        "direction",
        "notes",
        "task",
    }
)
"""Blocks that are always sent, whatever the choices say: L1 to L3, and the writer's own words."""
RULES_OF_LINES = "storyline/rules"


def pin(store: ProjectStore, line: str, agent: str | None = None) -> ContextLines:
    """Pins a line to every prompt. Takes the lock. StudioError (exit 2) for a bad id."""
    return _change(store, line, lambda lines: lines.with_pin(line, agent))


def mute(
    store: ProjectStore, line: str, agent: str | None = None, chapter: int | None = None
) -> ContextLines:
    """Mutes a line. Takes the lock. StudioError (exit 2) for a bad id, and for rules."""
    block = line.partition("/")[0]
    if block in NEVER_MUTED or line == RULES_OF_LINES or line.endswith("-rules"):
        raise usage(
            said("{line} is a rule, a plan or your own word, and is always told.", line=line),
            said("Change the rule or the plan itself."),
        )
    return _change(store, line, lambda lines: lines.with_mute(line, agent, chapter))


def swap(store: ProjectStore, line: str, to: LineForm, chapter: int | None = None) -> ContextLines:
    """Selects a line's whole or short form. Takes the lock. StudioError (exit 2) for a bad id."""
    return _change(store, line, lambda lines: lines.with_swap(line, to, chapter))


def reset(store: ProjectStore, line: str) -> ContextLines:
    """Removes all choices for a line. Takes the lock. StudioError (exit 2) if there are none."""
    if store.context_lines().without(line) == store.context_lines():
        raise usage(
            said("Nothing is set for {line}.", line=line), said("`studio lines` lists what is.")
        )
    return _change(store, line, lambda lines: lines.without(line))


def _change(
    store: ProjectStore, line: str, change: Callable[[ContextLines], ContextLines]
) -> ContextLines:
    with ProjectLock(store.layout.folder):
        try:
            lines = ContextLines.model_validate(change(store.context_lines()).model_dump())
        except ValidationError:
            raise usage(
                said("{line} names no line.", line=repr(line)),
                said(
                    "Name a line by its block and name, as `studio context --lines` shows it: "
                    "people/mara."
                ),
            ) from None
        if lines.pins or lines.mutes or lines.swaps:
            replace(store, places.CONTEXT_LINES, to_bytes(lines), Reason.LINES_CHOSEN)
        else:
            take_away(store, places.CONTEXT_LINES)
        return lines
