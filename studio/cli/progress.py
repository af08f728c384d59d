"""Shows a run to a person: stage lines, scenes, streamed prose, and the cost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

from studio.cli import output
from studio.cli.terms import place_words, term
from studio.errors import Problem
from studio.i18n import _, further, translate
from studio.messages import quantity, said
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
    Waiting,
    WarningEvent,
)
from studio.pipeline.stage_words import name_before, scene_in_words, stage_in_words
from studio.story.calls import wait_words
from studio.story.decision_words import answer_name, title_of_answered
from studio.story.review.directive import kind_name_of
from studio.story.review.passage import PassageLocation
from studio.story.status import STATUS_WORDS, WITHDRAWN, DirectiveStatus


class Warnings:
    """Listens to a run whose stdout is reserved for results: warnings go to stderr."""

    def __call__(self, event: Event) -> None:
        """Prints a warning; all other events are ignored."""
        if isinstance(event, WarningEvent):
            output.warn(event.message)

    def fail(self, problem: Problem) -> None:
        """Does nothing, because no line is open that a problem could interrupt."""


_TICK = 1.0


class WaitLine:
    """The line at the foot of a terminal that says what a model is waited for, how long already
    and about how long; nothing where a line cannot be redrawn in place."""

    def __init__(self) -> None:
        self._wait: Waiting | None = None
        self._since = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, event: Waiting) -> None:
        """Begins to say it, a second after the call began."""
        self.end()
        if output.draws_in_place() and not output.is_quiet():
            self._wait, self._since = event, monotonic()
            self._timer = asyncio.get_running_loop().call_later(_TICK, self._tick)

    def make_room(self) -> None:
        """Takes the line away before another is printed; the next second brings it back."""
        if self._wait is not None:
            output.clear_passing()

    def end(self) -> None:
        """Takes the line away for good."""
        self.make_room()
        self._wait = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tick(self) -> None:
        if self._wait is not None:
            seconds = int(monotonic() - self._since)
            output.show_passing(wait_words(self._wait.what, seconds, self._wait.about))
            self._timer = asyncio.get_running_loop().call_later(_TICK, self._tick)


class ProgressLines:
    """Turns events into lines. Prose is shown only on a terminal."""

    def __init__(self, streams: bool) -> None:
        self._streams = streams
        self._mid_line = False
        self._wait_line = WaitLine()
        self._cost = 0.0
        self._unpriced = 0
        self._tokens = 0
        self._calls = 0
        self._is_about = False
        """Whether a part of the cost is an estimate."""
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
        if isinstance(event, Waiting):
            self._wait_line.begin(event)
            return
        if isinstance(event, UsageEvent) or (self._streams and isinstance(event, Text)):
            self._wait_line.end()
        show = self._handlers.get(type(event))
        if show is not None and (not output.is_quiet() or type(event) is UsageEvent):
            self._wait_line.make_room()
            show(event)

    def fail(self, problem: Problem) -> None:
        """Ends the open line when a run ended with a problem."""
        self._wait_line.end()
        self.end_line()

    def cost_sentence(self) -> str:
        """Returns the cost of this run's calls; an empty string if there were none."""
        if not self._calls:
            return ""
        tokens = said(
            "{tokens} tokens in {calls}",
            tokens=f"{self._tokens:,}",
            calls=quantity(self._calls, "{n} call", "{n} calls"),
        )
        if self._unpriced == self._calls:
            return said("Cost: unknown ({tokens}).", tokens=tokens)
        if not self._cost and not self._unpriced:
            return said("Cost: nothing ({tokens}).", tokens=tokens)
        if self._unpriced:
            tokens = said(
                "{tokens}, {calls} of unknown price",
                tokens=tokens,
                calls=quantity(self._unpriced, "{n} call", "{n} calls"),
            )
        cost = f"{self._cost:.4f}"
        if self._is_about:
            return said("Cost: about ${cost} ({tokens}).", cost=cost, tokens=tokens)
        return said("Cost: ${cost} ({tokens}).", cost=cost, tokens=tokens)

    def end_line(self) -> None:
        """Ends a line of streamed prose, if one is open."""
        if self._mid_line:
            output.say("\n")
            self._mid_line = False

    def _line(self, text: str, tone: output.TerminalTone = "plain") -> None:
        self.end_line()
        output.say(text, tone)

    def _stage(self, event: StageEvent) -> None:
        words = stage_in_words(event)
        if event.status == "started":
            self._line(words, "strong")
        elif event.status == "skipped":
            self._line(words, "quiet")
        elif event.status == "failed":
            self._line(f"  {words}", "bad")
        else:
            self._line(f"  {words}")

    def _scene(self, event: SceneEvent) -> None:
        self._line(f"  {scene_in_words(event)}")

    def _text(self, event: Text) -> None:
        if self._streams and event.text:
            output.show(event.text, end="")
            self._mid_line = True

    def _finish(self, event: Finish) -> None:
        self.end_line()
        if event.finishReason not in ("end", "stopped"):
            reason = "cut off" if event.finishReason == "cut" else event.finishReason  # a fix cuts
            words = said("the answer ended early: {reason}", reason=term(reason))
            self._line(f"  {output.one_line(words)}")

    def _metrics(self, event: MetricsEvent) -> None:
        if event.overall is not None:
            words = said("overall {overall} of 5", overall=f"{event.overall:.2f}")
            self._line(f"  {translate(words)}")

    def _directive(self, event: DirectiveEvent) -> None:
        fields = event.directive
        status = DirectiveStatus(fields["status"])
        words = _(STATUS_WORDS[status])
        if status is DirectiveStatus.PENDING:
            words = output.one_line(fields["issue"])
        elif status is DirectiveStatus.APPLIED:  # here nobody keeps or undoes anything
            words = said("in the text")
        elif status is DirectiveStatus.UNDONE and fields.get("undoneBy") == "studio":
            words = _(WITHDRAWN)
        place = place_words(PassageLocation.model_validate(fields["location"]))
        self._line(f"  {name_before(kind_name_of(fields['type']) + further(place), words)}")

    def _decision(self, event: DecisionMade) -> None:
        author = said("by the review mode") if event.by == "mode" else said("as you decided")
        heading = title_of_answered(event.kind, event.option)
        answer = answer_name(event.kind, event.option)
        self._line(f"  {name_before(heading, answer)}{further(translate(author))}")

    def _usage(self, event: UsageEvent) -> None:
        self._calls += 1
        self._is_about = self._is_about or event.about
        tokens = (event.tokens.get("input"), event.tokens.get("output"), event.cached)
        self._tokens += sum(count or 0 for count in tokens)
        if event.cost is None:
            self._unpriced += 1
        else:
            self._cost += event.cost

    def _warning(self, event: WarningEvent) -> None:
        self.end_line()
        output.warn(event.message)
