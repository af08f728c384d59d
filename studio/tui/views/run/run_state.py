"""Reduces the events of a run to its state, batch by batch. Pure, and without Textual."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import singledispatch
from types import MappingProxyType
from typing import Any, TypeVar

from studio import i18n
from studio.i18n import as_label
from studio.pipeline.events import (
    DRAFTER,
    PREWRITER,
    Again,
    CommittedEvent,
    DecisionRequired,
    DirectiveEvent,
    ErrorEvent,
    Event,
    Finish,
    MetricsEvent,
    Phase,
    PrewriterText,
    RewriteText,
    SceneEvent,
    StageEvent,
    StageName,
    Text,
    ToolCall,
    UsageEvent,
    Waiting,
    WarningEvent,
)
from studio.pipeline.stage_words import WORK, scene_in_words, stage_in_words
from studio.project.clock import clock_time
from studio.story.calls import is_of_beginning
from studio.story.decision_words import TITLES
from studio.story.review.directive import kind_name_of
from studio.text.safe import safe_text
from studio.tui.views.run.moment import ChapterSpending, LookUpWords, RunState, Wait
from studio.tui.views.signs import STATUSES
from studio.tui.views.terms import plain_name, term

K = TypeVar("K")

LOOK_UPS = {
    "find_character": i18n.N_("looks a person up"),
    "find_world": i18n.N_("looks the world up"),
    "find_summary": i18n.N_("reads what happened before"),
    "find_state": i18n.N_("looks up what is true now"),
    "search_manuscript": i18n.N_("searches the manuscript"),
    "find_fragment": i18n.N_("reads a note of yours"),
}
"""The lookups in a writer's words."""
ANY_LOOK_UP = i18n.N_("looks something up")
_AFTER_LOOK_UPS = (Text, PrewriterText, StageEvent, SceneEvent, Phase, Finish)
"""The events that show that a model has finished its lookups."""

_DONE_BEFORE = ("drafted", "refined", "judged", "measured", "through", "reviewed")
"""Why a stage is skipped whose work is done: nothing happened that a log has to tell."""
_AFTER_A_WAIT = (Text, PrewriterText, RewriteText, Finish, UsageEvent, DecisionRequired)
"""The events that show that a call is no longer waited for."""


def apply_events(state: RunState, events: Iterable[Event]) -> RunState:
    """Returns the state after a batch of events."""
    for event in coalesce(events):
        state = reduce(event, state)
        if isinstance(event, _AFTER_LOOK_UPS):
            state = state._replace(look_up=None)
        if isinstance(event, _AFTER_A_WAIT):
            state = state._replace(waits=None, waiting=0)
        if event.chapter is not None and event.chapter != state.chapter and not _is_money(event):
            state = state._replace(chapter=event.chapter, spending=ChapterSpending())
    return state


def _is_money(event: Event) -> bool:
    """Whether an event says what a call cost, which may be about another chapter than the run."""
    return isinstance(event, UsageEvent)


def coalesce(events: Iterable[Event]) -> list[Event]:
    """Returns the batch with neighbouring pieces of one text joined."""
    joined: list[Event] = []
    for event in events:
        last = joined[-1] if joined else None
        if last is not None and _continues(last, event):
            joined[-1] = last.copy_with(text=last.text + event.text)  # type: ignore[attr-defined]
        else:
            joined.append(event)
    return joined


def _continues(last: Event, event: Event) -> bool:
    if isinstance(last, Text) and isinstance(event, Text):
        return last.scene == event.scene
    if isinstance(last, RewriteText) and isinstance(event, RewriteText):
        return rewrite_key(last) == rewrite_key(event) and last.agent == event.agent
    return False


def rewrite_key(event: RewriteText | Again) -> str:
    """Returns the key of the text that a piece of rewriting belongs to."""
    return event.directive or f"scene {event.scene}"


def _with(mapping: Mapping[int, str], key: int, value: str) -> Mapping[int, str]:
    return MappingProxyType({**mapping, key: value})


def _without(mapping: Mapping[K, str], key: K | None) -> Mapping[K, str]:
    return MappingProxyType({k: words for k, words in mapping.items() if k != key})


def _note(state: RunState, event: Event, line: str) -> RunState:
    at = clock_time(event.ts)
    return state._replace(journal=(*state.journal, f"{at}  {line}" if at else line))


def _directive(fields: Mapping[str, Any]) -> str:
    """Returns a directive by its kind and place, since nobody reads ids."""
    where = fields.get("location") or {}
    scene, paragraph = where.get("sceneNumber"), where.get("paragraphStart")
    return kind_name_of(f"{fields.get('type')}") + (
        i18n._(" in scene {scene} ¶{paragraph}", scene=scene, paragraph=paragraph) if scene else ""
    )


def _how_it_stands(status: str) -> str:
    """Returns the status of a directive in the words of its row in the review."""
    meanings = (sign.meaning for each, sign in STATUSES.items() if each == status)
    return i18n._(next(meanings, status))


def with_scene(state: RunState, number: int, text: str) -> RunState:
    """Returns the state with a scene that was written before this run began, or with the words of
    one that goes on; what has streamed of it since stays behind them."""
    more = state.texts.get(number, "")
    if (length := state.stands_to.get(number)) is None or number in state.stood:
        return state._replace(texts=_with(state.texts, number, text))
    words = text[:length]
    return state._replace(
        stood=_with(state.stood, number, words), texts=_with(state.texts, number, words + more)
    )


@singledispatch
def reduce(event: Event, state: RunState) -> RunState:
    """Returns the state after one event; events without a visible effect leave it unchanged."""
    return state


@reduce.register
def _(event: StageEvent, state: RunState) -> RunState:
    stages = MappingProxyType({**state.stages, event.name: event.status})
    if event.status == "skipped" and event.note in _DONE_BEFORE:
        return state._replace(stages=stages, note=event.note, stage=_left(state, event))
    line = stage_in_words(event)
    if event.status == "failed":
        line = as_label(i18n.translate(WORK[event.name])) + line
    state = _note(state._replace(stages=stages), event, line)
    if event.status == "started":
        return state._replace(stage=event.name, note="")
    return state._replace(note=event.note, stage=_left(state, event))


def _left(state: RunState, event: StageEvent) -> StageName | None:
    return None if state.stage == event.name else state.stage


@reduce.register
def _(event: SceneEvent, state: RunState) -> RunState:
    state = state._replace(scenes=_with(state.scenes, event.number, event.status))
    if event.status == "continued":
        ends = MappingProxyType({**state.stands_to, event.number: event.stands_to or 0})
        return state._replace(
            scene=event.number,
            stands_to=ends,
            stood=_without(state.stood, event.number),
            texts=_without(state.texts, event.number),
        )
    if event.status == "started":
        # A scene that is drafted again starts empty.
        empty = _with(state.texts, event.number, "")
        return state._replace(
            scene=event.number, texts=empty, briefs=_without(state.briefs, event.number)
        )
    return _note(state, event, scene_in_words(event))


@reduce.register
def _(event: Text, state: RunState) -> RunState:
    number = event.scene or 1
    text = state.texts.get(number, "") + event.text
    return state._replace(scene=number, texts=_with(state.texts, number, text))


@reduce.register
def _(event: PrewriterText, state: RunState) -> RunState:
    number = event.scene or 1
    brief = state.briefs.get(number, "") + event.text
    return state._replace(scene=number, briefs=_with(state.briefs, number, brief))


@reduce.register
def _(event: Again, state: RunState) -> RunState:
    if event.agent == DRAFTER:
        stood = state.stood.get(event.scene or 1, "")
        return state._replace(texts=_with(state.texts, event.scene or 1, stood))
    if event.agent == PREWRITER:
        return state._replace(briefs=_without(state.briefs, event.scene or 1))
    return state._replace(rewrites=_without(state.rewrites, rewrite_key(event)))


@reduce.register
def _(event: ToolCall, state: RunState) -> RunState:
    values = i18n.series(str(value) for value in event.args.values() if value)
    words = safe_text(" ".join(values.split()), keep_newlines=False)
    look_up = LookUpWords(i18n._(LOOK_UPS.get(event.toolName, ANY_LOOK_UP)), words)
    state = state._replace(look_up=look_up)
    return _note(state, event, as_label(look_up.doing) + words if words else look_up.doing)


@reduce.register
def _(event: Phase, state: RunState) -> RunState:
    return _note(state, event, term(event.phase))


@reduce.register
def _(event: RewriteText, state: RunState) -> RunState:
    key = rewrite_key(event)
    before = state.rewrites.get(key, "")
    return state._replace(
        rewrites=MappingProxyType({**state.rewrites, key: before + event.text}),
        rewriting=key,
    )


@reduce.register
def _(event: Finish, state: RunState) -> RunState:
    state = state._replace(finished=event.finishReason, rewriting=None)
    if event.finishReason in ("end", "stopped"):
        return state
    return _note(
        state,
        event,
        i18n._("the answer broke off ({reason})", reason=plain_name(event.finishReason)),
    )


@reduce.register
def _(event: MetricsEvent, state: RunState) -> RunState:
    if event.scene is None:
        return state._replace(overall=event.overall)
    if not event.findings:
        return state
    return _note(
        state,
        event,
        i18n.ngettext(
            "scene {scene} was measured: {n} place to look at",
            "scene {scene} was measured: {n} places to look at",
            len(event.findings),
            scene=event.scene,
        ),
    )


@reduce.register
def _(event: DirectiveEvent, state: RunState) -> RunState:
    fields = event.directive
    line = as_label(_directive(fields)) + _how_it_stands(str(fields.get("status")))
    return _note(
        state._replace(
            directives_changed=state.directives_changed + 1,
            rewrites=_without(state.rewrites, fields.get("id")),
        ),
        event,
        line,
    )


@reduce.register
def _(event: DecisionRequired, state: RunState) -> RunState:
    is_step = event.kind == "start" and event.rationale
    title = i18n.translate(event.rationale) if is_step else i18n._(TITLES[event.kind])
    line = i18n._("your decision: {title}", title=title)
    return _note(state._replace(decision=event), event, line)


@reduce.register
def _(event: Waiting, state: RunState) -> RunState:
    return state._replace(waits=Wait(event.what, event.about), waiting=0)


@reduce.register
def _(event: UsageEvent, state: RunState) -> RunState:
    is_of_none = state.chapter is not None and is_of_beginning(event.call)
    if is_of_none or event.chapter not in (None, state.chapter):
        return state  # a call about another chapter, whose cost is not on this one's bar
    return state._replace(spending=state.spending.plus(event))


@reduce.register
def _(event: WarningEvent, state: RunState) -> RunState:
    words = i18n.translate(event.message)
    return _note(state._replace(warnings=(*state.warnings, event.message)), event, words)


@reduce.register
def _(event: ErrorEvent, state: RunState) -> RunState:
    message = i18n.translate(event.message)
    return _note(state._replace(error=event), event, i18n._("error: {message}", message=message))


@reduce.register
def _(event: CommittedEvent, state: RunState) -> RunState:
    return _note(
        state._replace(committed=event), event, i18n._("in the book: {title}", title=event.title)
    )
