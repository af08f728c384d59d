"""What of its chapter's plan a passage tells: other words in its place have to tell it too.

It is found by words: a clause of the plan, or a promise of the chapter, is held by the passage that
has most of what it speaks of, and something of it that the rest of the scene has not.
"""

from __future__ import annotations

from studio.pipeline.events import DRAFTER
from studio.pipeline.prompting.agent_question import Occasion
from studio.pipeline.prompting.plan_words import plan_sentences
from studio.pipeline.stage import Sight
from studio.story.chapter import Paragraph, passage_text
from studio.story.contract import SceneSpec
from studio.text.content import content_of, share_of

_HELD = 0.65
"""The share of a sentence's content in a passage from which the passage tells it: with less it may
speak of the same things and tell something else of them."""
_FEWEST = 2
"""The units of content that tell it, at least."""


def held_here(work: Sight, passage: tuple[Paragraph, ...], scene: SceneSpec | None) -> str:
    """Returns the sentences of the plan and the promises of the chapter that a passage tells, a
    line each; empty where it tells none."""
    view = work.run
    number = view.scenes.number_of(passage[0])
    its_scene = view.scenes.scene(number)
    others = [p.prose for p in (its_scene.paragraphs if its_scene else ()) if p not in passage]
    there = content_of(passage_text(passage), view.pack)
    rest = content_of("\n\n".join(others), view.pack)

    def is_held(words: str) -> bool:
        units = content_of(words, view.pack).units
        here = [unit for unit in units if there.holds(unit)]
        is_own = any(not rest.holds(unit) for unit in here)
        return is_own and len(here) >= _FEWEST and share_of(units, there) >= _HELD

    # What is there for the senses only is no event of the passage.
    own = (scene.copy_with(sensory_anchors=()),) if scene is not None else ()
    sentences = dict.fromkeys(plan_sentences(view.contract, own))
    plan = [f"- {words}" for words in sentences if is_held(words)]
    occasion = Occasion(number, agent=DRAFTER)
    promises = work.prompt_blocks.lines(("foreshadowing",), occasion)["foreshadowing"]
    tasks = [row.text for row in promises if row.why == "contract" and is_held(row.text)]
    return "\n".join((*plan, *tasks))
