"""The parts of a drafter's answer, for the call's record and for the chapter."""

from __future__ import annotations

from studio.llm.provider import Request
from studio.pipeline.events import DRAFTER
from studio.pipeline.prompting.agent_question import GoingOn
from studio.pipeline.prompting.answer_stream import to_last_sentence
from studio.story.chapter import sha256_of
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import split_sections, tidy, without_asides
from studio.text.prose.going_on import Seam


def prose_of(answer: str) -> str:
    """Returns the part of a drafter's answer that can stand in a chapter: notes alone are no
    scene (M1)."""
    return tidy(split_sections(answer).prose)


def story_of(answer: str, pack: LanguagePack, *, short: bool) -> tuple[str, list[str]]:
    """Returns the story in a drafter's answer, and its asides to whoever asked.

    `short` marks a small model's answer, which may stop in the middle of a sentence.
    """
    prose, asides = without_asides(prose_of(answer), pack, everywhere=short)
    return (to_last_sentence(prose, pack) if short else prose), asides


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
    story, _ = story_of(answer, pack, short=short)
    if going_on is None:
        return {"fragment_id": f"{place}/{sha256_of(story)}"}
    seam = Seam(going_on.stands, pack)
    return {
        "fragment_id": f"{place}/{sha256_of(seam.joined(story))}",
        "continues": going_on.continues,
        "trimmed": seam.repeated(story),
    }


def parts_of(answer: str) -> dict[str, str | None]:
    """Returns the drafter's notes and hints, for the log (DESIGN section 5)."""
    sections = split_sections(answer)
    return {"pre_writing": sections.pre_writing, "hints": sections.hints}
