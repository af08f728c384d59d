"""An agent's answer while it streams: the story is shown, the notes around it are not (A4).

Its parts are kept for the call's record and for the chapter; its events are text, reasoning,
look-ups, and its end.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any, get_args

from studio.llm.errors import ModelError
from studio.llm.provider import AnswerDelta, Listen, Request, uses_in
from studio.pipeline.events import (
    DRAFTER,
    PREWRITER,
    Again,
    Event,
    Finish,
    Phase,
    PrewriterText,
    Reasoning,
    RewriteText,
    StageName,
    Text,
    TextBearing,
    ToolCall,
    ToolResult,
    usage_of_call,
)
from studio.pipeline.prompting.agent_question import GoingOn, Question
from studio.pipeline.turns import is_kept
from studio.story.chapter import sha256_of
from studio.story.records import CallRecord
from studio.story.scene_marks import without_edge_breaks, without_last_break
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import (
    SpokenWords,
    heading_of,
    is_wrapping,
    may_lead_in,
    split_sections,
    tidy,
    tidy_scene,
    without_asides,
)
from studio.text.prose.going_on import Seam
from studio.text.prose.segmentation import sentences

_MARKS = ("#", "＃", "*", "_", "`")
"""The first characters of a line that may be a heading or a fence."""
_LONGEST_HEADING = 60


class LiveProse:
    """Passes on story text as soon as it is certain to be story.

    A line that may become a heading is held back until it ends; the first line until its sixtieth
    character as long as it begins like a lead-in. Joined, the pieces are the prose of
    `split_sections`.
    """

    def __init__(self) -> None:
        self._spoken = SpokenWords()
        self._section = "prose"
        self._line = ""
        self._is_story = False
        """Whether the current line is certainly prose."""
        self._space = ""
        """White space that is shown only if prose follows."""
        self._begun = False

    def take(self, piece: str) -> str:
        """Returns the part of the story that can be shown now that `piece` has arrived."""
        return self._show(self._spoken.take(piece))

    def _show(self, piece: str) -> str:
        *ends, rest = piece.split("\n")
        story = "".join(self._line_ended(end) for end in ends)
        self._line += rest
        self._is_story = self._is_story or (self._section == "prose" and self._is_certain())
        return story + self._flush() if self._is_story else story

    def end(self) -> str:
        """Returns the rest of the story when the answer is over."""
        return self._show(self._spoken.end()) + self._line_ended("")

    def _is_certain(self) -> bool:
        begun = self._line.lstrip()
        if len(begun) > _LONGEST_HEADING:
            return True
        if not begun or begun.startswith(_MARKS):
            return False
        return self._begun or not may_lead_in(begun)

    def _line_ended(self, end: str) -> str:
        self._line += end
        if not self._is_story:
            self._line = self._story_of(self._line)
        story = self._flush()
        self._is_story = False
        if self._section == "prose":
            self._space += "\n"
        return story

    def _story_of(self, line: str) -> str:
        """Returns the part of a whole line that is prose."""
        heading = heading_of(line)
        if heading is not None:
            self._section, rest = heading
            return rest if self._section == "prose" else ""
        return "" if self._section != "prose" or is_wrapping(line, not self._begun) else line

    def _flush(self) -> str:
        line, self._line = self._line, ""
        words = line.rstrip()
        if not words:
            self._space += line
            return ""
        space = "\n\n" if self._space.count("\n") > 1 else self._space
        story = space + words if self._begun else words
        self._begun, self._space = True, line[len(words) :]
        return story


class LiveContinuation:
    """Passes on the rest of a scene as it is to be appended to what stands: without a beginning
    that repeats the end of it, and with the space or the blank line between the two."""

    def __init__(self, stands: str, pack: LanguagePack) -> None:
        self._live = LiveProse()
        self._seam = Seam(stands, pack)
        self._held = ""
        self._is_joined = False

    def take(self, piece: str) -> str:
        """Returns the part of the story that can be appended now that `piece` has arrived."""
        story = self._live.take(piece)
        if self._is_joined:
            return story
        self._held += story
        return "" if self._seam.may_repeat(self._held) else self._join()

    def end(self) -> str:
        """Returns the rest of the story when the answer is over."""
        story = self._live.end()
        if self._is_joined:
            return story
        self._held += story
        return self._join()

    def _join(self) -> str:
        story = self._seam.added_by(self._held)
        self._is_joined = bool(story)
        return story


MINIMUM_CHARACTERS = 500
"""Prose shorter than this is asked for once more (seed A4)."""


def to_last_sentence(text: str, pack: LanguagePack) -> str:
    """Returns the text without an unfinished last sentence (small models stop anywhere)."""
    paragraphs = text.split("\n\n")
    while paragraphs:
        spans = sentences(paragraphs[-1], pack)
        while spans and not _is_whole(spans[-1].of(paragraphs[-1])):
            spans = spans[:-1]
        if spans:
            paragraphs[-1] = paragraphs[-1][: spans[-1].end].rstrip()
            return "\n\n".join(paragraphs)
        paragraphs.pop()
    return text


def _is_whole(sentence: str) -> bool:
    return sentence.rstrip().endswith(
        (".", "!", "?", "…", "。", "！", "？", '"', "”", "’", "」", "』")
    )


def prose_of(answer: str) -> str:
    """Returns the part of a drafter's answer that can stand in a chapter: notes alone are no
    scene (M1)."""
    return tidy(split_sections(answer).prose)


def story_of(
    answer: str, pack: LanguagePack, *, short: bool, goes_on: bool = False
) -> tuple[str, list[str]]:
    """Returns the story in a drafter's answer, and its asides to whoever asked.

    `short` marks a small model's answer, which may stop in the middle of a sentence; `goes_on` one
    that goes on from words that stand, so that it may begin with a scene break.
    """
    prose = tidy_scene(split_sections(answer).prose, goes_on=goes_on)
    prose, asides = without_asides(prose, pack, everywhere=short)
    prose = to_last_sentence(prose, pack) if short else prose
    return (without_last_break(prose) if goes_on else without_edge_breaks(prose)), asides


def fragment_of(
    request: Request,
    answer: str,
    pack: LanguagePack,
    *,
    short: bool,
    going_on: GoingOn | None = None,
) -> dict[str, str | int | None]:
    """Returns where the prose of a scene, or of another version of a passage, is saved while it
    is unchanged: the scene, and the sha256 under which its text stands in history and variations
    (C8); for the rest of a scene also what it goes on from and how much of that it repeats."""
    if request.agent != DRAFTER or request.scene is None:
        return {}
    place = f"chapter-{request.chapter:03d}/scene-{request.scene:02d}"
    story, _ = story_of(answer, pack, short=short, goes_on=going_on is not None)
    if going_on is None:
        return {"fragment_id": f"{place}/{sha256_of(story)}"}
    seam = Seam(going_on.stands, pack)
    return {
        "fragment_id": f"{place}/{sha256_of(seam.join(story))}",
        "continues": going_on.continues,
        "trimmed": seam.length_repeated(story),
    }


def parts_of(answer: str) -> dict[str, str | None]:
    """Returns the drafter's notes and hints, for the log (DESIGN section 5)."""
    sections = split_sections(answer)
    return {"pre_writing": sections.pre_writing, "hints": sections.hints}


_Place = tuple[str, int | None, str | None]
"""The place of a text: its agent, its scene and its directive."""


class AnswerEvents:
    """Emits each piece with its place, and says when an answer replaces one that was streamed
    before."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._heard: dict[_Place, dict[int, list[str]]] = {}
        """The pieces streamed for each place, by the part of its text."""

    def say(self, kind: type[TextBearing], question: Question, **fields: object) -> None:
        """Emits an event about the answer to a question."""
        whose = {"stage": question.stage, "agent": question.agent, "scene": question.scene}
        self._emit(kind.model_validate({**whose, **fields}))

    def stream(self, kind: type[TextBearing], question: Question, text: str) -> None:
        """Emits a piece of the answer's text. The parts of a directive's rewrite are separated."""
        if is_kept(partial(self.stream, kind, question, text)):
            return
        if text:
            parts = self._heard.setdefault(_place(question), {})
            apart = question.directive and parts and question.part not in parts
            parts.setdefault(question.part, []).append(text)
            named = {"directive": question.directive} if "directive" in kind.model_fields else {}
            self.say(kind, question, text="\n\n" + text if apart else text, **named)

    def begin(self, kind: type[TextBearing], question: Question) -> None:
        """Begins an answer. If pieces of an earlier try were streamed, one that failed or was
        too short, emits `Again`; other parts of a directive's rewrite, which still stand, are
        then emitted again."""
        if is_kept(partial(self.begin, kind, question)):
            return
        parts = self._heard.get(_place(question), {})
        if parts.pop(question.part, None):
            self.say(Again, question, directive=question.directive)
            if question.directive and parts:
                text = "\n\n".join(map("".join, parts.values()))
                self.say(kind, question, text=text, directive=question.directive)

    def listen_to_thinking(self, question: Question) -> Listen:
        """Returns a listener that passes a model's reasoning on."""

        def listen(delta: AnswerDelta) -> None:
            if delta.kind == "reasoning":
                self.say(Reasoning, question, text=delta.text)

        return listen

    @contextmanager
    def finish(self, question: Question) -> Iterator[None]:
        """Emits how a generation ended if it did not complete."""
        try:
            yield
        except ModelError as error:
            self.say(Finish, question, finishReason=error.error_kind)
            raise
        except asyncio.CancelledError:
            self.say(Finish, question, finishReason="stopped", stopped=True)
            raise


def _place(question: Question) -> _Place:
    return question.agent, question.scene, question.directive


_PIECES = re.compile(r".+?(?:[.!?…。！？]+[”’」』\"']*\s*|\n+|$)", re.DOTALL)
"""A sentence with the space after it, or a line."""


def replay(record: CallRecord) -> list[Event]:
    """Returns the events of a call in order, numbered from 1 and dated within its time.

    A structured answer was never shown as it streamed: only its reasoning is replayed.
    """
    events = list(_events(record))
    times = _times(record, len(events))
    return [
        event.copy_with(seq=number, ts=ts, chapter=record.chapter)
        for number, (event, ts) in enumerate(zip(events, times, strict=True), start=1)
    ]


def _events(record: CallRecord) -> Iterator[Event]:
    whose: dict[str, Any] = {"stage": _stage(record), "scene": record.scene}
    if record.prewriter_brief is not None:
        brief = {**whose, "agent": PREWRITER}
        yield Phase(phase="prewriting")
        for piece in _pieces(record.prewriter_reasoning or ""):
            yield Reasoning(**brief, text=piece)
        for piece in _pieces(record.prewriter_brief):
            yield PrewriterText(**brief, text=piece)
        yield Phase(phase="writing")
    whose["agent"] = record.agent
    for piece in _pieces(record.reasoning or ""):
        yield Reasoning(**whose, text=piece)
    for call in record.tool_calls:
        use = {"id": str(call.get("id")), "toolName": str(call.get("toolName"))}
        yield ToolCall(**whose, **use, args=call.get("args") or {})
        yield ToolResult(**whose, **use, result=call.get("result"))
    if record.answer is None:
        yield from _text(record, whose)
        if not record.tool_calls:
            # The record of a step holds its look-ups without results: the next step has those.
            for asked in uses_in(record.content or ()):
                yield ToolCall(**whose, id=asked.id, toolName=asked.name, args=asked.args)
        if record.agent != PREWRITER:
            yield Finish(
                **whose,
                finishReason=record.finish_reason,
                stepCount=record.step_count,
                stopped=record.finish_reason == "stopped",
            )
    yield usage_of_call(record.id, record.model, record.total_usage, record.cost_usd)


def _text(record: CallRecord, whose: dict[str, Any]) -> Iterator[Event]:
    if record.agent == PREWRITER:
        for piece in _pieces(record.generated_text):
            yield PrewriterText(**whose, text=piece)
        return
    kind = Text if record.agent == DRAFTER else RewriteText
    live = LiveProse()
    stories = [live.take(piece) for piece in _pieces(record.generated_text)]
    for story in (*stories, live.end()):
        if story:
            yield kind(**whose, text=story)


def _pieces(text: str) -> list[str]:
    return [piece for piece in _PIECES.findall(text) if piece]


def _stage(record: CallRecord) -> str:
    """Returns the stage of the record; for a call outside a chapter's line, the draft stage."""
    return record.stage if record.stage in get_args(StageName) else "draft"


def _times(record: CallRecord, count: int) -> list[str]:
    """Returns times spread over the duration of the call, or the recorded start itself if it is
    not a valid date."""
    try:
        begin = datetime.fromisoformat(record.created_at)
    except ValueError:
        return [record.created_at] * count
    step = timedelta(milliseconds=record.duration_ms / max(1, count - 1))
    moments = (begin + step * number for number in range(count))
    return [m.isoformat(timespec="milliseconds").replace("+00:00", "Z") for m in moments]
