"""One call to an agent: its prompt is compiled, and its answer is streamed as events."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel

from studio.agent_pages import (
    KNOWN_BLOCKS,
    OF_A_VOLUME,
    PASSAGE,
    AgentSpec,
    load_agent,
    of_what_is_there,
    render,
)
from studio.config.schema import NovelSettings, Role
from studio.llm.errors import ModelError
from studio.llm.provider import (
    AnswerDelta,
    BlockPlace,
    Listen,
    PromptPart,
    Request,
    Sampling,
    ToolUse,
)
from studio.llm.providers.profiles import is_claude
from studio.llm.structured import form_of
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import (
    DRAFTER,
    PREWRITER,
    Finish,
    PrewriterText,
    RewriteText,
    Text,
    ToolCall,
    ToolResult,
)
from studio.pipeline.prompting.agent_question import Occasion, Question
from studio.pipeline.prompting.answer_stream import (
    AnswerEvents,
    LiveContinuation,
    LiveProse,
    fragment_of,
    parts_of,
    prose_of,
)
from studio.pipeline.prompting.author_blocks import Arrangement, AuthorBlocks
from studio.pipeline.prompting.fit_to_window import (
    INSTRUCTIONS,
    RULES,
    FittedPrompt,
    before_what_grows,
    fit_to_window,
    mention,
    remember,
)
from studio.pipeline.prompting.lines import bare, join_lines, steer
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.prompting.tools.plugin_hooks import (
    context_of,
    people_and_place,
    with_plugin_blocks,
    with_plugin_messages,
)
from studio.pipeline.prompting.tools.tool_desk import answer_function, describe, offer
from studio.project.author.published import last_published
from studio.project.planning.her_length import targets_of_book
from studio.story.chapter import sha256_of
from studio.story.lengths import unit_in, unit_of
from studio.story.notes import without_notes
from studio.story.novel import LANGUAGE_NAMES
from studio.story.records import CallRecord
from studio.story.review.answers import JudgeAnswer

W = TypeVar("W", bound=BaseModel)
BrokeOff = Callable[[ModelError], bool]
"""Takes in the words of an attempt that failed; returns whether they stand."""
WRITERS = frozenset({DRAFTER, PREWRITER})
"""The agents that may not work without the rules: if the rules do not fit, no call is made."""
_WHOLE = frozenset({"previous-tail", "chapter"})
"""The blocks in which the whole text of an earlier chapter can stand."""
_TOLD_OF_IN_TASKS = frozenset({"previous-tail", "summaries"})
"""The blocks of which a task says where something is told: it does not where they are not there."""
_SHARE_OF_WINDOW, _SHARE_OF_FORM = 2, 3
"""Prose, and an answer of a given form, may take at most this fraction (1/n) of the window."""


class AgentCalls:
    """Builds the requests of one run and passes their streams on as events."""

    def __init__(self, view: ChapterView, prompt_blocks: PromptBlocks) -> None:
        self._view = view
        self._prompt_blocks = prompt_blocks
        self._agents: dict[str, AgentSpec] = {}
        self._author = AuthorBlocks(view.store, self.agent, view.pack, view.contract.chapter)
        self._answers = AnswerEvents(view.emit)

    def agent(self, agent_id: str) -> AgentSpec:
        """Returns the agent in force: the project's own file, or the built-in one."""
        if agent_id not in self._agents:
            self._agents[agent_id] = load_agent(agent_id, self._view.store.layout.folder / "agents")
        return self._agents[agent_id]

    async def prose(self, question: Question, broke_off: BrokeOff | None = None) -> CallRecord:
        """Returns a prose answer, with its story streamed; however it ends, a `finish` event is
        emitted. `broke_off` takes in what came of each attempt that failed."""
        answers, live = self._answers, self._live(question)
        thinking = answers.listen_to_thinking(question)
        kind = Text if question.agent == DRAFTER else RewriteText
        answers.begin(kind, question)

        def listen(delta: AnswerDelta) -> None:
            nonlocal live
            if delta.kind == "again":
                live = self._live(question)
                answers.begin(kind, question)
            elif delta.kind == "reasoning":
                thinking(delta)
            else:
                answers.stream(kind, question, live.take(delta.text))

        with answers.finish(question):
            record = await self._prose(question, listen, broke_off)
        answers.stream(kind, question, live.end())
        end = {"finishReason": record.finish_reason, "stepCount": record.step_count}
        answers.say(Finish, question, **end)
        return record

    def _live(self, question: Question) -> LiveProse | LiveContinuation:
        going_on = question.going_on
        return LiveContinuation(going_on.stands, self._view.pack) if going_on else LiveProse()

    async def brief(self, question: Question) -> CallRecord:
        """Returns the prewriter's answer, streamed; it is the first half of a generation and
        emits no `finish`."""
        answers = self._answers
        thinking = answers.listen_to_thinking(question)
        answers.begin(PrewriterText, question)

        def listen(delta: AnswerDelta) -> None:
            thinking(delta)
            if delta.kind == "again":
                answers.begin(PrewriterText, question)
            elif delta.kind == "text":
                answers.stream(PrewriterText, question, delta.text)

        with answers.finish(question):
            return await self._prose(question, listen)

    async def _prose(
        self, question: Question, listen: Listen, broke_off: BrokeOff | None = None
    ) -> CallRecord:
        """Returns a prose answer, after any look-ups that its agent makes."""
        request = replace(self._request_to_send(question), broke_off=broke_off)
        if not request.tools:
            return await self._view.gateway.prose(request, listen)

        def show(use: ToolUse, answer: str | None) -> None:
            names = {"id": use.id, "toolName": use.name}
            if answer is None:
                self._answers.say(ToolCall, question, **names, args=use.args)
            else:
                self._answers.say(ToolResult, question, **names, result=answer)

        def tag_for(text: str) -> str:
            return self._tag({"": text})

        look_up = answer_function(self._view, request, tag_for, show)
        return await self._view.gateway.prose(request, listen, look_up)

    async def structure(
        self,
        question: Question,
        answer: type[W],
        accept: Callable[[W], list[str]] | None = None,
    ) -> tuple[W, CallRecord]:
        """Returns a structured answer; `accept` names what is wrong with a value of the right
        shape."""
        return await self._view.gateway.structure(
            self._request_to_send(question, answer),
            answer,
            accept=accept,
            listen=self._answers.listen_to_thinking(question),
        )

    def blocks(self, question: Question) -> Mapping[str, str]:
        """Returns the blocks of a call by name, as the author has arranged them."""
        return self._arrange(self._with_plugins(question), self.agent(question.agent)).blocks

    def request(self, question: Question, answer: type[BaseModel] | None = None) -> Request:
        """Returns the complete request of a call: the same question of the same attempt gives the
        same request.

        `answer` is the type of a structured answer. Raises TooLarge.
        """
        request = self._request(question, answer)
        if request.tools and question.briefed:
            tools = {"tools": describe(request.tools)}
            request = self._request(
                replace(question, blocks={**(question.blocks or {}), **tools}), answer
            )
        return request

    def _request(self, question: Question, answer: type[BaseModel] | None) -> Request:
        spec = self.agent(question.agent)
        question = self._with_plugins(question)
        role = question.role or spec.role
        schema = None if answer is None else _form_for(question, answer)
        most = self._max_tokens(question, _SHARE_OF_FORM if schema else _SHARE_OF_WINDOW)
        compiled, block_places = self._fit(question, spec, self._budget(most, role, schema))
        request = Request(
            call=self._view.call_name(question.stage, question.what),
            stage=question.stage,
            agent=question.agent,
            role=role,
            parts=compiled.parts,
            schema=schema,
            chapter=self._view.chapter,
            scene=question.scene,
            of_a_passage=question.of_a_passage,
            max_tokens=most,
            likely_tokens=question.likely_tokens,
            effort=question.effort or spec.effort,
            sampling=Sampling(
                temperature=question.temperature or spec.sampling.temperature,
                top_p=spec.sampling.top_p,
                repeat_penalty=self._repeat_penalty(spec),
                seed=question.seed,
            ),
            input=self._view.direction,
            exemplars=question.exemplars,
            lines=compiled.lines,
            dropped_lines=compiled.dropped_lines,
            places=block_places,
            dropped_blocks=compiled.dropped,
            cut_blocks=compiled.cut,
            open_ended=question.short,
            share=question.going_on.share if question.going_on else 1.0,
            sieve=question.sieve,
            steps=self._steps(question),
            essential=prose_of if question.agent == DRAFTER else None,
            source_sha256=text.sha256 if (text := self._view.text) else None,
        )
        offered = offer(self._view, spec, request)
        about = {
            "tools_withheld": offered.withheld,
            "steps_exceeded": question.agent in WRITERS and request.steps == 1,
            **(question.about or {}),
        }
        saved_as = partial(
            fragment_of,
            request,
            pack=self._view.pack,
            short=question.short,
            going_on=question.going_on,
        )
        return replace(
            request,
            tools=offered.tools,
            annotate=lambda answer: {**parts_of(answer), **saved_as(answer), **about},
        )

    def _repeat_penalty(self, spec: AgentSpec) -> float | None:
        """Returns the repeat penalty, only for English: in other languages it would punish
        particles and endings, which are grammar."""
        english = self._view.settings.novel.language == "en"
        return spec.sampling.repeat_penalty if english else None

    def _with_plugins(self, question: Question) -> Question:
        """Returns the question with the people and place as plugins have changed them."""
        context = self._context(question)
        present, location = people_and_place(
            self._view, context, question.present, question.location
        )
        return replace(question, present=present, location=location)

    def _context(self, question: Question) -> dict[str, Any]:
        return context_of(self._view, question.agent, question.stage, question.scene)

    def _steps(self, question: Question) -> int:
        """Returns the calls that the generation may take: the writers share the novel's budget
        (C6)."""
        if question.agent not in WRITERS or question.short:
            return 1
        whole = self._view.settings.generation.max_steps
        return whole if question.steps is None else max(1, question.steps)

    def _fit(
        self, question: Question, spec: AgentSpec, budget: int
    ) -> tuple[FittedPrompt, tuple[BlockPlace, ...]]:
        """Returns the prompt of a call within `budget` tokens, and the places of its blocks. Of a
        chapter that has no room as a whole, the summary is told after all, and where the state has
        none, the cards of people say what is true of them. Raises TooLarge."""
        compiled, block_places = self._compile(question, spec, budget)
        if question.whole and _WHOLE & {*compiled.dropped, *compiled.cut}:
            return self._fit(replace(question, whole=frozenset()), spec, budget)
        if "state" in compiled.dropped and not question.stateless:
            return self._compile(replace(question, stateless=True), spec, budget)
        return compiled, block_places

    def _compile(
        self, question: Question, spec: AgentSpec, budget: int
    ) -> tuple[FittedPrompt, tuple[BlockPlace, ...]]:
        """Returns the prompt of a call within `budget` tokens, and the places of its blocks.
        Raises TooLarge."""
        if question.short and spec.short:
            system = render(spec.short, self._slots(question, spec), spec.source)
            return FittedPrompt((PromptPart("user", system.strip()),), ()), ()
        context = self._context(question)
        arrangement = with_plugin_blocks(self._view, context, self._arrange(question, spec))
        blocks = arrangement.blocks
        tag = self._tag(blocks)
        slots = {**self._slots(question, spec, tag), "tag": tag}
        body = _page_for(question, spec)
        block_names = {*KNOWN_BLOCKS, *arrangement.order} - {INSTRUCTIONS}
        absent = {
            n for n in block_names if n not in arrangement.order or not blocks.get(n, "").strip()
        }
        page = re.sub(r"(?<=\S) {2,}(?=\S)", " ", render(body, slots, spec.source))
        page = re.sub(r"(?m) +$", "", page)  # where a slot at the end of a line is empty
        own_text = of_what_is_there(page, absent).strip()
        remarks = {
            name: render(words, slots, spec.source).strip()
            for name, words in (spec.remarks if body is spec.body else {}).items()
        }

        def beside_the_task(without: Collection[str]) -> str:
            return "\n\n".join(words for name, words in remarks.items() if name not in without)

        estimate = self._view.gateway.provider.estimate_tokens
        compiled = fit_to_window(
            "\n\n".join(t for t in (arrangement.before, own_text, arrangement.after) if t),
            arrangement.order,
            blocks,
            tag=tag,
            budget=budget - estimate(beside_the_task(absent)),
            estimate=estimate,
            needed=question.needed | (RULES if question.agent in WRITERS else frozenset()),
            lines=arrangement.lines,
            in_system=arrangement.in_system,
            authored=arrangement.authored,
            repeated=question.repeated,
        )
        absent |= block_names & {*compiled.dropped}
        left = of_what_is_there(page, absent).strip()
        task = blocks.get("task", "").strip()
        closing = of_what_is_there(task, absent & _TOLD_OF_IN_TASKS)
        pieces = [
            replace(p, text=closing if p.text == task else p.text.replace(own_text, left))
            for p in compiled.parts
        ]
        if words := beside_the_task(absent):
            pieces.insert(len(pieces) - 1, PromptPart("user", words))
        parts = with_plugin_messages(self._view, context, tuple(pieces), tag)
        return replace(compiled, parts=parts), arrangement.places

    def _arrange(self, question: Question, spec: AgentSpec) -> Arrangement:
        """Returns the blocks of a call as the author has arranged them. StudioError (exit 5)."""
        own = question.blocks or {}
        occasion = Occasion(
            question.scene,
            question.present,
            question.location,
            {**own, "before": question.before},
            question.on_the_surface,
            question.whole,
            question.agent,
            "state" in (question.order or spec.blocks) and not question.stateless,
        )
        order = self._author.expand(
            before_what_grows(question.order or spec.blocks, question.common)
        )
        steering = self._prompt_blocks.steering(occasion)
        fragments = {
            name: steer(name, rows, steering) for name, rows in self._author.lines(order).items()
        }
        own_lines = {
            name: steer(name, rows, steering)
            for name, rows in (question.lines or {}).items()
            if name in order
        }
        material = {**self._prompt_blocks.lines(order, occasion), **fragments, **own_lines}
        lines = bare(material, own)
        texts = {**{name: join_lines(name, rows) for name, rows in lines.items()}, **own}
        return self._author.arrange(
            (question.agent, PREWRITER) if question.briefed else (question.agent,),
            order,
            {name: without_notes(text) for name, text in texts.items()},
            lines,
            self._slots(question, spec),
        )

    def _request_to_send(
        self, question: Question, answer: type[BaseModel] | None = None
    ) -> Request:
        """Returns the request of a call that is made now, and remembers what it has no room for."""
        request = self.request(question, answer)
        remember(self._view, request)
        return request

    @property
    def _thinks(self) -> bool:
        """Whether the model in force thinks before it answers."""
        return self._view.gateway.provider.profile.thinks

    def _tag(self, blocks: Mapping[str, str]) -> str:
        """Returns the tag that fences this call's material: the novel's own, or another that
        does not occur in it."""
        tag = self._view.store.fence_tag or f"m{self._view.checkpoint.run}"
        novel = self._view.settings.novel
        texts = (*blocks.values(), novel.title, novel.genre, novel.point_of_view)
        while any(tag in text for text in texts):
            tag = f"m{sha256_of(tag)[: len(tag) - 1]}"
        return tag

    def _budget(self, most: int, role: Role, schema: dict[str, Any] | None) -> int:
        """Returns the tokens of the model's window that an answer of `most` tokens leaves for
        the prompt; the form of the answer counts as part of the prompt if the model gets it in
        words."""
        provider = self._view.gateway.provider
        room = provider.profile.window - most
        if schema is None or is_claude(provider.model_for(role)):
            return room
        return room - provider.estimate_tokens(orjson.dumps(schema).decode())

    def _max_tokens(self, question: Question, share: int) -> int:
        profile = self._view.gateway.provider.profile
        most = question.max_tokens or self.agent(question.agent).max_tokens
        return min(most, profile.max_output, profile.window // share)

    def _about_the_serial(self, tag: str, kind: str) -> str:
        """Returns how long an episode is, where the book appears, and how many chapters are written
        ahead; empty for a book that is no serial. The task of a volume says its own length."""
        view = self._view
        if not view.settings.novel.is_serial:
            return ""
        words = ""
        if "volume" not in kind.split():
            length = targets_of_book(view.store, view.settings).chapter_length
            words = _EPISODE.format(length=length, unit=unit_in(view.settings))
        platforms = {mark.platform for mark in view.store.published_marks().marks}
        if platforms:
            last = last_published(view.store)
            ahead = max(0, view.store.checkpoint().last_completed_chapter - last)
            where = mention("platforms", ", ".join(sorted(platforms)), tag)
            words += _PUBLISHED.format(platforms=where, last=last, ahead=ahead)
        return words

    def _slots(self, question: Question, spec: AgentSpec, tag: str = "") -> dict[str, str]:
        novel = self._view.settings.novel
        return {
            "language": LANGUAGE_NAMES[novel.language],
            "title": mention("title", novel.title, tag),
            "book": _about_the_book(novel, tag),
            "genre": mention("genre", novel.genre, tag),
            "point_of_view": mention("point-of-view", novel.point_of_view, tag),
            "narration": spec.narration(novel.narration or novel.point_of_view),
            "form": spec.forms.get(novel.form, "").strip(),
            "pre_writing": "" if self._thinks or question.going_on else spec.pre_writing.strip(),
            "serial": self._about_the_serial(tag, question.task_kind),
            "piece": PASSAGE if question.of_a_passage else "scene",
            "unit": unit_of(novel.language),
            "tag": "",
            "this_task": spec.for_task(question.task_kind),
            "operation": spec.operation((question.slots or {}).get("directive_type")),
            **{name: without_notes(text) for name, text in (question.slots or {}).items()},
        }


_EPISODE = "An episode is about {length} {unit} long."
_PUBLISHED = " The book appears on {platforms}: chapters up to {last} are out, {ahead} more stand."


def _form_for(question: Question, answer: type[BaseModel]) -> dict[str, Any]:
    """Returns the schema of an answer; without the field for answers to findings where there are
    none, for the page does not speak of it then."""
    schema = form_of(answer)
    if answer is JudgeAnswer and not (question.blocks or {}).get("findings", "").strip():
        schema["properties"].pop("findings", None)
        schema["$defs"].pop("JudgedFinding", None)
        if "findings" in schema.get("required", ()):
            schema["required"].remove("findings")
    return schema


def _page_for(question: Question, spec: AgentSpec) -> str:
    """Returns the agent's system text for this kind of call, else its page."""
    texts = (
        spec.briefed if question.briefed else None,
        spec.passage if question.of_a_passage else None,
        spec.hers if question.hers else None,
        spec.volume if question.task_kind == OF_A_VOLUME else None,
    )
    return next(filter(None, texts), spec.body)


def _about_the_book(novel: NovelSettings, tag: str) -> str:
    """Returns what the author said of the book, and nothing of what she did not."""
    rows = [
        ("Genre", mention("genre", novel.genre.strip().rstrip("."), tag)),
        ("Point of view", mention("point-of-view", novel.point_of_view.strip().rstrip("."), tag)),
        ("Narration", mention("narration", novel.narration, tag)),
    ]
    return " ".join(f"{label}: {words}." for label, words in rows if words)
