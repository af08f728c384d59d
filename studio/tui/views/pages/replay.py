"""A replayed call as lines: reasoning, lookups and text so far. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from studio.i18n import N_, _, as_label, series
from studio.pipeline.events import (
    Event,
    PrewriterText,
    Reasoning,
    RewriteText,
    Text,
    ToolCall,
    ToolResult,
)
from studio.story.records import CallRecord
from studio.tui.views.run.run_state import ANY_LOOK_UP, LOOK_UPS
from studio.tui.views.terms import plain_name
from studio.tui.views.words import Line, Phrase, line

_HEADINGS: dict[type[Event], str] = {
    Reasoning: N_("Thinking"),
    PrewriterText: N_("The brief"),
    Text: N_("The scene"),
    RewriteText: N_("The answer"),
}
_WHOLE = ("end", "stop", "tool_use")
"""The ends of calls whose text is whole."""
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
    yield from _passage(text)


def closing_lines(record: CallRecord) -> Iterator[Line]:
    """Yields what stands behind the events of a call: a structured answer, which was not shown as
    it streamed, as it came; and how the call ended."""
    came = record.generated_text.strip()
    if came and record.answer is not None:
        yield line(_(_HEADINGS[RewriteText]), "heading")
        yield from _passage(came)
    if record.finish_reason in _WHOLE and came:
        yield line(_("That is the whole of it."), "quiet")
        return
    if not came:
        yield line(_("No text came of this call."), "quiet")
    if record.finish_reason not in _WHOLE:
        yield (Phrase(as_label(_("Ended")), "quiet"), Phrase(plain_name(record.finish_reason)))


def _passage(text: str) -> Iterator[Line]:
    for row in text.strip().split("\n") if text.strip() else ():
        yield line(row)
    if text.strip():
        yield line()
