"""The parts of a drafter's answer, for the call's record and for the chapter."""

from __future__ import annotations

from studio.llm.provider import Request
from studio.pipeline.events import DRAFTER
from studio.pipeline.prompting.answer_stream import tidy, to_last_sentence
from studio.story.chapter import sha256_of
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import split_sections
from studio.text.prose.asides import without_asides


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
    request: Request, answer: str, pack: LanguagePack, *, short: bool
) -> dict[str, str | None]:
    """Returns where the prose of a scene, or of another version of a passage, is saved while it
    is unchanged: the scene, and the sha256 under which its text stands in history and variations
    (C8)."""
    if request.agent != DRAFTER or request.scene is None:
        return {}
    place = f"chapter-{request.chapter:03d}/scene-{request.scene:02d}"
    return {"fragment_id": f"{place}/{sha256_of(story_of(answer, pack, short=short)[0])}"}


def parts_of(answer: str) -> dict[str, str | None]:
    """Returns the drafter's notes and hints, for the log (DESIGN section 5)."""
    sections = split_sections(answer)
    return {"pre_writing": sections.pre_writing, "hints": sections.hints}
