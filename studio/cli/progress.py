"""Shows a run to a person: stage lines, scenes, streamed prose, and the cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from studio.cli import output
from studio.errors import Problem
from studio.i18n import as_label, further, translated
from studio.pipeline.events import (
    DecisionMade,
    DirectiveEvent,
    Event,
    Finish,
    MetricsEvent,
    SceneEvent,
    StageEvent,
    Text,
    UsageEvent,
    WarningEvent,
)


class Warnings:
    """Listens to a run whose stdout is reserved for results: warnings go to stderr."""

    def __call__(self, event: Event) -> None:
        """Prints a warning; all other events are ignored."""
        if isinstance(event, WarningEvent):
            output.warn(event.message)

    def fail(self, problem: Problem) -> None:
        """Does nothing, because no line is open that a problem could interrupt."""


class Progress:
    """Turns events into lines. Prose is shown only on a terminal."""

    def __init__(self, streams: bool) -> None:
        self._streams = streams
        self._mid_line = False
        self._cost = 0.0
        self._unpriced = 0
        self._tokens = 0
        self._calls = 0
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            StageEvent: self._stage,
            SceneEvent: self._scene,
            Text: self._text,
            Finish: self._finish,
            MetricsEvent: self._metrics,
            DirectiveEvent: self._directive,
            DecisionMade: self._decision,
            UsageEvent: self._usage,
            WarningEvent: self._warning,
        }

    def __call__(self, event: Event) -> None:
        """Shows one event; kinds without meaning for a person are ignored."""
        show = self._handlers.get(type(event))
        if show is not None and (not output.is_quiet() or type(event) is UsageEvent):
            show(event)

    def fail(self, problem: Problem) -> None:
        """Ends the open line when a run ended with a problem."""
        self.end_line()

    def cost_sentence(self) -> str:
        """Returns the cost of this run's calls; an empty string if there were none."""
        if not self._calls:
            return ""
        tokens = f"{self._tokens:,} tokens in {quantity(self._calls, 'call')}"
        if self._unpriced == self._calls:
            return f"Cost: unknown ({tokens})."
        if not self._cost and not self._unpriced:
            return f"Cost: nothing ({tokens})."
        if self._unpriced:
            tokens += f", {quantity(self._unpriced, 'call')} of unknown price"
        return f"Cost: ${self._cost:.4f} ({tokens})."

    def end_line(self) -> None:
        """Ends a line of streamed prose, if one is open."""
        if self._mid_line:
            output.say("\n")
            self._mid_line = False

    def _line(self, text: str, tone: output.Tone = "plain") -> None:
        self.end_line()
        output.say(text, tone)

    def _stage(self, event: StageEvent) -> None:
        note = output.one_line(translated(event.note)) if event.note else ""
        if event.status == "started":
            self._line(event.name, "strong")
        elif event.status == "skipped":
            words = _before(translated(event.name), translated("not needed"))
            self._line(_before(words, note), "quiet")
        elif event.status == "failed":
            self._line(f"  {_before(translated('failed'), note)}", "bad")
        else:
            self._line(f"  {_before(translated('done'), note)}")

    def _scene(self, event: SceneEvent) -> None:
        sentences = {
            "started": f"scene {event.number}",
            "finished": f"scene {event.number} is done",
            "skipped": f"scene {event.number} was done before",
        }
        self._line(f"  {translated(sentences[event.status])}")

    def _text(self, event: Text) -> None:
        if self._streams and event.text:
            output.show(event.text, end="")
            self._mid_line = True

    def _finish(self, event: Finish) -> None:
        self.end_line()
        if event.finishReason not in ("end", "stopped"):
            self._line(f"  the answer ended early: {output.one_line(event.finishReason)}")

    def _metrics(self, event: MetricsEvent) -> None:
        if event.overall is not None:
            words = f"overall {event.overall:.2f} of 5"
            self._line(f"  {translated(words)}")

    def _directive(self, event: DirectiveEvent) -> None:
        fields = {name: str(event.directive.get(name, "")) for name in ("id", "status", "issue")}
        status = translated(fields["status"])
        self._line(f"  {fields['id']} {_before(status, output.one_line(fields['issue']))}")

    def _decision(self, event: DecisionMade) -> None:
        author = "by the review mode" if event.by == "mode" else "as you decided"
        self._line(
            f"  {_before(translated(event.kind), event.option)}{further(translated(author))}"
        )

    def _usage(self, event: UsageEvent) -> None:
        self._calls += 1
        tokens = (event.tokens.get("input"), event.tokens.get("output"), event.cached)
        self._tokens += sum(count or 0 for count in tokens)
        if event.cost is None:
            self._unpriced += 1
        else:
            self._cost += event.cost

    def _warning(self, event: WarningEvent) -> None:
        self.end_line()
        output.warn(event.message)


def _before(name: str, words: str) -> str:
    """Puts a name before words, with the colon of the writer's language; the name alone if there
    are none."""
    return as_label(name) + words if words else name


def quantity(number: int, noun: str) -> str:
    """Returns a number with its noun: `1 call`, `2 calls`; translated where the noun is known."""
    return translated(f"{number} {noun}" if number == 1 else f"{number} {noun}s")
