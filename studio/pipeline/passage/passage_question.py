"""The question to the drafter for another version of a passage (seed C9).

The context is that of the moment before the passage: the text before it, the scene's plan, the
story as of the chapter. To regenerate the passage, the model sees neither the passage nor the text
after it; to refine it as the author says, it sees the passage and her words.
"""

from __future__ import annotations

from dataclasses import replace

from studio.pipeline.drafting.scenes import has_breaks, planned
from studio.pipeline.passage.passage_order import PassageOrder
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.compile import SO_FAR
from studio.pipeline.stage import Sight
from studio.pipeline.stages.draft import prose_before, scene_question
from studio.story.chapter import Chapter, Paragraph, passage_text, sha256_of
from studio.story.contract import SceneSpec
from studio.story.lengths import unit_in
from studio.story.notes import without_notes
from studio.text.prose.parse import length_in

_SPREAD = 0.25
"""The share by which a version may be shorter or longer than the passage."""
_PARAGRAPHS_BEHIND = 2
"""The paragraphs behind a passage that its drafter sees (WRITING 1)."""
_THOUGHTS, _ROOM = 3000, 4
"""Tokens of an answer before its prose, and the limit of the prose as a multiple of the
passage's own tokens."""
_ANEW = (
    "REGENERATE {which} of scene {scene} of chapter {chapter}, of which you are not shown the old"
    " words: write {count}. {place} Write this passage and nothing after it; the scene's plan says"
    " where the scene as a whole is going. Length: {length}."
)
_SCENE_ANEW = (
    "REGENERATE scene {scene} of chapter {chapter}: write the whole scene anew, in"
    " {count}. {place} Write this scene and nothing after it. Length: {length}."
)
_CHANGED = (
    "REFINE the passage in `passage`, {which} of scene {scene} of chapter {chapter}. {place}"
    " Under Prose stands the whole passage, changed as `direction` says, and nothing else"
    " of the scene. Length: {length}."
)


def passage_question(
    work: Sight, passage: tuple[Paragraph, ...], order: PassageOrder, number: int
) -> Question:
    """Returns the drafter's call for version `number` of a passage of the chapter in view."""
    view = work.run
    scene, plan = _scene_plan(work, order.place.scene)
    earlier = Chapter(view.current.text[: passage[0].start]).scenes
    texts = [passage_text(part.paragraphs) for part in earlier if part.paragraphs]
    before = prose_before(work, texts)
    question = scene_question(work, plan, scene, before)
    words = without_notes(passage_text(passage))
    target = _target(work, words)
    is_scene = len(passage) == len(view.current.scenes[order.place.scene - 1].paragraphs)
    anew = _SCENE_ANEW if is_scene else _ANEW
    task = (anew if order.mode == "regenerate" else _CHANGED).format(
        scene=order.place.scene,
        chapter=view.chapter,
        count="one paragraph" if len(passage) == 1 else f"about {len(passage)} paragraphs",
        which=_which(passage),
        place=_place(view.current, passage, is_first=not texts, has_breaks=has_breaks(view)),
        length=target,
    )
    blocks = {**(question.blocks or {}), "notes": "", "task": task}
    blocks["behind"] = _behind(view.current, passage)
    names = question.order or work.agents.agent(question.agent).blocks
    last: tuple[str, ...] = ("behind", "task")
    if order.mode == "refine":
        blocks["passage"] = words
        last = ("behind", "passage", "task")
    names = (*(name for name in names if name not in last), *last)
    what = f"p{order.place.scene}.{order.place.first}-{order.place.last}-v{number}"
    return replace(
        question,
        what=what,
        part=number,
        blocks=blocks,
        slots={**(question.slots or {}), "target_length": target},
        order=tuple(names),
        mode=order.mode,
        max_tokens=question.max_tokens or _most_tokens(work, words),
        seed=int(sha256_of(view.call_name("draft", what))[:7], 16),
    )


def _which(passage: tuple[Paragraph, ...]) -> str:
    """Returns which paragraphs of their scene a passage is: `paragraphs 3 to 5`."""
    first, last = passage[0].number, passage[-1].number
    return f"paragraph {first}" if first == last else f"paragraphs {first} to {last}"


def _place(
    chapter: Chapter, passage: tuple[Paragraph, ...], *, is_first: bool, has_breaks: bool
) -> str:
    """Returns where a passage stands: behind what, and before what."""
    opens = passage[0].number == 1
    if is_first:
        begins = "With it the chapter opens"
    elif opens:
        after = ", after a break" if has_breaks else ""
        begins = (
            f"With it scene {passage[0].scene} opens{after}, behind the last words of `{SO_FAR}`"
        )
    else:
        begins = f"It goes on from the last words of `{SO_FAR}`"
    ends = "leads to the first words of `behind`" if _behind(chapter, passage) else "ends the scene"
    return f"{begins}, and {ends}."


def _scene_plan(work: Sight, number: int) -> tuple[SceneSpec, tuple[SceneSpec, ...]]:
    """Returns the plan of the passage's scene, and the plan of the chapter. If the text has
    other scenes than the plan, the scene's plan says no more than the chapter's."""
    view = work.run
    plan = planned(view)
    if len(plan) == len(view.current.scenes):
        return plan[number - 1], plan
    contract = view.contract
    scene = SceneSpec(
        number=number,
        purpose="; ".join(contract.objectives),
        pov=contract.pov,
        characters=contract.characters,
    )
    return scene, (scene,)


def _target(work: Sight, words: str) -> str:
    view = work.run
    unit = unit_in(view.settings)
    length = max(1, length_in(words, view.pack, unit))
    low, high = round(length * (1 - _SPREAD)), round(length * (1 + _SPREAD))
    return f"{max(1, low)}-{max(2, high)} {unit}"


def _most_tokens(work: Sight, words: str) -> int:
    """Returns the tokens for the model's reasoning and notes, and for a version several times as
    long."""
    return _THOUGHTS + _ROOM * work.run.gateway.provider.estimate_tokens(words)


def _behind(chapter: Chapter, passage: tuple[Paragraph, ...]) -> str:
    """Returns the next paragraphs of the passage's scene, to which it has to lead."""
    scene = chapter.scene(passage[-1].scene)
    after = scene.paragraphs[passage[-1].number :] if scene else ()
    return without_notes("\n\n".join(p.text for p in after[:_PARAGRAPHS_BEHIND]))
