"""Other versions of a passage, asked of the drafter and kept beside the chapter (seed C9).

The chapter stays as it is; a version enters it when the writer takes it (`versions.py`). Each
version is kept as soon as it is whole, so that an order that was stopped or killed has lost none;
the unfinished part of the next one is kept, too. The context is that of the moment before the
passage: the text before it, the scene's plan, the story as of the chapter. To regenerate the
passage, the model sees neither the passage nor the text after it (requirement C9), and is told
that a wish may speak of words that it has not; to refine it as she says, it sees the passage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from studio.errors import usage
from studio.llm.errors import ModelError
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.chapter.run import keep_half, keep_partials
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.drafting.drafter_prompt import Before, prose_before, scene_question
from studio.pipeline.drafting.prewriter import (
    brief_question,
    finished_brief,
    prewrites,
    put_brief,
    with_brief,
)
from studio.pipeline.drafting.scene_plans import has_breaks, specs_in_force
from studio.pipeline.events import Emit, Emitter, unheard
from studio.pipeline.gateway import gateway_or_refusal
from studio.pipeline.locked_run import RunLog, forget_failure
from studio.pipeline.novel import OnNovel
from studio.pipeline.opening import plan_of
from studio.pipeline.orders import MOST_VERSIONS, PassageOrder, PassagePrice, PassageVersion
from studio.pipeline.passage.version_changes import changes_of_version
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.answer_stream import story_of
from studio.pipeline.prompting.fit_to_window import SO_FAR, tell_since
from studio.pipeline.prompting.held_here import held_here
from studio.pipeline.prompting.prompt_blocks import NEVER_LEFT_OUT, PromptBlocks
from studio.pipeline.questions.hand_edits import name_edits
from studio.pipeline.stage import Sight
from studio.project.author.passage_locks import refuse_locked, text_in_work
from studio.project.commit.writing import hold_for_writing
from studio.project.history.reasons import Reason
from studio.project.history.variations import NO_TEXT, Variation, Variations
from studio.project.planning.her_length import targets_of_chapter
from studio.story.chapter import (
    Paragraph,
    Scene,
    no_prose_of,
    passage_text,
    sha256_of,
    split_paragraphs,
)
from studio.story.checkpoint import Checkpoint
from studio.story.contract import SceneSpec
from studio.story.ledger import Estimate
from studio.story.lengths import is_longer_wished, is_shorter_wished, length_of_hers, unit_in
from studio.story.notes import without_notes
from studio.story.scene_marks import is_mark
from studio.text.craft import without_examples
from studio.text.draft_sieve import is_told_in_another_language
from studio.text.guard import guarded_names
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import excerpt
from studio.text.prose.parse import length_in, units_in

_SPREAD = 0.25
"""The share by which a version may be shorter or longer than the passage."""
_LEAST_ROOM: Mapping[str, int] = {"words": 6, "characters": 20}
"""By how much it may be, at least, in the language's unit."""
_OF_THE_VOLUME = frozenset({"volume-outline", "schedule", "neighbours", "anti-exemplar"})
"""Blocks that a passage has no use for: where the volume goes is in what stands around it."""
_LAST = ("held-here", "behind", "passage", "versions", "task")
"""What differs from passage to passage, and from version to version."""
_PARAGRAPHS_BEHIND = 2
"""The paragraphs behind a passage that its drafter sees (WRITING 1)."""
_THOUGHTS, _ROOM = 3000, 4
"""Tokens of an answer before its prose, and the limit of the prose as a multiple of the
passage's own tokens."""
_ANEW = (
    "REGENERATE {which} of scene {scene} of chapter {chapter}, of which you are not shown the old"
    " words: write {count}, and nothing after it. {place} Length: {length}."
)
_SCENE_ANEW = (
    "REGENERATE scene {scene} of chapter {chapter}: write the whole scene anew, in"
    " {count}. {place} Write this scene and nothing after it. Length: {length}."
)
_WITH_A_WISH = (
    " `direction` may speak of the old words: tell what it keeps of them, as far as its own words"
    " and the material say what that is, and leave out what it wants gone."
)
_CHANGED = (
    "REFINE the passage in `passage`, {which} of scene {scene} of chapter {chapter}. {place}"
    " Under Prose stands the whole passage, changed as `direction` says, and nothing else"
    " of the scene; its facts hold where `direction` does not change them. Length: {length}."
)

_ANOTHER_WAY = {
    "regenerate": (
        " `versions` has the first words of each that stands already. This one is another: it"
        " enters elsewhere, takes things in another order or builds them otherwise, and none of"
        " those words come again."
    ),
    "refine": (
        " `versions` has where each that stands already differs from the passage. This one does"
        " what `direction` says in another way."
    ),
}
_MOST_WAYS, _LONGEST_WAY = 5, 90
"""How many of the other versions are told, the newest, and the most characters of each."""


def passage_question(
    work: Sight, passage: tuple[Paragraph, ...], order: PassageOrder, number: int
) -> Question:
    """Returns the drafter's call for version `number` of a passage of the chapter in view."""
    view = work.run
    scenes = view.scenes
    its_scene = scenes.scene(scenes.number_of(passage[0]))
    assert its_scene is not None
    scene, plan = _scene_plan(view, its_scene.number)
    texts = _texts_before(view, passage[0])
    opened = passage[0] != its_scene.paragraphs[0]  # some of its scene stands before it
    before = prose_before(work, texts, in_part=opened)
    if len(passage) == 1:
        before = _near_enough(before, view.pack)
    question = scene_question(work, plan, scene, before)
    words = without_notes(passage_text(passage))
    target = length_of_hers((view.direction,), _target(work, words, order.direction))
    is_scene = len(passage) == len(its_scene.paragraphs)
    task = _task(order, is_scene=is_scene).format(
        scene=its_scene.number,
        chapter=view.chapter,
        count="one paragraph" if len(passage) == 1 else f"about {len(passage)} paragraphs",
        which=_which(its_scene, passage),
        place=_place(its_scene, passage, is_first=not texts, has_breaks=has_breaks(view)),
        length=target,
    )
    blocks = dict(question.blocks or {}, notes="", task=task, behind=_behind(its_scene, passage))
    blocks["scene-plan"] = work.prompt_blocks.scene_plan(plan, scene, view.scenes.count)
    if ways := _ways_taken(view, order, words):
        blocks |= {"versions": ways, "task": task + _ANOTHER_WAY[order.mode]}
    names = question.order or work.agents.agent(question.agent).blocks
    lines = dict(question.lines or {})
    if not is_scene:
        craft = work.prompt_blocks.craft(of_a_passage=True)
        blocks["craft"] = craft if len(passage) > 1 else without_examples(craft)
        lines["exemplars"] = lines["exemplars"][: len(passage)]
        names = tuple(name for name in names if name not in _OF_THE_VOLUME)
        if order.mode == "regenerate":
            blocks["held-here"] = held_here(work, passage, scene)
    if order.mode == "refine":
        blocks["passage"] = words
    names = (*(name for name in names if name not in _LAST), *_LAST)
    what = f"p{order.place.scene}.{order.place.first}-{order.place.last}-v{number}"
    return replace(
        question,
        what=what,
        part=number,
        before="\n".join((question.before, texts[-1] if opened else "")),
        blocks=blocks,
        lines=lines,
        slots={**(question.slots or {}), "target_length": target},
        of_a_passage=not is_scene,
        order=tuple(names),
        mode=order.mode,
        max_tokens=question.max_tokens or _most_tokens(work, words),
        likely_tokens=work.run.gateway.provider.estimate_tokens(words),
        seed=int(sha256_of(view.call_name("draft", what))[:7], 16),
    )


def _task(order: PassageOrder, *, is_scene: bool) -> str:
    """Returns what is asked for, with gaps for where and how long."""
    if order.mode == "refine":
        return _CHANGED
    task = _SCENE_ANEW if is_scene else _ANEW
    return task + _WITH_A_WISH if order.direction.strip() else task


def _texts_before(view: ChapterView, first: Paragraph) -> list[str]:
    """Returns what stands before a paragraph in its chapter, a text for each scene."""
    return [
        view.current.text[there[0].start : there[-1].end]
        for one in view.scenes.scenes
        if (there := tuple(p for p in one.paragraphs if p.start < first.start))
    ]


def _ways_taken(view: ChapterView, order: PassageOrder, words: str) -> str:
    """Returns how the versions of a passage begin that were written anew before, a line each; of
    those in which it was changed as she says now, their words from where they first differ."""
    variations = Variations(view.store.layout)
    versions = variations.of(order.chapter, order.place.scene).variations
    source = sha256_of(passage_text(order.place.within(view.current, order.chapter)))
    is_change = order.mode == "refine"
    rows = []
    for version in versions:
        if version.source_sha256 != source or version.mode != order.mode:
            continue
        if not version.generation_id or (is_change and version.direction != order.direction):
            continue
        text = without_notes(variations.text(order.chapter, version))
        at = _first_difference(words, text) if is_change else 0
        rows.append(f"- {excerpt(text[at:], _LONGEST_WAY)}")
    return "\n".join(rows[-_MOST_WAYS:])


def _first_difference(one: str, other: str) -> int:
    """Returns where the word begins in `other` with which it first differs from `one`."""
    pairs = enumerate(zip(one, other, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    inside = other[at : at + 1].strip()
    return other[:at].rfind(" ") + 1 if inside else at


def _near_enough(before: Before, pack: LanguagePack) -> Before:
    """Returns what stands before a single paragraph: where enough of its own chapter does, the
    chapter before is nothing that it goes on from."""
    near = sum(units_in(line.text, pack) for line in before.so_far if line.kind == "prose")
    is_enough = near >= NEVER_LEFT_OUT[pack.unit]
    return replace(before, last_pages=(), of_the_end=False) if is_enough else before


def _which(scene: Scene, passage: tuple[Paragraph, ...]) -> str:
    """Returns which paragraphs of their scene a passage is: `paragraphs 3 to 5`."""
    first = scene.paragraphs.index(passage[0]) + 1
    last = first + len(passage) - 1
    return f"paragraph {first}" if first == last else f"paragraphs {first} to {last}"


def _place(
    scene: Scene, passage: tuple[Paragraph, ...], *, is_first: bool, has_breaks: bool
) -> str:
    """Returns where a passage stands: behind what, and before what."""
    opens = passage[0] == scene.paragraphs[0]
    if is_first:
        begins = "With it the chapter opens"
    elif opens:
        after = ", after a break" if has_breaks else ""
        begins = f"With it scene {scene.number} opens{after}, behind the last words of `{SO_FAR}`"
    else:
        begins = f"It goes on from the last words of `{SO_FAR}`"
    ends = "leads to the first words of `behind`" if _behind(scene, passage) else "ends the scene"
    return f"{begins}, and {ends}."


def _scene_plan(view: ChapterView, number: int) -> tuple[SceneSpec, tuple[SceneSpec, ...]]:
    """Returns the plan of the passage's scene, and the plan of the chapter, as the chapter's own
    direction divides it: that of the view is the wish about the passage. If the text has other
    scenes than the plan, the scene's plan says no more than the chapter's."""
    chapter = view.store.checkpoint()
    direction = chapter.direction if chapter.inflight_chapter == view.chapter else ""
    targets = targets_of_chapter(view.store, view.settings, view.contract, direction)
    plan = specs_in_force(view.contract, view.records, targets, direction)
    if len(plan) == view.scenes.count:
        return plan[number - 1], plan
    contract = view.contract
    scene = SceneSpec(
        number=number,
        purpose="; ".join(contract.objectives),
        pov=contract.pov,
        characters=contract.characters,
    )
    return scene, (scene,)


def _target(work: Sight, words: str, wish: str) -> str:
    """Returns how long a version is to be: about as long as the passage, with some room where that
    is short, or else below or above its length, if the author wishes it shorter or longer."""
    view = work.run
    unit, room = unit_in(view.settings), _LEAST_ROOM[view.pack.unit]
    length = max(1, length_in(words, view.pack, unit))
    low = min(length * (1 - _SPREAD), max(length - room, length / 2))
    high = max(length * (1 + _SPREAD), length + room)
    if is_shorter_wished(wish):
        low, high = length / 3, length - 1
    elif is_longer_wished(wish):
        low, high = length + 1, max(2 * length, high)
    return f"{max(1, round(low))}-{max(2, round(high))} {unit}"


def _most_tokens(work: Sight, words: str) -> int:
    """Returns the tokens for the model's reasoning and notes, and for a version several times as
    long."""
    return _THOUGHTS + _ROOM * work.run.gateway.provider.estimate_tokens(words)


def _is_briefed(view: ChapterView, passage: tuple[Paragraph, ...], order: PassageOrder) -> bool:
    """Whether a brief is written first. A change of one paragraph needs none: what is to be done is
    said by the author, and the words are there (WRITING 1)."""
    is_a_change = order.mode == "refine" and len(passage) == 1
    return prewrites(view) and not is_a_change


def _behind(scene: Scene, passage: tuple[Paragraph, ...]) -> str:
    """Returns the next paragraphs of the passage's scene, to which it has to lead."""
    after = [p for p in scene.paragraphs if p.start > passage[-1].start]
    return without_notes("\n\n".join(p.text for p in after[:_PARAGRAPHS_BEHIND]))


REASONS = {"regenerate": Reason.OTHER_VERSION, "refine": Reason.CHANGED_AS_ASKED}
"""The reason for which a version is kept, by the mode of its order."""
_REPEATS = 3
"""Consecutive duplicate answers after which the model is assumed to have no other versions."""


@dataclass(frozen=True)
class PassageWriter(OnNovel):
    """Writes versions of passages of one novel."""

    def price(self, order: PassageOrder) -> PassagePrice:
        """Returns what an order would ask and can cost; makes no call.

        StudioError (exit 2): no such passage, one that is locked, or no suitable model.
        """
        gateway = self._gateway(unheard())
        work, passage = self._work(order, gateway, unheard())
        question = passage_question(work, passage, order, 1)
        requests = [work.agents.request(question)]
        if _is_briefed(work.run, passage, order):
            requests.append(work.agents.request(brief_question(work.run, question)))
        ways = _ANOTHER_WAY[order.mode] + _MOST_WAYS * _LONGEST_WAY * "가"
        cost = Estimate.together(gateway.estimate(request, ways) for request in requests)
        return PassagePrice(
            calls=len(requests) * order.versions,
            model=gateway.provider.model_for(requests[0].role),
            estimate=cost.times(order.versions),
        )

    def ahead(self, order: PassageOrder) -> tuple[Sight, Question]:
        """Returns the first call that an order would make now: for the brief if one comes first
        and is not written yet, else the drafter's. Makes no call; StudioError as in `price`."""
        work, passage = self._work(order, self._gateway(unheard()), unheard())
        question = passage_question(work, passage, order, self._versions_so_far(passage, order) + 1)
        if not _is_briefed(work.run, passage, order):
            return work, question
        brief = finished_brief(work, question)
        if brief is None:
            return work, brief_question(work.run, question)
        return work, put_brief(work.run, question, brief)

    async def write(self, order: PassageOrder, listen: Emit) -> tuple[PassageVersion, ...]:
        """Writes the versions and keeps each; the chapter stays as it is.

        StudioError: 2 as in `price`, 3 if the novel is locked, 6 if the model fails before the
        first version is whole, 7 at a cap. If it fails later, the earlier versions are the result,
        and a warning says so.
        """
        log = RunLog(self.store, listen)
        emit = Emitter(log)
        emit.chapter = order.chapter
        gateway = self._gateway(emit)
        self._work(order, gateway, emit)
        with hold_for_writing(self.store, order.chapter, emit.warn), log.record():
            async with gateway:
                staged = self.store.staging_of(order.chapter)
                keep_partials(staged, self.pack, Reason.CUT_OFF)
                work, passage = self._work(order, gateway, emit)
                name_edits(self.store, emit, before=order.chapter)
                known = work.run.records.omissions
                versions: list[PassageVersion] = []
                try:
                    await self._versions(work, passage, order, versions)
                except asyncio.CancelledError:
                    keep_partials(staged, self.pack, Reason.STOPPED)
                    raise
                except ModelError as error:
                    keep_partials(staged, self.pack, Reason.CUT_OFF)
                    if not versions:
                        raise
                    emit.warn(
                        said(
                            "{why} {number} of {all} arrived.",
                            why=error.problem.message,
                            number=len(versions),
                            all=order.versions,
                        )
                    )
                else:
                    forget_failure(self.store)
                tell_since(work.run, known)
        return tuple(versions)

    async def _versions(
        self,
        work: Sight,
        passage: tuple[Paragraph, ...],
        order: PassageOrder,
        versions: list[PassageVersion],
    ) -> None:
        number = self._versions_so_far(passage, order)
        repeats = 0
        while len(versions) < order.versions:
            number += 1
            version = await self._one(work, passage, order, number)
            if version is not None:
                versions.append(version)
                continue
            repeats += 1
            if repeats == _REPEATS:
                work.run.emit.warn(
                    said(
                        "The model repeated words that you already have; ask for it with a "
                        "wish of your own."
                    )
                )
                return

    def _versions_so_far(self, passage: tuple[Paragraph, ...], order: PassageOrder) -> int:
        """Returns how many versions of this passage a model has written; the next call's name
        contains the number."""
        source = sha256_of(passage_text(passage))
        known = Variations(self.store.layout).of(order.chapter, order.place.scene).variations
        return sum(1 for v in known if v.source_sha256 == source and v.generation_id)

    async def _one(
        self, work: Sight, passage: tuple[Paragraph, ...], order: PassageOrder, number: int
    ) -> PassageVersion | None:
        """Returns one version, kept; None if its words are those of the passage or of another
        version."""
        view = work.run
        question = passage_question(work, passage, order, number)
        if _is_briefed(view, passage, order):
            question = await with_brief(work, question)
        record = await work.agents.prose(question, partial(self._keep_what_came, order))
        prose, asides = story_of(record.generated_text, self.pack, short=question.short)
        paragraphs = split_paragraphs(prose)
        if not paragraphs:
            raise ModelError("empty", said("the passage {place}", place=order.place))
        if asides:
            view.emit.warn(
                said(
                    "The model spoke to you instead of telling the story. Left out: “{quote}”",
                    quote=asides[0],
                )
            )
        if is_mark(mark := no_prose_of(prose)):
            view.emit.warn(
                said(
                    "This version had a scene break inside it ({mark}). A passage lies within one"
                    " scene, so it was left out; set it yourself where you want it.",
                    mark=mark,
                )
            )
        text = "\n\n".join(paragraphs)
        source = passage_text(passage)
        if text == source:
            return None
        if is_told_in_another_language(text, self.pack):
            view.emit.warn(said("This version is in another language than the novel."))
        variation = Variation(
            file="",
            sha256=NO_TEXT,
            reason=REASONS[order.mode],
            created_at="",
            generation_id=record.id,
            passage=str(order.place),
            source_sha256=sha256_of(source),
            mode=order.mode,
            direction=order.direction,
        )
        variations = Variations(self.store.layout)
        saved = variations.keep_version(order.chapter, variation, text, order.place.scene)
        if saved is None:
            return None
        pack = self.pack
        length = length_in(text, pack, unit_in(self.settings))
        names = guarded_names(work.prompt_blocks.names(), view.current.text, text, pack)
        changes = changes_of_version(source, text, saved, names, pack)
        return PassageVersion(order.chapter, order.place, saved, text, length, changes)

    def _keep_what_came(self, order: PassageOrder, error: ModelError) -> bool:
        """Keeps half a version, which does not stand: it is asked for again."""
        staged = self.store.staging_of(order.chapter)
        keep_half(staged, order.place, error.partial, self.pack, Reason.CUT_OFF)
        return False

    def _gateway(self, emit: Emitter) -> Gateway:
        return gateway_or_refusal(self.novel.gateway_for(emit))

    def _work(
        self, order: PassageOrder, gateway: Gateway, emit: Emitter
    ) -> tuple[Sight, tuple[Paragraph, ...]]:
        """Returns the chapter as an agent sees it, and the passage; refuses a passage that must
        not be rewritten."""
        self._refuse(order, gateway)
        text = text_in_work(self.store, order.chapter)
        passage = order.place.within(text, order.chapter)
        refuse_locked(self.store, order.chapter, text, order.place)
        contract = plan_of(self.store, order.chapter, self.settings.novel.language)
        actual = self.store.checkpoint()
        is_inflight = actual.inflight_chapter == order.chapter
        about = (str(order.place), passage_text(passage), order.mode, order.direction)
        view = ChapterView(
            novel=self.novel,
            gateway=gateway,
            contract=contract,
            checkpoint=Checkpoint(
                run=f"v{sha256_of(chr(0).join(about))[:6]}",
                direction=order.direction,
                stage_records=actual.stage_records if is_inflight else (),
            ),
            emit=emit,
            text=text,
        )
        return Sight(view, PromptBlocks(self.store, contract, self.pack)), passage

    def _refuse(self, order: PassageOrder, gateway: Gateway) -> None:
        if not 1 <= order.versions <= MOST_VERSIONS:
            raise usage(
                said(
                    "Ask for 1 to {most_versions} versions at a time.", most_versions=MOST_VERSIONS
                )
            )
        if order.mode == "refine" and gateway.provider.profile.short_prompts:
            raise usage(
                said("This model is too small to change a passage as you say."),
                said("--mode regenerate writes it anew, or change it yourself."),
            )
