"""A replayed call as lines: reasoning, lookups and text so far. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from studio.i18n import N_, _, as_label, series
from studio.pipeline.events import (
    Event,
    Finish,
    PrewriterText,
    Reasoning,
    RewriteText,
    Text,
    ToolCall,
    ToolResult,
)
from studio.tui.views.run.run_state import ANY_LOOK_UP, LOOK_UPS
from studio.tui.views.words import Line, Phrase, line

_HEADINGS: dict[type[Event], str] = {
    Reasoning: N_("Thinking"),
    PrewriterText: N_("The brief"),
    Text: N_("The scene"),
    RewriteText: N_("The answer"),
}
_LONGEST_RESULT = 400
"""The number of characters displayed of a lookup's result."""


def replay_lines(events: Iterable[Event]) -> Iterator[Line]:
    """Yields the events so far; consecutive pieces of one kind are joined under one heading."""
    kind: type[Event] | None = None
    text = ""
    for event in events:
        if kind is not None and type(event) is not kind:
            yield from _passage(text)
            kind, text = None, ""
        if type(event) in _HEADINGS:
            if kind is None:
                kind = type(event)
                yield line(_(_HEADINGS[kind]), "heading")
            text += event.text  # type: ignore[attr-defined]
        elif isinstance(event, ToolCall):
            words = series(str(value) for value in event.args.values() if value)
            name = _(LOOK_UPS.get(event.toolName, ANY_LOOK_UP))
            yield (Phrase(as_label(name) if words else name, "quiet"), Phrase(words))
        elif isinstance(event, ToolResult):
            yield line(str(event.result)[:_LONGEST_RESULT], "quote")
            yield line()
        elif isinstance(event, Finish):
            yield line(_("That is the whole of it."), "quiet")
    yield from _passage(text)


def _passage(text: str) -> Iterator[Line]:
    for row in text.strip().split("\n") if text.strip() else ():
        yield line(row)
    if text.strip():
        yield line()
