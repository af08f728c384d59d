"""What a scene's drafter would be given now, before a token of it is paid for.

Reads as the run itself reads and asks the same question; writes nothing and asks nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from studio.config.schema import Settings
from studio.errors import usage
from studio.llm.gateway import Gateway
from studio.llm.provider import Request, high_estimate
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.drafting.plot_architect import plan_question, to_be_planned
from studio.pipeline.drafting.prewriter import brief_question, prewrites
from studio.pipeline.drafting.scenes import planned
from studio.pipeline.events import Emitter
from studio.pipeline.opening import plan_of, waiting_direction
from studio.pipeline.prompting.material import Material
from studio.pipeline.stage import Sight
from studio.pipeline.stages.draft import previous_words, scene_question, scene_so_far
from studio.project.author.imports import waiting_draft
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.story.records import PromptMessage
from studio.story.review.answers import ScenesAnswer
from studio.text.language.packs import LanguagePack

NOT_WRITTEN = "(the end of scene {}, once it is written)"


@dataclass(frozen=True, slots=True)
class Preview:
    """One call that has not been made."""

    chapter: int
    scene: int
    scenes: int
    """How many the chapter is planned in."""
    request: Request
    model: str
    window: int
    """Tokens of prompt and answer together that the model takes."""
    worst_usd: float | None
    """The most it can cost; None when the model's price is unknown."""

    @property
    def blocks(self) -> list[PromptBlock]:
        """The prompt's pieces in the order they are sent."""
        return blocks_of(self.request.messages)


def preview(
    store: ProjectStore,
    settings: Settings,
    pack: LanguagePack,
    gateway: Gateway,
    chapter: int | None = None,
    scene: int | None = None,
) -> Preview:
    """The drafter's call for a scene: by default the next one of the chapter in work, else the
    first of the next; where a model plans the scenes, the call for their plan comes first.

    StudioError: 2 for a chapter without a plan or of the author's own text, or a scene it has not.
    """
    checkpoint = store.checkpoint()
    inflight = checkpoint.inflight_chapter
    number = chapter or inflight or checkpoint.last_completed_chapter + 1
    contract = plan_of(store, number, settings.novel.language)
    if number != inflight:
        checkpoint = Checkpoint(run="preview", direction=waiting_direction(checkpoint, number))
    staged = store.staging(number)
    view = ChapterView(
        store=store,
        gateway=gateway,
        settings=settings,
        pack=pack,
        contract=contract,
        checkpoint=checkpoint,
        emit=Emitter(lambda event: None),
        text=staged.text(),
    )
    _has_a_drafter(view)
    work = Sight(view, Material(store, contract, pack))
    plan = planned(view)
    texts = {s.number: scene_so_far(view, plan, s) for s in plan}
    due = next((n for n, text in texts.items() if text is None), plan[0].number)
    spec = next((s for s in plan if s.number == (scene or due)), None)
    if spec is None:
        raise usage(f"Chapter {number} has no scene {scene}.", f"Its plan has {len(plan)}.")
    if to_be_planned(view) and gateway.provider.profile.extracts:
        request = work.agents.request(plan_question(view), ScenesAnswer)
    else:
        before = [t or NOT_WRITTEN.format(n) for n, t in texts.items() if n < spec.number]
        question = scene_question(work, plan, spec, previous_words(work, before))
        first = brief_question(view, question) if prewrites(view) else question
        request = work.agents.request(first)
    provider = gateway.provider
    return Preview(
        chapter=number,
        scene=spec.number,
        scenes=len(plan),
        request=request,
        model=provider.model_for(request.role),
        window=provider.profile.window,
        worst_usd=gateway.worst_case(request),
    )


def _has_a_drafter(view: ChapterView) -> None:
    """Refuses a chapter (exit 2) whose text is, or will be, the author's own."""
    begun = view.checkpoint.inflight_chapter is not None
    waits = not begun and waiting_draft(view.store.layout, view.chapter) is not None
    if view.checkpoint.own_text or waits:
        raise usage(
            f"Chapter {view.chapter} is your own text; no model is asked to draft it.",
            f"`studio log {view.chapter}` lists what was asked about it.",
        )


_FENCED = re.compile(r'^<(m\w*) name="([\w-]+)">\n(.*?)\n</\1>$', re.DOTALL | re.MULTILINE)
_OWN = {"system": "the agent's own text", "user": "the task", "assistant": "an answer before"}


class PromptBlock(NamedTuple):
    """One piece of a prompt."""

    role: str
    """The message it stands in: system, user or assistant."""
    name: str
    text: str

    @property
    def tokens(self) -> int:
        """About how many, on the high side."""
        return high_estimate(self.text)


def blocks_of(messages: Iterable[PromptMessage]) -> list[PromptBlock]:
    """The pieces of a prompt in the order they are sent."""
    blocks: list[PromptBlock] = []
    for message in messages:
        at = 0
        for match in _FENCED.finditer(message.content):
            blocks += _unfenced(message.role, message.content[at : match.start()])
            blocks.append(PromptBlock(message.role, match[2], match[3]))
            at = match.end()
        blocks += _unfenced(message.role, message.content[at:])
    return blocks


def _unfenced(role: str, text: str) -> list[PromptBlock]:
    return [PromptBlock(role, _OWN[role], text.strip())] if text.strip() else []
